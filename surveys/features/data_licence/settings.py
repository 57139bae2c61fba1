"""What an author has chosen: the licence under which the data of a survey may be used."""

from typing import Final, Literal

import msgspec

from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)

NAME: Final = "data_licence"
# Identifiers of SPDX; nothing is said; and no licence is given at all.
Licence = Literal[
    "",
    "CC0-1.0",
    "CC-BY-4.0",
    "CC-BY-SA-4.0",
    "CC-BY-NC-4.0",
    "PDDL-1.0",
    "ODC-By-1.0",
    "ODbL-1.0",
    "LicenseRef-All-Rights-Reserved",
]


@stored
class LicenceSettings(msgspec.Struct, frozen=True):
    licence: Licence = ""


def licence_of(survey: WithFeatures) -> Licence:
    return read_settings(survey.features, NAME, LicenceSettings).licence


def set_licence(survey: HasFeatures, licence: Licence) -> None:
    write_settings(survey, NAME, LicenceSettings(licence))
