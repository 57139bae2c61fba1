"""Shares, means and differences of the groups of a table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import rr_engine
from rr_engine.estimation.notes import vanished_errors
from surveys.kinds.estimates import LEVELS, derived
from surveys.results.tables.known_groups import (
    differences_between,
    group_notes,
    means_within,
    shares_within,
)
from surveys.results.tables.randomized_groups import (
    conditional_ratios,
    differences_of_ratios,
    randomized_group_notes,
)
from surveys.results.tables.recoding import GROUP, OUTCOME, CrossedCounts
from surveys.results_document.parts import Derived


def group_means(joint: rr_engine.JointEstimate, *, others: int) -> tuple[Derived | None, ...]:
    """One mean for each group of a randomized grouping variable; None where not estimable.

    Axes are outcome and group. Scores are 1, 2, ... in the order of the answers; those of the
    last outcomes that are no answers, `others` of them, are left out.
    """
    size = joint.proportions.shape[0] - others
    means = joint.conditional_means(of_axis=0, given_axis=1, scores=np.arange(1.0, size + 1))
    return tuple(derived(mean) if _is_estimable(mean, joint.population) else None for mean in means)


def _is_estimable(mean: rr_engine.association.Derived, population: str) -> bool:
    error = mean.standard_error
    return bool(np.isfinite(error)) and not vanished_errors(error, population)


# The most groups whose pairs are compared: with more pairs, some would differ by chance.
MOST_PAIRED = 6


def group_estimates(
    strata: Sequence[CrossedCounts], joint: rr_engine.JointEstimate, scale_others: int | None
) -> tuple[dict[str, Any], set[str]]:
    """The numbers of a table's groups, and the codes of their notes.

    `scale_others`: how many of the last outcomes of a scale are no answers; None for other kinds.
    """
    # The last device is the group's; one that covers both questions randomizes the group too.
    if all(_reports_truths(stratum.designs[-1]) for stratum in strata):
        return _of_known_groups(strata, joint.population, scale_others)
    return _of_randomized_groups(joint, scale_others)


def _reports_truths(channel: rr_engine.channels.Channel) -> bool:
    """Whether the reports are the true answers."""
    return channel.uniform == (1.0, 0.0)


def _of_known_groups(
    strata: Sequence[CrossedCounts], population: str, scale_others: int | None
) -> tuple[dict[str, Any], set[str]]:
    designs = [stratum.designs[OUTCOME] for stratum in strata]
    tables = [stratum.counts for stratum in strata]
    groups = rr_engine.estimation.estimate_groups(designs, tables, population=population)
    means = None if scale_others is None else means_within(groups, others=scale_others)
    return {
        "conditional": shares_within(groups),
        "means": means,
        "differences": differences_between(groups, MOST_PAIRED),
    }, group_notes(groups)


def _of_randomized_groups(
    joint: rr_engine.JointEstimate, scale_others: int | None
) -> tuple[dict[str, Any], set[str]]:
    shares = joint.conditional(OUTCOME, GROUP)
    estimable = shares.estimable(LEVELS[0])
    return {
        "conditional": conditional_ratios(shares, estimable),
        "means": _means(joint, estimable, scale_others),
        "differences": differences_of_ratios(joint, estimable, (OUTCOME, GROUP), MOST_PAIRED),
    }, randomized_group_notes(shares)


def _means(
    joint: rr_engine.JointEstimate, estimable: np.ndarray, scale_others: int | None
) -> tuple[Derived | None, ...] | None:
    """The means of the groups; None for a group without an estimable share."""
    if scale_others is None:
        return None
    means = group_means(joint, others=scale_others)
    return tuple(mean if row.any() else None for mean, row in zip(means, estimable, strict=True))
