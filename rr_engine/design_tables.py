"""The table of a device: checked, as probabilities or integers, and coarsened by groups."""

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray, as_array, freeze
from rr_engine.errors import DesignError

# Sums of the same probabilities in another order differ by this much at most.
ROUNDING = 1e-12


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
