"""Gradual release: a device whose reports are relaxations of what was sent in earlier waves.

A report of an earlier wave must be a degraded copy of this wave's: with the earlier table P1, this
wave's table P2 and a degradation C, of which every column is a distribution over earlier reports,

    C P2 = P1        (Pan 2024, Theorem 3.3, for any two tables)

holds exactly in integers. Then the next report can be drawn given the earlier one and the truth,
and both together reveal what the next one does alone. static/js/rr/earlier.js has the twin.
"""

from collections.abc import Sequence
from typing import assert_never

from surveys.parameters.degradations import Degradation, Listed, Mixed, Same
from surveys.parameters.tables import (
    Bits,
    Bloom,
    Coded,
    Dense,
    Joint,
    Linear,
    Ranking,
    Uniform,
    columns_of,
)
from surveys.parameters.types import Count, Frozen


class Earlier(Frozen, frozen=True):
    """The table of the device in an earlier wave, and how its reports come from this wave's."""

    wave: Count
    table: Dense | Uniform | Linear | Bloom | Joint | Bits | Ranking
    degradation: Degradation


# Tables whose reports are drawn once and sent again: the noise of a text, the bits of the answers
# to a question, the codes of a joint device, and an order.
SentAgain = Bloom | Joint | Bits | Ranking


def is_degraded(
    earlier: Coded | SentAgain, later: Coded | SentAgain, degradation: Degradation
) -> bool:
    """Whether the earlier table is exactly the later one, degraded as it says."""
    if isinstance(earlier, SentAgain) or isinstance(later, SentAgain):
        return earlier == later and isinstance(degradation, Same)
    if earlier.truths != later.truths or getattr(degradation, "denominator", "1") == "0":
        return False
    if isinstance(earlier, Linear) and isinstance(later, Linear):
        # Both sides are lines in the step, which agree everywhere where they agree at two ends.
        return is_degraded(earlier.ends, later.ends, degradation)
    match degradation:
        case Same():
            return earlier == later
        case Mixed():
            return _is_mixed(degradation, earlier, later)
        case Listed():
            return _is_listed(degradation, earlier, later)
    assert_never(degradation)


def _is_mixed(degradation: Mixed, earlier: Coded, later: Coded) -> bool:
    """C has `kept` on and `other` off the diagonal, so C p = other + (kept - other) p."""
    size, whole = len(later.reports), int(degradation.denominator)
    kept, other = int(degradation.kept), int(degradation.other)
    if kept + (size - 1) * other != whole or len(earlier.reports) != size:
        return False
    if isinstance(earlier, Uniform) and isinstance(later, Uniform):
        pairs = [(earlier.kept, later.kept), (earlier.other, later.other)]
    else:
        pairs = _entries(earlier, later)
    scale, base = whole * later.denominator, other * later.denominator
    return all(
        entry * scale == (base + (kept - other) * original) * earlier.denominator
        for entry, original in pairs
    )


def _entries(earlier: Coded, later: Coded) -> list[tuple[int, int]]:
    return [
        pair
        for column, original in zip(columns_of(earlier), columns_of(later), strict=True)
        for pair in zip(column, original, strict=True)
    ]


def _is_listed(degradation: Listed, earlier: Coded, later: Coded) -> bool:
    whole = int(degradation.denominator)
    chances = [tuple(map(int, column)) for column in degradation.columns]
    reports = len(earlier.reports)
    if len(chances) != len(later.reports):
        return False
    if any(len(column) != reports or sum(column) != whole for column in chances):
        return False
    rows = list(zip(*chances, strict=True))
    return all(
        _degrade(rows, original, earlier.denominator)
        == [entry * whole * later.denominator for entry in column]
        for column, original in zip(columns_of(earlier), columns_of(later), strict=True)
    )


def _degrade(rows: Sequence[Sequence[int]], column: Sequence[int], denominator: int) -> list[int]:
    """C p for one truth, times the denominator of the earlier table."""
    return [
        denominator * sum(chance * entry for chance, entry in zip(row, column, strict=True))
        for row in rows
    ]
