"""What an author has written for the end of a survey."""

import msgspec

from surveys.features.closing_page.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)

USUAL_KEY = "pid"


@stored
class ClosingSettings(msgspec.Struct, frozen=True):
    """Texts and addresses for each way to the end; `panel`, `key`: whose id comes with the link."""

    complete_text: str = ""
    complete_address: str = ""
    full_text: str = ""
    full_address: str = ""
    screened_text: str = ""
    screened_address: str = ""
    panel: str = ""
    key: str = USUAL_KEY


def closing_of(survey: WithFeatures) -> ClosingSettings:
    return read_settings(survey.features, NAME, ClosingSettings)


def change_closing(survey: HasFeatures, field: str, value: str) -> None:
    """Set one of what is set of a survey."""
    write_settings(survey, NAME, msgspec.structs.replace(closing_of(survey), **{field: value}))
