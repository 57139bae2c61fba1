"""Rare categories are merged before Cramer's V: their noise would outweigh all the others.

Chi-square divides by the expected shares. A category with a share m adds about 1/m of the noise of
a cell to it, so that one that nobody is in can make V meaningless. Which categories are merged is
read off the margins alone, so that the choice knows nothing of the dependence.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rr_engine.association.distances import DENSE_CELLS
from rr_engine.association.table import Table
from rr_engine.clusters.pair_table import Groups, MergedTable, indicators
from rr_engine.projection import project_to_simplex
from rr_engine.validation import FloatArray

# A category is told from an empty one at three standard errors. Of direct answers that is about
# nine people.
CLEAR = 3.0


def merge_rare(table: Table, ordered: tuple[bool, bool]) -> MergedTable:
    """Return the table with categories merged that are not told from empty ones.

    The two rarest of an attribute are merged, or the rarest and the rarer of its neighbours where
    there is an order, until each is three standard errors above zero or two are left; also while
    there are more cells than a covariance is formed of.
    """
    groups = [merged_axis(table, axis, ordered=by_order) for axis, by_order in enumerate(ordered)]
    while len(groups[0]) * len(groups[1]) > DENSE_CELLS:
        larger = int(len(groups[1]) > len(groups[0]))
        shares = margin_of_axis(table, larger)
        groups[larger] = next_groups(groups[larger], shares, ordered=ordered[larger])
    return MergedTable(table, groups[0], groups[1])


def merged_axis(table: Table, axis: int, *, ordered: bool) -> Groups:
    """Return the groups of the categories of one attribute."""
    shares, covariance = margin_of_axis(table, axis), margin_covariance(table, axis)
    groups: Groups = tuple((category,) for category in range(len(shares)))
    while len(groups) > 2:
        sums = indicators(groups, len(shares))
        errors = np.sqrt(np.maximum(np.diag(sums @ covariance @ sums.T), 0))
        if (sums @ shares >= CLEAR * errors).all():
            break
        groups = next_groups(groups, shares, ordered=ordered)
    return groups


def margin_of_axis(table: Table, axis: int) -> FloatArray:
    """Return the possible shares of the categories."""
    return project_to_simplex(table.proportions.sum(axis=1 - axis))


def margin_covariance(table: Table, axis: int) -> FloatArray:
    """Return the covariance of the shares of the categories."""
    shape = table.proportions.shape
    cells = np.zeros((shape[axis], *shape))
    for category in range(shape[axis]):
        cells[(category, category) if axis == 0 else (category, slice(None), category)] = 1
    return table.covariance_operator.between(cells, cells)


def next_groups(groups: Groups, shares: FloatArray, *, ordered: bool) -> Groups:
    """Return the groups after the next merger; of groups as rare the first ones are taken."""
    # In twelve digits, so that ties are ties on every processor.
    sums = [round(float(shares[list(group)].sum()), 12) for group in groups]
    rarest = sorted(range(len(groups)), key=lambda place: (sums[place], place))
    first, second = sorted(rarest[:2])
    if ordered:
        beside = [pair for pair in pairwise(range(len(groups))) if rarest[0] in pair]
        first, second = min(beside, key=lambda pair: (sums[pair[0]] + sums[pair[1]], pair))
    joined = tuple(sorted((*groups[first], *groups[second])))
    return tuple(
        joined if place == first else group for place, group in enumerate(groups) if place != second
    )
