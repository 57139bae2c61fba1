"""The form of a comparison of mechanisms: a plan and a guessed distribution."""

from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.authoring.chance_designs import people_through_devices
from surveys.authoring.panel.words import MOST_RESPONDENTS
from surveys.authoring.planning.mechanism_accuracy import LEAST_EPSILON
from surveys.authoring.planning.mechanism_curves import Plan
from surveys.forms.fields.shares import Answers, are_independent, check_shares, part, share_fields
from surveys.kinds import categories, kind_of
from surveys.models import Question
from surveys.parameters.budget import text_of

AXES = (
    ("log", gettext_lazy("Logarithmic: small epsilons have room")),
    ("linear", gettext_lazy("Linear")),
)


class CompareForm(forms.Form):
    """The values are read from the address, so that a comparison can be bookmarked."""

    n = forms.IntegerField(
        label=gettext_lazy("Respondents"), min_value=2, max_value=MOST_RESPONDENTS
    )
    epsilon = forms.DecimalField(
        label=gettext_lazy("Epsilon"),
        min_value=LEAST_EPSILON,
        max_digits=7,
        decimal_places=4,
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
    )
    axis = forms.ChoiceField(
        label=gettext_lazy("Axis of epsilon"), choices=AXES, widget=forms.RadioSelect
    )

    def __init__(self, data: QueryDict, *, question: Question, language: str) -> None:
        with translation.override(language):
            labels = categories(question)
        # For several answers each option is compared; the refusal is not an option.
        per_option = kind_of(question).several
        labels = labels[: len(question.options)] if per_option else labels
        refusal = question.prefer_not and not per_option
        self.answers = Answers(question.kind, tuple(labels), refusal)
        self.names = [f"share-{index}" for index in range(len(labels))]
        fields = share_fields(self.answers, self.names)
        start = {name: field.initial for name, field in fields.items()}
        start |= {"n": people_through_devices(question), "axis": "log"}
        start["epsilon"] = text_of(question.epsilon or Decimal(1))
        super().__init__(data if "n" in data else start)
        self.fields |= fields

    def clean_epsilon(self) -> Decimal:
        epsilon = self.cleaned_data["epsilon"]
        if epsilon > Decimal(settings.EPSILON_CAP):
            message = _("This site allows an epsilon of %s at most. Lower it.")
            raise forms.ValidationError(message % numbers.decimal(settings.EPSILON_CAP))
        return epsilon

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        check_shares(self, self.answers, self.names)
        return cleaned

    @property
    def has_independent_shares(self) -> bool:
        return are_independent(self.answers)

    def shares(self) -> list[float]:
        return [part(self.cleaned_data[name]) for name in self.names]

    def priors(self) -> list[list[float]]:
        """One distribution; if several answers may be true, [not ticked, ticked] for each."""
        shares = self.shares()
        return [[1 - share, share] for share in shares] if self.has_independent_shares else [shares]

    def plan(self) -> Plan:
        """The plan of a valid form."""
        cleaned = self.cleaned_data
        return Plan(
            n=cleaned["n"],
            epsilon=cleaned["epsilon"].normalize(),
            axis=cleaned["axis"],
            labels=list(self.answers.categories),
            shares=self.shares(),
            priors=self.priors(),
        )

    def share_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.names]
