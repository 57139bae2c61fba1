"""Control items, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.control_items.author import ControlItemsForAuthors
from surveys.features.control_items.desk import ControlItemsAtDesk
from surveys.features.control_items.results import ControlItemsInResults
from surveys.features.control_items.section import NAME, KnownShares
from surveys.features.control_items.settings import KnownShare
from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition
from surveys.features.traits import Trait

CONTROL_ITEMS = Feature(
    name=NAME,
    words=("control item", "control items"),
    label=_("Control items"),
    purpose=_("Ask what is true of nobody, to see how many do not follow the device."),
    removal=_("remove the control items"),
    traits=frozenset({Trait.ALONE}),
    document=KnownShares(),
    author=ControlItemsForAuthors(),
    desk=ControlItemsAtDesk(),
    definition=SettingsInDefinition(NAME, question=KnownShare),
    results=ControlItemsInResults(),
)
