"""Shared devices, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition
from surveys.features.shared_device.author import SharedDeviceForAuthors
from surveys.features.shared_device.desk import SharedDeviceAtDesk
from surveys.features.shared_device.section import NAME, SharedDeviceInDocument
from surveys.features.shared_device.settings import SharedDeviceSettings
from surveys.features.shared_device.views import SharedDeviceOnPage
from surveys.features.traits import Trait

SHARED_DEVICE = Feature(
    name=NAME,
    words=("shared device", "shared devices"),
    label=_("Shared phones and computers"),
    purpose=_("Leave nothing of a response on a phone or computer that several people use."),
    removal=_("choose “No” under “Shared phones and computers”"),
    traits=frozenset({Trait.SHARED}),
    document=SharedDeviceInDocument(),
    author=SharedDeviceForAuthors(),
    desk=SharedDeviceAtDesk(),
    definition=SettingsInDefinition(NAME, survey=SharedDeviceSettings),
    page=SharedDeviceOnPage(),
)
