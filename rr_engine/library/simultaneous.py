"""Intervals that hold for all categories of one question together."""

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.distributions import normal_sf
from rr_engine.estimation.intervals import METHODS
from rr_engine.estimation.result import BOOTSTRAP_SEED, Estimate, check_estimate
from rr_engine.estimation.score import single_shares

# Methods valid by an inequality instead of a normal limit; Bonferroni's correction keeps that.
GUARANTEED = ("exact", "chebyshev", "sequence")
# Beyond so many categories their correlations hardly matter, and Sidak's bound will do; so it does
# for sets of bits, whose correlations are not known.
MOST_DRAWN = 60
DRAWS, DRAWS_SEED = 20_000, 1967


def simultaneous_intervals(
    estimate: Estimate, level: float = 0.95, method: str = "default", *, seed: int = BOOTSTRAP_SEED
) -> FloatArray:
    """Return intervals of all proportions that hold together with the level wanted.

    Parameters
    ----------
    estimate : Estimate
    level : float, default 0.95
        Coverage aimed at for all categories at once.
    method : str, default "default"
        As in :meth:`Estimate.interval`. "default" is "exact" where a proportion depends on one
        reported share (every binary device, the k-ary family), and "guarded" elsewhere.
    seed : int, default 2017
        For "bootstrap".

    Returns
    -------
    ndarray of float, shape (truths, 2)
        Lower and upper ends, not cut to the range 0 to 1. Without reports, 0 and 1.

    Raises
    ------
    ArgumentError

    Notes
    -----
    Each interval is that of its method at a higher level. For "exact", "chebyshev" and "sequence"
    it is Bonferroni's, ``1 - (1 - level)/truths``, so that all hold together with at least the
    level. For the others it is that of the largest of the standardized errors, which are nearly
    normal with the correlations of the estimates; never beyond Sidak's [1]_. Of two categories
    the second interval says the same as the first, and the level stays. docs/methods/intervals.md.

    References
    ----------
    .. [1] Z. Sidak, "Rectangular confidence regions for the means of multivariate normal
       distributions", Journal of the American Statistical Association 62 (1967), 626-633.

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> found = estimate(k_rr(3, 2), [320, 110, 70])
    >>> found.interval().round(3).tolist()
    [[0.721, 0.844], [0.117, 0.223], [0.009, 0.098]]
    >>> simultaneous_intervals(found).round(3).tolist()
    [[0.706, 0.859], [0.104, 0.237], [-0.002, 0.11]]
    """
    checked = check_estimate(estimate)
    alpha = 1 - check.open_unit(level, "level")
    name = check.choice(method, "method", METHODS)
    if name == "default":
        name = "guarded" if checked.n == 0 or single_shares(checked) is None else "exact"
    return checked.interval(1 - _error_rate(checked, alpha, name), name, seed=seed)


def _error_rate(estimate: Estimate, alpha: float, method: str) -> float:
    """Return the error rate of each single interval."""
    size = len(estimate.proportions)
    if size == 2:
        return alpha
    if method in GUARANTEED:
        return alpha / size
    sidak = -float(np.expm1(np.log1p(-alpha) / size))
    if size > MOST_DRAWN or not estimate.design.exclusive:
        return sidak
    return max(sidak, _largest_error_tails(estimate.covariance, alpha))


def _largest_error_tails(covariance: FloatArray, alpha: float) -> float:
    """Return the two-sided tail at the (1 - alpha)-quantile of the largest standardized error."""
    values, vectors = np.linalg.eigh(_correlation(covariance))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    normals = np.random.default_rng(DRAWS_SEED).standard_normal((DRAWS, len(root))) @ root.T
    return 2 * float(normal_sf(np.quantile(np.abs(normals).max(axis=1), 1 - alpha)))


def _correlation(covariance: FloatArray) -> FloatArray:
    """Return the correlations of the estimates; none of one whose error is zero or not known."""
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    estimable = (errors > 0) & np.isfinite(errors)
    scale = np.where(estimable, errors, 1.0)
    correlation = np.where(np.outer(estimable, estimable), covariance, 0.0) / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)
    return correlation
