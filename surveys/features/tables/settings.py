"""The cross-tables of a draft, as they are stored: pairs of names, the outcome first."""

import msgspec

from surveys.features.settings import (
    WithFeatures,
    read_settings,
    stored,
)
from surveys.features.tables.section import NAME


@stored
class DeclaredTables(msgspec.Struct, frozen=True):
    pairs: tuple[tuple[str, str], ...] = ()


def tables_of(survey: WithFeatures) -> tuple[tuple[str, str], ...]:
    return read_settings(survey.features, NAME, DeclaredTables).pairs
