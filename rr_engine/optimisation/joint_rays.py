"""Rays of the reports that keep a worst posterior and a privacy loss at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, frexp

import numpy as np

from rr_engine.arrays import BoolArray, FloatArray
from rr_engine.optimisation.rounding import product_error

# Entries keep this many bits below the largest, so that sums of MOST_CATEGORIES are exact.
BITS = 48
TINY = float(np.finfo(float).tiny)


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """All rays as chances of a report under each truth, and how far each float may be off.

    Attributes
    ----------
    values, errors : ndarray, shape (rays, truths)
    """

    values: FloatArray
    errors: FloatArray


def laplacian(matrix: FloatArray) -> FloatArray:
    """Return a nearby symmetric matrix whose rows sum to exactly zero, in floats too."""
    rounded = _coarse((matrix + matrix.T) / 2)
    np.fill_diagonal(rounded, 0.0)
    # Multiples of one power of two, at most 13 of 48 bits each: nothing is rounded.
    np.fill_diagonal(rounded, -rounded.sum(axis=1))
    return rounded


def covering_prices(
    chances: Chances, prior: FloatArray, matrix: FloatArray, prices: FloatArray, price: float
) -> FloatArray | None:
    """Return the prices, raised until they cover every ray; None on overflow.

    Parameters
    ----------
    chances : Chances
    prior : ndarray, shape (truths,)
    matrix : ndarray, shape (truths, truths)
        W, symmetric with rows that sum to exactly zero.
    prices : ndarray, shape (truths,)
    price : float
        mu, at least 0.

    Notes
    -----
    The condition is ``|W r|**2 <= s (lambda . p + mu max p)`` for the chances r of a report, its
    joint probabilities p and their sum s. Each side is computed in floats with a bound on its error
    that holds on every processor, and the difference, the error added, is taken off by raising
    every price: posteriors sum to one, so that raises every offer alike.
    """
    coarse = _coarse(prices)
    short = _shortfall(chances, prior, matrix, coarse, price)
    # Underflow loses less than the smallest float.
    return _raise_prices(coarse, max(0.0, short) + TINY) if np.isfinite(short) else None


def _shortfall(
    chances: Chances, prior: FloatArray, matrix: FloatArray, prices: FloatArray, price: float
) -> float:
    """Return an upper bound on the shortfall of the prices over all rays.

    Of a report with chances c the posterior is ``p = pi c / sum(pi c)``, and what it takes up must
    not exceed what is offered for it:

        needed = |W c|**2 / sum(pi c)**2  <=  offered = lambda . p + mu max(p)

    The rest bounds the error of the floats: `unit` is that of one sum of products, `unsure` that
    of ``sum(pi c)`` relatively (twice in a square), `off` that of what is offered.
    """
    unit = product_error(len(prior))
    joint, doubt = chances.values * prior, chances.errors * prior
    totals = joint.sum(axis=1)
    unsure = doubt.sum(axis=1) / totals + unit
    size = np.abs(matrix)
    products = np.abs(chances.values @ matrix)
    products += chances.values @ size * unit + chances.errors @ size
    needed = (products**2).sum(axis=1) / totals**2 * (1 + 4 * unsure + unit)
    offered = (joint @ prices + price * joint.max(axis=1)) / totals
    magnitude = (joint @ np.abs(prices) + price * joint.max(axis=1)) / totals
    off = magnitude * unit + np.abs(offered) * 2 * unsure
    off += (doubt @ np.abs(prices) + price * doubt.max(axis=1)) / totals * (1 + 4 * unsure)
    short = needed - offered + off
    return float((short + unit * (needed + np.abs(offered) + off)).max())


def _raise_prices(prices: FloatArray, by: float) -> FloatArray:
    """Return multiples of a power of two, not below the prices and what they are raised by."""
    scale, more = _scale(np.abs(prices).max() + by), Fraction(by)
    return np.array(
        [float(ceil((Fraction(price) + more) * scale) / scale) for price in prices.tolist()]
    )


def _coarse(values: FloatArray) -> FloatArray:
    scale = float(_scale(np.abs(values).max()))
    return np.round(values * scale) / scale


def _scale(largest: float) -> Fraction:
    """Return the power of two that makes the largest entry one of BITS bits."""
    return Fraction(2) ** (BITS - frexp(largest)[1])


def chances_of(rays: FloatArray, prior: FloatArray) -> Chances:
    """Return the chances of posteriors with no error beyond the rounding of their entries."""
    values = rays / prior
    return Chances(values, values * product_error(len(prior)))


def ratio_chances(size: int, high: Fraction) -> Chances:
    """Return the rays of a privacy loss: one chance or `high` times as much, none of them alike."""
    codes = np.arange(1, 2**size - 1)
    low = (codes[:, None] >> np.arange(size)) & 1 == 0
    # In units of the larger chance: `high` itself may overflow.
    values = np.where(low, float(1 / high), 1.0)
    return Chances(values, values * product_error(size) + TINY)


# Some 300,000 rays for 10 categories.
MOST_CATEGORIES = 10
CLOSE = 1e-12


# Chances of some rays, and their errors beyond the common rounding.
BoolArray = BoolArray
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
        for changed, doubt in _one_free(chances, top, others, needed, slack):
            yield _with(changed, t, first), _with(doubt, 0.0, first)
    yield from _meeting(high, others, first_share, delta, (least, ratio), first, slack)


def _patterns(size: int) -> BoolArray:
    codes = np.arange(2**size)
    return ((codes[:, None] >> np.arange(size)) & 1) == 1


def _one_free(
    chances: FloatArray, top: FloatArray, others: FloatArray, needed: float, slack: float
) -> Iterator[Found]:
    """Yield the others' chances, one raised until their joint probability suffices."""
    total = chances @ others
    for index, share in enumerate(others):
        free = 1.0 + (needed - total) / share
        # Cancellation: the difference may be small relative to its terms.
        off = slack * (needed + total) / share
        fits = (chances[:, index] == 1.0) & (free > 1.0 - off) & (free < top[index] + off)
        changed, doubt = chances[fits], np.zeros((int(fits.sum()), len(others)))
        changed[:, index], doubt[:, index] = free[fits], off[fits]
        yield changed, doubt


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
