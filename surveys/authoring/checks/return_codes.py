"""Launch checks of a survey whose respondents come back."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.models import Question, Survey
from surveys.parameters import PSEUDONYMOUS


def return_codes(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if survey.mode != PSEUDONYMOUS:
        return
    if survey.linkage == Survey.Linkage.APART:
        message = _(
            "With return codes the answers of one person are kept together, under the code that "
            "only this person has. Choose “%s” under “answers of one person”."
        )
        yield Finding("codes_apart", message % Survey.Linkage.TOGETHER.label, blocks=True)
