"""The interface of every kind of sample for an estimator."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.errors import ArgumentError


class WeightedSample(ABC):
    """Respondents with weights, and the variance of a weighted total of theirs.

    Attributes
    ----------
    weights : ndarray of float, shape (n,)
    strata, clusters : ndarray of int, shape (n,)
        Numbers from 0; clusters are numbered over all strata.

    Examples
    --------
    >>> from rr_engine import SurveySample
    >>> from rr_engine.sampling import WeightedSample
    >>> sample = SurveySample([2, 1, 1, 2])
    >>> isinstance(sample, WeightedSample), sample.n, sample.weights.tolist()
    (True, 4, [2.0, 1.0, 1.0, 2.0])
    """

    __slots__ = ()

    weights: FloatArray
    strata: IntArray
    clusters: IntArray

    @property
    @abstractmethod
    def degrees_of_freedom(self) -> int:
        """Degrees of freedom of the variance."""

    @abstractmethod
    def covariance_of_total(self, contributions: ArrayLike) -> FloatArray:
        """Return the covariance of the column sums of a table (Binder 1983)."""

    @abstractmethod
    def with_replacement(self) -> WeightedSample:
        """Return the same respondents as if drawn with replacement from an endless population.

        For models, which are about what made the population (Graubard & Korn 2002).
        """

    @property
    @abstractmethod
    def own_coefficients(self) -> FloatArray:
        """Coefficient of the square of each respondent's contribution in that variance.

        Chance that adds to each contribution by itself, such as that of a randomizing device, is
        part of the variance to this degree; below 1, the rest has to be added.
        """

    @property
    def n(self) -> int:
        """Number of respondents."""
        return len(self.weights)

    @property
    def design_effect(self) -> float:
        """How many times unequal weights alone inflate a variance (Kish 1965, section 11.7)."""
        return self.n / self.effective_n

    @property
    def effective_n(self) -> float:
        """Number of equally weighted respondents who would tell as much, by Kish 1965."""
        weights = np.sort(self.weights) / self.weights.max()
        return float(weights.sum() ** 2 / (weights @ weights))


def check_sample(value: object, argument: str = "sample") -> WeightedSample:
    """Return a sample of any kind."""
    if not isinstance(value, WeightedSample):
        rule = "be a SurveySample, a ProbabilitySample or a calibrated sample"
        raise ArgumentError(argument, value, rule, "not_a_sample")
    return value
