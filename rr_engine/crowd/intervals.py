"""Intervals of statistics of a crowd, from surveys simulated through the devices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rr_engine.distributions import normal_isf
from rr_engine.validation import FloatArray

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class RatioSpread:
    """Variances of numerators and denominators, and the covariance of the two of each ratio.

    `share_interval`: the interval of each numerator by its level, where there is a better one than
    by its variance: for a single share of everybody that of :meth:`rr_engine.Estimate.interval`.
    """

    numerators: FloatArray
    denominators: FloatArray
    both: FloatArray
    share_interval: Callable[[float], FloatArray] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Inputs of a statistic: the unbiased tables, the fitted ones, and the simulated ones.

    Arrays of shape (parts,), (parts,) and (repetitions, parts), whatever a part is made of.
    `spread`: of ratios of sums that are linear in one estimate, which need no simulation.
    """

    unbiased: FloatArray
    fitted: FloatArray
    simulated: FloatArray
    spread: RatioSpread | None = None


def shifted(evidence: Evidence, tail: float, bounds: Bounds) -> FloatArray:
    """Return the simulated deviations from the fitted value, around the unbiased one.

    What has no value in a simulated survey may have had any.
    """
    low = np.where(np.isnan(evidence.simulated), -np.inf, evidence.simulated)
    high = np.where(np.isnan(evidence.simulated), np.inf, evidence.simulated)
    shift = evidence.unbiased - evidence.fitted
    ends = [quantile_of(low, tail) + shift, quantile_of(high, 1 - tail) + shift]
    return within(np.stack(ends, axis=-1), bounds)


def quantile_of(simulated: FloatArray, chance: float) -> FloatArray:
    """Return an order statistic of the simulated values, or a place between two."""
    with np.errstate(invalid="ignore"):
        return np.quantile(simulated, chance, axis=0, method="weibull")


def simulated_spread(numerators: Evidence, denominators: Evidence) -> RatioSpread:
    """Return the mean squares and products of the simulated deviations."""
    over, under = (part.simulated - part.fitted for part in (numerators, denominators))
    means = ((over**2).mean(axis=0), (under**2).mean(axis=0), (over * under).mean(axis=0))
    return RatioSpread(*means)


def ratio_ends(
    numerators: FloatArray, denominators: FloatArray, spread: RatioSpread, tail: float
) -> FloatArray:
    """Return the ratios that the tables do not contradict (Fieller 1954); NaN where all are.

    ``N - m D`` is unbiased and nearly normal for every m, however small D is; its variance is a
    square function of m. Where D may be zero, nothing is excluded.
    """
    factor = float(normal_isf(tail)) ** 2
    n, d = numerators, denominators
    # (n - m d)^2 <= factor (var n - 2 m cov + m^2 var d)
    square = d**2 - factor * spread.denominators
    linear, constant = n * d - factor * spread.both, n**2 - factor * spread.numerators
    with np.errstate(invalid="ignore", divide="ignore"):
        root = np.sqrt(np.maximum(linear**2 - square * constant, 0.0))
        ends = np.stack([(linear - root) / square, (linear + root) / square], axis=-1)
    return np.where(((square > 0) & (d > 0))[..., None], ends, np.nan)


def within(ends: FloatArray, bounds: Bounds) -> FloatArray:
    """Return the ends, and the bounds where there are none."""
    return np.where(np.isfinite(ends), ends, np.array(bounds))
