"""Importance sampling on a fixed sequence: the posterior of coefficients around its peak.

Three quarters of the points come from a multivariate t distribution with the place and shape of
the posterior's peak, one quarter from the prior, and each is weighted by the density of that
mixture (Owen & Zhou 2000). The likelihood of a randomized answer never falls to 0, so that the
posterior has tails like the prior's: with a part from the prior no weight can be large there. Where
the weights are uneven, place and shape are those of the weighted points, and it is done again.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from scipy.special import gammaln, logsumexp, ndtri

from rr_engine.arrays import FloatArray
from rr_engine.distributions import chi2_ppf
from rr_engine.library.bayesian.coefficient_prior import PriorTerms

# Seed of the scrambling of Sobol's sequence, fixed so that everybody computes the same.
SEED = 2008
# Heavy tails, so that no weight is far above the others.
DEGREES = 5.0
FROM_PRIOR = 0.25
FIRST_POINTS, MOST_POINTS = 2**13, 2**17
# Points times rows of the data: a few seconds.
MOST_WORK = 100_000_000
TARGET = 4_000
# Share of the points below which the shape is adapted, and how often.
UNEVEN, MOST_ROUNDS = 0.5, 4

LogDensity = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class WeightedPoints:
    """Points of a posterior, shape (points, p), with weights that sum to 1."""

    points: FloatArray
    weights: FloatArray

    @property
    def effective_draws(self) -> float:
        """One over the sum of squared weights (Kish)."""
        return float(1 / (self.weights**2).sum())

    def mean(self) -> FloatArray:
        """Return the mean, shape (p,)."""
        return self.weights @ self.points

    def covariance(self) -> FloatArray:
        """Return the covariance, shape (p, p)."""
        centred = self.points - self.mean()
        return (self.weights[:, None] * centred).T @ centred


@dataclass(frozen=True, slots=True, eq=False)
class Bell:
    """A multivariate t distribution; `factor` is the Cholesky factor of its shape."""

    place: FloatArray
    factor: FloatArray

    @classmethod
    def of(cls, place: FloatArray, shape: FloatArray) -> "Bell":
        """Return the bell with this shape."""
        return cls(place, np.asarray(np.linalg.cholesky(shape), dtype=np.float64))

    def points(self, cube: FloatArray) -> FloatArray:
        """Return points of the distribution from points of the unit cube, shape (m, p + 1)."""
        stretch = np.sqrt(chi2_ppf(cube[:, -1], DEGREES) / DEGREES)
        return self.place + (ndtri(cube[:, :-1]) / stretch[:, None]) @ self.factor.T

    def log_density(self, points: FloatArray) -> FloatArray:
        """Return the log density of each point."""
        size = len(self.place)
        standard = np.linalg.solve(self.factor, (points - self.place).T)
        constant = gammaln((DEGREES + size) / 2) - gammaln(DEGREES / 2)
        constant -= size / 2 * np.log(DEGREES * np.pi) + np.log(np.diag(self.factor)).sum()
        spread = (standard**2).sum(axis=0)
        return constant - (DEGREES + size) / 2 * np.log1p(spread / DEGREES)


def weighted_points(
    target: LogDensity, prior: PriorTerms, place: FloatArray, shape: FloatArray, rows: int
) -> tuple[WeightedPoints, bool]:
    """Return weighted points of a density, and whether enough of them count.

    `target` takes points of shape (m, p) and returns log densities up to a constant; `shape` is a
    covariance at the peak; `rows` says how much a point costs.
    """
    most = int(np.clip(MOST_WORK // rows, FIRST_POINTS, MOST_POINTS))
    bell, best = _adapted(target, prior, Bell.of(place, shape))
    size = FIRST_POINTS
    while best.effective_draws < TARGET and 2 * size <= most:
        size *= 2
        best = _weigh(target, prior, bell, size)
    return best, best.effective_draws >= TARGET


def _adapted(target: LogDensity, prior: PriorTerms, bell: Bell) -> tuple[Bell, WeightedPoints]:
    """Return the bell under which most of the first points count, and these points."""
    points = _weigh(target, prior, bell, FIRST_POINTS)
    for _ in range(MOST_ROUNDS):
        if points.effective_draws > UNEVEN * FIRST_POINTS:
            break
        covariance = points.covariance()
        if np.linalg.eigvalsh(covariance).min() <= 0:
            break
        other = Bell.of(points.mean(), covariance)
        again = _weigh(target, prior, other, FIRST_POINTS)
        if again.effective_draws <= points.effective_draws:
            break
        bell, points = other, again
    return bell, points


def _weigh(target: LogDensity, prior: PriorTerms, bell: Bell, size: int) -> WeightedPoints:
    dimension = len(bell.place)
    few = round(FROM_PRIOR * size)
    cubes = even_points(size - few, dimension + 1), even_points(few, dimension)
    points = np.vstack([bell.points(cubes[0]), prior.points(cubes[1])])
    mixture = np.logaddexp(
        np.log(1 - FROM_PRIOR) + bell.log_density(points),
        np.log(FROM_PRIOR) + prior.log_density(points),
    )
    logs = target(points) - mixture
    return WeightedPoints(points, np.exp(logs - logsumexp(logs)))


def even_points(size: int, dimension: int) -> FloatArray:
    """Return the first points of a scrambled Sobol sequence in the open unit cube."""
    sequence = scipy.stats.qmc.Sobol(dimension, rng=SEED)
    cube = sequence.random(1 << (size - 1).bit_length())[:size]
    return np.clip(cube, 1e-12, 1 - 1e-12)
