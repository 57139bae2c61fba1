"""The guarantee that a design declares, and the exact table that keeps it."""

from decimal import Decimal
from fractions import Fraction
from typing import Protocol, TypedDict

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray, as_array, freeze
from rr_engine.errors import DesignError, EpsilonError
from rr_engine.precision import uniform_entries
from rr_engine.privacy.loss import exponential_bounds, log_ratio
from rr_engine.quantizing import quantize, quantize_relaxed

# Sums of the same probabilities in another order differ by this much at most.


def check_matrix(value: object) -> FloatArray:
    """Return a read-only matrix of probabilities whose columns sum to one."""
    matrix = _check_table(value, "matrix", "iuf")
    if not np.isfinite(matrix).all() or (matrix < 0).any() or (matrix > 1).any():
        raise DesignError("matrix", value, "hold probabilities from 0 to 1", "not_probabilities")
    sums = matrix.sum(axis=0)
    if np.abs(sums - 1).max() > check.sum_tolerance(value, len(matrix)):
        raise DesignError("matrix", value, "have columns that sum to 1", "columns_do_not_sum")
    return freeze(matrix if np.abs(sums - 1).max() <= check.SUM_TOLERANCE else matrix / sums)


def check_integers(value: object, denominator: object) -> tuple[IntArray, int]:
    """Return a read-only integer table and the denominator that its columns sum to."""
    size = check.whole(denominator, "denominator", minimum=1, maximum=2**check.MAX_BITS)
    table = _check_table(value, "integers", "iu")
    if (table < 0).any() or (table > size).any():
        rule = "hold whole numbers from 0 to the denominator"
        raise DesignError("integers", value, rule, "entry_out_of_range")
    if (table.sum(axis=0) != size).any():
        rule = f"have columns that sum to {size}"
        raise DesignError("integers", value, rule, "columns_do_not_sum")
    return freeze(table), size


def _check_table(value: object, argument: str, kinds: str) -> npt.NDArray:
    table = as_array(value)
    if table is None or table.ndim != 2 or table.dtype.kind not in kinds:
        rule = "be a table of numbers, one row for each report"
        raise DesignError(argument, value, rule, "not_a_table")
    if min(table.shape) < 2:
        rule = "have at least 2 rows (reports) and 2 columns (truths)"
        raise DesignError(argument, value, rule, "table_too_small")
    return table.astype(np.float64 if "f" in kinds else np.int64)


def coarsen(
    table: npt.NDArray, report_groups: list[list[int]], truth_groups: list[list[int]]
) -> npt.NDArray:
    """Return the table of the groups of reports given the groups of truths.

    Parameters
    ----------
    table : ndarray of float or int, shape (reports, truths)
    report_groups, truth_groups : list of list of int

    Returns
    -------
    ndarray, shape (report groups, truth groups)

    Raises
    ------
    DesignError
        When two truths of one group have different reports: the coarsened table would then depend
        on how common each of them is. Integers are compared exactly, floats up to rounding.
    """
    rows = np.array([table[group].sum(axis=0) for group in report_groups])
    tolerance = 0 if rows.dtype.kind == "i" else ROUNDING
    for group in truth_groups:
        if np.ptp(rows[:, group], axis=1).max() > tolerance:
            rule = "merge only truths whose merged reports are equally likely"
            raise DesignError("truth_groups", truth_groups, rule, "groups_report_differently")
    return rows[:, [group[0] for group in truth_groups]]


def group_labels(labels: tuple[str, ...], groups: list[list[int]]) -> list[str]:
    """Return one label per group: those of its members joined by a plus sign."""
    return [" + ".join(labels[index] for index in group) for group in groups]


# Relative rounding error of the loss of a matrix that was computed from an epsilon.
ROUNDING = 1e-12


class DeclaredGuarantee(TypedDict):
    """The declared epsilon and delta of a design; None where nothing is declared."""

    declared_epsilon: Decimal | None
    declared_delta: Decimal | None


class DeclaredTable(Protocol):
    """A table with its declared guarantee, as far as this module reads a DesignMatrix."""

    @property
    def matrix(self) -> FloatArray: ...

    @property
    def integers(self) -> IntArray | None: ...

    @property
    def denominator(self) -> int | None: ...

    @property
    def declared_epsilon(self) -> Decimal | None: ...

    @property
    def declared_delta(self) -> Decimal | None: ...

    @property
    def likelihood_ratio_bound(self) -> Fraction | None: ...

    @property
    def epsilon(self) -> float: ...

    def delta(self, epsilon: float) -> float: ...

    def delta_at_most(self, epsilon: Decimal, delta: Decimal) -> bool: ...


def check_table_of(
    matrix: FloatArray, integers: object, denominator: object
) -> tuple[IntArray, int] | tuple[None, None]:
    """Return the exact table behind a matrix and its denominator; neither where none is given."""
    if integers is None and denominator is None:
        return None, None
    table, size = check_integers(integers, denominator)
    if not np.array_equal(table / size, matrix):
        rule = "be the matrix times the denominator"
        raise DesignError("integers", table, rule, "integers_not_matrix")
    return table, size


def check_declaration(epsilon: object, delta: object) -> DeclaredGuarantee:
    """Return the declared numbers as decimals; a delta without an epsilon is refused."""
    declared = epsilon is not None or delta is not None
    return {
        "declared_epsilon": check.epsilon(epsilon, "declared_epsilon") if declared else None,
        "declared_delta": None if delta is None else check.delta(delta, "declared_delta"),
    }


def check_guarantee_holds(design: DeclaredTable) -> None:
    """Refuse a declared epsilon, or (epsilon, delta), that the table does not satisfy."""
    epsilon, delta = design.declared_epsilon, design.declared_delta
    if epsilon is None:
        return
    if design.integers is not None:
        satisfied = design.delta_at_most(epsilon, delta or Decimal(0))
    elif delta is not None:
        satisfied = design.delta(float(epsilon)) <= float(delta) + ROUNDING * (1 + float(epsilon))
    else:
        loss = log_ratio(design.likelihood_ratio_bound)
        satisfied = loss <= float(epsilon) * (1 + ROUNDING) + ROUNDING
    if not satisfied:
        rule = "be a guarantee that the table keeps (together with the declared delta, if any)"
        raise EpsilonError("declared_epsilon", epsilon, rule, "declaration_not_kept")


def satisfies_declared(design: DeclaredTable, loss: float) -> bool:
    """Tell whether a privacy loss is the declared epsilon, but for rounding."""
    if design.integers is not None or design.declared_epsilon is None:
        return False
    declared = float(design.declared_epsilon)
    return design.declared_delta is None and loss >= declared * (1 - ROUNDING) - ROUNDING


def trusts_declaration(design: DeclaredTable, epsilon: Decimal, delta: Decimal) -> bool:
    """Tell whether a matrix of floats declares a guarantee at least as strong as this one."""
    if design.integers is not None or design.declared_epsilon is None:
        return False
    return design.declared_epsilon <= epsilon and (design.declared_delta or 0) <= delta


def check_accepted(design: DeclaredTable, accepted: object) -> None:
    """Refuse a table with identifying reports, unless that was accepted or it is `direct`."""
    check.instance(accepted, "accept_infinite_epsilon", bool, "be True or False", "not_a_bool")
    if accepted or design.likelihood_ratio_bound is not None:
        return
    if design.integers is not None and uniform_entries(design.integers) == (design.denominator, 0):
        return
    rule = "be finite, because some report identifies a truth; accept_infinite_epsilon=True accepts"
    raise EpsilonError("epsilon", design.epsilon, rule, "infinite_epsilon")


def exact_table(design: DeclaredTable, bits: int) -> IntArray:
    """Return integers over 2**bits that are as private as the design and as its declaration."""
    epsilon, delta = design.declared_epsilon, design.declared_delta
    ratio = design.likelihood_ratio_bound
    if epsilon is None:
        return quantize(design.matrix, ratio, bits)
    if delta is not None:
        return quantize_relaxed(design.matrix, ratio, epsilon, delta, bits)
    if satisfies_declared(design, log_ratio(ratio)):
        ratio = Fraction(exponential_bounds(epsilon)[0])
    return quantize(design.matrix, ratio, bits)
