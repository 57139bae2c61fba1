"""Unrelated question whose own prevalence is unknown: two groups solve for both."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.compliance.mixture import AT_ZERO, ROUNDING, crossing, fit_statistics
from rr_engine.compliance.share_results import COMPLIANCE_NOTES, SharesResult
from rr_engine.designs.binary import NO_YES
from rr_engine.distributions import chi2_ppf, chi2_sf
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import FALSE_ALARM
from rr_engine.precision import WEIGHT_FLOOR

# Smallest difference of p1 and p2 of which four digits survive the division.
SAME = 1e-12


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Moors(SharesResult):
    """Prevalence of the sensitive and of the innocuous trait, in that order in every array.

    Attributes
    ----------
    values : ndarray of float, shape (2,)
        pi and theta, unbiased; may leave the range 0 to 1.
    covariance : ndarray of float, shape (2, 2)
    maximum_likelihood : ndarray of float, shape (2,)
        The maximum-likelihood estimates, each from 0 to 1.
    intervals : ndarray of float, shape (2, 2)
        By profile likelihood inside the range.
    level : float
    interval_method : str
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine.compliance import moors
    >>> found = moors(0.7, 0, [790, 210], [700, 300])
    >>> found.values.round(3).tolist(), found.intervals[0].round(2).tolist()
    ([0.171, 0.3], [0.13, 0.21])
    """


def moors(
    p1: float, p2: float, counts1: ArrayLike, counts2: ArrayLike, level: float = 0.95
) -> Moors:
    """Estimate a sensitive share and the unknown share of the innocuous trait together.

    Parameters
    ----------
    p1, p2 : float
        Chance of getting the sensitive question in each of two groups, from 0 to 1, not the same.
        With p2 = 0 the second group is asked the innocuous question alone (Moors).
    counts1, counts2 : array_like of int, shape (2,)
        Numbers of no and of yes in each group.
    level : float, default 0.95

    Returns
    -------
    Moors

    Raises
    ------
    ArgumentError, CountsError

    Notes
    -----
    ``lam_i = p_i pi + (1 - p_i) theta``, solved for pi and theta; variances of the reported shares
    are estimated with the group's size less one.

    References
    ----------
    .. [1] B. G. Greenberg et al., "The Unrelated Question Randomized Response Model: Theoretical
       Framework", Journal of the American Statistical Association 64 (1969), 520-539.
    .. [2] J. J. A. Moors, "Optimization of the Unrelated Question Randomized Response Model",
       Journal of the American Statistical Association 66 (1971), 627-629.

    Examples
    --------
    >>> found = moors(0.7, 0, [790, 210], [700, 300])
    >>> found.values.round(4).tolist(), found.standard_errors.round(4).tolist()
    ([0.1714, 0.3], [0.0194, 0.0145])
    """
    check.open_unit(level, "level")
    chances = np.array([check.probability(p1, "p1"), check.probability(p2, "p2")])
    if abs(chances[0] - chances[1]) < SAME:
        rule = "differ from p1, or the two shares cannot be told apart"
        raise ArgumentError("p2", p2, rule, "shares_coincide")
    mixing = np.column_stack([chances, 1 - chances])
    first = check.counts(counts1, 2, "counts1", NO_YES)
    counts = np.array([first, check.counts(counts2, 2, "counts2", NO_YES)])
    sizes = counts.sum(axis=1)
    if sizes.min() == 0:
        return _unknown_shares(level)
    values = np.linalg.solve(mixing, counts[:, 1] / sizes)
    maximum_likelihood = _maximum_likelihood(mixing, counts, values)
    return Moors(
        values=values,
        covariance=_covariance(mixing, counts),
        maximum_likelihood=maximum_likelihood,
        intervals=np.array([_interval(mixing, counts, values, k, level) for k in (0, 1)]),
        level=float(level),
        notes=COMPLIANCE_NOTES.holding(_remarks(mixing, counts, values, maximum_likelihood)),
    )


def _remarks(
    mixing: FloatArray, counts: IntArray, values: FloatArray, maximum_likelihood: FloatArray
) -> dict[str, bool]:
    sizes = counts.sum(axis=1)
    shares = np.clip(mixing @ maximum_likelihood, 0.0, 1.0)
    expected = sizes[:, None] * np.column_stack([1 - shares, shares])
    statistic, _ = fit_statistics(counts.ravel(), expected.ravel())
    boundaries = int(((maximum_likelihood <= AT_ZERO) | (maximum_likelihood >= 1 - AT_ZERO)).sum())
    return {
        "one_report": bool(sizes.min() == 1),
        "all_alike": bool(((counts.max(axis=1) == sizes) & (sizes > 1)).any()),
        "outside_range": bool(values.min() < -ROUNDING or values.max() > 1 + ROUNDING),
        "implausible": boundaries > 0 and bool(chi2_sf(statistic, boundaries) < FALSE_ALARM),
    }


def _unknown_shares(level: float) -> Moors:
    return Moors(
        values=np.full(2, 0.5),
        covariance=np.diag([np.inf, np.inf]),
        maximum_likelihood=np.full(2, 0.5),
        intervals=np.tile([0.0, 1.0], (2, 1)),
        level=float(level),
        notes=COMPLIANCE_NOTES.holding({"no_reports": True}),
    )


def _covariance(mixing: FloatArray, counts: IntArray) -> FloatArray:
    sizes = counts.sum(axis=1)
    if sizes.min() == 1:
        return np.diag([np.inf, np.inf])
    shares = counts[:, 1] / sizes
    half = np.linalg.inv(mixing)
    return (half * (shares * (1 - shares) / (sizes - 1))) @ half.T


def _log_likelihood(mixing: FloatArray, counts: IntArray, values: FloatArray) -> float:
    shares = np.clip(mixing @ values, 0.0, 1.0)
    chances = np.column_stack([1 - shares, shares])
    observed = counts > 0
    if (chances[observed] <= 0).any():
        return float("-inf")
    return float(counts[observed] @ np.log(chances[observed]))


def _best_with(mixing: FloatArray, counts: IntArray, index: int, value: float) -> FloatArray:
    """Fix one of the two shares and maximise the likelihood over the other."""
    # Numbers of Python: of two groups an array takes ten times as long.
    slopes, offsets = mixing[:, 1 - index].tolist(), (mixing[:, index] * value).tolist()
    groups = list(zip(slopes, offsets, counts.tolist(), strict=True))

    def rising(other: float) -> bool:
        total = 0.0
        for slope, offset, (no, yes) in groups:
            share = min(max(offset + slope * other, WEIGHT_FLOOR), 1 - WEIGHT_FLOOR)
            total += slope * (yes / share - no / (1 - share))
        return total > 0

    other = crossing(rising, 0.0, 1.0) if rising(0.0) else 0.0
    return np.array([value, other] if index == 0 else [other, value])


def _maximum_likelihood(mixing: FloatArray, counts: IntArray, values: FloatArray) -> FloatArray:
    """Return the most likely point of the unit square, on an edge if the maximum lies outside."""
    if (values >= 0).all() and (values <= 1).all():
        return values
    edges = [_best_with(mixing, counts, index, end) for index in (0, 1) for end in (0.0, 1.0)]
    return max(edges, key=lambda point: _log_likelihood(mixing, counts, point))


def _interval(
    mixing: FloatArray, counts: IntArray, values: FloatArray, index: int, level: float
) -> tuple[float, float]:
    best = _maximum_likelihood(mixing, counts, values)
    cut = _log_likelihood(mixing, counts, best) - float(chi2_ppf(level, 1)) / 2

    def inside(value: float) -> bool:
        point = _best_with(mixing, counts, index, value)
        return _log_likelihood(mixing, counts, point) >= cut

    middle = float(best[index])
    return crossing(inside, middle, 0.0), crossing(inside, middle, 1.0)
