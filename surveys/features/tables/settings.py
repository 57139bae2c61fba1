"""The cross-tables of a draft, as they are stored: pairs of names, the outcome first."""

from typing import Any

import msgspec

from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)
from surveys.features.tables.section import NAME


@stored
class DeclaredTables(msgspec.Struct, frozen=True):
    pairs: tuple[tuple[str, str], ...] = ()


def tables_of(survey: WithFeatures) -> tuple[tuple[str, str], ...]:
    return read_settings(survey.features, NAME, DeclaredTables).pairs


def set_tables(survey: HasFeatures, pairs: Any) -> None:
    write_settings(survey, NAME, DeclaredTables(tuple(map(tuple, pairs))))
