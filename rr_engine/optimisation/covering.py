"""Prices guaranteed to cover a matrix on every ray, whatever the processor's rounding."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, frexp

import numpy as np

from rr_engine.arrays import FloatArray
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
