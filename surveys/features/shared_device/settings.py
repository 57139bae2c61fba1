"""What an author has set: whether respondents may share a device."""

from typing import Literal

import msgspec

from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)
from surveys.features.shared_device.section import NAME

# Nobody is asked; each respondent may say so; every device is shared.
Use = Literal["", "offered", "always"]


@stored
class SharedDeviceSettings(msgspec.Struct, frozen=True):
    use: Use = ""


def sharing_of(survey: WithFeatures) -> Use:
    return read_settings(survey.features, NAME, SharedDeviceSettings).use


def set_sharing(survey: HasFeatures, use: Use) -> None:
    write_settings(survey, NAME, SharedDeviceSettings(use))
