"""Intervals of statistics of a crowd, from surveys simulated through the devices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.distributions import normal_isf
from rr_engine.validation import FloatArray

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What a statistic is computed from: of the unbiased tables, the fitted, and the simulated.

    Arrays of shape (parts,), (parts,) and (repetitions, parts), whatever a part is made of.
    """

    unbiased: FloatArray
    fitted: FloatArray
    simulated: FloatArray


def shifted(evidence: Evidence, tail: float, bounds: Bounds) -> FloatArray:
    """Return the simulated deviations from the fitted value, around the unbiased one.

    What has no value in a simulated survey may have had any.
    """
    low = np.where(np.isnan(evidence.simulated), -np.inf, evidence.simulated)
    high = np.where(np.isnan(evidence.simulated), np.inf, evidence.simulated)
    shift = evidence.unbiased - evidence.fitted
    ends = [quantile_of(low, tail) + shift, quantile_of(high, 1 - tail) + shift]
    return _within(np.stack(ends, axis=-1), bounds)


def quantile_of(simulated: FloatArray, chance: float) -> FloatArray:
    """Return an order statistic of the simulated values, or a place between two."""
    with np.errstate(invalid="ignore"):
        return np.quantile(simulated, chance, axis=0, method="weibull")


def ratio_ends(
    numerators: Evidence, denominators: Evidence, tail: float, bounds: Bounds
) -> FloatArray:
    """Return the ratios that the tables do not contradict (Fieller 1954).

    ``N - m D`` is unbiased and nearly normal for every m, however small D is; its simulated
    variance is a square function of m. Where D may be zero, nothing is excluded.
    """
    factor = float(normal_isf(tail)) ** 2
    deviations = [part.simulated - part.fitted for part in (numerators, denominators)]
    spread_n, spread_d = (factor * (each**2).mean(axis=0) for each in deviations)
    both = factor * (deviations[0] * deviations[1]).mean(axis=0)
    n, d = numerators.unbiased, denominators.unbiased
    # (n - m d)^2 <= spread_n - 2 m both + m^2 spread_d
    square, linear, constant = d**2 - spread_d, n * d - both, n**2 - spread_n
    with np.errstate(invalid="ignore", divide="ignore"):
        root = np.sqrt(np.maximum(linear**2 - square * constant, 0.0))
        ends = np.stack([(linear - root) / square, (linear + root) / square], axis=-1)
    return _within(np.where(((square > 0) & (d > 0))[..., None], ends, np.nan), bounds)


def _within(ends: FloatArray, bounds: Bounds) -> FloatArray:
    """Return the ends, and the bounds where there are none."""
    return np.where(np.isfinite(ends), ends, np.array(bounds))
