"""Where the ascent of a model with randomized predictors starts, and its null model."""

from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.regression.engine.links import LINKS, MultinomialOutcome, link_of, rough_shares
from rr_engine.regression.engine.newton import Maximum, maximise
from rr_engine.regression.randomized_predictors.predictor_likelihood import (
    BinaryResponse,
    NormalResponse,
    PredictorLikelihood,
    combination_information,
)

# Where a combination is empty the ascent has no end; after these steps it is near enough.
MOST_STEPS = 30
SMALLEST_SHARE = 0.1
# An effect, in scaled columns, to start from where there may be several maxima.
ONE_SIDED = 1.5
# Smallest part of a linear model's residual variance that a start leaves, and the largest effect
# of a scaled column on a logit or probit.
LEAST_REST, LARGEST_SLOPE = 0.1, 3.0


@dataclass(frozen=True, slots=True, eq=False)
class CombinationLikelihood:
    """The log-likelihood of the reports on the predictors alone."""

    columns: FloatArray
    likelihoods: FloatArray
    weights: FloatArray

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        outcome = MultinomialOutcome(self.likelihoods.shape[1])
        prior = outcome.probabilities(self.columns @ theta.reshape(outcome.predictors, -1).T)
        joint = prior * self.likelihoods
        chance = joint.sum(axis=1)
        if not (chance > 0).all():
            return -np.inf, np.zeros(len(theta)), np.eye(len(theta))
        posterior = joint / chance[:, None]
        surplus = (posterior - prior)[:, 1:] * self.weights[:, None]
        information = combination_information(prior, posterior, self.columns, self.weights)
        value = float(self.weights @ np.log(chance))
        return value, (surplus.T @ self.columns).ravel(), information

    def posterior(self, theta: FloatArray) -> FloatArray:
        """Return the probability of each combination given reports and columns."""
        outcome = MultinomialOutcome(self.likelihoods.shape[1])
        joint = self.likelihoods * outcome.probabilities(
            self.columns @ theta.reshape(outcome.predictors, -1).T
        )
        return joint / joint.sum(axis=1, keepdims=True)

    def maximum(self) -> Maximum:
        """Return the highest point, or one near it, from the shares of all respondents."""
        return maximise(self, self.start(), MOST_STEPS)

    def start(self) -> FloatArray:
        """Return coefficients that give all respondents the same shares, none near zero."""
        start = np.zeros((self.likelihoods.shape[1] - 1, self.columns.shape[1]))
        if (self.columns[:, 0] == 1).all():
            least = SMALLEST_SHARE / self.likelihoods.shape[1]
            shares = rough_shares(self.likelihoods, self.weights, least)
            start[:, 0] = np.log(shares[1:] / shares[0])
        return start.ravel()


@dataclass(frozen=True, slots=True, eq=False)
class Starts:
    """Fixed points to start from, and the log-likelihood of the null model.

    Attributes
    ----------
    points : list of ndarray of float, shape (parameters,)
        The effects that expected true answers show, none, then large effects of one term.
    usual : int
        Number of points before those of large effects.
    null : float
        Of the predictors' model beside an outcome with an intercept alone.
    """

    points: list[FloatArray]
    usual: int
    null: float


def find_starts(likelihood: PredictorLikelihood, *, intercept: bool) -> Starts:
    """Return the starts of a likelihood in scaled columns."""
    combinations = CombinationLikelihood(
        likelihood.columns, likelihood.likelihoods, likelihood.weights
    )
    alone = combinations.maximum()
    means = combinations.posterior(alone.theta) @ likelihood.terms
    columns = np.column_stack([likelihood.covariates, means])
    if isinstance(likelihood.response, NormalResponse):
        outcomes, null = _normal_starts(likelihood, likelihood.response, columns)
    else:
        outcomes, null = _binary_starts(
            likelihood, likelihood.response, columns, intercept=intercept
        )
    # Where a combination is empty without the outcome, the way back is too flat to be found.
    inside = combinations.start()
    points = [
        np.concatenate([outcomes[0], alone.theta]),
        *(np.concatenate([point, inside]) for point in outcomes),
    ]
    others = _one_sided(points[-1], likelihood)
    return Starts([*points, *others], len(points), alone.value + null)


def _one_sided(none: FloatArray, likelihood: PredictorLikelihood) -> list[FloatArray]:
    """Return starts at which one term has a large effect, in either direction."""
    places, points = likelihood.places, []
    for term in range(places.covariates, places.outcome):
        for sign in (1.0, -1.0):
            points.append(none.copy())
            points[-1][term] = sign * ONE_SIDED
    return points


def _normal_starts(
    likelihood: PredictorLikelihood, response: NormalResponse, columns: FloatArray
) -> tuple[list[FloatArray], float]:
    """Return coefficients and the logarithm of the deviation; regression on expected answers."""
    numbers, weights = response.numbers, likelihood.weights
    slopes, rest = _least_squares(columns, numbers, weights)
    # Expected answers leave out how the true ones vary around them.
    floor = LEAST_REST * (weights @ numbers**2) / weights.sum()
    found = np.append(slopes, np.log(max(rest, floor)) / 2)
    split = likelihood.covariates.shape[1]
    across, rest_alone = _least_squares(likelihood.covariates, numbers, weights)
    none = np.concatenate([across, np.zeros(columns.shape[1] - split)])
    total = weights.sum()
    middle = weights @ numbers / total
    variance = weights @ (numbers - middle) ** 2 / total
    null = -total / 2 * (np.log(2 * np.pi * variance) + 1)
    return [found, np.append(none, np.log(max(rest_alone, floor)) / 2)], float(null)


def _binary_starts(
    likelihood: PredictorLikelihood,
    response: BinaryResponse,
    columns: FloatArray,
    *,
    intercept: bool,
) -> tuple[list[FloatArray], float]:
    """Return coefficients from least squares on unbiased scores, and none but the intercept."""
    link, weights, zero = response.outcome.link, likelihood.weights, np.zeros(columns.shape[1])
    level, null = _level(response, weights)
    if not intercept:
        return [zero], null
    curve = LINKS[link](np.array([level]))
    share = float(curve.probability[0])
    # The expected outcome given its report, stretched to the one given the truth.
    no, yes = response.likelihoods[:, 0], response.likelihoods[:, 1]
    expected = share * yes / (share * yes + (1 - share) * no)
    shrinkage = float(weights @ (expected - share) ** 2 / weights.sum()) / (share * (1 - share))
    slopes = _least_squares(columns, expected, weights)[0] / max(shrinkage, 1e-3)
    slopes = np.clip(slopes / float(curve.slope[0]), -LARGEST_SLOPE, LARGEST_SLOPE)
    slopes[0] = level - slopes[1:] @ (weights @ columns[:, 1:] / weights.sum())
    zero[0] = level
    return [slopes, zero], null


def _level(response: BinaryResponse, weights: FloatArray) -> tuple[float, float]:
    """Return the intercept of an outcome without covariates, and its log-likelihood."""

    def objective(theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        found = response.terms(np.full((len(weights), 1), theta[0]), 0.0)
        value = float(weights @ found.log_density[:, 0])
        slope, curvature = weights @ found.slope[:, 0], weights @ found.curvature[:, 0]
        return value, np.array([slope]), np.array([[curvature]])

    best = maximise(objective, np.array([link_of(0.5, response.outcome.link)]), MOST_STEPS)
    reach = link_of(1 - SMALLEST_SHARE, response.outcome.link)
    return float(np.clip(best.theta[0], -reach, reach)), best.value


def _least_squares(
    columns: FloatArray, numbers: FloatArray, weights: FloatArray
) -> tuple[FloatArray, float]:
    """Return slopes and the variance of what they leave."""
    weighted = columns * weights[:, None]
    moments = weighted.T @ columns
    slopes = np.asarray(np.linalg.lstsq(moments, weighted.T @ numbers, rcond=1e-10)[0], np.float64)
    rest = numbers - columns @ slopes
    return slopes, float(weights @ rest**2 / weights.sum())
