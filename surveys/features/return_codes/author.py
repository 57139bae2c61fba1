"""What stands against the launch of a survey whose respondents come back."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.features.parts import AuthorPart
from surveys.features.return_codes.section import PSEUDONYMOUS
from surveys.models import Question, Survey


class ReturnCodesForAuthors(AuthorPart):
    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        if survey.mode == PSEUDONYMOUS and survey.linkage == Survey.Linkage.APART:
            message = _(
                "With return codes the answers of one person are kept together, under the code "
                "that only this person has. Choose “%s” under “answers of one person”."
            )
            yield Finding("codes_apart", message % Survey.Linkage.TOGETHER.label, blocks=True)
