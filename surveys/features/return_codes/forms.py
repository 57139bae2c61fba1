"""The epsilon of each question in the next wave."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.devices import family_of
from surveys.features.return_codes.next_wave import refused_joint_words
from surveys.models import Launch, Question
from surveys.parameters import joint_of_all, rules
from surveys.parameters.budget import spent
from surveys.parameters.tables import Coded

PREFIX = "epsilon_"


class NextWaveForm(forms.Form):
    """A field for each question that can be asked more exactly than in this wave."""

    def __init__(self, *args: Any, launch: Launch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._launch = launch
        self.in_force = dict(_relaxable(launch))
        for name, epsilon in self.in_force.items():
            text = launch.parameters.question(name).text
            self.fields[PREFIX + name] = _field(text, epsilon)
            self.initial[PREFIX + name] = epsilon.normalize()

    def clean(self) -> dict[str, Any]:
        """A joint question has no field, so what is posted for one is refused in words."""
        cleaned = super().clean() or self.cleaned_data
        parameters = self._launch.parameters
        for name in (name for device in joint_of_all(parameters) for name in device.questions):
            if posted := self.data.get(PREFIX + name):
                words = refused_joint_words(parameters, name, f"“{posted[:20]}”")
                self.add_error(None, f"{PREFIX}{name}: {words}")
        return cleaned

    def epsilons(self) -> dict[str, Decimal]:
        """Return the epsilons of what is asked more exactly than before, by question."""
        values = {name: self.cleaned_data[PREFIX + name] for name in self.in_force}
        return {name: value for name, value in values.items() if value != self.in_force[name]}


def _relaxable(launch: Launch) -> Iterator[tuple[str, Decimal]]:
    rows: dict[str, Question] = {row.name: row for row in launch.survey.questions.all()}
    for question in launch.parameters.questions:
        row = rows[question.id]
        devices = launch.parameters.devices_of(question)
        coded = all(isinstance(device.table, Coded) for device in devices)
        if question.randomized and coded and not family_of(row).relaxed:
            yield question.id, _epsilon_in_force(launch, row)


def _epsilon_in_force(launch: Launch, row: Question) -> Decimal:
    """Return the epsilon that its author asked for; in a later wave what its devices spend."""
    if launch.wave == 1:
        return row.known_epsilon
    return spent(launch.parameters.devices_of(launch.parameters.question(row.name)))


def _field(text: str, epsilon: Decimal) -> forms.DecimalField:
    shown = numbers.epsilon(epsilon)
    return forms.DecimalField(
        label=text,
        min_value=epsilon,
        max_value=rules.EPSILON_CAP,
        max_digits=7,
        decimal_places=4,
        help_text=_("So far %(epsilon)s. Leave it to ask as before.") % {"epsilon": shown},
        error_messages={
            "min_value": _("Not below %(epsilon)s, at which it was asked before.")
            % {"epsilon": shown}
        },
    )
