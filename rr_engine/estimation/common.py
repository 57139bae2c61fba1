"""The share that two groups would have in common if they did not differ, on plain arrays."""

from collections.abc import Sequence

import numpy as np

from rr_engine.arrays import BoolArray, FloatArray
from rr_engine.roots import halve

HALVINGS = 60
# A group with a variance of zero or below, outside the possible range, decides by itself.
LEAST = 1e-200

# Constant, slope and square term: n times the variance of an estimate when its share is x.
Curve = tuple[FloatArray, FloatArray, FloatArray]


def variance_at(curve: Curve, share: FloatArray) -> FloatArray:
    """Return n times the variance of the estimate at a share; never negative."""
    constant, slope, square = curve
    return np.maximum(constant + slope * share + square * share**2, 0.0)


def common_share(
    values: Sequence[FloatArray], curves: Sequence[Curve], sizes: Sequence[float]
) -> FloatArray:
    """Return the share x with ``sum_g n_g (value_g - x) / V_g(x) = 0``; it lies between the values.

    Where each group's estimate hangs on one reported share that is the likelihood equation of
    equal shares. The sum falls as x grows, so bisection finds its root.
    """

    def rises(share: FloatArray) -> BoolArray:
        pull = sum(
            size * (value - share) / np.maximum(variance_at(curve, share), LEAST)
            for value, curve, size in zip(values, curves, sizes, strict=True)
        )
        return np.asarray(pull > 0)

    ends = np.minimum(*values), np.maximum(*values)
    return np.mean(halve(rises, *ends, HALVINGS), axis=0)


def null_error(
    values: Sequence[FloatArray], curves: Sequence[Curve], sizes: Sequence[float]
) -> FloatArray:
    """Return the standard error that the difference of the values has if there is none."""
    share = common_share(values, curves, sizes)
    parts = [variance_at(curve, share) / size for curve, size in zip(curves, sizes, strict=True)]
    return np.sqrt(sum(parts))
