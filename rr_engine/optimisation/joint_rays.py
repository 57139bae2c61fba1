"""Rays of the reports that keep a worst posterior and a privacy loss at once."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from rr_engine.arrays import FloatArray
from rr_engine.optimisation.covering import Chances
from rr_engine.optimisation.rounding import product_error

# Some 300,000 rays for 10 categories.
MOST_CATEGORIES = 10
CLOSE = 1e-12


# Chances of some rays, and their errors beyond the common rounding.
BoolArray = npt.NDArray[np.bool_]
Found = tuple[FloatArray, FloatArray]


def joint_rays(prior: FloatArray, delta: float, epsilon: float) -> FloatArray:
    """Return the posteriors that suffice under both bounds, shape (rays, truths).

    Parameters
    ----------
    prior : ndarray, shape (truths,)
    delta : float
        At least the largest entry of the prior.
    epsilon : float

    Notes
    -----
    Let truth a have the largest posterior, and let a report have chances r between 1 and
    ``grown = e**epsilon``, t for a. Others are at most ``top = min(grown, t pi_a / pi_v)``, and
    the bound is one more inequality, ``t pi_a <= delta r . pi``. The vertices of this polytope:
    t at an end or where `top` bends and every other chance 1 or `top`; the same but for one
    chance that meets the bound with equality; and t between the bends that meets it itself.
    Whatever lies between is a mean of these, which costs no privacy and only adds information.
    """
    cells = _cells(prior, Fraction(delta), float(np.exp(epsilon)), 0.0)
    joint = np.vstack([np.ones((1, len(prior))), *(values for values, _ in cells)]) * prior
    return joint / joint.sum(axis=1, keepdims=True)


def joint_chances(prior: FloatArray, delta: float, high: Fraction) -> Chances:
    """Return the chances of every vertex, of which those at the edge of a condition are kept.

    Where rounding leaves open whether a vertex is one, it is listed: covering a point beyond the
    polytope does no harm, and missing a vertex would.
    """
    unit = 4 * product_error(len(prior))
    vertices = list(_cells(prior, Fraction(delta), float(high), unit))
    values = np.vstack([np.ones((1, len(prior))), *(rows for rows, _ in vertices)])
    doubt = np.vstack([np.zeros((1, len(prior))), *(rows for _, rows in vertices)])
    return Chances(values, values * unit + doubt)


def _cells(prior: FloatArray, delta: Fraction, ratio: float, slack: float) -> Iterator[Found]:
    for first in range(len(prior)):
        for values, doubt in _cell(prior, delta, ratio, first, slack):
            if len(values):
                yield values, doubt


def _cell(
    prior: FloatArray, delta: Fraction, ratio: float, first: int, slack: float
) -> Iterator[Found]:
    """Yield vertices where truth `first` has the largest posterior."""
    first_share, others = float(prior[first]), np.delete(prior, first)
    least = max(1.0, float(others.max()) / first_share)
    if least > ratio * (1 + max(slack, CLOSE)):
        return
    inner = ratio * others / first_share
    between = (inner > least * (1 - slack)) & (inner < ratio * (1 + slack))
    high, odds = _patterns(len(others)), float((1 - delta) / delta)
    for t in np.unique(np.concatenate([[least, ratio], inner[between]])).tolist():
        top = np.clip(t * first_share / others, 1.0, ratio)
        chances = np.where(high, top, 1.0)
        # Joint probability that the other truths must reach.
        needed = t * first_share * odds
        feasible = chances[chances @ others >= needed * (1 - max(slack, CLOSE))]
        yield _with(feasible, t, first), np.zeros((len(feasible), len(prior)))
        yield from _one_free(chances, top, others, needed, t, first, slack)
    yield from _meeting(high, others, first_share, delta, (least, ratio), first, slack)


def _patterns(size: int) -> BoolArray:
    codes = np.arange(2**size)
    return ((codes[:, None] >> np.arange(size)) & 1) == 1


def _one_free(
    chances: FloatArray,
    top: FloatArray,
    others: FloatArray,
    needed: float,
    t: float,
    first: int,
    slack: float,
) -> Iterator[Found]:
    """Yield patterns with one chance raised until the others' joint probability suffices."""
    total = chances @ others
    for index, share in enumerate(others):
        free = 1.0 + (needed - total) / share
        # Cancellation: the difference may be small relative to its terms.
        off = slack * (needed + total) / share
        fits = (chances[:, index] == 1.0) & (free > 1.0 - off) & (free < top[index] + off)
        changed, doubt = chances[fits], np.zeros((int(fits.sum()), len(others)))
        changed[:, index], doubt[:, index] = free[fits], off[fits]
        yield _with(changed, t, first), _with(doubt, 0.0, first)


def _meeting(
    high: BoolArray,
    others: FloatArray,
    first_share: float,
    delta: Fraction,
    ends: tuple[float, float],
    first: int,
    slack: float,
) -> Iterator[Found]:
    """Yield patterns at the t between two bends, if there is one, where the bound is met."""
    least, ratio = ends
    shares = np.unique(others)
    bends = np.clip(np.concatenate([[0.0], ratio * shares / first_share, [np.inf]]), least, ratio)
    # Whether a slope is positive is decided in rationals.
    factors = np.array([float(1 - delta * (1 + count)) for count in range(len(others) + 1)])
    for index, (low, up) in enumerate(zip(bends[:-1].tolist(), bends[1:].tolist(), strict=True)):
        if low * (1 - slack) >= up:
            continue
        tied = others >= shares[index] if index < len(shares) else np.zeros(len(others), bool)
        fixed = np.where(high, np.where(tied, 0.0, ratio), 1.0) @ others
        slope = first_share * factors[(high & tied).sum(axis=1)]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            t = float(delta) * fixed / slope
        fits = (slope > 0) & (t > low * (1 - slack)) & (t < up * (1 + slack))
        top = np.where(tied, t[fits][:, None] * first_share / others, ratio)
        values = _with(np.where(high[fits], top, 1.0), t[fits], first)
        yield values, np.zeros(values.shape)


def _with(chances: FloatArray, t: float | FloatArray, first: int) -> FloatArray:
    return np.insert(chances, first, t, axis=1)
