"""Whether an author has chosen a licence; a launch freezes it with the settings of the survey.

It is not in the frozen document: respondents are told who gets what, which no licence changes.
"""

from collections.abc import Sequence

from surveys.features.data_licence.settings import licence_of
from surveys.features.parts import AuthorPart
from surveys.models import Question, Survey


class LicenceForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(licence_of(survey))
