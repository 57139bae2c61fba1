"""The arms of a draft, question by question, and how many people chance puts into each."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.draft_arms import (
    LEAST_SPLIT,
    QuestionArms,
    split_problem,
    takes_arms,
    used_shares,
)
from surveys.models import Question, Survey
from surveys.models.survey import ARM_SHARE
from surveys.parameters.arms import EVERYBODY
from surveys.parameters.budget import text_of

SPLIT, DIRECT = "split_", "direct_"
# Of a hundred people in an arm; the page's own devices keep at least as many as the smallest.
LEAST_SHARE, MOST_SHARE = (rule.limit_value for rule in ARM_SHARE)


class ArmsForm(forms.Form):
    """`questions`: those of the survey, of which only some can have arms.

    `refusal`: why nothing is stored whatever the fields say.
    """

    refusal = ""

    def __init__(
        self, *args: Any, survey: Survey, questions: Sequence[Question], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.questions = [question for question in questions if takes_arms(question)]
        self.fields["split_share"] = _share_field(
            _("Of 100 people in the split sample"), survey.split_share
        )
        self.survey = survey
        # Where nobody is asked directly, a page of its own begins with it.
        self.has_direct = any(question.asked_directly for question in questions)
        if self.has_direct:
            self.fields["direct_share"] = _share_field(
                _("Of 100 people asked directly"), survey.direct_share
            )
        for question in self.questions:
            self.fields[SPLIT + question.name] = _split_field(question)
            if self.has_direct:
                self.fields[DIRECT + question.name] = forms.BooleanField(
                    label=_("Ask the direct arm this as it is"),
                    required=False,
                    initial=question.asked_directly,
                )

    def fields_of(self, question: Question) -> list[forms.BoundField]:
        """The fields of a question; none where it can have no arms."""
        names = [SPLIT + question.name, DIRECT + question.name]
        return [self[name] for name in names if name in self.fields]

    @property
    def parts(self) -> dict[str, str]:
        """The question of each field, for errors."""
        return {
            prefix + question.name: question.name
            for question in self.questions
            for prefix in (SPLIT, DIRECT)
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for question in self.questions:
            epsilon = cleaned.get(SPLIT + question.name)
            if epsilon is not None and (words := _split_words(question, epsilon)):
                self.add_error(SPLIT + question.name, words)
        if self.refusal:
            self.add_error(None, self.refusal)
        if not self.errors:
            self._check_shares(cleaned)
        return cleaned

    def _check_shares(self, cleaned: dict[str, Any]) -> None:
        direct = cleaned.get("direct_share", self.survey.direct_share)
        shares = {"split_share": cleaned["split_share"], "direct_share": direct}
        rest = EVERYBODY - sum(used_shares(self.arms().values(), **shares).values())
        if rest < LEAST_SHARE:
            message = _(
                "%(rest)s of 100 people would be left for the page's own devices; at least "
                "%(least)s are needed. Lower a share."
            )
            values = {"rest": numbers.count(rest), "least": numbers.count(LEAST_SHARE)}
            raise ValidationError(message % values)

    def arms(self) -> dict[str, QuestionArms]:
        """What a valid form says, by question."""
        return {
            question.name: QuestionArms(
                self.cleaned_data[SPLIT + question.name],
                self.cleaned_data.get(DIRECT + question.name, False),
            )
            for question in self.questions
        }


def _share_field(label: str, initial: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=LEAST_SHARE, max_value=MOST_SHARE, initial=initial
    )


def _split_field(question: Question) -> forms.DecimalField:
    stored = question.split_epsilon
    message = _("Leave it empty to ask the split sample as everybody, with an epsilon of %s.")
    return forms.DecimalField(
        label=_("Epsilon in the split sample"),
        required=False,
        max_digits=7,
        decimal_places=4,
        initial=None if stored is None else text_of(stored),
        help_text=message % numbers.decimal(question.epsilon or 0),
        widget=forms.NumberInput(attrs={"step": "any", "min": "0", "inputmode": "decimal"}),
    )


def _split_words(question: Question, epsilon: Decimal) -> str:
    if LEAST_SPLIT <= epsilon < Decimal(question.epsilon or 0):
        return split_problem(question, epsilon) and _("No device has this epsilon. Choose another.")
    message = _("It has to be at least %(least)s and below %(epsilon)s, that of the question.")
    values = {"least": LEAST_SPLIT, "epsilon": question.epsilon or 0}
    return message % {name: numbers.decimal(value) for name, value in values.items()}
