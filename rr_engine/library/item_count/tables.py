"""Reports of both groups of a list experiment, checked, as shares and what they measure."""

from dataclasses import dataclass
from math import inf

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_design
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray, as_array
from rr_engine.channels.tallies import labelled_table
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError, CountsError, DesignError
from rr_engine.estimation.notes import Note, NoteTexts
from rr_engine.frames.tallies import counted
from rr_engine.labelled import column_labels, row_labels, whole
from rr_engine.precision import check_identifiable, left_inverse, sample_covariance

COUNT_NOTES = NoteTexts(
    no_reports="A group has no reports yet: nothing can be said, intervals are the whole range.",
    one_report="A group with one report gives no standard error.",
    all_alike="A group's reports are all the same: judge by the interval inside the range.",
    outside_range="The difference in means lies below 0 or above 1; the other interval is "
    "inside the range.",
    negative_types="A share of people by count and trait is estimated below 0: test for a "
    "design effect.",
    count_reveals="A count of none or of all items reveals the trait: such a list has no finite "
    "epsilon.",
    bounded="Many inequalities are tested together: the p-value is an upper bound.",
    nothing_to_test="No share is near enough to zero to test.",
    nobody_to_compare="Among those who answered the direct question alike, one list has fewer "
    "than two people.",
    lists_disagree="The two lists give different prevalences: the assumptions fail on one.",
    direct_yes_refuted="The list finds another share than 1 among those who said yes when asked "
    "directly: an assumption fails.",
    direct_moved="The list that one got changed the direct answer: the combined estimate may be "
    "off.",
    share_outside="An unconstrained share lies below 0 or above 1; chance can do that.",
    exchangeable="The devices differ: sums alone are read as if each set of items were as "
    "likely as any other of its size.",
    overdispersed="Sums of a person's reports vary as independent items of one prevalence do "
    "not: use the standard error by person.",
)


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
    control: ArrayLike, treatment: ArrayLike, design: DesignMatrix | None
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


def check_table_of_counts(value: ArrayLike, shape: tuple[int, int], argument: str) -> IntArray:
    """Return a table of numbers of people."""
    labelled = column_labels(counted(value)) is not None
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


def count_items(control: ArrayLike, argument: str = "control", most: int = MAX_ITEMS + 1) -> int:
    """Return the number of items of a list from its counts of none, one, and so on."""
    given = counted(control)
    table = as_array(given)
    size = table.shape[-1] if table is not None and table.ndim else 2
    labels = row_labels(given) if column_labels(given) is None else column_labels(given)
    numbers = [whole(label) for label in labels or ()]
    if numbers and None not in numbers:
        # Counts that nobody gave are not among those of a data frame.
        size = max(number for number in numbers if number is not None) + 1
    if size > most:
        rule = f"have at most {most} entries"
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ListPrivacy(FrozenArrays):
    """The privacy of the sensitive item of a list.

    Attributes
    ----------
    epsilon : float
        The largest logarithm of a ratio of two chances of a report, whatever is true of the person:
        infinite for counts told as they are, else that of the device.
    reveals_trait, reveals_absence : tuple of int
        Reports made only with the trait, and only without it.
    epsilon_given_control : float or None
        The same for the trait alone, against somebody who knows how the other items are distributed
        but not what is true of the person.
    ratios : ndarray of float, shape (reports,), or None
        Chance of each report with the trait over that without it, in the eyes of such a person;
        infinite where the report reveals the trait.
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.item_count import list_privacy
    >>> found = list_privacy(4, k_rr(6, 1))
    >>> round(found.epsilon, 6), found.reveals_trait, found.reveals_absence
    (1.0, (), ())
    """

    epsilon: float
    reveals_trait: tuple[int, ...]
    reveals_absence: tuple[int, ...]
    epsilon_given_control: float | None
    ratios: FloatArray | None
    notes: tuple[Note, ...] = ()


def list_privacy(
    items: int, design: DesignMatrix | None = None, control: ArrayLike | None = None
) -> ListPrivacy:
    """Say what a count of the long list reveals of the sensitive item.

    Parameters
    ----------
    items : int
        Items of the short list, 1 to 20.
    design : DesignMatrix, optional
        The device through which the count is reported, with items + 2 truths; as it is when left
        out.
    control : array_like of float, shape (items + 1,), optional
        Proportions of people by how many of the other items are true of them, whether or not they
        have the trait.

    Returns
    -------
    ListPrivacy

    Raises
    ------
    ArgumentError, DistributionError, DesignError, NotIdentifiableError

    Notes
    -----
    A count of all items and one more is made only with the trait, a count of none only without it:
    no epsilon is finite. A device protects the whole count, and with it the trait.
    docs/methods/item-count.md.

    References
    ----------
    Ours: docs/methods/item-count.md, "Privacy".

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> told = list_privacy(4)
    >>> told.epsilon, told.reveals_trait, told.reveals_absence
    (inf, (5,), (0,))
    >>> hidden = list_privacy(4, k_rr(6, 1), control=[0.1, 0.2, 0.4, 0.2, 0.1])
    >>> round(hidden.epsilon, 6), round(hidden.epsilon_given_control, 3)
    (1.0, 0.228)
    """
    count = check.whole(items, "items", minimum=1, maximum=MAX_ITEMS)
    matrix = count_matrix(count, design)
    having, without = matrix[:, 1:] > 0, matrix[:, :-1] > 0
    trait = np.flatnonzero(having.any(axis=1) & ~without.any(axis=1))
    absence = np.flatnonzero(without.any(axis=1) & ~having.any(axis=1))
    ratios = None if control is None else _ratios(matrix, control)
    return ListPrivacy(
        epsilon=inf if design is None else float(design.epsilon),
        reveals_trait=tuple(trait.tolist()),
        reveals_absence=tuple(absence.tolist()),
        epsilon_given_control=None if ratios is None else _largest(ratios),
        ratios=ratios,
        notes=COUNT_NOTES.holding({"count_reveals": len(trait) + len(absence) > 0}),
    )


def _ratios(matrix: FloatArray, control: ArrayLike) -> FloatArray:
    shares = check.distribution(control, matrix.shape[1] - 1, "control")
    having, without = matrix[:, 1:] @ shares, matrix[:, :-1] @ shares
    ratios = np.full(len(matrix), inf)
    np.divide(having, without, out=ratios, where=without > 0)
    # A report that nobody makes says nothing.
    ratios[(having == 0) & (without == 0)] = 1.0
    return ratios


def _largest(ratios: FloatArray) -> float:
    if np.isinf(ratios).any() or (ratios == 0).any():
        return inf
    return float(np.abs(np.log(ratios)).max())
