"""Questions that are sent together, as the object that the rooms find in the registry."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.groups.section import NAME, GroupsInDocument
from surveys.features.groups.views import GroupsOnPage
from surveys.features.parts import AuthorPart, DeskPart
from surveys.features.traits import Trait
from surveys.forms.posted_questions import has_groups
from surveys.models import Question, Survey


class GroupsForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return question.group is not None


class GroupsAtDesk(DeskPart):
    def is_typed(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> bool:
        return has_groups(posted, survey)


GROUPS = Feature(
    name=NAME,
    words=(),
    label=_("Questions that are sent together"),
    purpose=_("Learn which answers go together, by one draw."),
    removal=_("ask each question on its own"),
    traits=frozenset({Trait.JOINT}),
    document=GroupsInDocument(),
    author=GroupsForAuthors(),
    desk=GroupsAtDesk(),
    page=GroupsOnPage(),
)
