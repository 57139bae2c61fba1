"""The devices of one's own that an author can offer, in the order in which they are listed."""

from surveys.devices.family import Family
from surveys.devices.own import crosswise, forced_choice
from surveys.devices.own.device import OwnDevice
from surveys.registry import Registry

OWN_DEVICES: Registry[OwnDevice] = Registry(*forced_choice.DEVICES, *crosswise.DEVICES)
OWN_FAMILIES: Registry[Family] = Registry(forced_choice.FORCED_CHOICE, crosswise.CROSSWISE)
