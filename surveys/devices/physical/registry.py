"""The physical randomizers that an author can offer, in the order in which they are listed."""

from surveys.devices.physical import crosswise, forced_choice
from surveys.devices.physical.device import PhysicalDevice
from surveys.devices.served_family import ServedFamily
from surveys.registry import Registry

PHYSICAL_DEVICES: Registry[PhysicalDevice] = Registry(*forced_choice.DEVICES, *crosswise.DEVICES)
PHYSICAL_FAMILIES: Registry[ServedFamily] = Registry(
    forced_choice.FORCED_CHOICE, crosswise.CROSSWISE
)
