"""Means, standard deviations and quantiles of an attribute of the crowd."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from rr_engine.arrays import BoolArray, FloatArray
from rr_engine.crowd.reports import CrowdAttribute
from rr_engine.crowd.statistics import Bounds, Evidence, OfNumber, range_of, shifted
from rr_engine.crowd.view import NOBODY, Chosen, CrowdTables, with_numbers
from rr_engine.distributions import normal_isf
from rr_engine.estimation.bin_places import bins_around
from rr_engine.projection import project_rows


class OfMoments(ABC):
    """Values that are computed at once, with their simulated deviations as the interval."""

    __slots__ = ()

    @property
    @abstractmethod
    def bounds(self) -> Bounds:
        """The least and the largest value that there can be."""

    def values(self, parts: FloatArray) -> FloatArray:
        return parts

    def interval(self, evidence: Evidence, tail: float) -> FloatArray:
        return shifted(evidence, tail, self.bounds)

    def standard_errors(self, evidence: Evidence) -> FloatArray | None:
        return None


@dataclass(frozen=True, slots=True)
class Variance(OfNumber, OfMoments):
    """The variance of a number."""

    @property
    def bounds(self) -> Bounds:
        lowest, highest = range_of(self.attribute)
        return 0.0, (highest - lowest) ** 2 / 4

    def parts(self, tables: CrowdTables) -> FloatArray:
        _, unit = _scaled(self.attribute)
        return _covariances([self.attribute], self.people, tables)[:, 0] * unit**2


@dataclass(frozen=True, slots=True)
class Correlation(OfMoments):
    """Pearson's correlation of two numbers."""

    first: CrowdAttribute
    second: CrowdAttribute
    where: Chosen = field(default_factory=dict)
    bounds: Bounds = (-1.0, 1.0)

    @property
    def names(self) -> tuple[str, ...]:
        return self.first.name, self.second.name

    @property
    def labels(self) -> tuple[str, ...]:
        return (", ".join(self.names),)

    @property
    def people(self) -> dict[str, Sequence[int]]:
        return with_numbers([self.first, self.second], self.where)

    def parts(self, tables: CrowdTables) -> FloatArray:
        covariances = _covariances([self.first, self.second], self.people, tables)
        variances = covariances[:, [0, 1], [0, 1]]
        product = np.where((variances > NOBODY).all(axis=1), variances.prod(axis=1), np.nan)
        return (covariances[:, 0, 1] / np.sqrt(product))[:, None]


@dataclass(frozen=True, slots=True)
class Regression(OfMoments):
    """Linear regression of a number on others, by least squares from their moments."""

    outcome: CrowdAttribute
    predictors: tuple[CrowdAttribute, ...]
    where: Chosen = field(default_factory=dict)
    bounds: Bounds = (-inf, inf)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.outcome.name, *(attribute.name for attribute in self.predictors))

    @property
    def labels(self) -> tuple[str, ...]:
        return ("(intercept)", *self.names[1:])

    @property
    def people(self) -> dict[str, Sequence[int]]:
        return with_numbers([self.outcome, *self.predictors], self.where)

    def parts(self, tables: CrowdTables) -> FloatArray:
        attributes = [self.outcome, *self.predictors]
        covariances = _covariances(attributes, self.people, tables)
        means = _means(attributes, self.people, tables)
        units = np.array([_scaled(attribute)[1] for attribute in attributes])
        slopes = np.full((len(covariances), len(self.predictors)), np.nan)
        for draw, covariance in enumerate(covariances):
            among = covariance[1:, 1:]
            # Unbiased moments need not be those of any crowd.
            if np.isfinite(covariance).all() and np.linalg.eigvalsh(among)[0] > NOBODY:
                slopes[draw] = np.linalg.solve(among, covariance[1:, 0])
        slopes *= units[0] / units[1:]
        intercept = means[:, 0] - (slopes * means[:, 1:]).sum(axis=1)
        return np.column_stack([intercept, slopes])


def _means(attributes: Sequence[CrowdAttribute], people: Chosen, tables: CrowdTables) -> FloatArray:
    """Return the means of numbers, shape (draws, numbers)."""
    means = [
        tables.shares([each.name], people)[:, each.valued] @ each.values for each in attributes
    ]
    return np.column_stack(means)


def _covariances(
    attributes: Sequence[CrowdAttribute], people: Chosen, tables: CrowdTables
) -> FloatArray:
    """Return the covariances of scaled numbers, shape (draws, numbers, numbers)."""
    count = len(attributes)
    scaled = [_scaled(attribute)[0] for attribute in attributes]
    singles = [tables.shares([each.name], people)[:, each.valued] for each in attributes]
    means = [shares @ scores for shares, scores in zip(singles, scaled, strict=True)]
    result = np.empty((len(singles[0]), count, count))
    for i, first in enumerate(attributes):
        result[:, i, i] = singles[i] @ scaled[i] ** 2 - means[i] ** 2
        for j, second in enumerate(attributes[:i]):
            pair = tables.shares([first.name, second.name], people)
            table = pair[:, first.valued][:, :, second.valued]
            product = np.einsum("bij,i,j->b", table, scaled[i], scaled[j])
            result[:, i, j] = result[:, j, i] = product - means[i] * means[j]
    return result


def _scaled(attribute: CrowdAttribute) -> tuple[FloatArray, float]:
    """Return the numbers from -1 to 1, and what 1 stands for."""
    lowest, highest = range_of(attribute)
    middle, unit = (highest + lowest) / 2, (highest - lowest) / 2
    return (attribute.values - middle) / unit, unit


@dataclass(frozen=True, slots=True)
class Quantile(OfNumber):
    """A quantile of a number: within a bin interpolated, else one of the numbers.

    Its parts are, for each number in rising order, the share of those who have at most this one
    less the chance times the share of those who have any: negative below the quantile, positive
    above. They are linear in the table, so that they are unbiased.
    """

    chance: float = 0.5

    @property
    def bounds(self) -> Bounds:
        ends = self.attribute.boundaries
        return (ends[0], ends[-1]) if ends else range_of(self.attribute)

    def parts(self, tables: CrowdTables) -> FloatArray:
        sums = tables.sums(self.names, self.people)[:, self.attribute.valued]
        rising = sums[:, np.argsort(self.attribute.values, kind="stable")]
        return np.cumsum(rising, axis=1) - self.chance * sums.sum(axis=1, keepdims=True)

    def values(self, parts: FloatArray) -> FloatArray:
        """Return the quantiles of the nearest possible shares."""
        of_all = parts[:, -1:] / (1 - self.chance)
        sums = np.diff(parts, axis=1, prepend=-self.chance * of_all)
        usable = of_all[:, 0] > NOBODY
        shares = project_rows(
            np.where(usable[:, None], sums / np.where(of_all > NOBODY, of_all, 1), 1)
        )
        quantiles = [self._quantile(np.cumsum(row)) for row in shares]
        return np.where(usable, quantiles, np.nan)[:, None]

    def _quantile(self, cumulative: FloatArray) -> float:
        curve = cumulative - self.chance
        curve[-1] = 1 - self.chance
        if self.attribute.boundaries is None:
            return self._number(int(np.argmax(curve >= -NOBODY)))
        # Where the curve is level at zero, half-way between its ends.
        curve[np.abs(curve) <= NOBODY] = 0.0
        start = -self.chance
        return (self._first(curve, start) + self._last(curve, start)) / 2

    def standard_errors(self, evidence: Evidence) -> FloatArray | None:
        return None

    def interval(self, evidence: Evidence, tail: float) -> FloatArray:
        """Return the numbers at which the curve may cross zero (Woodruff 1952)."""
        start = -self.chance * float(evidence.unbiased[-1]) / (1 - self.chance)
        if start >= -NOBODY:
            return np.array([self.bounds])
        value = float(self.values(evidence.unbiased[None])[0, 0])
        if self.attribute.boundaries is not None:
            ends = np.array(self.attribute.boundaries)
            places = _accepted(self._from_start(evidence), float(normal_isf(tail)))
            # Where in a bin the numbers lie is not known: the interval is of whole bins.
            low, high = ends[list(bins_around(places.min(), places.max(), len(ends) - 1))]
        else:
            lower, upper = shifted(evidence, tail, (-1.0, 1.0)).T
            low = self._number(_first_place(upper >= 0))
            high = self._number(_last_place(lower < 0) + 1)
        return np.array([[min(low, value), max(high, value)]])

    def _from_start(self, evidence: Evidence) -> Evidence:
        """Return the curve at all boundaries: what it is at the lowest follows from the last."""
        share = self.chance / (1 - self.chance)
        unbiased, fitted, simulated = (
            np.concatenate([-share * part[..., -1:], part], axis=-1)
            for part in (evidence.unbiased, evidence.fitted, evidence.simulated)
        )
        return Evidence(unbiased, fitted, simulated)

    def _number(self, place: int) -> float:
        values = np.sort(self.attribute.values)
        return float(values[min(place, len(values) - 1)])

    def _first(self, curve: FloatArray, start: float) -> float:
        """Return where the curve first reaches zero, from below it at the lowest boundary."""
        return self._crossing(np.append(start, curve), _first_place(curve >= 0) + 1)

    def _last(self, curve: FloatArray, start: float) -> float:
        """Return where the curve last leaves zero."""
        return self._crossing(np.append(start, curve), _last_place(curve <= 0) + 2)

    def _crossing(self, curve: FloatArray, above: int) -> float:
        """Return where the line to a point of the curve from the one before crosses zero."""
        ends = self.attribute.boundaries or ()
        if above >= len(curve):
            return ends[-1]
        start, end = float(curve[above - 1]), float(curve[above])
        share = min(max(-start / (end - start), 0.0), 1.0) if end > start else 1.0
        return ends[above - 1] + (ends[above] - ends[above - 1]) * share


def _accepted(curve: Evidence, factor: float) -> FloatArray:
    """Return the ends of where the curve may be zero, in bins from the lowest boundary.

    Between two boundaries the curve is a line, and its simulated variance a square function of the
    place: less than a line between the variances where they are not of one piece.
    """
    deviations = curve.simulated - curve.fitted
    steps, start = np.diff(deviations, axis=1), deviations[:, :-1]
    rise, level = np.diff(curve.unbiased), curve.unbiased[:-1]
    # (level + t rise)^2 <= factor^2 (variance at t), for t from 0 to 1
    square = rise**2 - factor**2 * (steps**2).mean(axis=0)
    linear = rise * level - factor**2 * (steps * start).mean(axis=0)
    constant = level**2 - factor**2 * (start**2).mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        # The roots without a difference of nearly equal numbers.
        larger = -linear - np.copysign(np.sqrt(linear**2 - square * constant), linear)
        inside = np.stack([larger / square, constant / larger])
    bins = np.arange(len(rise))
    crossed = (inside > 0) & (inside < 1)
    starts, last = constant <= 0, bool(square[-1] + 2 * linear[-1] + constant[-1] <= 0)
    return np.concatenate([(bins + inside)[crossed], bins[starts], bins[-1:][[last]] + 1])


def _first_place(holds: BoolArray) -> int:
    """Return the first place at which it holds; the last of all where it never does."""
    return int(np.argmax(holds)) if holds.any() else len(holds) - 1


def _last_place(holds: BoolArray) -> int:
    """Return the last place at which it holds, or -1."""
    return int(np.flatnonzero(holds)[-1]) if holds.any() else -1
