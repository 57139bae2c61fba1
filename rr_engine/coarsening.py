"""Coarsening of a device: reports and truths grouped, on plain arrays."""

import numpy as np
import numpy.typing as npt

from rr_engine.errors import DesignError

# Sums of the same probabilities in another order differ by this much at most.
ROUNDING = 1e-12


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
