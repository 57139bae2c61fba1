"""The form of “What should I choose?”, and what an author takes of its proposal."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.authoring.advice.wishes import AIMS, HARMS, Wish
from surveys.authoring.limits import COARSE_MARGIN
from surveys.authoring.panel.words import MOST_RESPONDENTS
from surveys.models import Survey
from surveys.parameters.budget import text_of

LEAST_MARGIN, USUAL_MARGIN = Decimal(1), Decimal(10)
AIM_LABELS = {
    "even": gettext_lazy("All questions gain or lose alike"),
    "largest": gettext_lazy("The largest margin is as small as it can be"),
    "mean": gettext_lazy("The average margin is as small as it can be"),
}


def _harms() -> list[tuple[str, str]]:
    text = _(
        "%(label)s (%(examples)s): epsilon %(question)s at most for a question, %(person)s for a "
        "person"
    )
    return [
        (
            harm.name,
            text
            % {
                "label": harm.label,
                "examples": harm.examples,
                "question": numbers.decimal(harm.question),
                "person": numbers.decimal(harm.person),
            },
        )
        for harm in HARMS.values()
    ]


class AdviceForm(forms.Form):
    """The values are read from the address, so that a proposal can be bookmarked."""

    harm = forms.ChoiceField(
        label=gettext_lazy("How harmful would a leak be?"),
        choices=_harms,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Take the worst that could happen to one of those who answer."),
    )
    planned_n = forms.IntegerField(
        label=gettext_lazy("How many will answer?"), min_value=2, max_value=MOST_RESPONDENTS
    )
    margin = forms.DecimalField(
        label=gettext_lazy("Which margin is needed, in points?"),
        required=False,
        min_value=LEAST_MARGIN,
        max_value=Decimal(round(100 * COARSE_MARGIN)),
        max_digits=4,
        decimal_places=2,
        help_text=gettext_lazy("How far a share may be off to each side. Left empty: 10."),
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
    )
    budget = forms.DecimalField(
        label=gettext_lazy("Privacy budget"),
        min_value=Decimal("0.01"),
        max_value=Decimal(100),
        max_digits=7,
        decimal_places=4,
        help_text=gettext_lazy("What one person may reveal in all; less where harm is great."),
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
    )
    aim = forms.ChoiceField(
        label=gettext_lazy("If not everything fits"),
        choices=[(aim, AIM_LABELS[aim]) for aim in AIMS],
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, data: Any, *, survey: Survey) -> None:
        start = {
            "planned_n": survey.planned_n,
            "budget": text_of(survey.budget),
            "margin": text_of(USUAL_MARGIN),
            "aim": AIMS[0],
        }
        super().__init__(data if data and "harm" in data else None, initial=start)

    def clean_margin(self) -> Decimal:
        return self.cleaned_data["margin"] or USUAL_MARGIN

    def clean_aim(self) -> str:
        return self.cleaned_data["aim"] or AIMS[0]

    def wish(self) -> Wish:
        """Return what was wished for; only of a form without errors."""
        values = self.cleaned_data
        return Wish(
            harm=HARMS[values["harm"]],
            planned_n=values["planned_n"],
            budget=values["budget"],
            margin=float(values["margin"]) / 100,
            aim=values["aim"],
        )


class TakingForm(forms.Form):
    """What stands beside the button: which changes of the survey are wanted, and what is accepted.

    `labels`: of the ticks that there are, by the name of the field; the others are taken away.
    """

    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)
    accepts_worse = forms.BooleanField(
        error_messages={"required": gettext_lazy("Tick this, or change what you wish for.")}
    )
    budget_too = forms.BooleanField(required=False)
    planned_n_too = forms.BooleanField(required=False)

    def __init__(self, *args: Any, labels: dict[str, str], needed: set[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("accepts_worse", "budget_too", "planned_n_too"):
            if name not in labels:
                del self.fields[name]
                continue
            self.fields[name].label = labels[name]
            self.fields[name].required = name in needed
        if "budget_too" in needed:
            message = _("The proposal takes more than the budget. Change the budget too.")
            self.fields["budget_too"].error_messages["required"] = message

    @property
    def survey_fields(self) -> set[str]:
        """The fields of the survey that are to follow the wish."""
        ticks = {"budget": "budget_too", "planned_n": "planned_n_too"}
        return {name for name, tick in ticks.items() if self.cleaned_data.get(tick)}
