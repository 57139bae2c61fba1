"""Personal links, as the object that the rooms find in the registry."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import AuthorPart, DeskPart, DocumentPart
from surveys.features.traits import Trait
from surveys.models import Question, Survey
from surveys.parameters import PERSONAL, Parameters


class PersonalLinksInDocument(DocumentPart):
    def is_used(self, parameters: Parameters, name: str) -> bool:
        return parameters.mode == PERSONAL


class PersonalLinksForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return survey.mode == Survey.Mode.PERSONAL


class PersonalLinksAtDesk(DeskPart):
    survey_field = "mode"

    def is_typed(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> bool:
        return cleaned.get(self.survey_field) == Survey.Mode.PERSONAL


PERSONAL_LINKS = Feature(
    name="personal_links",
    words=(),
    label=_("Personal links"),
    purpose=_("Ask the members of a group about each other."),
    removal=_("choose the open link"),
    traits=frozenset({Trait.NAMED}),
    document=PersonalLinksInDocument(),
    author=PersonalLinksForAuthors(),
    desk=PersonalLinksAtDesk(),
)
