"""Proportions whose intervals cover more often than they say, since few reports are expected."""

import numpy as np

from rr_engine.arrays import BoolArray
from rr_engine.estimation.moment_guard import move_of
from rr_engine.estimation.score import Measured, single_shares, variance_curves

# Expected reports of the rarer kind below which, at some shares, no count can be left out without
# missing in more than 7 of 100 surveys, nor kept without covering in more than 98.
FEWEST = 1.62


def few_expected(estimate: Measured) -> BoolArray:
    """Tell of which proportions too few reports are expected for their interval to be near 95 %.

    Then the default interval covers up to always; it never covers too seldom.

    Parameters
    ----------
    estimate : Estimate

    Returns
    -------
    ndarray of bool, shape (truths,)
        By the variance of the count that a proportion hangs on, at the nearest possible
        proportions; of one that hangs on several, that of a count of moves of the same variance.

    References
    ----------
    Ours: docs/methods/intervals.md, "Too few reports".

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> few_expected(estimate(k_rr(2, 6), [49, 1])).tolist()
    [True, True]
    >>> few_expected(estimate(k_rr(2, 1), [30, 20])).tolist()
    [False, False]
    """
    if estimate.n == 0:
        return np.zeros(len(estimate.proportions), dtype=np.bool_)
    shares, here = single_shares(estimate), estimate.projected()
    constant, slope, square = variance_curves(estimate, estimate.population)
    variance = constant + slope * here + square * here**2
    move = move_of(here, (constant, slope, square), 1.0) if shares is None else shares.slope
    return np.asarray(estimate.n * variance < FEWEST * move**2)
