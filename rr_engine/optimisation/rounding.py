"""Floats that are guaranteed not to be above, or not below, a rational number."""

from fractions import Fraction
from math import inf, nextafter

import numpy as np

from rr_engine.arrays import FloatArray


def round_down(number: Fraction) -> float:
    """Return the largest float that is not above a positive number."""
    nearest = float(number)
    return nearest if nearest <= number else nextafter(nearest, -inf)


def round_up(number: Fraction) -> float:
    """Return the smallest float that is not below a number; infinite beyond all floats."""
    try:
        nearest = float(number)
    except OverflowError:
        return inf
    return nearest if nearest >= number else nextafter(nearest, inf)


def fractions(values: FloatArray) -> list[Fraction]:
    """Return the exact values of floats."""
    return [Fraction(value) for value in values.tolist()]


def whole_shares(prior: FloatArray) -> list[int]:
    """Return the smallest integers in the ratios of positive floats."""
    exact = fractions(prior)
    # Denominators are powers of two: the largest is a multiple of all.
    scale = max(share.denominator for share in exact)
    return [int(share * scale) for share in exact]


def exact_shares(prior: FloatArray) -> list[Fraction]:
    """Return floats as fractions of their sum, which add up to exactly 1."""
    integers = whole_shares(prior)
    total = sum(integers)
    return [Fraction(share, total) for share in integers]


def product_error(terms: int) -> float:
    """Return a bound on the rounding error of sums of products, relative to the absolute sum.

    ``n u / (1 - n u)`` with the unit roundoff u, in whatever order a processor adds and whether it
    fuses products and sums [1]_; a few operations more, and twice that, for what is computed from
    them here.

    References
    ----------
    .. [1] N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, SIAM 2002,
       section 3.1.
    """
    return (terms + 8) * float(np.finfo(float).eps)
