"""The analyses and margins of a draft, as they are stored: rows in the form of the document."""

from collections.abc import Sequence
from typing import Any

import msgspec

from surveys.features.analyses.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)

Row = dict[str, Any]


@stored
class Declared(msgspec.Struct, frozen=True):
    """Rows of analyses, and of margins."""

    analyses: list[Row] = []
    margins: list[Row] = []


def declared(survey: WithFeatures) -> Declared:
    return read_settings(survey.features, NAME, Declared)


def store_analyses(survey: HasFeatures, rows: Sequence[Row]) -> None:
    _store(survey, analyses=list(rows))


def store_margins(survey: HasFeatures, rows: Sequence[Row]) -> None:
    _store(survey, margins=list(rows))


def _store(survey: HasFeatures, **changed: list[Row]) -> None:
    before = read_settings(survey.features, NAME, Declared)
    write_settings(survey, NAME, msgspec.structs.replace(before, **changed))
