"""Reports of both groups of a list experiment, checked, as shares and what they measure."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arguments import check_design
from rr_engine.arrays import FloatArray, IntArray, as_array
from rr_engine.channels.tallies import labelled_table
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError, CountsError, DesignError
from rr_engine.labelled import column_labels
from rr_engine.precision import check_identifiable, left_inverse, sample_covariance

# The likelihood looks at all pairs of counts.
MAX_ITEMS = 20


@dataclass(frozen=True, slots=True)
class ListTables:
    """Both groups' reports; `matrix` is the device, the identity where counts are told as such."""

    matrix: FloatArray
    control: IntArray
    treatment: IntArray

    @property
    def items(self) -> int:
        """Number of items on the list of the control group."""
        return self.matrix.shape[1] - 2

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of people who got the short and the long list."""
        return int(self.control.sum()), int(self.treatment.sum())

    @property
    def shares(self) -> tuple[FloatArray, FloatArray]:
        """Shares of the reports in each group."""
        return self.control / self.sizes[0], self.treatment / self.sizes[1]

    @property
    def unmixing(self) -> tuple[FloatArray, FloatArray]:
        """Matrices that turn each group's shares of reports into shares of true counts."""
        # Nobody in the control group has a count of all items and one more.
        return left_inverse(self.matrix[:, :-1]), left_inverse(self.matrix)

    @property
    def report_covariances(self) -> tuple[FloatArray, FloatArray]:
        """Covariance of each group's shares of reports, estimated with divisor n - 1."""
        first, second = (
            sample_covariance(shares) / (size - 1)
            for shares, size in zip(self.shares, self.sizes, strict=True)
        )
        return first, second


def check_lists(
    control: npt.ArrayLike, treatment: npt.ArrayLike, design: DesignMatrix | None
) -> ListTables:
    """Return the tables of a list experiment, whose items are those of the control group's list."""
    if design is None:
        items = count_items(control)
        short, matrix = check.counts(control, items + 1, "control"), np.eye(items + 2)
        long = check.counts(treatment, items + 2, "treatment")
        return ListTables(matrix, np.append(short, 0), long)
    device = check_count_device(design)
    return ListTables(
        device.matrix, device.tally(control, "control"), device.tally(treatment, "treatment")
    )


def check_enough(tables: ListTables) -> ListTables:
    """Refuse a group of fewer than two people, in which nothing varies."""
    for named, counts in (("control", tables.control), ("treatment", tables.treatment)):
        if counts.sum() < 2:
            rule = "count at least two people"
            raise CountsError(named, counts.tolist(), rule, "too_few_people")
    return tables


def check_table_of_counts(value: npt.ArrayLike, shape: tuple[int, int], argument: str) -> IntArray:
    """Return a table of numbers of people."""
    labelled = column_labels(value) is not None
    table = labelled_table(value, shape, argument) if labelled else as_array(value)
    if table is None or table.shape != shape:
        rule = f"be a table of {shape[0]} rows and {shape[1]} columns of whole numbers"
        raise CountsError(argument, value, rule, "counts_do_not_fit")
    return check.counts(table.ravel(), shape[0] * shape[1], argument).reshape(shape)


def check_count_device(design: DesignMatrix) -> DesignMatrix:
    """Return a device of counts from 0 to the number of items of the long list."""
    device = check_design(design)
    size = device.truth_size
    if not 3 <= size <= MAX_ITEMS + 2:
        rule = f"have 3 to {MAX_ITEMS + 2} truths: the counts of a list"
        raise DesignError("design", design, rule, "not_a_count_device")
    check_identifiable(device.matrix)
    return device


def count_items(control: npt.ArrayLike, argument: str = "control") -> int:
    """Return the number of items of a list from its counts of none, one, and so on."""
    table = as_array(control)
    size = table.shape[-1] if table is not None and table.ndim else 2
    if size > MAX_ITEMS + 1:
        rule = f"have at most {MAX_ITEMS + 1} entries"
        raise CountsError(argument, control, rule, "too_many_categories")
    return max(size, 2) - 1


def count_matrix(items: int, design: DesignMatrix | None) -> FloatArray:
    """Return the chances of reports of the counts of the long list."""
    if design is None:
        return np.eye(items + 2)
    device = check_count_device(design)
    if device.truth_size != items + 2:
        rule = f"have {items + 2} truths: the counts of the long list"
        raise ArgumentError("design", design, rule, "categories_differ")
    return np.asarray(device.matrix)
