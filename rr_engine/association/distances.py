"""Phi squared, mutual information and entropy as functions of a distance."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import xlogy

from rr_engine.arrays import FloatArray
from rr_engine.association.derived import Distance, Line, Moments, line_through
from rr_engine.association.table import Table
from rr_engine.estimation.result import Estimate
from rr_engine.precision import left_inverse
from rr_engine.projection import project_to_simplex

# Largest number of cells whose full covariance is formed.
DENSE_CELLS = 1600
BITS = 1 / np.log(2)
# Standard errors of a cell, relative to an even one, beyond which logarithms are unreliable.
THIN = 0.2
# Standard errors above zero from which a cell is clearly not empty.
CLEAR = 3.0


@dataclass(frozen=True, slots=True)
class _Squares:
    """A sum of squares of estimates with noise.

    `added` is what noise adds to it on average; at a true sum x its variance is
    ``constant + slope x`` along the estimated direction.
    """

    observed: float
    added: float
    constant: float
    slope: float


def _sum_of_squares(residuals: FloatArray, covariance: FloatArray) -> _Squares:
    observed = float(residuals @ residuals)
    # Rounding can make a zero variance slightly negative.
    along = max(float(residuals @ covariance @ residuals), 0.0)
    added, product = float(np.trace(covariance)), float((covariance**2).sum())
    mean = product / added if added > 0 else 0.0
    return _Squares(observed, added, 2 * product, 4 * (along / observed if observed > 0 else mean))


def phi_squared_distance(table: Table) -> Distance:
    """Return chi-square divided by n, from the unconstrained table, whose noise is centred."""
    squares = _sum_of_squares(*_residuals(table))

    def noise(true: float) -> Moments:
        return squares.added, squares.constant + squares.slope * true

    return Distance(squares.observed, noise, min(table.proportions.shape) - 1.0, lambda true: true)


def information_distance(table: Table) -> Distance:
    """Return phi squared, with the mutual information in bits as its measure."""
    shape, errors = table.proportions.shape, table.standard_errors
    nothing = independent(table)
    direction = _interaction(_signal(table.proportions - nothing, errors), nothing)

    def variance(flat: FloatArray) -> float:
        filled = np.maximum(np.maximum(flat.reshape(shape), errors), 0.5 / table.n)
        filled = filled / filled.sum()
        gradient = np.log2(filled / np.outer(filled.sum(axis=1), filled.sum(axis=0)))
        return float(table.covariance_operator.between(gradient[None], gradient[None])[0, 0])

    line = line_through(
        nothing.ravel(),
        direction.ravel(),
        lambda tables: phi_squares(tables.reshape(-1, *shape)),
        lambda tables: informations(tables.reshape(-1, *shape)),
        (min(shape) - 1.0, float(np.log2(min(shape)))),
    )
    return _measure_distance(
        _sum_of_squares(*_residuals(table)),
        line,
        variance,
        _denoise(table.proportions - nothing, errors),
        1 / np.maximum(nothing, (0.5 / table.n) ** 2).ravel(),
        thin=is_thin(table),
    )


def entropy_distance(estimate: Estimate | Table) -> Distance:
    """Return ``t sum (pi - 1/t)**2``, with the entropy in bits as its measure."""
    size = estimate.proportions.size
    if size == 2:
        return _difference_squared(estimate)
    covariance, even = _covariance(estimate), 1 / size
    if not covariance.any():
        # Equal reports have zero variance: half a person is added for each answer.
        possible = project_to_simplex(estimate.proportions.ravel())
        covariance = _covariance(estimate, (estimate.n * possible + 0.5) / (estimate.n + size / 2))
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    straight = estimate.proportions.ravel() - even

    def variance(flat: FloatArray) -> float:
        gradient = np.log2(np.maximum(np.maximum(flat, errors), 0.5 / estimate.n))
        gradient = gradient - gradient.mean()
        return float(gradient @ covariance @ gradient)

    direction = _signal(straight, errors)
    line = line_through(
        np.full(size, even),
        direction - direction.mean(),
        lambda tables: size * ((tables - even) ** 2).sum(axis=1),
        entropies,
        (size - 1.0, 0.0),
    )
    squares = _sum_of_squares(np.sqrt(size) * straight, size * covariance)
    left, weights = _denoise(straight, errors), np.full(size, size)
    return _measure_distance(squares, line, variance, left, weights, thin=is_thin(estimate))


def _measure_distance(
    squares: _Squares,
    line: Line,
    variance: Callable[[FloatArray], float],
    noise_left: tuple[FloatArray, FloatArray],
    weights: FloatArray,
    *,
    thin: bool,
) -> Distance:
    """Return a distance whose noise is that of a measure, translated along the line.

    Near zero it is that of the sum of squares. Further off the measure has a variance by the delta
    method, and a bias by its second derivatives, ``1/(2 pi ln 2)`` of a cell beside what the
    `weights` of the sum of squares make of it, in as far as noise is left in the line's direction.
    Where the cells are hardly known, or one is cut at zero, the delta method may see too little:
    the variance is not less than that of the sum of squares then.
    """
    centre = max(squares.observed - squares.added, squares.constant**0.5)
    centre = min(centre, line.limit * (1 - 1e-3))
    rate = line.rate(centre) if centre > 0 else 0.0
    if rate == 0:
        return Distance(
            squares.observed,
            lambda true: (squares.added, squares.constant + squares.slope * true),
            line.limit,
            line.value,
        )
    table, inside = line.table(centre)
    slope = variance(table) / rate**2 / centre
    if thin or not inside:
        slope = max(slope, squares.slope)
    signal, variances = noise_left
    cells = np.maximum(table, np.sqrt(variances))
    curved = np.divide(BITS / 2 / abs(rate), cells, out=np.zeros_like(cells), where=cells > 0)
    more = max(float((signal * variances * (curved - weights)).sum()), -squares.added)

    def noise(true: float) -> Moments:
        added = squares.added + more * min(true / centre, 1.0)
        return added, squares.constant + slope * true

    return Distance(squares.observed, noise, line.limit, line.value)


def _difference_squared(estimate: Estimate | Table) -> Distance:
    """Return the square of the difference of two proportions, whose noise has a closed form."""
    shares = estimate.proportions.ravel()
    side = float(np.copysign(1.0, shares[0] - shares[1]))
    at = [np.array([1 + d, 1 - d]) / 2 for d in (-side, 0.0, side)]
    low, middle, high = (4 * max(float(_covariance(estimate, table)[0, 0]), 0.0) for table in at)
    # The variance of the difference is a quadratic in the true one.
    linear, square = (high - low) / 2, (high + low) / 2 - middle

    def noise(true: float) -> Moments:
        added = max(middle + linear * np.sqrt(true) + square * true, 0.0)
        return added, 2 * added**2 + 4 * added * true

    def measure(true: float) -> float:
        share = (1 + np.sqrt(true)) / 2
        return float(entropies(np.array([share, 1 - share])))

    return Distance(float((shares[0] - shares[1]) ** 2), noise, 1.0, measure)


def scaled(distance_of: Callable[[Table], Distance], factor: float) -> Callable[[Table], Distance]:
    """Return the same distances with their measures multiplied by a factor."""

    def of(table: Table) -> Distance:
        distance = distance_of(table)
        return replace(distance, measure=lambda true: factor * distance.measure(true))

    return of


def is_thin(estimate: Estimate | Table) -> bool:
    """Whether the standard errors of cells make their logarithms unreliable."""
    errors = estimate.standard_errors
    return bool(np.sqrt((errors**2).mean()) * errors.size > THIN)


def may_be_empty(estimate: Estimate | Table) -> bool:
    """Whether a cell does not differ clearly from zero, so that its logarithm is not linear.

    At zero itself the error is one-sided, so that one end of the interval is hardly ever missed.
    """
    return bool((estimate.proportions < CLEAR * estimate.standard_errors).any())


def is_mostly_noise(distance: Distance) -> bool:
    """Whether noise adds more to a sum of squares than the largest possible distance."""
    return distance.noise(0.0)[0] > distance.limit


def _denoise(straight: FloatArray, errors: FloatArray) -> tuple[FloatArray, FloatArray]:
    return _clarity(straight, errors).ravel(), (errors**2).ravel()


def _signal(straight: FloatArray, errors: FloatArray) -> FloatArray:
    """Return the deviations shrunk by their noise, or unchanged if nothing would remain."""
    signal = straight * _clarity(straight, errors)
    return signal if signal.any() else straight


def _clarity(straight: FloatArray, errors: FloatArray) -> FloatArray:
    """Return the James-Stein factor of each deviation, from 0 to 1."""
    clear = np.abs(straight) > errors
    noise = np.divide(errors, straight, out=np.ones_like(straight), where=clear)
    return 1 - noise**2


def _interaction(direction: FloatArray, nothing: FloatArray) -> FloatArray:
    """Return the component of a change that preserves the margins."""
    rows, columns = nothing.sum(axis=1), nothing.sum(axis=0)
    by_row, by_column = direction.sum(axis=1), direction.sum(axis=0)
    return (
        direction
        - np.outer(by_row, columns)
        - np.outer(rows, by_column)
        + direction.sum() * nothing
    )


def _covariance(estimate: Estimate | Table, truth: FloatArray | None = None) -> FloatArray:
    """Return the estimated covariance of the cells, or the one under given true proportions.

    The latter is known of a sample with one device; other covariances stay as estimated.
    """
    simple = estimate.population == "sample" and len(estimate.strata) < 2
    if truth is not None and simple and isinstance(estimate, Estimate):
        design = estimate.design
        if not design.tabulated:
            one = design.covariance(truth, design.apply(truth), "sample", estimate.weights)
            return one / (estimate.n - 1)
        inverse = left_inverse(estimate.matrix, estimate.weights)
        raw = (inverse * (estimate.matrix @ truth)) @ inverse.T - np.outer(truth, truth)
        return raw / (estimate.n - 1)
    if isinstance(estimate, Estimate):
        return estimate.covariance
    cells = estimate.proportions.size
    one_by_one = np.eye(cells).reshape(cells, *estimate.proportions.shape)
    return estimate.covariance_operator.between(one_by_one, one_by_one)


def _residuals(table: Table) -> tuple[FloatArray, FloatArray]:
    """Return ``(pi_ij - pi_i+ pi_+j) / sqrt(pi_i+ pi_+j)``, flat, with their covariance.

    The table is the unconstrained one, so that the noise is centred; only margins are kept above
    zero. The residuals move as their cell less what its row and column predict.
    """
    shares, least = table.proportions, 0.5 / table.n
    rows, columns = (np.maximum(project_to_simplex(shares.sum(axis=a)), least) for a in (1, 0))
    scale = 1 / np.sqrt(np.outer(rows, columns)).ravel()
    difference = (shares - np.outer(shares.sum(axis=1), shares.sum(axis=0))).ravel()
    moves = np.kron(np.eye(len(rows)) - rows[:, None], np.eye(len(columns)) - columns[:, None])
    contrasts = (scale[:, None] * moves).reshape(-1, *shares.shape)
    return scale * difference, table.covariance_operator.between(contrasts, contrasts)


def independent(table: Table) -> FloatArray:
    """Return the table of independent answers with the margins of this one."""
    rows, columns = (project_to_simplex(table.proportions.sum(axis=axis)) for axis in (1, 0))
    return np.outer(rows, columns)


def entropies(tables: FloatArray) -> FloatArray:
    """Return the entropy of every row in bits; an empty cell adds nothing."""
    return -xlogy(tables, tables).sum(axis=-1) * BITS


def informations(tables: FloatArray) -> FloatArray:
    """Return the mutual information of every table in bits, shape (tables, rows, columns)."""
    apart = entropies(tables.sum(axis=1)) + entropies(tables.sum(axis=2))
    return np.maximum(apart - entropies(tables.reshape(len(tables), -1)), 0.0)


def phi_squares(tables: FloatArray) -> FloatArray:
    """Return chi-square divided by n of every table; empty rows and columns add nothing."""
    product = tables.sum(axis=2)[:, :, None] * tables.sum(axis=1)[:, None, :]
    squares = (tables - product) ** 2
    return np.divide(squares, product, out=np.zeros_like(tables), where=product > 0).sum(
        axis=(1, 2)
    )
