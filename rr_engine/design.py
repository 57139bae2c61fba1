"""DesignMatrix: the table of a randomizing device and what can be said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from rr_engine import check, declared_guarantee, precision
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, IntArray, keep
from rr_engine.channels.matrix import MatrixChannel
from rr_engine.declared_guarantee import check_integers, check_matrix, coarsen, group_labels
from rr_engine.privacy import loss

# Of a table that a line has room for.
MOST_ENTRIES = 9


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class DesignMatrix(MatrixChannel):
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
        The guaranteed privacy loss: that of the matrix up to floating point, or more. Constructors
        that start from an epsilon set it, and :meth:`quantized` then keeps to it exactly.
    declared_delta : Decimal, str or float, optional
        With an epsilon: the guarantee is (epsilon, delta) instead, and :meth:`quantized` keeps
        it exactly. The device's own :attr:`epsilon` may then be larger, or infinite.
    integers : array_like of int, optional
    denominator : int, optional
        The exact table behind the matrix; use :meth:`from_integers` to build from it.

    Raises
    ------
    DesignError, CategoryError, ArgumentError
    EpsilonError
        Also for a declared epsilon below the loss of the matrix.

    Examples
    --------
    >>> design = DesignMatrix([[0.75, 0.25], [0.25, 0.75]], categories=["No", "Yes"])
    >>> round(design.epsilon, 6)
    1.098612
    >>> design.quantized(bits=8).integers.tolist()
    [[192, 64], [64, 192]]
    """

    matrix: FloatArray
    categories: tuple[str, ...]
    reports: tuple[str, ...]
    declared_epsilon: Decimal | None
    integers: IntArray | None
    denominator: int | None
    declared_delta: Decimal | None

    def __init__(
        self,
        matrix: ArrayLike,
        categories: Sequence[str] | None = None,
        reports: Sequence[str] | None = None,
        declared_epsilon: Epsilon | None = None,
        integers: ArrayLike | None = None,
        denominator: int | None = None,
        declared_delta: Epsilon | None = None,
    ) -> None:
        keep(self, matrix=check_matrix(matrix))
        self._set_labels(categories, reports)
        table, size = declared_guarantee.check_table_of(self.matrix, integers, denominator)
        guarantee = declared_guarantee.check_declaration(declared_epsilon, declared_delta)
        keep(self, integers=table, denominator=size, **guarantee)
        declared_guarantee.check_guarantee_holds(self)

    def _set_labels(self, categories: Sequence[str] | None, reports: Sequence[str] | None) -> None:
        size = len(self.matrix)
        truths = self.matrix.shape[1]
        keep(self, categories=check.labels_of(categories, truths, "categories"))
        if reports is None and size == len(self.categories):
            reports = self.categories
        keep(self, reports=check.labels_of(reports, size, "reports"))

    def __repr__(self) -> str:
        """Return a line: the table where it is small, else its size."""
        reports, truths = self.matrix.shape
        small = self.matrix.size <= MOST_ENTRIES
        entries = self.matrix.round(4).tolist() if small else f"<{reports}×{truths}>"
        named = f", categories={self.categories}" if small else ""
        return f"DesignMatrix({entries}{named}, epsilon={self.epsilon:.4g})"

    @classmethod
    def from_integers(
        cls,
        integers: ArrayLike,
        denominator: int,
        categories: Sequence[str] | None = None,
        reports: Sequence[str] | None = None,
        *,
        declared_epsilon: Epsilon | None = None,
        declared_delta: Epsilon | None = None,
    ) -> DesignMatrix:
        """Build a design from its exact table.

        Parameters
        ----------
        integers : array_like of int, shape (reports, truths)
            Columns sum to `denominator`.
        denominator : int
            From 1 to 2**52: a power of two for a page's device, whatever the dice have for a
            physical one.
        categories, reports : sequence of str, optional
        declared_epsilon, declared_delta : Decimal, str or float, optional
            The (epsilon, delta) that the table keeps to.

        Examples
        --------
        >>> DesignMatrix.from_integers([[3, 1], [1, 3]], 4).likelihood_ratio_bound
        Fraction(3, 1)
        """
        table, size = check_integers(integers, denominator)
        return cls(table / size, categories, reports, declared_epsilon, table, size, declared_delta)

    @property
    def bits(self) -> int | None:
        """Base-two logarithm of the denominator; None without integers, or when it is no power."""
        size = self.denominator or 0
        return size.bit_length() - 1 if size.bit_count() == 1 else None

    @property
    def integer_columns(self) -> list[list[int]] | None:
        """The table as plain ints, one list per truth, as the wire format has it."""
        return None if self.integers is None else self.integers.T.tolist()

    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """Largest ratio of two probabilities of one report, exactly; None when infinite."""
        return loss.likelihood_ratio_bound(self.matrix if self.integers is None else self.integers)

    @property
    def epsilon(self) -> float:
        """Privacy loss ``max_u ln(max_v P[u, v] / min_v P[u, v])``; may be infinite.

        For an exact table it is that table's own; for a float matrix computed to meet a declared
        epsilon it is the declared one. A declared delta does not lower it.
        """
        value, declared = loss.log_ratio(self.likelihood_ratio_bound), self.declared_epsilon
        return (
            value
            if declared is None or not declared_guarantee.satisfies_declared(self, value)
            else float(declared)
        )

    def epsilon_at_most(self, epsilon: Epsilon) -> bool:
        """Tell, without rounding, whether the loss is at most `epsilon` (Dwork & Roth 2014, 2.4).

        Examples
        --------
        >>> design = DesignMatrix.from_integers([[3, 1], [1, 3]], 4)
        >>> [design.epsilon_at_most(e) for e in ("1.0986122886681096", "1.0986122886681097")]
        [False, True]
        """
        bound, declared = check.epsilon(epsilon), self.declared_epsilon
        if declared and declared_guarantee.satisfies_declared(
            self, loss.log_ratio(self.likelihood_ratio_bound)
        ):
            return declared <= bound
        return loss.ratio_at_most(self.likelihood_ratio_bound, bound)

    def delta(self, epsilon: float) -> float:
        """Return the smallest delta for which the device is (epsilon, delta) private.

        `epsilon` may be 0 (then it is the total variation) or infinite (the limit: how often, at
        worst, a report rules a truth out). From a finite :attr:`epsilon` on it is zero, but for
        rounding. A thousand truths take some seconds (Dwork & Roth 2014, Definition 2.4).

        Examples
        --------
        >>> design = DesignMatrix([[0.75, 0.25], [0.25, 0.75]])
        >>> design.delta(0), design.delta(float("inf"))
        (0.5, 0.0)
        """
        return loss.delta(self.matrix, check.bound(epsilon))

    def delta_at_most(self, epsilon: Epsilon, delta: Epsilon) -> bool:
        """Tell whether the device is (epsilon, delta) private, decided without rounding.

        `epsilon` lies above 0, `delta` from 0 to below 1 (Holohan, Leith & Mason 2017, Eq. 9). A
        float matrix with a declared guarantee is trusted; :meth:`quantized` keeps the guarantee.

        Examples
        --------
        >>> design = DesignMatrix.from_integers([[10, 9], [0, 1]], 10)
        >>> design.delta_at_most("1", "0.1"), design.delta_at_most("1", "0.0999")
        (True, False)
        """
        bound, share = check.epsilon(epsilon), check.delta(delta)
        if declared_guarantee.trusts_declaration(self, bound, share):
            return True
        if self.integers is None or self.denominator is None:
            return loss.delta_at_most(self.matrix, 1, bound, share)
        return loss.delta_at_most(self.integers, self.denominator, bound, share)

    def posterior(self, prior: ArrayLike) -> FloatArray:
        """Return Pr(truth v | report u) at [u, v], given the proportions, by Bayes' theorem."""
        return loss.posterior(self.matrix, self.check_shares(prior))

    def mse(self, prior: ArrayLike, n: int) -> float:
        """Return the mean squared error of a proportion from `n` reports (OptRR Eq. 10).

        The average over categories; inf when the design does not identify the proportions. With
        more reports than truths, of the best linear estimate at this prior (the one that
        :func:`rr_engine.estimate` makes when it is given the prior).
        """
        proportions, size = self.check_shares(prior), check.size(n)
        if not self.condition_number < precision.CONDITION_LIMIT:
            return float("inf")
        return precision.mean_squared_error(self.matrix, proportions, size)

    def coarsened(
        self, report_groups: Sequence[Sequence[int]], truth_groups: Sequence[Sequence[int]]
    ) -> DesignMatrix:
        """Return the coarsened design: reports and truths of a group count as one.

        Parameters
        ----------
        report_groups, truth_groups : sequence of sequence of int
            Each index once; one report (truth) of the result per group, labels joined by " + ".

        Returns
        -------
        DesignMatrix
            Exact when this one is, with the same guarantee: coarsening never adds to the loss.

        Raises
        ------
        ArgumentError
            For groups that are no partition.
        DesignError
            When the truths of a group report differently, so that the result would depend on how
            common each of them is (Kemeny & Snell 1960, "Finite Markov Chains", section 6.3).

        Examples
        --------
        >>> design = DesignMatrix.from_integers([[4, 1, 1], [1, 4, 1], [1, 1, 4]], 6)
        >>> design.coarsened([[0], [1, 2]], [[0], [1, 2]]).integers.tolist()
        [[4, 1], [2, 5]]
        """
        rows = check.groups(report_groups, len(self.reports), "report_groups")
        columns = check.groups(truth_groups, len(self.categories), "truth_groups")
        table = self.matrix if self.integers is None else self.integers
        sums = coarsen(table, rows, columns)
        labels = group_labels(self.categories, columns), group_labels(self.reports, rows)
        if self.denominator is None:
            return DesignMatrix(np.minimum(sums, 1), *labels, **self._guarantee)
        return DesignMatrix.from_integers(sums, self.denominator, *labels, **self._guarantee)

    def quantized(self, bits: int = 32, *, accept_infinite_epsilon: bool = False) -> DesignMatrix:
        """Return the exact integer version of this design, never less private.

        Parameters
        ----------
        bits : int, default 32
            The table's columns sum to 2**bits; at most 52. A device on a scale, of which few
            entries are the same, takes a second for 1,000 truths and many for more.
        accept_infinite_epsilon : bool, default False
            Must be True for a design some of whose reports prove something, except
            :func:`rr_engine.designs.direct`, which claims nothing else.

        Returns
        -------
        DesignMatrix
            With `integers` and `denominator`. Its likelihood-ratio bound, in exact arithmetic, is
            at most that of this design, and at most e to the declared epsilon; with a declared
            delta it is (epsilon, delta) private in exact arithmetic.

        Raises
        ------
        EpsilonError
            When epsilon is infinite and that was not accepted.
        DesignError
            When `bits` are too few.

        Notes
        -----
        Ours: docs/methods/devices.md, "Rounding to integers".
        """
        width = check.whole(bits, "bits", minimum=1, maximum=check.MAX_BITS)
        declared_guarantee.check_accepted(self, accept_infinite_epsilon)
        if width == self.bits:
            return self
        table, labels = declared_guarantee.exact_table(self, width), (self.categories, self.reports)
        if self.declared_delta is None:
            return DesignMatrix.from_integers(table, 2**width, *labels)
        return DesignMatrix.from_integers(table, 2**width, *labels, **self._guarantee)

    @property
    def _guarantee(self) -> declared_guarantee.DeclaredGuarantee:
        return {"declared_epsilon": self.declared_epsilon, "declared_delta": self.declared_delta}

    def exact_table(self) -> tuple[IntArray, int]:
        """Return the integers to draw from and their denominator; of floats, over 2**32."""
        if self.integers is None or self.denominator is None:
            return self.quantized(accept_infinite_epsilon=True).exact_table()
        return self.integers, self.denominator

    def report_label(self, index: int) -> str:
        """Return the label of a report."""
        return self.reports[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DesignMatrix) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple:
        table = self.matrix.tobytes(), self.matrix.shape, self.denominator
        guarantee = self.declared_epsilon, self.declared_delta
        return (*table, self.categories, self.reports, *guarantee)
