"""Devices as linear maps, so that a likelihood need not know how a device is stored."""

from functools import cached_property
from math import prod
from typing import Protocol

import numpy as np

from rr_engine.kronecker import apply_axes
from rr_engine.precision import left_inverse
from rr_engine.validation import FloatArray


class Operator(Protocol):
    """A device with many or few entries, over flat lists of proportions and of reports.

    Attributes
    ----------
    shape : tuple of int
        Reports and truths.
    cost : int
        About how many operations it takes to apply it.
    """

    shape: tuple[int, int]
    cost: int

    def apply(self, proportions: FloatArray) -> FloatArray:
        """Return P pi: the shares of the reports."""
        ...

    def transposed(self, ratios: FloatArray) -> FloatArray:
        """Return P' r."""
        ...

    def unbent(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        """Return G diag(expected) G' slope, G the (left) inverse: Fisher's information undone."""
        ...

    def dense(self) -> FloatArray:
        """Return P itself."""
        ...


class Dense:
    """A device given as a matrix."""

    def __init__(self, matrix: FloatArray) -> None:
        self.matrix, self.shape, self.cost = matrix, matrix.shape, matrix.size

    def apply(self, proportions: FloatArray) -> FloatArray:
        return self.matrix @ proportions

    def transposed(self, ratios: FloatArray) -> FloatArray:
        return ratios @ self.matrix

    def unbent(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        return self._inverse @ (expected * (slope @ self._inverse))

    def dense(self) -> FloatArray:
        return self.matrix

    @cached_property
    def _inverse(self) -> FloatArray:
        return left_inverse(self.matrix)


class Product:
    """The Kronecker product of devices, which is never formed: each acts on its own axis."""

    def __init__(self, factors: list[FloatArray]) -> None:
        self.factors = list(factors)
        self.reports = tuple(factor.shape[0] for factor in factors)
        self.truths = tuple(factor.shape[1] for factor in factors)
        self.shape = prod(self.reports), prod(self.truths)
        self.cost = max(self.shape) * len(self.factors)

    def apply(self, proportions: FloatArray) -> FloatArray:
        return apply_axes(self.factors, proportions.reshape(self.truths)).ravel()

    def transposed(self, ratios: FloatArray) -> FloatArray:
        turned = [factor.T for factor in self.factors]
        return apply_axes(turned, ratios.reshape(self.reports)).ravel()

    def unbent(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        turned = [inverse.T for inverse in self._inverses]
        spread = apply_axes(turned, slope.reshape(self.truths)).ravel()
        return apply_axes(self._inverses, (expected * spread).reshape(self.reports)).ravel()

    def dense(self) -> FloatArray:
        dense = np.ones((1, 1))
        for factor in self.factors:
            dense = np.asarray(np.kron(dense, factor), dtype=np.float64)
        return dense

    @cached_property
    def _inverses(self) -> list[FloatArray]:
        return [left_inverse(factor) for factor in self.factors]
