"""Questions that are sent together, as the object that the rooms find in the registry."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import AuthorPart, DeskPart, DocumentPart
from surveys.features.traits import Trait
from surveys.forms.posted_questions import has_groups
from surveys.models import Question, Survey
from surveys.parameters import Parameters, groups_of


class GroupsInDocument(DocumentPart):
    def is_used(self, parameters: Parameters, name: str) -> bool:
        return bool(groups_of(parameters))


class GroupsForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return question.group is not None


class GroupsAtDesk(DeskPart):
    def is_typed(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> bool:
        return has_groups(posted, survey)


GROUPS = Feature(
    name="groups",
    words=(),
    label=_("Questions that are sent together"),
    purpose=_("Learn which answers go together, by one draw."),
    removal=_("ask each question on its own"),
    traits=frozenset({Trait.JOINT}),
    document=GroupsInDocument(),
    author=GroupsForAuthors(),
    desk=GroupsAtDesk(),
)
