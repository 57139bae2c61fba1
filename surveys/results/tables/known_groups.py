"""Conditional shares given a direct grouping variable: each group is estimated separately.

The standard error of a ratio of two joint shares is zero when all reports of the group are alike;
the interval of the group's own estimate inverts a test and has a positive width.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from msgspec.structs import asdict

import rr_engine
from rr_engine.estimation.notes import vanished_errors
from surveys.kinds.estimates import LEVELS, ends, error_beside, identified, mean_of_scale
from surveys.results_document.parts import Derived, ShareWithin
from surveys.results_document.tables import GroupDifference


def group_notes(groups: Sequence[rr_engine.Estimate]) -> set[str]:
    errors_vanished = any(
        vanished_errors(group.standard_errors.max(), group.population) for group in groups
    )
    return {"group_alike"} if errors_vanished else set()


def shares_within(groups: Sequence[rr_engine.Estimate]) -> tuple[tuple[ShareWithin, ...], ...]:
    """Shares of the outcome within each group; a group's row sums to one."""
    return tuple(map(_shares, groups))


def means_within(
    groups: Sequence[rr_engine.Estimate], *, others: int
) -> tuple[Derived | None, ...]:
    return tuple(mean_of_scale(group, group.proportions.size - others) for group in groups)


def differences_between(
    groups: Sequence[rr_engine.Estimate], limit: int
) -> tuple[GroupDifference, ...]:
    """The differences of the groups' shares, first minus second, by outcome and pair of groups."""
    pairs = list(combinations(range(len(groups)), 2)) if len(groups) <= limit else []
    differences = [_difference(groups[first], groups[second]) for first, second in pairs]
    return tuple(
        GroupDifference(outcome=outcome, groups=pair, **asdict(rows[outcome]))
        for outcome in range(groups[0].proportions.size)
        for pair, rows in zip(pairs, differences, strict=True)
    )


def _shares(group: rr_engine.Estimate) -> tuple[ShareWithin, ...]:
    wide, narrow = (group.interval(level, method="default") for level in LEVELS)
    rows = zip(group.proportions, group.standard_errors, wide, narrow, strict=True)
    return tuple(
        ShareWithin(**identified(value, error, outer), interval_50=ends(inner))
        for value, error, outer, inner in rows
    )


def _difference(first: rr_engine.Estimate, second: rr_engine.Estimate) -> list[Derived]:
    difference = rr_engine.estimate_difference(first, second)
    intervals = map(tuple, difference.interval(LEVELS[0]).tolist())
    rows = zip(difference.values.tolist(), difference.standard_errors, intervals, strict=True)
    return [
        Derived(
            value=value if np.isfinite(error) else None,
            standard_error=error_beside(interval, error),
            interval=interval if np.isfinite(error) else (None, None),
            notes=(),
        )
        for value, error, interval in rows
    ]
