"""One device over all combinations of the answers to several questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from math import prod, sqrt
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_list, freeze, keep
from rr_engine.channels.counting import table_too_large
from rr_engine.channels.protocol import Weights
from rr_engine.channels.tallies import check_axes, check_denominator, check_sizes
from rr_engine.channels.uniform import SymmetricChannel, UniformChannel
from rr_engine.codes import check_truths
from rr_engine.device import RandomBytes, draw_by
from rr_engine.errors import DesignError
from rr_engine.kronecker import outer

Values = TypeVar("Values", FloatArray, IntArray, npt.NDArray[np.object_])


def spectrum_of(entries: Values, sizes: Sequence[int]) -> Values:
    """Return the eigenvalues; entries may be integers of any size (dtype object)."""
    return _difference_counts(entries, [[[1, size - 1], [1, -1]] for size in sizes])


def entries_of(spectrum: FloatArray, sizes: Sequence[int]) -> FloatArray:
    """Return the entries."""
    return _difference_counts(spectrum, [[[1 / r, 1 - 1 / r], [1 / r, -1 / r]] for r in sizes])


def _difference_counts(values: Values, changes: Sequence[list[list[float]]]) -> Values:
    for axis, ((a, b), (c, d)) in enumerate(changes):
        same, differs = np.moveaxis(values, axis, 0)
        values = np.moveaxis(np.array([a * same + b * differs, c * same + d * differs]), 0, axis)
    return values


def act(spectrum: FloatArray, sizes: Sequence[int], table: FloatArray) -> FloatArray:
    """Return the matrix with these eigenvalues times the table, on its last ``len(sizes)`` axes.

    Two passes over the table for each part, and one for the eigenvalues.
    """
    turned = np.array(table, dtype=np.float64)
    _reflect(turned, sizes)
    for axis, size in zip(range(-len(sizes), 0), sizes, strict=True):
        spectrum = np.repeat(spectrum, [1, size - 1], axis=axis)
    turned *= spectrum
    _reflect(turned, sizes)
    return turned


def _reflect(table: FloatArray, sizes: Sequence[int]) -> None:
    """Reflect the table along each part, in place, so that first places hold what is constant.

    Householder's reflection that exchanges ``1 / sqrt(r)`` in all places and 1 in the first one: it
    is orthogonal, and its own inverse.
    """
    for axis, size in zip(range(-len(sizes), 0), sizes, strict=True):
        fibres, root = np.moveaxis(table, axis, 0), sqrt(size)
        constant = fibres.sum(axis=0) / root
        fibres += (fibres[0] - constant) / (root - 1)
        fibres[0] = constant


# Questions up to which the eigenvalues of a device are kept: whoever estimates asks for them again
# and again.
KEPT = 12


@dataclass(frozen=True, slots=True)
class JointChannel(SymmetricChannel):
    """A device over tuples whose chances depend on how many of the answers are changed.

    Parameters
    ----------
    shape : sequence of int
        Number of answers to each of m questions. The reports are tuples alike.
    weights : sequence of int, m + 1 entries
        Chance of a report that differs from the truth in w of the m answers, times the denominator:
        ``weights[w]`` for each such report.
    denominator : int
        ``sum_w weights[w] e_w(r_1 - 1, ..., r_m - 1)``, e_w the elementary symmetric polynomials;
        at most 2**52.

    Raises
    ------
    DesignError, ArgumentError

    Notes
    -----
    docs/methods/channels.md. The table is symmetric and lies in the algebra of the product Hamming
    scheme; it is applied and inverted by two reflections along each question.

    References
    ----------
    .. [1] J. Domingo-Ferrer, R. Mulero-Vellido and J. Soria-Comas, "Multiparty Computation with
       Statistical Input Confidentiality via Randomized Response", PSD 2018, Eq. 11.
    .. [2] P. Delsarte, "An Algebraic Approach to the Association Schemes of Coding Theory",
       Philips Research Reports Supplements 10, 1973.

    Examples
    --------
    >>> channel = JointChannel((2, 3), weights=(8, 2, 1), denominator=16)
    >>> channel.likelihood_ratio_bound, channel.matrix[0].tolist()
    (Fraction(8, 1), [0.5, 0.125, 0.125, 0.125, 0.0625, 0.0625])
    """

    shape: tuple[int, ...]
    weights: tuple[int, ...]
    denominator: int

    def __post_init__(self) -> None:
        shape, total = check_sizes(self.shape, "shape"), check_denominator(self.denominator)
        given = as_list(self.weights) or ()
        weights = tuple(check.whole(entry, "weights", maximum=total) for entry in given)
        if len(weights) != len(shape) + 1:
            rule = f"have {len(shape) + 1} entries, one for each number of changed answers"
            raise DesignError("weights", self.weights, rule, "weights_do_not_fit")
        weight_sum = sum(w * number for w, number in zip(weights, neighbours(shape), strict=True))
        if weight_sum != total:
            rule = f"be the sum of a column, {weight_sum}"
            raise DesignError("denominator", self.denominator, rule, "columns_do_not_sum")
        keep(self, shape=shape, weights=weights)

    @property
    def truth_shape(self) -> tuple[int, ...]:
        """Number of answers to each question."""
        return self.shape

    @property
    def cost(self) -> int:
        """Two operations for each cell and question, there and back."""
        return 4 * len(self.shape) * prod(self.shape)

    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """The largest of the integers over the smallest; None when one is zero."""
        low, high = min(self.weights), max(self.weights)
        return Fraction(high, low) if low else None

    @property
    def condition_number(self) -> float:
        """One over the smallest eigenvalue's size; the largest is 1."""
        least = int(np.abs(self._integer_spectrum()).min())
        return float(Fraction(self.denominator, least)) if least else float("inf")

    @property
    def matrix(self) -> FloatArray:
        """The probability of each report for each truth; refused beyond 2**24 entries."""
        if not self.tabulated:
            raise table_too_large(self)
        parts = np.unravel_index(np.arange(self.truth_size), self.shape)
        changed = sum((part[:, None] != part).astype(np.int64) for part in parts)
        return freeze(np.array(self.weights)[changed] / self.denominator)

    # -- linear maps: all symmetric, and in the algebra of the scheme ---------------------------

    def _integer_spectrum(self) -> IntArray:
        """Return the eigenvalues times the denominator, exactly: none exceeds it."""
        compute = _kept_spectrum if len(self.shape) <= KEPT else _spectrum
        return compute(self.shape, self.weights)

    @property
    def spectrum(self) -> FloatArray:
        """The eigenvalues, shape (2,) * m, by which of the m questions a table sums to zero over.

        Over the others it is constant. A margin of the device has the same eigenvalues.
        """
        return self._integer_spectrum() / self.denominator

    def _act(self, spectrum: FloatArray, flat: FloatArray) -> FloatArray:
        table = flat.reshape(*flat.shape[:-1], *self.shape)
        return act(spectrum, self.shape, table).reshape(flat.shape)

    def apply(self, shares: FloatArray) -> FloatArray:
        """Return the expected shares of the reports."""
        return self._act(self.spectrum, shares)

    def solve(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the proportions that would give these shares."""
        return self._act(1 / self.spectrum, reported)

    def score_squares(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the inverse, squared entry by entry, times the shares: of the scheme as well."""
        squares = entries_of(1 / self.spectrum, self.shape) ** 2
        return self._act(spectrum_of(squares, self.shape), reported)

    def own_score_squares(self, weights: Weights = None) -> FloatArray:
        """Return ``sum_T N_T G_T**2 P_T``, the same for all truths; N_T tuples differ in T."""
        scores = entries_of(1 / self.spectrum, self.shape)
        chances = entries_of(self.spectrum, self.shape)
        numbers = outer([np.array([1.0, size - 1.0]) for size in self.shape])
        total = float((numbers * scores**2 * chances).sum())
        return np.full(self.truth_size, total)

    def report_bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest chance, which all reports share."""
        least, most = min(self.weights), max(self.weights)
        return np.array(least / self.denominator), np.array(most / self.denominator)

    # -- parts of a tuple -----------------------------------------------------------------------

    def margin(self, axes: Sequence[int]) -> JointChannel | UniformChannel:
        """Return the channel of some of the questions, in this order; exact.

        Reports that agree in these answers are added up. How many of the others differ does not
        depend on the truth: ``weights'[w] = sum_j e_j(dropped) weights[w + j]``. Its estimate is
        the sum of the cells' estimates.
        """
        positions = check_axes(axes, len(self.shape))
        dropped = [size for axis, size in enumerate(self.shape) if axis not in positions]
        numbers = neighbours(dropped)
        weights = [
            sum(number * self.weights[w + j] for j, number in enumerate(numbers))
            for w in range(len(positions) + 1)
        ]
        sizes = tuple(self.shape[axis] for axis in positions)
        if len(sizes) == 1:
            same, other = weights
            return UniformChannel(sizes, same, other, self.denominator)
        return JointChannel(sizes, tuple(weights), self.denominator)

    # -- chance ---------------------------------------------------------------------------------

    def draw(self, truths: ArrayLike, random_bytes: RandomBytes) -> IntArray:
        """Draw a report for each true answer from one exact integer each.

        The integers below the denominator are dealt out to the sets of answers that are changed,
        in the order of the binary numbers that name them, and within a set to its reports.
        """
        indices = check_truths(truths, self.truth_size)
        return draw_by(self._find, self.denominator, indices, random_bytes)

    def _find(self, uniforms: IntArray, truths: IntArray) -> IntArray:
        parts = np.array(np.unravel_index(truths, self.shape))
        reports, start = parts.copy(), 0
        for changed in product((0, 1), repeat=len(self.shape)):
            weight = self.weights[sum(changed)]
            others = [size - 1 for size, moved in zip(self.shape, changed, strict=True) if moved]
            block = weight * prod(others)
            chosen = np.flatnonzero((uniforms >= start) & (uniforms < start + block))
            axes = np.flatnonzero(changed)
            if len(chosen) and len(axes):
                steps = np.unravel_index((uniforms[chosen] - start) // weight, others)
                for axis, step in zip(axes, steps, strict=True):
                    answers = parts[axis, chosen]
                    reports[axis, chosen] = step + (step >= answers)
            start += block
        return np.ravel_multi_index(tuple(reports), self.shape)


def neighbours(sizes: Sequence[int]) -> list[int]:
    """Return, for each w, how many tuples differ from a given one in w parts: e_w(r - 1)."""
    numbers = [1]
    for size in sizes:
        added = [0, *((size - 1) * number for number in numbers)]
        numbers = [a + b for a, b in zip([*numbers, 0], added, strict=True)]
    return numbers


def _spectrum(shape: tuple[int, ...], weights: tuple[int, ...]) -> IntArray:
    changed = reduce(np.add.outer, [np.arange(2)] * len(shape))
    return spectrum_of(np.array(weights, dtype=np.int64)[changed], shape)


@lru_cache(maxsize=32)
def _kept_spectrum(shape: tuple[int, ...], weights: tuple[int, ...]) -> IntArray:
    return freeze(_spectrum(shape, weights))
