"""The same care for estimates that hang on several reports, by an approximation of their tails.

Such an estimate is a mean of scores. What makes its distribution coarse is the report that speaks
for a truth and comes in seldom: each moves the estimate by a whole score. The distribution is
taken as that of a Poisson count of such moves, of the same mean and variance.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import gammainc, gammaincc

from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.estimation.common import Curve, variance_at
from rr_engine.estimation.exact_guard import crossings, floored_rate

# Counts from which on the Poisson distribution is as good as symmetric.
MANY = 1e6
# Ends that are looked at together, so that a million categories take little more memory than one.
PART = 1 << 16


def guard_scores(
    centres: FloatArray,
    curves: Curve,
    n: int,
    ends: FloatArray,
    alpha: float,
    least: ArrayLike = 1.0,
) -> FloatArray:
    """Return score intervals, widened where a count of rare reports makes them miss too often.

    Parameters
    ----------
    centres : ndarray of float, shape (...)
        Estimated proportions, means of the scores of n reports.
    curves : tuple of ndarray of float
        n times their variance at a proportion x: constant, slope and square term.
    n : int
    ends : ndarray of float, shape (..., 2)
        Ends of the score intervals.
    alpha : float
    least : array_like of float, broadcast to the centres
        How far, at least, one report moves n times the estimate: a person moves it by one.

    Returns
    -------
    ndarray of float, shape (..., 2)
        Ends that were outside 0 to 1 are as they were.

    References
    ----------
    Ours: docs/methods/intervals.md.
    """
    # The tails are approximate: they have to be somewhat further from the floor.
    rate = (alpha + floored_rate(alpha)) / 2
    constant, slope, square = curves
    mirrored = (constant + slope + square, -slope - 2 * square, square)
    low = _lower_ends(centres, curves, n, ends[..., 0], rate, least)
    high = 1 - _lower_ends(1 - centres, mirrored, n, 1 - ends[..., 1], rate, least)
    # A number taken from 1 twice may be off in the last digit: ends are only ever moved outwards.
    return np.stack([np.minimum(low, ends[..., 0]), np.maximum(high, ends[..., 1])], axis=-1)


def _lower_ends(
    centres: FloatArray, curve: Curve, n: int, ends: FloatArray, rate: float, least: ArrayLike
) -> FloatArray:
    shape = ends.shape
    centre, moves, constant, slope, square = (
        np.broadcast_to(part, shape).ravel() for part in (centres, least, *curve)
    )
    found = ends.ravel().copy()

    def curve_of(places: IntArray) -> Curve:
        return constant[places], slope[places], square[places]

    def excess(places: IntArray, shares: FloatArray) -> FloatArray:
        distances = centre[places] - shares
        return _mirrored_tails(distances, shares, curve_of(places), n, moves[places]) - rate

    inside = np.flatnonzero((found > 0) & (found < 1) & (found < centre))
    # An estimate that cannot err has no tails: a group as a whole, asked directly.
    inside = inside[variance_at(curve_of(inside), found[inside]) > 0]

    for start in range(0, len(inside), PART):
        part = inside[start : start + PART]
        wide = part[excess(part, found[part]) > 0]
        if wide.size:
            found[wide] = _crossings_below(wide, found[wide], excess)
    return found.reshape(shape)


def _crossings_below(
    places: IntArray, ends: FloatArray, excess: Callable[[IntArray, FloatArray], FloatArray]
) -> FloatArray:
    return crossings(lambda shares: excess(places, shares), np.zeros(len(places)), ends)


def _mirrored_tails(
    distances: FloatArray, shares: FloatArray, curve: Curve, n: int, least: FloatArray
) -> FloatArray:
    """Return the chance of an estimate as far from the share as the distance, on both sides.

    Half a move is taken off the distance, so that what lies just as far away counts in full. Which
    of both tails is the longer one does not matter to their sum.
    """
    variance = variance_at(curve, shares)
    skewed, move = _moves(shares, curve), move_of(shares, curve, least)
    reach = n * distances - move / 2
    scale = np.maximum(np.abs(skewed), np.sqrt(n * variance / MANY))
    mean = n * variance / scale**2
    higher = mean + reach / scale + 0.5
    lower = mean - reach / scale + 0.5
    above = gammainc(np.maximum(higher, 1e-300), mean)
    below = np.where(lower > 0, gammaincc(np.maximum(lower, 1e-300), mean), 0.0)
    return above + below


def move_of(shares: FloatArray, curve: Curve, least: ArrayLike) -> FloatArray:
    """Return how far one report moves n times the estimate, where the proportion is the share."""
    return np.maximum(np.abs(_moves(shares, curve)), least)


def _moves(shares: FloatArray, curve: Curve) -> FloatArray:
    """Return the move up by those who have a truth, less that down by the others, by their shares.

    Each is the root of the mean square of the scores: of 1 and 0, plus their variance.
    """
    constant, slope, square = curve
    up, down = np.sqrt(1 + constant + slope + square), np.sqrt(1 + constant)
    return (1 - shares) * up - shares * down
