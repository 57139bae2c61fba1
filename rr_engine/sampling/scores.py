"""Unbiased scores of randomized answers, one for each respondent."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_channel_list
from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, IntArray, as_array, as_list, freeze
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.codes import NO_REPORT, check_codes
from rr_engine.errors import ArgumentError, CountsError, NotIdentifiableError
from rr_engine.labelled import check_same_people, same_people
from rr_engine.precision import CONDITION_LIMIT

# Entries of the table of scores of a device: 128 MB.
LARGEST_TABLE = 2**24


@dataclass(frozen=True, slots=True, eq=False)
class ReportScores:
    """Unbiased scores of the truth by each respondent's answer, whatever the device.

    Attributes
    ----------
    rows : ndarray of float, shape (m, k)
        The distinct scores. Of a randomized answer, the device's left inverse applied to the
        report: its mean is 1 for the respondent's own truth and 0 for the others.
    row_of : ndarray of int, shape (n,)
        Which row each respondent has; -1 for no report.
    variances : ndarray of float, shape (m, k), or None
        Variances that chance adds to the scores of a quantity. None where rows are of k truths of
        which everybody has one: the covariance of a row is then estimated by zz' - diag(z).
    squares : tuple of ndarray of float, shape (k, k)
        For each device the mean square at [t, v] of the score of v for those who have truth t;
        empty for quantities.
    device_of : ndarray of int, shape (n,)
        Which device each respondent used.

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.sampling import report_scores
    >>> scores = report_scores(warner(0.75), [0, 1, 1])
    >>> scores.values.round(2).tolist()
    [[1.5, -0.5], [-0.5, 1.5], [-0.5, 1.5]]
    """

    rows: FloatArray
    row_of: IntArray
    variances: FloatArray | None
    squares: tuple[FloatArray, ...]
    device_of: IntArray

    def __post_init__(self) -> None:
        for name in ("rows", "row_of", "variances", "device_of"):
            array = getattr(self, name)
            object.__setattr__(self, name, None if array is None else freeze(array))

    @property
    def n(self) -> int:
        """Number of respondents, with and without a report."""
        return len(self.row_of)

    @property
    def reported(self) -> BoolArray:
        """Whether each respondent has a report, shape (n,)."""
        return self.row_of >= 0

    @property
    def values(self) -> FloatArray:
        """The scores, shape (n, k); zero for those without a report."""
        return np.where(self.reported[:, None], self.rows[self.row_of], 0.0)

    def sums(self, factors: FloatArray) -> FloatArray:
        """Return the sum of factors of the respondents with each row, shape (m,).

        Sorted before they are added, so that the order of respondents changes no digit.

        Ours: docs/methods/sampling.md.
        """
        order = np.lexsort((factors, self.row_of))
        order = order[self.reported[order]]
        sums = np.bincount(self.row_of[order], factors[order], minlength=len(self.rows))
        return sums.astype(np.float64)

    def totals(self, factors: FloatArray) -> FloatArray:
        """Return the sums of the scores times factors, shape (k,) (Horvitz & Thompson 1952)."""
        if self.variances is None:
            return self.sums(factors) @ self.rows
        return np.sort(factors[:, None] * self.values, axis=0).sum(axis=0)

    def noise(self, factors: FloatArray) -> FloatArray:
        """Return an unbiased estimate of what the devices add to a covariance, shape (k, k).

        `factors`: for each respondent the square of what the score is multiplied by. With truth v
        E(zz') is a covariance and 1 at [v, v], which diag(z) estimates (Chaudhuri 2011, chapter 3).
        """
        sums = self.sums(factors)
        if self.variances is not None:
            return np.diag(sums @ self.variances)
        return (self.rows * sums[:, None]).T @ self.rows - np.diag(sums @ self.rows)


def report_scores(
    designs: Designs, reports: ArrayLike, which: ArrayLike | None = None
) -> ReportScores:
    """Return unbiased scores of randomized answers for sample-survey estimates.

    Parameters
    ----------
    designs : Channel or sequence of Channel
        The device, or the devices that respondents differ in; a direct answer is a report of
        :func:`rr_engine.designs.direct`. Not devices of bits.
    reports : array_like of int, shape (n,)
        Number of each respondent's report, from 0; -1 for no report.
    which : array_like of int, shape (n,), optional
        Which of the devices each respondent used; all the first when left out.

    Returns
    -------
    ReportScores

    Raises
    ------
    ArgumentError, CountsError
    NotIdentifiableError
        For a device whose reports do not determine the proportions.

    Notes
    -----
    docs/methods/sampling.md. The score of truth v is entry (v, report) of the left inverse of the
    device's matrix: 1 - q over p - q and -q over p - q for a report of yes or no.

    References
    ----------
    .. [1] A. Chaudhuri, "Randomized Response and Indirect Questioning Techniques in Surveys",
       CRC Press, 2011, chapter 3.
    .. [2] R. Arnab, "Randomized Response Trials: A Unified Approach for Qualitative Data",
       Communications in Statistics - Theory and Methods 25 (1996), 1173-1183.

    Examples
    --------
    >>> from rr_engine import warner
    >>> report_scores(warner(0.75), [1, 0, 1]).values[:, 1].tolist()
    [1.5, -0.5, 1.5]
    """
    channels = check_devices(designs)
    answers, device_of = check_reports(reports, which, channels)
    tables = [channel.scores(np.eye(channel.truth_size)) for channel in channels]
    starts = np.cumsum([0, *(channel.tally_size for channel in channels)])
    row_of = np.where(answers < 0, -1, starts[device_of] + answers)
    squares = tuple(
        channel.adjoint(table**2).T for channel, table in zip(channels, tables, strict=True)
    )
    return ReportScores(np.vstack([table.T for table in tables]), row_of, None, squares, device_of)


@same_people("values", "variances")
def value_scores(values: ArrayLike, variances: ArrayLike | None = None) -> ReportScores:
    """Return quantities as scores, with the variance that a randomizing device adds to each.

    Parameters
    ----------
    values : array_like of float, shape (n,) or (n, k)
        Quantities as they are, or unbiased scores of randomized ones.
    variances : array_like of float, optional
        Of the same shape: unbiased estimates of the device's variance of each score; 0 when left
        out. Columns are taken as randomized independently of each other.

    Returns
    -------
    ReportScores

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] A. Chaudhuri, "Randomized Response and Indirect Questioning Techniques in Surveys",
       CRC Press, 2011, chapter 3.

    Examples
    --------
    >>> value_scores([3.0, 1.5]).values.tolist()
    [[3.0], [1.5]]
    """
    rows = _check_table(values, "values")
    spread = np.zeros_like(rows) if variances is None else _check_table(variances, "variances")
    if spread.shape != rows.shape:
        rule = f"have the shape of values, {rows.shape}"
        raise ArgumentError("variances", variances, rule, "not_numbers")
    return ReportScores(rows, np.arange(len(rows)), spread, (), np.zeros(len(rows), dtype=np.int64))


def pair_scores(first: ReportScores, second: ReportScores) -> ReportScores:
    """Return scores of pairs of truths, the second changing fastest; both reports are needed.

    The devices of two questions draw independently, so that the mean of the product of two scores
    is the product of their means.
    """
    both = first.reported & second.reported
    codes = first.row_of * len(second.rows) + second.row_of
    distinct, places = np.unique(codes[both], return_inverse=True)
    ones, twos = np.divmod(distinct, len(second.rows))
    rows = (first.rows[ones][:, :, None] * second.rows[twos][:, None, :]).reshape(len(ones), -1)
    row_of = np.full(first.n, -1)
    row_of[both] = places
    squares = tuple(
        np.kron(one, two).astype(np.float64) for one in first.squares for two in second.squares
    )
    device_of = first.device_of * len(second.squares) + second.device_of
    return ReportScores(rows, row_of, None, squares, device_of)


def check_scores_of(value: object, n: int, argument: str = "scores") -> ReportScores:
    """Return scores of as many respondents as a sample has, one of them with a report at least."""
    if not isinstance(value, ReportScores):
        rule = "be what report_scores or value_scores returns"
        raise ArgumentError(argument, value, rule, "not_report_scores")
    if value.n != n:
        rule = f"be of the {n} respondents of the sample, with -1 for those without a report"
        raise CountsError(argument, value, rule, "reports_do_not_fit")
    return value


def check_devices(designs: object) -> list[Channel]:
    """Return devices of the same truths whose reports determine the proportions."""
    channels = check_channel_list(designs if as_list(designs) else [designs], "designs")
    for channel in channels:
        if isinstance(channel, BitPeople):
            rule = "count reports one by one: a report of bits has no number"
            raise ArgumentError("designs", channel, rule, "table_not_available")
        if channel.truth_size != channels[0].truth_size:
            sizes = [each.truth_size for each in channels]
            raise ArgumentError("designs", sizes, "all have the same truths", "categories_differ")
        if channel.truth_size * channel.tally_size > LARGEST_TABLE:
            rule = "have a table that is small enough to form"
            raise ArgumentError("designs", channel, rule, "table_too_large")
        if not channel.condition_number < CONDITION_LIMIT:
            rule = "have linearly independent columns, so that reports determine the proportions"
            raise NotIdentifiableError("designs", channel, rule, "not_identifiable")
    return channels


def check_reports(
    reports: object, which: object, channels: Sequence[Channel]
) -> tuple[IntArray, IntArray]:
    """Return each respondent's report and device as numbers."""
    check_same_people({"reports": reports, "which": which})
    labels = [getattr(channel, "report_labels", ()) for channel in channels]
    if which is None:
        answers = _check_numbers(reports, "reports", -1, labels)
        device_of = np.zeros(len(answers), dtype=np.int64)
    else:
        device_of = _check_numbers(which, "which", 0)
        given = as_array(reports)
        size = len(given) if given is not None and given.ndim else len(device_of)
        if len(device_of) != size or device_of.max() >= len(channels):
            rule = f"be {size} numbers of devices from 0 to {len(channels) - 1}"
            raise ArgumentError("which", which, rule, "not_report_numbers")
        answers = _check_numbers(reports, "reports", -1, labels, device_of)
    sizes = np.array([channel.tally_size for channel in channels])
    wrong = np.flatnonzero(answers >= sizes[device_of])
    if wrong.size:
        largest = int(sizes[device_of[wrong[0]]]) - 1
        rule = f"be at most {largest} for respondent {int(wrong[0])}, the last report there is"
        raise CountsError("reports", reports, rule, "unknown_report")
    if (answers < 0).all():
        rule = "hold a report of one respondent at least"
        raise CountsError("reports", reports, rule, "too_few_reports")
    return answers, device_of


def _check_numbers(
    value: object,
    argument: str,
    least: int,
    labels: Sequence[Sequence[str]] = (),
    device_of: IntArray | None = None,
) -> IntArray:
    remedy = NO_REPORT if least < 0 else "name their device"
    codes = check_codes(
        value,
        argument,
        labels,
        device_of,
        error=ArgumentError,
        code="not_report_numbers",
        remedy=remedy,
    )
    if codes.min() < least or codes.max() >= 2**62:
        rule = f"be a list of whole numbers of at least {least}, one for each respondent"
        raise ArgumentError(argument, value, rule, "not_report_numbers")
    return codes


def _check_table(value: object, argument: str) -> FloatArray:
    array = as_array(value)
    rule = "be finite numbers, one row for each respondent"
    if array is None or array.ndim not in (1, 2) or array.size == 0:
        raise ArgumentError(argument, value, rule, "not_numbers")
    return check.reals(value, array.shape, argument, rule).reshape(len(array), -1)
