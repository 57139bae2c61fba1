"""Return codes, as the object that the rooms find in the registry."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import AuthorPart, DeskPart, DocumentPart
from surveys.features.traits import Trait
from surveys.models import Question, Survey
from surveys.parameters import PSEUDONYMOUS, Parameters


class ReturnCodesInDocument(DocumentPart):
    def is_used(self, parameters: Parameters, name: str) -> bool:
        return parameters.mode == PSEUDONYMOUS


class ReturnCodesForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return survey.mode == Survey.Mode.PSEUDONYMOUS


class ReturnCodesAtDesk(DeskPart):
    survey_field = "mode"

    def is_typed(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> bool:
        return cleaned.get(self.survey_field) == Survey.Mode.PSEUDONYMOUS


RETURN_CODES = Feature(
    name="return_codes",
    words=(),
    label=_("Return codes"),
    purpose=_("Ask the same people again, without knowing who they are."),
    removal=_("choose the open link"),
    traits=frozenset({Trait.RETURNING}),
    document=ReturnCodesInDocument(),
    author=ReturnCodesForAuthors(),
    desk=ReturnCodesAtDesk(),
)
