"""Conditional shares given a randomized grouping variable: ratios of two estimated shares."""

from itertools import combinations
from typing import Any

import numpy as np

import rr_engine
from rr_engine.estimation.alike import vanished_errors
from rr_engine.multiattribute.conditional import Conditional
from surveys.kinds.estimates import LEVELS, derived_json, error_beside, number, numbers

ANYTHING = (0.0, 1.0)
UNKNOWN_SHARE = {
    "estimate": None,
    "standard_error": None,
    "interval": list(ANYTHING),
    "interval_50": list(ANYTHING),
}
UNKNOWN_DIFFERENCE = {"value": None, "standard_error": None, "interval": [None, None], "notes": []}


def randomized_group_notes(shares: Conditional) -> set[str]:
    """The codes of notes on conditional shares."""
    vanished = vanished_errors(shares.standard_errors, shares.population).any()
    return {note.code for note in shares.notes} | ({"error_vanished"} if vanished else set())


def conditional_ratios(shares: Conditional, estimable: np.ndarray) -> list[list[dict[str, Any]]]:
    """Shares of the outcome within each group; a group's row sums to one."""
    wide, narrow = (shares.interval(level, method="default") for level in LEVELS)
    rows = zip(shares.values, shares.standard_errors, wide, narrow, estimable, strict=True)
    return [[_ratio(*cell) for cell in zip(*row, strict=True)] for row in rows]


def _ratio(
    value: float, error: float, wide: np.ndarray, narrow: np.ndarray, estimable: bool
) -> dict[str, Any]:
    if not estimable:
        return dict(UNKNOWN_SHARE)
    return {
        "estimate": number(value),
        "standard_error": error_beside(numbers(wide), error),
        "interval": numbers(wide),
        "interval_50": numbers(narrow),
    }


def differences_of_ratios(
    joint: rr_engine.JointEstimate, estimable: np.ndarray, axes: tuple[int, int], limit: int
) -> list[dict[str, Any]]:
    """The differences of the groups' shares, first minus second, by outcome and pair of groups."""
    groups, outcomes = estimable.shape
    pairs = list(combinations(range(groups), 2)) if groups <= limit else []
    return [
        {
            "outcome": outcome,
            "groups": list(pair),
            **_difference(joint, axes, outcome, pair, estimable[list(pair), outcome]),
        }
        for outcome in range(outcomes)
        for pair in pairs
    ]


def _difference(
    joint: rr_engine.JointEstimate,
    axes: tuple[int, int],
    outcome: int,
    pair: tuple[int, int],
    estimable: np.ndarray,
) -> dict[str, Any]:
    if not estimable.all():
        return dict(UNKNOWN_DIFFERENCE)
    return derived_json(joint.difference(axes[0], outcome, axes[1], list(pair)))
