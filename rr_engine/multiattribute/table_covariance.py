"""Covariances of joint proportions, without the big matrix where there are factors.

With ``G`` the Kronecker product of the left inverses and ``a``, ``b`` contrasts of cells,

    n' cov(a'pi_hat, b'pi_hat) = sum_u (G'a)_u (G'b)_u lam_u - (a'pi)(b'pi)     sample, n' = n - 1
    n' cov(a'pi_hat, b'pi_hat) = sum_u (G'a)_u (G'b)_u lam_u - sum_v a_v b_v pi_v    fixed, n' = n

and for the variances of all cells at once ``(G'e_v)_u = G[v, u]``, so that the first sum is the
product of the squared factors applied to ``lam``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rr_engine.arrays import FloatArray, freeze
from rr_engine.multiattribute.axes import AxisScores, sum_to


class TableCovariance(Protocol):
    """The covariance operator of a joint estimate."""

    def variances(self) -> FloatArray:
        """Return the variance of every cell, shaped as the table."""

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the covariances, shape (p, q), of p and q contrasts stacked on a first axis."""

    def within_rows(self) -> FloatArray:
        """Return, for a table of two axes, the covariances of the cells of every row."""

    def margin(self, axes: tuple[int, ...]) -> TableCovariance:
        """Return the covariance operator of the margin over these axes, in this order."""


@dataclass(frozen=True, slots=True, eq=False)
class FactorTableCovariance:
    """One stratum: a left inverse per axis.

    Attributes
    ----------
    scores : AxisScores
        The left inverses.
    fitted : ndarray of float
        Shares of the reports, ``lam``.
    proportions : ndarray of float
        ``pi``, with ``lam = P pi``.
    population : str
    divisor : int
        n - 1 or n; with 0 nothing is known and variances are infinite.
    """

    scores: AxisScores
    fitted: FloatArray
    proportions: FloatArray
    population: str
    divisor: int

    def variances(self) -> FloatArray:
        if self.divisor < 1:
            return np.full(self.proportions.shape, np.inf)
        raw = self.scores.squares(self.fitted)
        power = 1 if self.population == "fixed" else 2
        return np.maximum(raw - self.proportions**power, 0) / self.divisor

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        if self.divisor < 1:
            return np.full((len(first), len(second)), np.inf)
        # Centring first makes the variance of a constant contrast exactly zero.
        first_centred = self._centred(first)
        first_scores = self.scores.transposed(first_centred)
        second_centred, second_scores = first_centred, first_scores
        # Variances ask for the same contrasts twice.
        if second is not first:
            second_centred = self._centred(second)
            second_scores = self.scores.transposed(second_centred)
        raw = _gram(first_scores, second_scores, self.fitted)
        if self.population == "fixed":
            return (raw - _gram(first_centred, second_centred, self.proportions)) / self.divisor
        return raw / self.divisor

    def _centred(self, contrasts: FloatArray) -> FloatArray:
        means = np.tensordot(contrasts, self.proportions, self.proportions.ndim)
        return contrasts - means.reshape(-1, *[1] * self.proportions.ndim)

    def within_rows(self) -> FloatArray:
        rows, columns = self.proportions.shape
        if self.divisor < 1:
            return np.full((rows, columns, columns), np.inf)
        raw = self.scores.within_rows(self.fitted)
        if self.population == "fixed":
            subtrahend = self.proportions[:, :, None] * np.eye(columns)
        else:
            subtrahend = self.proportions[:, :, None] * self.proportions[:, None, :]
        return (raw - subtrahend) / self.divisor

    def margin(self, axes: tuple[int, ...]) -> FactorTableCovariance:
        return FactorTableCovariance(
            self.scores.margin(axes),
            sum_to(self.fitted, axes),
            sum_to(self.proportions, axes),
            self.population,
            self.divisor,
        )


@dataclass(frozen=True, slots=True, eq=False)
class DenseTableCovariance:
    """Any covariance of the cells, as a matrix over the flattened table."""

    matrix: FloatArray
    shape: tuple[int, ...]

    def variances(self) -> FloatArray:
        return np.maximum(np.diag(self.matrix), 0).reshape(self.shape)

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        if not np.isfinite(self.matrix).all():
            return np.full((len(first), len(second)), np.inf)
        return _flat(first) @ self.matrix @ _flat(second).T

    def within_rows(self) -> FloatArray:
        rows, columns = self.shape
        if not np.isfinite(self.matrix).all():
            return np.full((rows, columns, columns), np.inf)
        blocks = self.matrix.reshape(rows, columns, rows, columns)
        return np.array([blocks[row, :, row, :] for row in range(rows)])

    def margin(self, axes: tuple[int, ...]) -> DenseTableCovariance:
        shape = tuple(self.shape[axis] for axis in axes)
        sums = margin_contrasts(self.shape, axes)
        if np.isfinite(self.matrix).all():
            return DenseTableCovariance(freeze(_flat(sums) @ self.matrix @ _flat(sums).T), shape)
        return DenseTableCovariance(freeze(np.diag(np.full(len(sums), np.inf))), shape)


def margin_contrasts(shape: tuple[int, ...], axes: tuple[int, ...]) -> FloatArray:
    """Return, for every cell of a margin, the table of the cells that it sums."""
    size = int(np.prod([shape[axis] for axis in axes]))
    cells = np.eye(size).reshape(size, *(shape[axis] for axis in axes))
    return extend_contrasts(cells, shape, axes)


def extend_contrasts(
    contrasts: FloatArray, shape: tuple[int, ...], axes: tuple[int, ...]
) -> FloatArray:
    """Return contrasts of a margin as contrasts of the whole table."""
    order = np.argsort(axes)
    ordered = np.moveaxis(contrasts, [1 + axis for axis in order], range(1, 1 + len(axes)))
    dropped = [1 + axis for axis in range(len(shape)) if axis not in axes]
    return np.broadcast_to(np.expand_dims(ordered, dropped), (len(contrasts), *shape))


def _gram(first: FloatArray, second: FloatArray, weights: FloatArray) -> FloatArray:
    return _flat(first * weights) @ _flat(second).T


def _flat(contrasts: FloatArray) -> FloatArray:
    return contrasts.reshape(len(contrasts), -1)
