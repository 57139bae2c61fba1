"""Earlier reports of many people from their later ones, for simulations."""

import numpy as np

from rr_engine.device import draw_reports
from rr_engine.relaxation.degradation import (
    BitDegradation,
    Degradation,
    ProductDegradation,
    TableDegradation,
    UniformDegradation,
)
from rr_engine.relaxation.kernel import KERNEL_BITS, rounded_columns
from rr_engine.validation import IntArray


def degrade(reports: IntArray, degradation: Degradation, rng: np.random.Generator) -> IntArray:
    """Draw an earlier report for each later one, from chances rounded to multiples of 2**-48.

    Parameters
    ----------
    reports : ndarray of int, shape (n,)
        Of devices of bits, (n, bits).
    degradation : Degradation
    rng : Generator

    References
    ----------
    Ours: a draw from the columns of the degradation.
    """
    if isinstance(degradation, BitDegradation):
        return _draw(reports.ravel(), degradation.bit, rng).reshape(reports.shape)
    if isinstance(degradation, ProductDegradation):
        return _degrade_parts(reports, degradation, rng)
    if isinstance(degradation, UniformDegradation) and degradation.kept >= degradation.other:
        stays = (degradation.kept - degradation.other) / degradation.denominator
        anyone = rng.integers(degradation.size, size=len(reports))
        return np.where(rng.random(len(reports)) < stays, reports, anyone)
    return _draw(reports, degradation, rng)


def _degrade_parts(
    reports: IntArray, degradation: ProductDegradation, rng: np.random.Generator
) -> IntArray:
    factors = degradation.factors
    parts = np.unravel_index(reports, [factor.next_size for factor in degradation.tables])
    drawn = [degrade(part, factor, rng) for part, factor in zip(parts, factors, strict=True)]
    sizes = [factor.previous_size for factor in degradation.tables]
    return np.ravel_multi_index(tuple(drawn), sizes)


def _draw(reports: IntArray, degradation: TableDegradation, rng: np.random.Generator) -> IntArray:
    columns = rounded_columns(degradation.matrix, KERNEL_BITS)
    return draw_reports(columns, 2**KERNEL_BITS, reports, rng.bytes)
