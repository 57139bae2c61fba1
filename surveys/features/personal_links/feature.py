"""Personal links, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.modes import Mode
from surveys.features.personal_links.assignment import UnderALink
from surveys.features.personal_links.export import PersonalLinksInResults
from surveys.features.traits import Trait
from surveys.parameters import PERSONAL
from surveys.responses.personal_links import KEY

MODE = Mode(
    PERSONAL,
    key=KEY,
    label=_(
        "Personal link: everybody on the roster gets a link of their own; who answered is known"
    ),
    help=_(
        "Personal links are for networks: questions about who is tied to whom on a roster that "
        "you upload."
    ),
)

PERSONAL_LINKS = Feature(
    name="personal_links",
    words=(),
    label=_("Personal links"),
    purpose=_("Ask the members of a group about each other."),
    removal=_("choose the open link"),
    traits=frozenset({Trait.NAMED}),
    mode=MODE,
    answers=UnderALink(),
    results=PersonalLinksInResults(),
)
