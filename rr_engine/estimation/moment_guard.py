"""Ends of intervals moved out until their coverage has a floor, of one report or of several.

The score test of a share calls a count too far away by the normal limit. Where few reports are
expected, the count that is called so may come in often: of 50 reports of which .124 are expected,
a single one is rejected and turns up in 12 surveys of 100. A count is therefore kept, too, unless
counts as far away as it, on both sides, have together a chance of no more than `floored_rate`.

The same care for estimates that hang on several reports is by an approximation of their tails: such
an estimate is a mean of scores. What makes its distribution coarse is the report that speaks for a
truth and comes in seldom: each moves the estimate by a whole score. The distribution is taken as
that of a Poisson count of such moves, of the same mean and variance. Of which proportions too few
reports are expected for either is told as well.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import gammainc, gammaincc

from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, IntArray
from rr_engine.distributions import binomial_sf, binomial_tail, smooth_binomial_cdf
from rr_engine.estimation.common import Curve, variance_at
from rr_engine.estimation.score import Measured, single_shares, variance_curves
from rr_engine.roots import crossings

# How much more often than asked an interval may miss: by so much of the rate, and so many points.
RATIO, POINTS = 1.4, 0.02
# Variance of a count from which on the normal limit is as good: one count more or less has a
# chance of .02 at most, and of .003 where the score test stops.
FINE = 400.0
# Expected reports of the rarer kind below which, at some shares, no count can be left out without
# missing in more than 7 of 100 surveys, nor kept without covering in more than 98.
FEWEST = 1.62


def floored_rate(alpha: float) -> float:
    """Return the rate at which an interval of the error rate alpha misses at most: .07 for .05."""
    return min(RATIO * alpha, alpha + POINTS)


def guard_shares(counts: IntArray, n: int, ends: FloatArray, alpha: float) -> FloatArray:
    """Return the score interval of each reported share, widened where it misses too often.

    Parameters
    ----------
    counts : ndarray of int, shape (k,)
    n : int
        All reports.
    ends : ndarray of float, shape (k, 2)
        Ends of the score intervals of counts / n.
    alpha : float

    Returns
    -------
    ndarray of float, shape (k, 2)
        Ends whose exact coverage is at least ``1 - floored_rate(alpha)`` at every share.

    References
    ----------
    Ours, docs/methods/intervals.md; after E. L. Crow, "Confidence Intervals for a Proportion",
    Biometrika 43 (1956), who adds counts to what is accepted until it has the chance wanted.
    """
    # An upper end is one less the lower end of the other reports, and found together with these.
    # Equal counts on one side have equal ends, so that each is looked at once.
    sides = np.concatenate([counts, 2 * n + 1 - counts])
    distinct, first, back = np.unique(sides, return_index=True, return_inverse=True)
    lower = np.concatenate([ends[:, 0], 1 - ends[:, 1]])[first]
    wider = _exact_lower_ends(distinct % (n + 1), n, lower, floored_rate(alpha))
    low, high = wider[back].reshape(2, -1)
    return np.column_stack([low, 1 - high])


def _exact_lower_ends(counts: IntArray, n: int, ends: FloatArray, rate: float) -> FloatArray:
    """Return the least shares at which the counts are not rejected, at most `ends`."""
    found = ends.copy()
    coarse = np.flatnonzero((counts > 0) & (n * found * (1 - found) < FINE))
    wide = coarse[_opposite_tails(counts[coarse], n, found[coarse]) > rate]
    if wide.size:
        found[wide] = _exact_ends(counts[wide], n, found[wide], rate)
    return found


def _exact_ends(counts: IntArray, n: int, ends: FloatArray, rate: float) -> FloatArray:
    """Return the least share at which counts as far away have more than the chance `rate`.

    At the share ``(count + j) / 2n`` the count j on the other side comes to be as far away. There
    the chance is that of :func:`_opposite_tails`, which rises with the share, so that the first j
    with too large a chance is found by going down. On the way to its share both tails are fixed
    counts: the chance falls and then rises, and crosses the rate once or jumps above it at the end.
    """
    opposite = np.maximum(np.floor(2 * n * ends - counts) + 1, 0.0)
    going = opposite > 0
    while going.any():
        share = (counts + opposite - 1) / (2 * n)
        going &= (opposite > 0) & (_opposite_tails(counts, n, share) > rate)
        opposite = opposite - going
    low = np.where(opposite > 0, (counts + opposite - 1) / (2 * n), 0.0)
    high = np.minimum((counts + opposite) / (2 * n), ends)
    upper, lower = binomial_tail(counts - 1, n, above=True), binomial_tail(opposite - 1, n)
    return crossings(lambda shares: upper(shares) + lower(shares) - rate, low, high)


def _opposite_tails(counts: IntArray, n: int, shares: FloatArray) -> FloatArray:
    """Return the chance of a count or more, and of as few as lie as far below what is expected.

    Between whole counts the lower tail is that of the beta distribution, so that it rises without
    a jump as the share does.
    """
    lower = smooth_binomial_cdf(2 * n * shares - counts, n, shares)
    return binomial_sf(counts - 1, n, shares) + lower


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

    def excess_at(places: IntArray) -> Callable[[FloatArray], FloatArray]:
        tails = _mirrored_tails(centre[places], curve_of(places), n, moves[places])
        return lambda shares: tails(shares) - rate

    inside = np.flatnonzero((found > 0) & (found < 1) & (found < centre))
    # An estimate that cannot err has no tails: a group as a whole, asked directly.
    inside = inside[variance_at(curve_of(inside), found[inside]) > 0]

    for start in range(0, len(inside), PART):
        part = inside[start : start + PART]
        wide = part[excess_at(part)(found[part]) > 0]
        if wide.size:
            found[wide] = crossings(excess_at(wide), np.zeros(len(wide)), found[wide])
    return found.reshape(shape)


def _mirrored_tails(
    centre: FloatArray, curve: Curve, n: int, least: FloatArray
) -> Callable[[FloatArray], FloatArray]:
    """Return, by the share, the chance of an estimate as far from it as the centre, on both sides.

    Half a move is taken off the distance, so that what lies just as far away counts in full. Which
    of both tails is the longer one does not matter to their sum.
    """
    moves = _moves(curve)

    def tails(shares: FloatArray) -> FloatArray:
        spread, move = n * variance_at(curve, shares), np.abs(moves(shares))
        reach = n * (centre - shares) - np.maximum(move, least) / 2
        scale = np.maximum(move, np.sqrt(spread / MANY))
        mean, distance = spread / scale**2, reach / scale
        higher, lower = mean + distance + 0.5, mean - distance + 0.5
        above = gammainc(np.maximum(higher, 1e-300), mean)
        below = np.where(lower > 0, gammaincc(np.maximum(lower, 1e-300), mean), 0.0)
        return above + below

    return tails


def _moves(curve: Curve) -> Callable[[FloatArray], FloatArray]:
    """Return, by the share of a truth, the move up by those who have it less that of others down.

    Each is the root of the mean square of the scores: of 1 and 0, plus their variance.
    """
    constant, slope, square = curve
    up, down = np.sqrt(1 + constant + slope + square), np.sqrt(1 + constant)
    return lambda shares: (1 - shares) * up - shares * down


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
    curve = constant, slope, square
    move = np.maximum(np.abs(_moves(curve)(here)), 1.0) if shares is None else shares.slope
    return np.asarray(estimate.n * variance < FEWEST * move**2)
