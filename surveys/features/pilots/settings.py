"""Whether an author has made a survey a pilot, and from which pilot a survey was made."""

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
    """`made_from`: the key of the pilot whose clusters a survey asks together."""

    on: bool = False
    made_from: int | None = None


def is_pilot(survey: WithFeatures) -> bool:
    return pilot_settings(survey).on


def pilot_settings(survey: WithFeatures) -> Pilot:
    return read_settings(survey.features, NAME, Pilot)


def set_pilot(survey: HasFeatures, on: bool) -> None:
    write_settings(survey, NAME, Pilot(on, pilot_settings(survey).made_from))


def set_made_from(survey: HasFeatures, pilot: int | None) -> None:
    write_settings(survey, NAME, Pilot(is_pilot(survey), pilot))
