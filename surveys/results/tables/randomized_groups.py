"""Conditional shares given a randomized grouping variable: ratios of two estimated shares."""

from itertools import combinations

import numpy as np
from msgspec.structs import asdict

import rr_engine
from rr_engine.estimation.notes import vanished_errors
from rr_engine.multiattribute.conditional import Conditional
from surveys.kinds.estimates import LEVELS, derived, ends, share_of
from surveys.results_document.parts import Derived, ShareWithin
from surveys.results_document.tables import GroupDifference

ANYTHING = (0.0, 1.0)
UNKNOWN_SHARE = ShareWithin(
    estimate=None, standard_error=None, interval=ANYTHING, interval_50=ANYTHING
)
UNKNOWN_DIFFERENCE = Derived(value=None, standard_error=None, interval=(None, None), notes=())


def randomized_group_notes(shares: Conditional) -> set[str]:
    """The codes of notes on conditional shares."""
    vanished = vanished_errors(shares.standard_errors, shares.population).any()
    return {note.code for note in shares.notes} | ({"error_vanished"} if vanished else set())


def conditional_ratios(
    shares: Conditional, estimable: np.ndarray
) -> tuple[tuple[ShareWithin, ...], ...]:
    """Shares of the outcome within each group; a group's row sums to one."""
    wide, narrow = (shares.interval(level, method="default") for level in LEVELS)
    rows = zip(shares.values, shares.standard_errors, wide, narrow, estimable, strict=True)
    return tuple(tuple(_ratio(*cell) for cell in zip(*row, strict=True)) for row in rows)


def _ratio(
    value: float, error: float, wide: np.ndarray, narrow: np.ndarray, estimable: bool
) -> ShareWithin:
    if not estimable:
        return UNKNOWN_SHARE
    return ShareWithin(**share_of(value, error, wide), interval_50=ends(narrow))


def differences_of_ratios(
    joint: rr_engine.JointEstimate, estimable: np.ndarray, axes: tuple[int, int], limit: int
) -> tuple[GroupDifference, ...]:
    """The differences of the groups' shares, first minus second, by outcome and pair of groups."""
    groups, outcomes = estimable.shape
    pairs = list(combinations(range(groups), 2)) if groups <= limit else []
    return tuple(
        GroupDifference(
            outcome=outcome,
            groups=pair,
            **asdict(_difference(joint, axes, outcome, pair, estimable[list(pair), outcome])),
        )
        for outcome in range(outcomes)
        for pair in pairs
    )


def _difference(
    joint: rr_engine.JointEstimate,
    axes: tuple[int, int],
    outcome: int,
    pair: tuple[int, int],
    estimable: np.ndarray,
) -> Derived:
    if not estimable.all():
        return UNKNOWN_DIFFERENCE
    return derived(joint.difference(axes[0], outcome, axes[1], list(pair)))
