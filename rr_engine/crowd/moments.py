"""Statistics of a crowd that follow from the moments of numbers: variance, correlation, slopes.

Tables of pairs are all that they take, however many numbers there are. They are computed in units
of half a number's range, and have no value where nothing varies: NaN.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from rr_engine.crowd.attributes import CrowdAttribute
from rr_engine.crowd.intervals import Bounds, Evidence, shifted
from rr_engine.crowd.one_table import Chosen
from rr_engine.crowd.statistics import range_of
from rr_engine.crowd.view import NOBODY, CrowdTables, with_numbers
from rr_engine.validation import FloatArray


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
class Variance(OfMoments):
    """The variance of a number."""

    attribute: CrowdAttribute
    where: Chosen = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.attribute.name,)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    @property
    def bounds(self) -> Bounds:
        lowest, highest = range_of(self.attribute)
        return 0.0, (highest - lowest) ** 2 / 4

    @property
    def people(self) -> dict[str, Sequence[int]]:
        return with_numbers([self.attribute], self.where)

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
