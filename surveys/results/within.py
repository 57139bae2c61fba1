"""Shares, means and differences of the groups of a cross-table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import rr_engine
from surveys.kinds.estimates import LEVELS
from surveys.results.group_means import group_means
from surveys.results.known_groups import (
    differences_between,
    group_notes,
    means_within,
    shares_within,
)
from surveys.results.merging import GROUP, OUTCOME, Counted
from surveys.results.scrambled_groups import (
    differences_of_ratios,
    ratios_within,
    scrambled_notes,
)

# Pairs of more groups than these would fill pages, and one of them would differ by chance alone.
MOST_PAIRED = 6


def within_groups(
    strata: Sequence[Counted], joint: rr_engine.JointEstimate, scale_refusal: bool | None
) -> tuple[dict[str, Any], set[str]]:
    """The numbers of a table's groups, and the codes of what is to be said of them.

    `scale_refusal`: of a scale, whether its last outcome is a refusal; None of other kinds.
    """
    if all(_told(stratum.designs[GROUP]) for stratum in strata):
        return _of_known_groups(strata, joint.population, scale_refusal)
    return _of_scrambled_groups(joint, scale_refusal)


def _told(design: rr_engine.DesignMatrix) -> bool:
    """Whether the reports are the true answers."""
    rows, columns = design.matrix.shape
    return rows == columns and np.array_equal(design.matrix, np.eye(rows))


def _of_known_groups(
    strata: Sequence[Counted], population: str, scale_refusal: bool | None
) -> tuple[dict[str, Any], set[str]]:
    designs = [stratum.designs[OUTCOME] for stratum in strata]
    tables = [stratum.counts for stratum in strata]
    groups = rr_engine.estimate_groups(designs, tables, population=population)
    means = None if scale_refusal is None else means_within(groups, refusal=scale_refusal)
    return {
        "conditional": shares_within(groups),
        "means": means,
        "differences": differences_between(groups, MOST_PAIRED),
    }, group_notes(groups)


def _of_scrambled_groups(
    joint: rr_engine.JointEstimate, scale_refusal: bool | None
) -> tuple[dict[str, Any], set[str]]:
    shares = joint.conditional(OUTCOME, GROUP)
    known = shares.estimable(LEVELS[0])
    return {
        "conditional": ratios_within(shares, known),
        "means": _means(joint, known, scale_refusal),
        "differences": differences_of_ratios(joint, known, (OUTCOME, GROUP), MOST_PAIRED),
    }, scrambled_notes(shares)


def _means(
    joint: rr_engine.JointEstimate, known: np.ndarray, scale_refusal: bool | None
) -> list[dict[str, Any] | None] | None:
    """A group of whose shares none can be told has no mean either."""
    if scale_refusal is None:
        return None
    means = group_means(joint, refusal=scale_refusal)
    return [mean if one.any() else None for mean, one in zip(means, known, strict=True)]
