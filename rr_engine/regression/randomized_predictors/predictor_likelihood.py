"""The log-likelihood of an outcome with randomized predictors, and its derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.regression.engine.links import BinaryOutcome, MultinomialOutcome
from rr_engine.regression.engine.newton import of_blocks

HALF_LOG_TWO_PI = float(np.log(2 * np.pi) / 2)
# An outcome with a deviation of 1 whose errors have a deviation of less than exp(-20) has none.
LARGEST_LOG = 20.0
# Chances below exp(-300) are as good as none.
LEAST_LOG = -300.0


@dataclass(frozen=True, slots=True, eq=False)
class ResponseTerms:
    """Log-density of an outcome and its derivatives, all of shape (rows, combinations).

    Attributes
    ----------
    log_density : ndarray of float
    slope, curvature : ndarray of float
        First derivative in the linear predictor, and minus the second.
    spread_slope, crossed, spread_curvature : ndarray of float, or None
        First derivative in the logarithm of the residual deviation, minus the mixed derivative,
        and minus the second; None where the outcome has none.
    """

    log_density: FloatArray
    slope: FloatArray
    curvature: FloatArray
    spread_slope: FloatArray | None = None
    crossed: FloatArray | None = None
    spread_curvature: FloatArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class NormalResponse:
    """A number with normal errors of one standard deviation; `numbers`: shape (rows,)."""

    numbers: FloatArray
    spreads: int = 1

    def terms(self, eta: FloatArray, log_deviation: float) -> ResponseTerms:
        """Return the terms at linear predictors of shape (rows, combinations)."""
        residuals = self.numbers[:, None] - eta
        inside = abs(log_deviation) <= LARGEST_LOG
        precision = float(np.exp(-2 * log_deviation)) if inside else 1.0
        slope, squares = residuals * precision, residuals**2 * precision
        density = -HALF_LOG_TWO_PI - log_deviation - squares / 2
        return ResponseTerms(
            log_density=density if inside else np.full_like(eta, -np.inf),
            slope=slope,
            curvature=np.full_like(eta, precision),
            spread_slope=squares - 1,
            crossed=2 * slope,
            spread_curvature=2 * squares,
        )


@dataclass(frozen=True, slots=True, eq=False)
class BinaryResponse:
    """Yes or no, direct or randomized.

    `likelihoods`: how likely no and yes make each report, shape (rows, 2).
    """

    outcome: BinaryOutcome
    likelihoods: FloatArray
    spreads: int = 0

    def terms(self, eta: FloatArray, log_deviation: float) -> ResponseTerms:
        """Return the terms at linear predictors of shape (rows, combinations)."""
        likelihoods = np.repeat(self.likelihoods, eta.shape[1], axis=0)
        # A report that is next to impossible has derivatives beyond a double, and no weight.
        with np.errstate(over="ignore", invalid="ignore"):
            found = self.outcome.terms(eta.reshape(-1, 1), likelihoods)
        possible = found.log_likelihood > LEAST_LOG
        return ResponseTerms(
            log_density=found.log_likelihood.reshape(eta.shape),
            slope=np.where(possible, found.score[:, 0], 0.0).reshape(eta.shape),
            curvature=np.where(possible, found.information[:, 0, 0], 0.0).reshape(eta.shape),
        )


Response = NormalResponse | BinaryResponse


# Entries of the largest table that is formed at once.
CHUNK = 4_000_000
# In scaled columns no estimate is near it, and squares of it are far from the end of a double.
LARGEST_PARAMETER = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where each kind of parameter stands: covariates, terms, deviation, then combinations."""

    covariates: int
    terms: int
    spreads: int
    combinations: int
    columns: int

    @property
    def outcome(self) -> int:
        """Number of coefficients of the outcome."""
        return self.covariates + self.terms

    @property
    def start(self) -> int:
        """Place of the first parameter of the combinations."""
        return self.outcome + self.spreads

    @property
    def size(self) -> int:
        """Number of all parameters."""
        return self.start + (self.combinations - 1) * self.columns


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Expected terms of each row at a point.

    Attributes
    ----------
    log_likelihood : ndarray of float, shape (rows,)
    prior, posterior : ndarray of float, shape (rows, combinations)
        Probabilities of the combinations given the covariates alone, and given all.
    terms : ResponseTerms
    """

    log_likelihood: FloatArray
    prior: FloatArray
    posterior: FloatArray
    terms: ResponseTerms


@dataclass(frozen=True, eq=False)
class PredictorLikelihood:
    """``sum over rows of log sum_c Pr(c | x) Pr(reports | c) f(outcome | x, c)``.

    Called, it is an objective of :func:`rr_engine.regression.engine.newton.maximise`.

    Attributes
    ----------
    covariates : ndarray of float, shape (rows, p)
        Columns of the outcome's model.
    columns : ndarray of float, shape (rows, q)
        Columns of the model of the true predictors.
    terms : ndarray of float, shape (combinations, t)
    likelihoods : ndarray of float, shape (rows, combinations)
        How likely each combination makes the reports on the predictors.
    response : Response
    weights : ndarray of float, shape (rows,)
    """

    covariates: FloatArray
    columns: FloatArray
    terms: FloatArray
    likelihoods: FloatArray
    response: Response
    weights: FloatArray

    @cached_property
    def places(self) -> Places:
        """Where each kind of parameter stands."""
        return Places(
            covariates=self.covariates.shape[1],
            terms=self.terms.shape[1],
            spreads=self.response.spreads,
            combinations=len(self.terms),
            columns=self.columns.shape[1],
        )

    @cached_property
    def log_likelihoods(self) -> FloatArray:
        """Logarithms of the likelihoods of the combinations."""
        with np.errstate(divide="ignore"):
            return np.log(self.likelihoods)

    def eta(self, theta: FloatArray) -> FloatArray:
        """Return the outcome's linear predictors, shape (rows, combinations)."""
        places = self.places
        across = self.covariates @ theta[: places.covariates]
        return across[:, None] + self.terms @ theta[places.covariates : places.outcome]

    def exponents(self, theta: FloatArray) -> FloatArray:
        """Return ``log Pr(c | x)/Pr(first | x)``, shape (rows, combinations - 1)."""
        coefficients = theta[self.places.start :].reshape(-1, self.places.columns)
        return self.columns @ coefficients.T

    def reach(self, direction: FloatArray) -> float:
        """Return how far a direction moves the linear predictors of outcome and combinations."""
        moves = self.eta(direction), self.exponents(direction)
        return max(float(np.abs(move).max()) for move in moves)

    def expected(self, theta: FloatArray) -> Expected:
        """Return likelihoods and posterior probabilities of the rows."""
        places = self.places
        deviation = float(theta[places.outcome]) if places.spreads else 0.0
        terms = self.response.terms(self.eta(theta), deviation)
        prior = MultinomialOutcome(places.combinations).probabilities(self.exponents(theta))
        with np.errstate(divide="ignore"):
            joint = np.log(prior) + self.log_likelihoods + terms.log_density
        top = joint.max(axis=1, keepdims=True)
        # Where no combination is possible, the point lies outside of the range.
        shares = np.exp(joint - np.where(np.isfinite(top), top, 0.0))
        total = np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
        return Expected((top + np.log(total))[:, 0], prior, shares / total, terms)

    def value(self, theta: FloatArray) -> float:
        """Return the log-likelihood alone."""
        return float(self.weights @ self.expected(theta).log_likelihood)

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        outside = -np.inf, np.zeros(len(theta)), np.eye(len(theta))
        if np.abs(theta).max() > LARGEST_PARAMETER:
            return outside
        found = self.expected(theta)
        value = float(self.weights @ found.log_likelihood)
        if not np.isfinite(value):
            return outside
        return value, self._gradient(found), self._information(found)

    def scores(self, theta: FloatArray) -> FloatArray:
        """Return the score of one respondent of each row, shape (rows, parameters)."""
        found = self.expected(theta)
        moves = found.posterior * found.terms.slope
        parts = [self.covariates * moves.sum(axis=1)[:, None], moves @ self.terms]
        if found.terms.spread_slope is not None:
            parts.append((found.posterior * found.terms.spread_slope).sum(axis=1)[:, None])
        surplus = (found.posterior - found.prior)[:, 1:]
        blocks = surplus[:, :, None] * self.columns[:, None, :]
        return np.column_stack([*parts, blocks.reshape(len(surplus), -1)])

    def _gradient(self, found: Expected) -> FloatArray:
        weighted = found.posterior * self.weights[:, None]
        moves = weighted * found.terms.slope
        parts = [self.covariates.T @ moves.sum(axis=1), moves.sum(axis=0) @ self.terms]
        if found.terms.spread_slope is not None:
            parts.append(np.array([(weighted * found.terms.spread_slope).sum()]))
        surplus = weighted - found.prior * self.weights[:, None]
        return np.concatenate([*parts, (surplus[:, 1:].T @ self.columns).ravel()])

    def _information(self, found: Expected) -> FloatArray:
        """Return minus the second derivatives (Louis 1982)."""
        places = self.places
        result = np.zeros((places.size, places.size))
        means = OutcomeMeans.of(found, self.terms)
        top = slice(0, places.start)
        result[top, top] = self._outcome_block(found, means)
        result[top, places.start :] = self._crossed_block(found, means)
        result[places.start :, top] = result[top, places.start :].T
        result[places.start :, places.start :] = combination_information(
            found.prior, found.posterior, self.columns, self.weights
        )
        return result

    def _outcome_block(self, found: Expected, means: OutcomeMeans) -> FloatArray:
        """Return the block of the outcome's parameters."""
        terms, weights, X, S = found.terms, self.weights, self.covariates, self.terms
        excess = found.posterior * (terms.curvature - terms.slope**2)
        weighted = excess * weights[:, None]
        # Scores of the rows in covariates, terms and deviation, and the spread within rows.
        scores = np.column_stack([X * means.slope[:, None], means.term_slopes])
        block = np.zeros((self.places.outcome, self.places.outcome))
        split = X.shape[1]
        block[:split, :split] = (X * weighted.sum(axis=1)[:, None]).T @ X
        block[:split, split:] = X.T @ (weighted @ S)
        block[split:, :split] = block[:split, split:].T
        block[split:, split:] = (S * weighted.sum(axis=0)[:, None]).T @ S
        block += (scores * weights[:, None]).T @ scores
        if terms.spread_slope is None or terms.crossed is None or terms.spread_curvature is None:
            return block
        crossed = found.posterior * (terms.crossed - terms.slope * terms.spread_slope)
        crossed *= weights[:, None]
        own = found.posterior * (terms.spread_curvature - terms.spread_slope**2)
        corner = float(weights @ (own.sum(axis=1) + means.spread_slope**2))
        edge = np.concatenate([X.T @ crossed.sum(axis=1), crossed.sum(axis=0) @ S])
        edge += scores.T @ (weights * means.spread_slope)
        return of_blocks([[block, edge[:, None]], [edge[None, :], np.array([[corner]])]])

    def _crossed_block(self, found: Expected, means: OutcomeMeans) -> FloatArray:
        """Return the block between the outcome's parameters and those of the combinations."""
        terms, places = found.terms, self.places
        weighted = (found.posterior * self.weights[:, None])[:, 1:]
        shift = weighted * (terms.slope[:, 1:] - means.slope[:, None])
        moved = weighted * terms.slope[:, 1:]
        parts = np.empty((places.start, places.combinations - 1, places.columns))
        for place in range(places.combinations - 1):
            parts[: places.covariates, place] = (
                self.covariates * shift[:, place, None]
            ).T @ self.columns
            parts[places.covariates : places.outcome, place] = (
                np.outer(self.terms[place + 1], moved[:, place] @ self.columns)
                - (means.term_slopes * weighted[:, place, None]).T @ self.columns
            )
        if terms.spread_slope is not None:
            own = weighted * (terms.spread_slope[:, 1:] - means.spread_slope[:, None])
            parts[places.outcome] = own.T @ self.columns
        return -parts.reshape(places.start, -1)


def combination_information(
    prior: FloatArray, posterior: FloatArray, columns: FloatArray, weights: FloatArray
) -> FloatArray:
    """Return the information in the coefficients of the combinations, some rows at a time."""
    size, width = prior.shape[1] - 1, columns.shape[1]
    step = max(1, CHUNK // (size * width))
    block = np.zeros((size * width, size * width))
    for start in range(0, len(weights), step):
        rows = slice(start, start + step)
        roots = np.sqrt(weights[rows])[:, None]
        for sign, shares in ((1, posterior), (-1, prior)):
            scaled = (shares[rows, 1:] * roots)[:, :, None] * columns[rows, None, :]
            scaled = scaled.reshape(len(roots), -1)
            block += sign * (scaled.T @ scaled)
    gaps = (prior - posterior)[:, 1:] * weights[:, None]
    for place in range(size):
        own = slice(place * width, (place + 1) * width)
        block[own, own] += (columns * gaps[:, place, None]).T @ columns
    return block


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeMeans:
    """Posterior means of the outcome's derivatives.

    `slope`, `spread_slope`: shape (rows,); `term_slopes`: (rows, terms).
    """

    slope: FloatArray
    term_slopes: FloatArray
    spread_slope: FloatArray

    @classmethod
    def of(cls, found: Expected, terms: FloatArray) -> OutcomeMeans:
        """Return the means at a point."""
        moves = found.posterior * found.terms.slope
        spread = found.terms.spread_slope
        own = np.zeros(len(moves)) if spread is None else (found.posterior * spread).sum(axis=1)
        return cls(moves.sum(axis=1), moves @ terms, own)
