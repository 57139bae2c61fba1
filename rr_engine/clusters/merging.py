"""Merging categories where a cluster has too many combinations, and what that loses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import log, prod

import numpy as np
from scipy.special import xlogy

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.association.distances import BITS
from rr_engine.association.measures import information_of, phi_squared
from rr_engine.association.table import Table
from rr_engine.clusters.attributes import Attribute, check_attributes, positions_of
from rr_engine.clusters.clustering import DIGITS
from rr_engine.clusters.dependence import Groups, joined, merge
from rr_engine.clusters.graph import Pair, check_pairs
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.multiattribute.joint_result import JointEstimate
from rr_engine.projection import project_to_simplex


@dataclass(frozen=True, slots=True)
class PairLoss(Shown):
    """The dependence of one pair before and after categories were merged.

    Attributes
    ----------
    first, second : str
        Names of the attributes.
    information_before, information_after : float
        Mutual information in bits; merging never adds any.
    v_before, v_after : float
        Cramer's V of the table with its own numbers of categories, so that it can rise.

    Examples
    --------
    >>> from rr_engine import estimate_joint
    >>> from rr_engine.clusters import Attribute, merge_categories
    >>> from rr_engine.designs import direct
    >>> asked = [Attribute("region", 3), Attribute("income", 2)]
    >>> table = estimate_joint([direct(3), direct(2)], [[90, 10], [20, 80], [85, 15]])
    >>> merged = merge_categories(["region"], asked, {("region", "income"): table}, 2)
    >>> (loss,) = merged.pairs
    >>> loss.first, loss.second, round(loss.v_before, 3), round(loss.v_after, 3)
    ('region', 'income', 0.641, 0.639)
    """

    first: str
    second: str
    information_before: float
    information_after: float
    v_before: float
    v_after: float


@dataclass(frozen=True, slots=True)
class MergedCategories(Shown):
    """Which categories are merged.

    Attributes
    ----------
    names : tuple of str
    groups : tuple of groupings
        For each attribute the groups of its categories.
    cells_before, cells : int
        Combinations before and after.
    pairs : tuple of PairLoss
        Of every pair that one of the attributes is in.

    Examples
    --------
    >>> from rr_engine import estimate_joint
    >>> from rr_engine.clusters import Attribute, merge_categories
    >>> from rr_engine.designs import direct
    >>> asked = [Attribute("region", 3), Attribute("income", 2)]
    >>> table = estimate_joint([direct(3), direct(2)], [[90, 10], [20, 80], [85, 15]])
    >>> merged = merge_categories(["region"], asked, {("region", "income"): table}, 2)
    >>> merged.groups, merged.cells_before, merged.cells
    ((((0, 2), (1,)),), 3, 2)
    """

    names: tuple[str, ...]
    groups: tuple[Groups, ...]
    cells_before: int
    cells: int
    pairs: tuple[PairLoss, ...]

    @property
    def lost(self) -> float:
        """Mutual information lost over all pairs, in bits."""
        return sum(pair.information_before - pair.information_after for pair in self.pairs)


def merge_categories(
    names: Sequence[str],
    attributes: Sequence[Attribute],
    estimates: Mapping[tuple[str, str], JointEstimate],
    cells: int,
) -> MergedCategories:
    """Merge categories of some attributes until they have at most so many combinations.

    Parameters
    ----------
    names : sequence of str
        One attribute, or those of a cluster.
    attributes : sequence of Attribute
    estimates : mapping of pairs of names to JointEstimate
        As for :func:`dependence_graph`; not every pair has to be there.
    cells : int
        At least two for each of them.

    Returns
    -------
    MergedCategories

    Raises
    ------
    ArgumentError
        Also where an attribute is in none of the pairs.

    Notes
    -----
    docs/methods/clusters.md. Each step merges the two categories, neighbours where they have an
    order, that lose the least mutual information for what they take off the logarithm of the number
    of cells. The tables are the estimated ones without what may be noise.

    References
    ----------
    .. [1] N. Slonim and N. Tishby, "Agglomerative Information Bottleneck", NIPS 1999.

    Examples
    --------
    >>> from rr_engine import estimate_joint
    >>> from rr_engine.designs import direct
    >>> asked = [Attribute("region", 3), Attribute("income", 2)]
    >>> table = estimate_joint([direct(3), direct(2)], [[90, 10], [20, 80], [85, 15]])
    >>> merged = merge_categories(["region"], asked, {("region", "income"): table}, 2)
    >>> merged.groups, round(merged.lost, 3)
    ((((0, 2), (1,)),), 0.003)
    """
    given = check_attributes(attributes)
    chosen = positions_of(names, given, "names")
    tables = {
        pair: denoised(table)
        for pair, table in check_pairs(estimates, given).items()
        if set(pair) & set(chosen)
    }
    limit = check.whole(cells, "cells", minimum=2 ** len(chosen))
    for place in chosen:
        if not any(place in pair for pair in tables):
            rule = f"hold a pair with {given[place].name}"
            raise ArgumentError("estimates", list(estimates), rule, "pairs_missing")
    groups: dict[int, Groups] = {
        place: tuple((category,) for category in range(attribute.size))
        for place, attribute in enumerate(given)
    }
    before = prod(len(groups[place]) for place in chosen)
    while prod(len(groups[place]) for place in chosen) > limit:
        place, first, second = _cheapest(tables, groups, chosen, given)
        groups[place] = joined(groups[place], first, second)
    return MergedCategories(
        names=tuple(given[place].name for place in chosen),
        groups=tuple(groups[place] for place in chosen),
        cells_before=before,
        cells=prod(len(groups[place]) for place in chosen),
        pairs=tuple(_loss(table, pair, groups, given) for pair, table in tables.items()),
    )


def denoised(table: Table) -> FloatArray:
    """Return the nearest possible table to one whose deviations from independence are shrunk.

    Each by ``1 - variance/deviation**2``, cut at 0 (James and Stein 1961): what does not exceed its
    standard error is taken for noise.
    """
    margins = [project_to_simplex(table.proportions.sum(axis=axis)) for axis in (1, 0)]
    nothing = np.outer(*margins)
    deviations, errors = table.proportions - nothing, table.standard_errors
    clear = np.abs(deviations) > errors
    left = np.divide(errors, deviations, out=np.ones_like(deviations), where=clear) ** 2
    signal = nothing + deviations * (1 - np.minimum(left, 1.0))
    return project_to_simplex(signal.ravel()).reshape(signal.shape)


def _cheapest(
    tables: dict[Pair, FloatArray],
    groups: dict[int, Groups],
    chosen: Sequence[int],
    attributes: Sequence[Attribute],
) -> tuple[int, int, int]:
    """Return the attribute and the two of its groups whose merger costs least."""
    best: tuple[float, int, int, int] | None = None
    for place in chosen:
        size = len(groups[place])
        if size == 2:
            continue
        losses = np.round(_losses_of(place, tables, groups) / log(size / (size - 1)), DIGITS)
        ordered = attributes[place].ordered
        pairs = pairwise(range(size)) if ordered else combinations(range(size), 2)
        cost, first, second = min((float(losses[pair]), *pair) for pair in pairs)
        if best is None or cost < best[0]:
            best = cost, place, first, second
    if best is None:  # All have two groups, and 2**m cells are allowed.
        raise AssertionError("more than two categories are left")
    return best[1:]


def _losses_of(place: int, tables: dict[Pair, FloatArray], groups: dict[int, Groups]) -> FloatArray:
    """Return the information that each merger of two groups loses over all pairs, in bits."""
    size = len(groups[place])
    total = np.zeros((size, size))
    for (first, second), table in tables.items():
        if place in (first, second):
            merged = merge(table, groups[first], groups[second])
            total += losses(merged if place == first else merged.T)
    return total


def losses(table: FloatArray) -> FloatArray:
    """Return the mutual information that merging each two rows would lose, in bits."""
    cells = table[:, None, :] + table[None, :, :]
    rows = table.sum(axis=1)
    each = xlogy(table, table).sum(axis=1) - xlogy(rows, rows)
    sums = rows[:, None] + rows
    together = xlogy(cells, cells).sum(axis=2) - xlogy(sums, sums)
    return np.maximum(each[:, None] + each - together, 0.0) * BITS


def _loss(
    table: FloatArray, pair: Pair, groups: dict[int, Groups], attributes: Sequence[Attribute]
) -> PairLoss:
    after = merge(table, groups[pair[0]], groups[pair[1]])
    values = [information_of(table), information_of(after), _v(table), _v(after)]
    return PairLoss(attributes[pair[0]].name, attributes[pair[1]].name, *values)


def _v(table: FloatArray) -> float:
    return float((phi_squared(table) / (min(table.shape) - 1)) ** 0.5)
