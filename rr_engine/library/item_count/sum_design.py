"""The channel from the number of items that are true of a person to the number of yes reports."""

from collections.abc import Sequence
from math import comb

import numpy as np

from rr_engine.arguments import check_design, check_design_list
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError
from rr_engine.validation import FloatArray, number_labels

# The chances of sums are still summed without loss.
MAX_SUMMED = 50
# Chances closer than this are one and the same device's.
SAME = 1e-12


def sum_design(designs: Sequence[DesignMatrix]) -> DesignMatrix:
    """Return the device between a person's sum of true items and the sum of the reports.

    Parameters
    ----------
    designs : sequence of DesignMatrix
        The device of each yes/no item, which draw independently of each other; up to 50.

    Returns
    -------
    DesignMatrix
        Truths and reports are 0, 1, ... items. Take it to `estimate`, `margin_of_error` or any
        other function of a design. Its epsilon is that of the sum alone: a person who sends the
        reports one by one spends the epsilons of all devices together.

    Raises
    ------
    ArgumentError

    Notes
    -----
    For items with one device the chances depend on the sum alone. For different devices they depend
    on which items are true; here each set of items counts as much as any other of its size, which
    is an assumption, and not needed where patterns of reports are known.
    docs/methods/item-count.md.

    References
    ----------
    Ours: docs/methods/item-count.md, "Sum scores".

    Examples
    --------
    >>> from rr_engine import warner
    >>> sum_design([warner(0.8)] * 2).matrix.round(2).tolist()
    [[0.64, 0.16, 0.04], [0.32, 0.68, 0.32], [0.04, 0.16, 0.64]]
    """
    devices = check_items(designs)
    labels = number_labels(len(devices) + 1)
    return DesignMatrix(sum_matrix(devices), categories=labels, reports=labels)


def check_items(designs: Sequence[DesignMatrix]) -> list[DesignMatrix]:
    """Return the devices of yes/no items."""
    devices = [check_item(device, "designs") for device in check_design_list(designs)]
    if len(devices) > MAX_SUMMED:
        rule = f"be at most {MAX_SUMMED} items"
        raise ArgumentError("designs", designs, rule, "too_many_categories")
    return devices


def check_item(design: DesignMatrix, argument: str = "design") -> DesignMatrix:
    """Return the device of one yes/no item."""
    device = check_design(design, argument)
    if device.matrix.shape != (2, 2):
        rule = "have two truths and two reports"
        raise ArgumentError(argument, design, rule, "not_yes_no")
    return device


def one_device(devices: Sequence[DesignMatrix]) -> bool:
    """Tell whether all items have the same chances."""
    first = devices[0].matrix
    return all(np.abs(device.matrix - first).max() <= SAME for device in devices[1:])


def sum_matrix(devices: Sequence[DesignMatrix]) -> FloatArray:
    """Return Pr(sum of reports | sum of truths), averaged over the sets of items of each size."""
    size = len(devices)
    # Row s: chances of the sums of reports, added up over all sets of s of the items so far.
    table = np.zeros((size + 1, size + 1))
    table[0, 0] = 1
    for device in devices:
        without, having = device.matrix[:, 0], device.matrix[:, 1]
        grown = _one_more(table, without)
        grown[1:] += _one_more(table, having)[:-1]
        table = grown
    sets = np.array([comb(size, count) for count in range(size + 1)], dtype=np.float64)
    matrix = (table / sets[:, None]).T
    return np.asarray(matrix / matrix.sum(axis=0))


def _one_more(table: FloatArray, chances: FloatArray) -> FloatArray:
    """Return the chances of sums with one report more."""
    grown = table * chances[0]
    grown[:, 1:] += table[:, :-1] * chances[1]
    return grown
