"""Whether an author has made a survey a pilot."""

import msgspec

from surveys.features.pilots.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)


@stored
class Pilot(msgspec.Struct, frozen=True):
    on: bool = False


def is_pilot(survey: WithFeatures) -> bool:
    return read_settings(survey.features, NAME, Pilot).on


def set_pilot(survey: HasFeatures, on: bool) -> None:
    write_settings(survey, NAME, Pilot(on))
