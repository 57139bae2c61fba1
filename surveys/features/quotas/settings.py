"""The quotas that an author has written."""

import msgspec

from surveys.features.quotas.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)


@stored
class QuotaSettings(msgspec.Struct, frozen=True):
    """`lines`: a quota in each line, as it was typed."""

    lines: str = ""


def lines_of(survey: WithFeatures) -> str:
    return read_settings(survey.features, NAME, QuotaSettings).lines


def set_lines(survey: HasFeatures, typed: object) -> None:
    write_settings(survey, NAME, QuotaSettings(str(typed or "").strip()))
