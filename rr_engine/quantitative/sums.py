"""Means and totals of unbiased scores over a sample of unequal inclusion probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.errors import ArgumentError
from rr_engine.validation import FloatArray, check_choice, check_reals, check_size

ESTIMATORS = ("hajek", "horvitz-thompson")


@dataclass(frozen=True, slots=True)
class Inclusion:
    """How the people of a sample came into it.

    Attributes
    ----------
    chances : ndarray of float, shape (n,)
        Inclusion probabilities; all 0 stands for a sample of a population without end.
    population : int or None
        How many people it was drawn from, where that is known.
    """

    chances: FloatArray
    population: int | None

    @property
    def endless(self) -> bool:
        """Whether the sample is of a population without end."""
        return not self.chances.any()

    @property
    def weights(self) -> FloatArray:
        """How many people each stands for, or one each where the population has no end."""
        return np.ones(len(self.chances)) if self.endless else 1 / self.chances


@dataclass(frozen=True, slots=True)
class Sums:
    """Means of several scores, and where their covariance comes from.

    Attributes
    ----------
    values : ndarray of float, shape (k,)
    covariance : ndarray of float, shape (k, k)
        inf on the diagonal where the sample does not tell.
    device : ndarray of float, shape (k, k)
        The part of the covariance that direct answers would not have.
    """

    values: FloatArray
    covariance: FloatArray
    device: FloatArray

    def times(self, size: float) -> Sums:
        """Return the totals of a population of this size."""
        return Sums(self.values * size, self.covariance * size**2, self.device * size**2)


def check_inclusion(inclusion: object, population: object, n: int) -> Inclusion:
    """Return the sample's inclusion probabilities, equal ones when only the population is given."""
    size = None if population is None else check_size(population, "population", minimum=n)
    if inclusion is None:
        return Inclusion(np.full(n, n / size if size else 0.0), size)
    rule = f"be a list of {n} chances above 0 and at most 1, one for each report"
    chances = check_reals(inclusion, (n,), "inclusion", rule)
    if (chances <= 0).any() or (chances > 1).any() or not np.isfinite(1 / chances**2).all():
        raise ArgumentError("inclusion", inclusion, rule, "not_inclusion_chances")
    return Inclusion(chances, size)


def mean_of(scores: FloatArray, device: FloatArray, sample: Inclusion, estimator: str) -> Sums:
    """Return the mean of scores (n, k) with device covariances (n, k, k).

    Hajek divides by the sum of the weights, Horvitz and Thompson by the population's size.
    """
    if check_choice(estimator, "estimator", ESTIMATORS) == "horvitz-thompson":
        return _weighted(scores, device, sample, _known_size(sample))
    size = float(np.sort(sample.weights).sum())
    centre = _add(scores * sample.weights[:, None]) / size
    residual = _weighted(scores - centre, device, sample, size)
    return Sums(centre, residual.covariance, residual.device)


def total_of(scores: FloatArray, device: FloatArray, sample: Inclusion, estimator: str) -> Sums:
    """Return the total over the population."""
    if check_choice(estimator, "estimator", ESTIMATORS) == "hajek":
        return mean_of(scores, device, sample, estimator).times(_known_size(sample))
    if sample.endless:
        _known_size(sample)
    return _weighted(scores, device, sample, 1.0)


def _weighted(scores: FloatArray, device: FloatArray, sample: Inclusion, size: float) -> Sums:
    """Return the weighted sum over `size`, with the covariance of a sum of known weights."""
    shares = sample.weights / size
    parts, own = scores * shares[:, None], device * shares[:, None, None] ** 2
    sampled = deville(parts, sample.chances)
    # The device's variance that the differences between people do not show.
    unseen = _add(own * sample.chances[:, None, None])
    return Sums(_add(parts), sampled + unseen, _add(own))


def _add(parts: FloatArray) -> FloatArray:
    """Return the sum over people; sorted, so that their order changes no digit."""
    return np.sort(parts, axis=0).sum(axis=0)


def _known_size(sample: Inclusion) -> int:
    if sample.population is None:
        rule = "be given for a total, or for a mean by Horvitz and Thompson"
        raise ArgumentError("population", None, rule, "population_missing")
    return sample.population


def deville(parts: FloatArray, chances: FloatArray) -> FloatArray:
    """Return Deville's covariance of the column sums of a sample without replacement.

    It needs inclusion probabilities of single people only, is exact for simple random sampling,
    and for chances of 0 that with replacement.
    """
    left = 1 - chances
    free = np.count_nonzero(left)
    if free == 0:
        return np.zeros((parts.shape[1],) * 2)
    if free == 1:
        return np.diag(np.full(parts.shape[1], np.inf))
    weights = left / np.sort(left).sum()
    centred = parts - _add(weights[:, None] * parts)
    products = centred[:, :, None] * centred[:, None, :] * left[:, None, None]
    return _add(products) / float(1 - _add(weights**2))
