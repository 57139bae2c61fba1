"""Device families: one module for each, found by its name; and physical randomizers."""

from surveys.devices.family import Family
from surveys.devices.registry import (
    DIRECT,
    FAMILIES,
    default_family,
    devices_of,
    draft_channel,
    draft_design,
    family_of,
    fitting,
    question_epsilon_total,
    served_family,
)

__all__ = [
    "DIRECT",
    "FAMILIES",
    "Family",
    "default_family",
    "devices_of",
    "draft_channel",
    "draft_design",
    "family_of",
    "fitting",
    "question_epsilon_total",
    "served_family",
]
