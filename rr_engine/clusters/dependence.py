"""The dependence of two attributes from their estimated table, corrected for noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.association.distances import phi_squared_distance
from rr_engine.association.scores import correlation_gradient, correlation_of
from rr_engine.association.table import EMPTY, Table
from rr_engine.clusters.pair_table import Groups
from rr_engine.clusters.rare import merge_rare
from rr_engine.distributions import normal_sf
from rr_engine.projection import project_to_simplex
from rr_engine.validation import FloatArray

# The level of an interval that goes one standard deviation to either side of a normal estimate.
ONE_DEVIATION = 0.6826894921370859
# Standard deviations of an estimated V or correlation that leave nothing open from 0 to 1.
WIDE = 0.5


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
    it larger. Where none are, it is :func:`rr_engine.cramers_v`; that one does not take a device
    over the pair.
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
