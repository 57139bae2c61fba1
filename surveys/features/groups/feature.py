"""Questions that are sent together, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.groups.author import GroupsForAuthors
from surveys.features.groups.desk import GroupsAtDesk
from surveys.features.groups.section import NAME, GroupsInDocument
from surveys.features.groups.views import GroupsOnPage
from surveys.features.traits import Trait

GROUPS = Feature(
    name=NAME,
    words=(
        *("group of questions", "groups of questions", "join groups"),
        *("question of a group", "questions of a group", "questions of the group"),
        *("device of a group", "device of the group", "freeze group"),
        *("grouped question", "question grouped", "be grouped", "is grouped", "is group"),
        *("group rules", "group problems", "group sizes", "group families", "group channel"),
        *("group words", "group results", "group views", "group tallies", "group panels"),
    ),
    label=_("Questions that are sent together"),
    purpose=_("Learn which answers go together, by one draw."),
    removal=_("ask each question on its own"),
    traits=frozenset({Trait.JOINT}),
    document=GroupsInDocument(),
    author=GroupsForAuthors(),
    desk=GroupsAtDesk(),
    page=GroupsOnPage(),
)
