"""DesignMatrix: the table of a randomizing device and what can be said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from rr_engine import precision
from rr_engine.errors import CategoryError, DesignError
from rr_engine.privacy import loss
from rr_engine.quantizing import quantize
from rr_engine.validation import (
    MAX_BITS,
    FloatArray,
    IntArray,
    check_bound,
    check_distribution,
    check_epsilon,
    check_integers,
    check_labels,
    check_matrix,
    check_whole,
    numbered,
)


@dataclass(frozen=True, slots=True, eq=False)
class DesignMatrix:
    """A randomizing device: how likely each report is for each true answer.

    Parameters
    ----------
    matrix : array_like of float, shape (reports, truths)
        Entry (u, v) is Pr(report u | truth v); columns sum to 1. See docs/methods/notation.md.
    categories : sequence of str, optional
        Labels of the true answers, in order; "0", "1", ... when left out.
    reports : sequence of str, optional
        Labels of the reports; the categories when there are as many, else numbers.
    declared_epsilon : Decimal, str or float, optional
        The privacy loss that the matrix approximates in floating point. Constructors that start
        from an epsilon set it, and :meth:`quantized` then keeps to it exactly.
    integers : array_like of int, optional
    denominator : int, optional
        The exact table behind the matrix; use :meth:`from_integers` to build from it.

    Raises
    ------
    DesignError, CategoryError, EpsilonError, ArgumentError

    Examples
    --------
    >>> design = DesignMatrix([[0.75, 0.25], [0.25, 0.75]], categories=["No", "Yes"])
    >>> round(design.epsilon, 6)
    1.098612
    >>> design.quantized(bits=8).integers.tolist()
    [[192, 64], [64, 192]]
    """

    matrix: FloatArray
    categories: tuple[str, ...] | None = None
    reports: tuple[str, ...] | None = None
    declared_epsilon: Decimal | None = None
    integers: IntArray | None = None
    denominator: int | None = None

    def __post_init__(self) -> None:
        matrix = check_matrix(self.matrix)
        self._set("matrix", matrix)
        self._set("categories", _labels(self.categories, matrix.shape[1], "categories"))
        same = self.categories if matrix.shape[0] == matrix.shape[1] else None
        reports = same if self.reports is None else self.reports
        self._set("reports", _labels(reports, matrix.shape[0], "reports"))
        if self.declared_epsilon is not None:
            self._set("declared_epsilon", check_epsilon(self.declared_epsilon, "declared_epsilon"))
        if self.integers is not None or self.denominator is not None:
            self._set_integers()

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _set_integers(self) -> None:
        integers, denominator = check_integers(self.integers, self.denominator)
        if not np.array_equal(integers / denominator, self.matrix):
            raise DesignError("integers", self.integers, "be the matrix times the denominator")
        self._set("integers", integers)
        self._set("denominator", denominator)

    @classmethod
    def from_integers(
        cls,
        integers: npt.ArrayLike,
        denominator: int,
        categories: Sequence[str] | None = None,
        reports: Sequence[str] | None = None,
    ) -> DesignMatrix:
        """Build a design from its exact table.

        Parameters
        ----------
        integers : array_like of int, shape (reports, truths)
            Columns sum to `denominator`.
        denominator : int
            A power of two, at most 2**52.
        categories, reports : sequence of str, optional

        Examples
        --------
        >>> DesignMatrix.from_integers([[3, 1], [1, 3]], 4).loss_ratio
        Fraction(3, 1)
        """
        table, size = check_integers(integers, denominator)
        return cls(table / size, categories, reports, integers=table, denominator=size)

    @property
    def bits(self) -> int | None:
        """Base-two logarithm of the denominator; None for a design without integers."""
        return None if self.denominator is None else self.denominator.bit_length() - 1

    @property
    def integer_columns(self) -> list[list[int]] | None:
        """The table as plain ints, one list per truth, as the wire format has it."""
        return None if self.integers is None else self.integers.T.tolist()

    @property
    def loss_ratio(self) -> Fraction | None:
        """Largest ratio of two probabilities of one report, exactly; None when infinite."""
        return loss.loss_ratio(self.matrix if self.integers is None else self.integers)

    @property
    def epsilon(self) -> float:
        """Privacy loss ``max_u ln(max_v P[u, v] / min_v P[u, v])``; inf when a report gives away.

        For an exact table it is that table's own; for a float matrix built from a declared epsilon
        it is the declared one.
        """
        if self.integers is None and self.declared_epsilon is not None:
            return float(self.declared_epsilon)
        return loss.log_ratio(self.loss_ratio)

    def epsilon_at_most(self, epsilon: Decimal | str | float) -> bool:
        """Tell whether the privacy loss is at most `epsilon`, decided without rounding.

        Examples
        --------
        >>> design = DesignMatrix.from_integers([[3, 1], [1, 3]], 4)
        >>> [design.epsilon_at_most(e) for e in ("1.0986122886681096", "1.0986122886681097")]
        [False, True]
        """
        bound = check_epsilon(epsilon)
        if self.integers is None and self.declared_epsilon is not None:
            return self.declared_epsilon <= bound
        return loss.ratio_at_most(self.loss_ratio, bound)

    def delta(self, epsilon: float) -> float:
        """Return the smallest delta for which the device is (epsilon, delta) private.

        `epsilon` may be 0 (then it is the total variation) or infinite (the limit: how often, at
        worst, a report rules a truth out). From a finite :attr:`epsilon` on it is zero, but for
        rounding.

        Examples
        --------
        >>> design = DesignMatrix([[0.75, 0.25], [0.25, 0.75]])
        >>> design.delta(0), design.delta(float("inf"))
        (0.5, 0.0)
        """
        return loss.delta(self.matrix, check_bound(epsilon))

    def posterior(self, prior: npt.ArrayLike) -> FloatArray:
        """Return Pr(truth v | report u) at [u, v], given the proportions of truths."""
        return loss.posterior(self.matrix, self._prior(prior))

    def privacy(self, prior: npt.ArrayLike) -> float:
        """Return how often the best guess of a truth from its report is wrong (OptRR Eq. 8)."""
        return loss.privacy(self.matrix, self._prior(prior))

    def worst_posterior(self, prior: npt.ArrayLike) -> float:
        """Return the largest belief about a truth that any report can lead to (OptRR Eq. 9)."""
        return loss.worst_posterior(self.matrix, self._prior(prior))

    def recovery_probability(self, prior: npt.ArrayLike) -> FloatArray:
        """Return, per truth, how often a guess drawn from the posterior hits it (Wang Eq. 14)."""
        return loss.recovery_probability(self.matrix, self._prior(prior))

    def mse(self, prior: npt.ArrayLike, n: int) -> float:
        """Return the mean squared error of a proportion from `n` reports (OptRR Eq. 10).

        The average over categories; inf when the design does not identify the proportions.
        """
        proportions, size = self._prior(prior), check_whole(n, "n", minimum=1)
        if not self.condition_number < precision.CONDITION_LIMIT:
            return float("inf")
        return precision.mean_squared_error(self.matrix, proportions, size)

    @property
    def condition_number(self) -> float:
        """How much solving for the proportions can magnify errors of the reported shares."""
        return precision.condition_number(self.matrix)

    def quantized(self, bits: int = 32) -> DesignMatrix:
        """Return the exact integer version of this design, never less private.

        Parameters
        ----------
        bits : int, default 32
            The table's columns sum to 2**bits; at most 52.

        Returns
        -------
        DesignMatrix
            With `integers` and `denominator`. Its loss ratio, in exact arithmetic, is at most
            that of this design; e to the declared epsilon counts where there is one.

        Notes
        -----
        docs/methods/devices.md, "Rounding to integers".
        """
        width = check_whole(bits, "bits", minimum=1, maximum=MAX_BITS)
        if width == self.bits:
            return self
        table = quantize(self.matrix, self._ratio_allowed(), width)
        return DesignMatrix.from_integers(table, 2**width, self.categories, self.reports)

    def _ratio_allowed(self) -> Fraction | None:
        if self.integers is None and self.declared_epsilon is not None:
            return Fraction(loss.exponential_bounds(self.declared_epsilon)[0])
        return self.loss_ratio

    def _prior(self, prior: npt.ArrayLike) -> FloatArray:
        return check_distribution(prior, len(self.categories))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DesignMatrix) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple:
        table = self.matrix.tobytes(), self.matrix.shape, self.denominator
        return (*table, self.categories, self.reports, self.declared_epsilon)


def _labels(given: Sequence[str] | None, size: int, argument: str) -> tuple[str, ...]:
    if given is None:
        return numbered(size)
    labels = check_labels(given, argument)
    if len(labels) != size:
        raise CategoryError(argument, given, f"have one label for each of the {size} in the matrix")
    return labels
