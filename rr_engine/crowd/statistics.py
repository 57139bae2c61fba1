"""Statistics of a crowd that are shares or means: ratios of sums over cells.

Each is computed from many tables at once, by way of its parts: what is linear in the table of a
cluster is unbiased, and its simulated spread can be trusted however small a group is. Nothing is
defined where nobody is estimated to meet the condition: NaN.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.crowd.reports import CrowdAttribute
from rr_engine.crowd.view import Chosen, CrowdTables, both_of, positive, with_numbers
from rr_engine.distributions import normal_isf

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


class Statistic(Protocol):
    """A question that can be asked of a crowd."""

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes whose relation it is about."""

    @property
    def where(self) -> Chosen:
        """The condition that its people meet."""

    @property
    def labels(self) -> tuple[str, ...]:
        """A word for each of its values."""

    @property
    def bounds(self) -> Bounds:
        """The least and the largest value that there can be."""

    @property
    def people(self) -> dict[str, Sequence[int]]:
        """The condition that all whom it is about meet, those without a number left out."""

    def parts(self, tables: CrowdTables) -> FloatArray:
        """Return what it is computed from, shape (draws, parts)."""

    def values(self, parts: FloatArray) -> FloatArray:
        """Return its values, shape (draws, values); NaN where undefined."""

    def interval(self, evidence: Evidence, tail: float) -> FloatArray:
        """Return the ends of intervals that leave out this much on each side, (values, 2)."""

    def standard_errors(self, evidence: Evidence) -> FloatArray | None:
        """Return the standard errors of the values; None where surveys were simulated."""


class Ratio(ABC):
    """Its parts are numerators, then as many denominators."""

    __slots__ = ()

    @property
    @abstractmethod
    def bounds(self) -> Bounds:
        """The least and the largest value that there can be."""

    def values(self, parts: FloatArray) -> FloatArray:
        numerators, denominators = np.split(parts, 2, axis=1)
        return numerators / positive(denominators)

    def interval(self, evidence: Evidence, tail: float) -> FloatArray:
        n, d = np.split(evidence.unbiased, 2)
        if evidence.spread is None:
            over, under = _halves(evidence)
            of_all = np.ptp(under.simulated) <= EXACTLY
            if of_all and abs(d - 1).max() <= EXACTLY:
                return shifted(over, tail, self.bounds)
            return within(ratio_ends(n, d, simulated_spread(over, under), tail), self.bounds)
        spread = evidence.spread
        if spread.share_interval is not None:
            return within(spread.share_interval(1 - 2 * tail), self.bounds)
        return within(ratio_ends(n, d, spread, tail), self.bounds)

    def standard_errors(self, evidence: Evidence) -> FloatArray | None:
        """Return the errors by the delta method; None where surveys were simulated."""
        spread = evidence.spread
        if spread is None:
            return None
        _, d = np.split(evidence.unbiased, 2)
        ratio = self.values(evidence.unbiased[None])[0]
        square = spread.numerators - 2 * ratio * spread.both + ratio**2 * spread.denominators
        return np.sqrt(np.maximum(square, 0.0)) / np.abs(d)


# Up to which the share of everybody may be off 1 by rounding.
EXACTLY = 1e-9


def _halves(evidence: Evidence) -> tuple[Evidence, Evidence]:
    """Return the numerators and the denominators."""
    arrays = (evidence.unbiased, evidence.fitted, evidence.simulated)
    halves = [np.split(each, 2, axis=-1) for each in arrays]
    (unbiased, of_unbiased), (fitted, of_fitted), (simulated, of_simulated) = halves
    over = Evidence(unbiased, fitted, simulated)
    return over, Evidence(of_unbiased, of_fitted, of_simulated)


@dataclass(frozen=True, slots=True)
class OfNumber:
    """A statistic of one attribute whose categories are numbers."""

    attribute: CrowdAttribute
    where: Chosen = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.attribute.name,)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    @property
    def people(self) -> dict[str, Sequence[int]]:
        return with_numbers([self.attribute], self.where)


@dataclass(frozen=True, slots=True)
class Mean(OfNumber, Ratio):
    """The mean of a number."""

    @property
    def bounds(self) -> Bounds:
        return range_of(self.attribute)

    def parts(self, tables: CrowdTables) -> FloatArray:
        sums = tables.sums(self.names, self.people)[:, self.attribute.valued]
        return np.column_stack([sums @ self.attribute.values, sums.sum(axis=1)])


def range_of(attribute: CrowdAttribute) -> Bounds:
    """Return the least and the largest number of an attribute."""
    return float(attribute.values.min()), float(attribute.values.max())


@dataclass(frozen=True, slots=True)
class ConditionalTable(Ratio):
    """Shares of the categories of one attribute in each category of another."""

    outcome: CrowdAttribute
    given: CrowdAttribute
    where: Chosen = field(default_factory=dict)
    bounds: Bounds = (0.0, 1.0)

    @property
    def names(self) -> tuple[str, ...]:
        return self.outcome.name, self.given.name

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(
            f"{outcome} | {given}"
            for given in self.given.categories
            for outcome in self.outcome.categories
        )

    @property
    def people(self) -> dict[str, Sequence[int]]:
        return dict(self.where)

    def parts(self, tables: CrowdTables) -> FloatArray:
        both = tables.sums([self.given.name, self.outcome.name], self.where)
        totals = np.broadcast_to(both.sum(axis=2, keepdims=True), both.shape)
        return np.hstack([both.reshape(len(both), -1), totals.reshape(len(both), -1)])


@dataclass(frozen=True, slots=True)
class Share(Ratio):
    """The share that meets a condition."""

    condition: Mapping[str, Sequence[int]]
    where: Chosen = field(default_factory=dict)
    bounds: Bounds = (0.0, 1.0)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.condition)

    @property
    def labels(self) -> tuple[str, ...]:
        return (" & ".join(self.names),)

    @property
    def people(self) -> dict[str, Sequence[int]]:
        return dict(self.where)

    def parts(self, tables: CrowdTables) -> FloatArray:
        met = tables.share(both_of(self.condition, self.where), self.names)
        of_all = tables.share(self.where, self.names)
        return np.column_stack([met, np.broadcast_to(of_all, met.shape)])
