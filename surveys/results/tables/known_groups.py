"""Conditional shares given a direct grouping variable: each group is estimated separately.

The standard error of a ratio of two joint shares is zero when all reports of the group are alike;
the interval of the group's own estimate inverts a test and has a positive width.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

import rr_engine
from rr_engine.estimation.alike import vanished_errors
from surveys.kinds.estimates import LEVELS, error_beside, mean_of_scale, number, numbers


def group_notes(groups: Sequence[rr_engine.Estimate]) -> set[str]:
    errors_vanished = any(
        vanished_errors(group.standard_errors.max(), group.population) for group in groups
    )
    return {"group_alike"} if errors_vanished else set()


def shares_within(groups: Sequence[rr_engine.Estimate]) -> list[list[dict[str, Any]]]:
    """Shares of the outcome within each group; a group's row sums to one."""
    return [_shares(group) for group in groups]


def means_within(
    groups: Sequence[rr_engine.Estimate], *, refusal: bool
) -> list[dict[str, Any] | None]:
    return [mean_of_scale(group, group.proportions.size - int(refusal)) for group in groups]


def differences_between(groups: Sequence[rr_engine.Estimate], limit: int) -> list[dict[str, Any]]:
    """The differences of the groups' shares, first minus second, by outcome and pair of groups."""
    pairs = list(combinations(range(len(groups)), 2)) if len(groups) <= limit else []
    differences = [_difference(groups[first], groups[second]) for first, second in pairs]
    return [
        {"outcome": outcome, "groups": list(pair), **rows[outcome]}
        for outcome in range(groups[0].proportions.size)
        for pair, rows in zip(pairs, differences, strict=True)
    ]


def _shares(group: rr_engine.Estimate) -> list[dict[str, Any]]:
    wide, narrow = (group.interval(level, method="default") for level in LEVELS)
    rows = zip(group.proportions, group.standard_errors, wide, narrow, strict=True)
    return [
        {
            "estimate": number(value) if np.isfinite(error) else None,
            "standard_error": error_beside(numbers(ends), error),
            "interval": numbers(ends),
            "interval_50": numbers(inner),
        }
        for value, error, ends, inner in rows
    ]


def _difference(first: rr_engine.Estimate, second: rr_engine.Estimate) -> list[dict[str, Any]]:
    difference = rr_engine.estimate_difference(first, second)
    ends = difference.interval(LEVELS[0])
    rows = zip(difference.values.tolist(), difference.standard_errors, ends.tolist(), strict=True)
    return [
        {
            "value": value if np.isfinite(error) else None,
            "standard_error": error_beside(interval, error),
            "interval": interval if np.isfinite(error) else [None, None],
            "notes": [],
        }
        for value, error, interval in rows
    ]
