"""Fieller's interval: what a ratio of two estimates can be."""

import numpy as np

from rr_engine.arrays import FloatArray


def fieller(
    numerator: FloatArray,
    denominator: FloatArray,
    moments: tuple[FloatArray, FloatArray, FloatArray],
    factor: float,
    unknown: tuple[float, float],
) -> FloatArray:
    """Solve ``(numerator - x denominator)**2 <= factor**2 var(numerator - x denominator)`` for x.

    `moments` are the numerator's variance, the covariance, and the denominator's variance; all
    arguments broadcast. The ends stand on a last axis; `unknown` where the denominator is not
    clearly above zero, so that no ratio can be ruled out.
    """
    numerator_variance, shared, base = moments
    shape = np.broadcast_shapes(
        np.shape(numerator), np.shape(denominator), np.shape(numerator_variance)
    )
    ends = np.broadcast_to(unknown, (*shape, 2)).copy()
    square = np.broadcast_to(denominator**2 - factor**2 * base, shape)
    bounded = np.broadcast_to(denominator > 0, shape) & (square > 0)
    with np.errstate(invalid="ignore"):
        middle = numerator * denominator - factor**2 * shared
        root = np.sqrt(
            np.maximum(middle**2 - square * (numerator**2 - factor**2 * numerator_variance), 0)
        )
    for side, sign in ((0, -1), (1, 1)):
        ends[..., side][bounded] = (middle + sign * root)[bounded] / square[bounded]
    return ends
