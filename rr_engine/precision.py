"""Solving for true proportions and the covariance of the solution, on plain arrays."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from rr_engine.arrays import FloatArray, freeze
from rr_engine.errors import NotIdentifiableError

# Beyond this a double keeps fewer than four digits of a proportion.
CONDITION_LIMIT = 1e12
WEIGHT_FLOOR = 1e-12
# How far below zero rounding alone can push a variance that is zero.
ROUNDING = 1e-12
# Entries of a matrix up to which its inverse is kept for the next who asks.
REMEMBERED = 4096
# Categories up to which numbers of Python are quicker than arrays.
SMALL = 12


def uniform_entries(matrix: npt.NDArray) -> tuple[float, float] | tuple[int, int] | None:
    """Return (diagonal, off-diagonal) when the matrix has one value for each, else None."""
    size = len(matrix)
    if matrix.shape != (size, size):
        return None
    if size <= SMALL:
        return _uniform_numbers(matrix.ravel().tolist(), size)
    retention, changed = matrix[0, 0], matrix[0, 1]
    if matrix[1, 0] != changed or matrix[-1, -1] != retention:
        return None
    # Written in a row without its first entry, every size + 1 entries end on the diagonal.
    off = matrix.reshape(-1)[1:].reshape(size - 1, size + 1)[:, :-1]
    same = (np.diagonal(matrix) == retention).all() and (off == changed).all()
    return (retention.item(), changed.item()) if same else None


def _uniform_numbers(
    entries: list[float], size: int
) -> tuple[float, float] | tuple[int, int] | None:
    """Look at the entries of a small matrix, row by row, which is quicker than by arrays."""
    retention, changed = entries[:2]
    diagonal = entries[:: size + 1].count(retention)
    elsewhere = entries.count(changed) - (size if changed == retention else 0)
    same = diagonal == size and elsewhere == size * (size - 1)
    return (retention, changed) if same else None


def condition_number(matrix: FloatArray) -> float:
    """Return the ratio of the largest to the smallest singular value; inf when rank is short."""
    uniform = uniform_entries(matrix)
    if uniform is not None:
        # Singular values of (a - b) I + b 11' are 1 (columns sum to one) and |a - b|.
        gap = abs(uniform[0] - uniform[1])
        return 1 / gap if gap else float("inf")
    if matrix.size > REMEMBERED:
        return _ratio_of_singular_values(matrix)
    return _remembered_ratio(matrix.shape, _bytes_of(matrix))


@lru_cache(maxsize=128)
def _remembered_ratio(shape: tuple[int, int], entries: bytes) -> float:
    """Return the same of a small matrix, for which every survey of its device asks twice."""
    return _ratio_of_singular_values(np.frombuffer(entries).reshape(shape))


def _ratio_of_singular_values(matrix: FloatArray) -> float:
    values = np.linalg.svd(matrix, compute_uv=False)
    short = matrix.shape[0] < matrix.shape[1] or values[-1] == 0
    return float("inf") if short else float(values[0] / values[-1])


def check_identifiable(matrix: FloatArray) -> None:
    """Refuse a device whose reports do not determine the proportions."""
    if not condition_number(matrix) < CONDITION_LIMIT:
        rule = "have linearly independent columns, so that reports determine the proportions"
        raise NotIdentifiableError("design", matrix, rule, "not_identifiable")


def left_inverse(matrix: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Return G with G P = I, shape (truths, reports).

    For a square device that is the inverse. With more reports than truths it is weighted least
    squares, ``(P' W^-1 P)^-1 P' W^-1``, unbiased for any weights; the weights are the reported
    shares expected (by default those under equal proportions), which makes it efficient there.
    """
    if matrix.size > REMEMBERED:
        return _solved_left_inverse(matrix, weights)
    given = None if weights is None else _bytes_of(weights)
    return _remembered_left_inverse(matrix.shape, _bytes_of(matrix), given)


def _bytes_of(array: FloatArray) -> bytes:
    return np.asarray(array, dtype=np.float64).tobytes()


@lru_cache(maxsize=128)
def _remembered_left_inverse(
    shape: tuple[int, int], entries: bytes, weights: bytes | None
) -> FloatArray:
    """Return the same of a small matrix: thousands of surveys of one device ask for it in turn."""
    given = None if weights is None else np.frombuffer(weights)
    return freeze(_solved_left_inverse(np.frombuffer(entries).reshape(shape), given))


def _solved_left_inverse(matrix: FloatArray, weights: FloatArray | None) -> FloatArray:
    uniform = uniform_entries(matrix)
    size = matrix.shape[1]
    if uniform is not None:
        retention, changed = uniform
        return (np.eye(size) - changed) / (retention - changed)
    if matrix.shape[0] == size:
        return np.asarray(np.linalg.solve(matrix, np.eye(size)), dtype=np.float64)
    shares = matrix.mean(axis=1) if weights is None else weights
    scale = 1 / np.sqrt(np.maximum(shares, WEIGHT_FLOOR))
    # Orthogonal factors keep the digits that the normal equations would lose.
    orthogonal, triangle = np.linalg.qr(matrix * scale[:, None])
    return np.linalg.solve(triangle, orthogonal.T) * scale


def solve_proportions(matrix: FloatArray, reported: FloatArray) -> FloatArray:
    """Return the proportions that would give the reported shares (Wang Eq. 17)."""
    uniform = uniform_entries(matrix)
    if uniform is not None:
        retention, changed = uniform
        return (reported - changed) / (retention - changed)
    if matrix.shape[0] == matrix.shape[1]:
        return np.asarray(np.linalg.solve(matrix, reported), dtype=np.float64)
    return left_inverse(matrix) @ reported


def propagate_covariance(
    matrix: FloatArray, covariance: FloatArray, weights: FloatArray | None = None
) -> FloatArray:
    """Return G C G' for a covariance C of reported shares (whose rows sum to zero)."""
    uniform = uniform_entries(matrix)
    if uniform is not None:
        # P^-1 = (I - b 11') / (a - b), and C 1 = 0 leaves C / (a - b)**2.
        return covariance / (uniform[0] - uniform[1]) ** 2
    if matrix.shape[0] == matrix.shape[1]:
        half = np.linalg.solve(matrix, covariance)
        pulled = np.linalg.solve(matrix, half.T)
    else:
        inverse = left_inverse(matrix, weights)
        pulled = inverse @ covariance @ inverse.T
    return (pulled + pulled.T) / 2


def sample_covariance(reported: FloatArray) -> FloatArray:
    """Return diag(lam) - lam lam', the covariance of one report of a random respondent."""
    covariance = np.outer(-reported, reported)
    covariance[np.diag_indices(len(reported))] += reported
    return covariance


def noise_covariance(
    matrix: FloatArray, proportions: FloatArray, fitted: FloatArray | None = None
) -> FloatArray:
    """Return sum_v pi_v (diag(P_v) - P_v P_v'), the device's part of it (Pan App. G).

    `fitted` are the shares of reports under these proportions. Rebuilt from proportions they lose
    digits where the device tells little.
    """
    shares = matrix @ proportions if fitted is None else fitted
    uniform = uniform_entries(matrix)
    if uniform is not None:
        retention, changed = uniform
        return uniform_noise(retention, changed, shares)
    return np.diag(shares) - (matrix * proportions) @ matrix.T


def uniform_noise(retention: float, changed: float, shares: FloatArray) -> FloatArray:
    """Return the same of ``P = (a - b) I + b 11'``, multiplied out, from the reported shares.

    ``diag((1 - g) lam + g b s) - b (lam 1' + 1 lam' - b s 11')`` with g = a - b, s = sum lam.
    """
    gap, base = retention - changed, changed * shares.sum()
    mixed = changed * (shares[:, None] + shares - base)
    return np.diag((1 - gap) * shares + gap * base) - mixed


def one_report_covariance(
    matrix: FloatArray, proportions: FloatArray, population: str, weights: FloatArray | None = None
) -> FloatArray:
    """Return the covariance of the estimate from one report; divide by n for n reports.

    `weights` are the reported shares at which more reports than truths are weighed; see
    :func:`left_inverse`.
    """
    if population == "fixed":
        spread = noise_covariance(matrix, proportions)
    else:
        spread = sample_covariance(matrix @ proportions)
    return propagate_covariance(matrix, spread, weights)


def mean_squared_error(matrix: FloatArray, prior: FloatArray, n: int) -> float:
    """Return the mean over categories of the sampling variance of the estimate (OptRR Eq. 10).

    With more reports than truths, of the best linear estimate at this prior, which weighs reports
    by their shares under it: ``(tr J^-1 - |pi|^2) / (t n)`` with the Fisher information J.
    """
    covariance = one_report_covariance(matrix, prior, "sample", matrix @ prior)
    return float(np.trace(covariance) / (len(prior) * n))


def is_indefinite(covariance: FloatArray) -> bool:
    """Tell whether some weighted sum has a negative variance, beyond rounding.

    Tries to factor the matrix, which works while there is none and beats finding its eigenvalues.
    """
    floor = ROUNDING * max(1.0, float(np.abs(covariance).max()))
    try:
        np.linalg.cholesky(covariance + floor * np.eye(len(covariance)))
    except np.linalg.LinAlgError:
        return True
    return False
