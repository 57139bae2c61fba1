"""The dependence of two attributes from their estimated table, corrected for noise.

Chi-square divides by the expected shares. A category with a share m adds about 1/m of the noise of
a cell to it, so that one that nobody is in can make V meaningless. Which categories are merged is
read off the margins alone, so that the choice knows nothing of the dependence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.association.distances import DENSE_CELLS, phi_squared_distance
from rr_engine.association.scores import correlation_gradient, correlation_of
from rr_engine.association.table import EMPTY, Covariances, Devices, Table
from rr_engine.distributions import normal_sf
from rr_engine.errors import ArgumentError
from rr_engine.multiattribute.joint_result import JointEstimate
from rr_engine.projection import project_to_simplex

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class MergedCovariance:
    """The covariance of merged cells, by that of the cells themselves."""

    operator: Covariances
    rows: FloatArray
    columns: FloatArray

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        return self.operator.between(self._spread(first), self._spread(second))

    def _spread(self, contrasts: FloatArray) -> FloatArray:
        return self.rows.T @ contrasts @ self.columns


@dataclass(frozen=True, slots=True, eq=False)
class MergedTable:
    """A table with categories of its rows and of its columns merged."""

    table: Table
    row_groups: Groups
    column_groups: Groups

    @property
    def strata(self) -> tuple[Devices, ...]:
        """None: no device reports the merged categories."""
        return ()

    @property
    def proportions(self) -> FloatArray:
        return merge(self.table.proportions, self.row_groups, self.column_groups)

    @property
    def standard_errors(self) -> FloatArray:
        shape = len(self.row_groups), len(self.column_groups)
        cells = np.eye(shape[0] * shape[1]).reshape(-1, *shape)
        variances = np.diag(self.covariance_operator.between(cells, cells))
        return np.sqrt(np.maximum(variances, 0)).reshape(shape)

    @property
    def covariance_operator(self) -> Covariances:
        rows, columns = self.table.proportions.shape
        return MergedCovariance(
            self.table.covariance_operator,
            indicators(self.row_groups, rows),
            indicators(self.column_groups, columns),
        )

    @property
    def population(self) -> str:
        return self.table.population

    @property
    def n(self) -> int:
        return self.table.n

    def projected(self) -> FloatArray:
        flat = self.proportions.ravel()
        return project_to_simplex(flat).reshape(len(self.row_groups), len(self.column_groups))

    def covariance_of(self, contrast_a: ArrayLike, contrast_b: ArrayLike) -> float:
        first, second = np.asarray(contrast_a)[None], np.asarray(contrast_b)[None]
        return float(self.covariance_operator.between(first, second)[0, 0])


def merge(table: FloatArray, row_groups: Groups, column_groups: Groups) -> FloatArray:
    """Return the sums over the groups of rows and of columns."""
    rows, columns = table.shape
    return indicators(row_groups, rows) @ table @ indicators(column_groups, columns).T


def indicators(groups: Sequence[Sequence[int]], size: int) -> FloatArray:
    """Return, for each group, which of the categories are in it, shape (groups, size)."""
    table = np.zeros((len(groups), size))
    for row, group in zip(table, groups, strict=True):
        row[list(group)] = 1
    return table


def check_pair_table(value: Any, sizes: tuple[int, int]) -> Table:
    """Return the table of a pair of attributes with these sizes."""
    rule = f"be a JointEstimate of two attributes, of {sizes[0]} by {sizes[1]} categories"
    check.instance(value, "estimates", JointEstimate, rule, "not_two_attributes")
    if value.shape != sizes:
        raise ArgumentError("estimates", value.shape, rule, "not_two_attributes")
    return value


# A category is told from an empty one at three standard errors. Of direct answers that is about
# nine people.
CLEAR = 3.0
# The level of an interval that goes one standard deviation to either side of a normal estimate.
ONE_DEVIATION = 0.6826894921370859
# Standard deviations of an estimated V or correlation that leave nothing open from 0 to 1.
WIDE = 0.5


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
    return joined(groups, first, second)


def joined(groups: Groups, first: int, second: int) -> Groups:
    """Return the groups with the second joined to the first."""
    both = tuple(sorted((*groups[first], *groups[second])))
    return tuple(
        both if place == first else group for place, group in enumerate(groups) if place != second
    )


@dataclass(frozen=True, slots=True)
class Dependence:
    """How strongly two attributes depend on each other, from 0 to 1.

    Attributes
    ----------
    value : float
    standard_error : float
        Half the width of the interval at 68.3 %, which is finite also near zero; 0.5 where the
        reports tell nothing.
    lower : float
        The lower end of the interval at 95 %.
    p_value : float
        The chance that independent answers would seem as dependent; 1 where nothing is told.
    measure : str
        "cramers_v" or "correlation".
    note : str or None
        The code of a remark.
    merged : tuple of two groupings, or None
        Of V, which categories of the first and of the second attribute were merged.
    """

    value: float
    standard_error: float
    lower: float
    p_value: float
    measure: str
    note: str | None = None
    merged: tuple[Groups, Groups] | None = None


def cramers_dependence(table: Table, ordered: tuple[bool, bool]) -> Dependence:
    """Return Cramer's V less what noise adds to it, after rare categories are merged.

    It is divided by the number of categories before they were merged, so that merging never makes
    it larger. Where none are, it is :func:`rr_engine.association.cramers_v`; that one does not take
    a device over the pair.
    """
    if not np.isfinite(table.standard_errors).all():
        return Dependence(0.0, WIDE, 0.0, 1.0, "cramers_v", "nothing_told")
    merged = merge_rare(table, ordered)
    distance = phi_squared_distance(merged)
    smaller = min(table.proportions.shape) - 1
    low, high = ((end / smaller) ** 0.5 for end in distance.interval(1 - ONE_DEVIATION))
    lower = (distance.interval(0.05)[0] / smaller) ** 0.5
    value = (distance.centre() / smaller) ** 0.5
    code, groups = None, (merged.row_groups, merged.column_groups)
    if merged.proportions.shape != table.proportions.shape:
        code = "rare_merged"
    if distance.noise(0.0)[0] > distance.limit:
        code = "mostly_noise"
    p_value = distance.p_value()
    return Dependence(value, (high - low) / 2, lower, p_value, "cramers_v", code, groups)


def correlation_dependence(table: Table, rows: FloatArray, columns: FloatArray) -> Dependence:
    """Return the size of the correlation less what noise adds to it.

    The covariance of the scores is that of the unconstrained table, whose noise is centred; the
    margins are the nearest possible ones. The mean of the square of an estimate is the square of
    its mean and its variance: the latter is taken off.
    """
    if not np.isfinite(table.standard_errors).all():
        return Dependence(0.0, WIDE, 0.0, 1.0, "correlation", "nothing_told")
    margins = [project_to_simplex(table.proportions.sum(axis=axis)) for axis in (1, 0)]
    if min(_spread(margins[0], rows), _spread(margins[1], columns)) <= EMPTY:
        return Dependence(0.0, WIDE, 0.0, 1.0, "correlation", "no_spread")
    # With the possible margins: a change of the table that leaves the covariance as it is.
    excess = table.proportions - np.outer(
        table.proportions.sum(axis=1), table.proportions.sum(axis=0)
    )
    at = np.outer(*margins) + excess
    gradient = correlation_gradient(at, rows, columns)
    variance = max(table.covariance_of(gradient, gradient), 0.0)
    found = correlation_of(at, rows, columns)
    error = min(variance**0.5, WIDE)
    value = min(max(found**2 - variance, 0.0) ** 0.5, 1.0)
    lower = max(abs(found) - 1.959963984540054 * variance**0.5, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        p_value = float(np.nan_to_num(2 * normal_sf(np.abs(found) / np.sqrt(variance)), nan=1.0))
    return Dependence(value, error, lower, p_value, "correlation")


def _spread(shares: FloatArray, scores: FloatArray) -> float:
    centred = scores - shares @ scores
    largest = float(np.abs(centred).max())
    return float(shares @ (centred / largest) ** 2)
