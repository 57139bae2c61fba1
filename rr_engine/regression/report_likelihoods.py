"""Likelihoods of the truth by each respondent's report: a row of their own device's matrix."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rr_engine.arguments import check_channel
from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, IntArray, as_array, as_list, freeze
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.codes import check_codes
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.labelled import check_same_people

# Stands for "no report": nothing is known of this answer.
NO_REPORT = -1


class ReportLikelihoods:
    """The reports of respondents whose devices may differ, as likelihoods of the truth.

    Parameters
    ----------
    designs : Channel or sequence of Channel
        The devices, all about the same truths. A direct answer is a report of
        :func:`rr_engine.designs.direct`.
    reports : array_like of int or str, shape (n,)
        The report of each respondent: a row of their device's matrix, or the label of one, or -1
        for no report. Whole floats and truth values are taken, missing values are not.
    which : array_like of int, shape (n,), optional
        For each respondent the number of their device; all the first when left out.

    Attributes
    ----------
    designs : tuple of Channel
    table : ndarray of float, shape (all reports of all devices + 1, truths)
        The devices' matrices one below the other, then a row of ones for no report.
    row_of : ndarray of int, shape (n,)
        The row of each respondent.
    device_of : ndarray of int, shape (n,)
        The number of each respondent's device; that of all devices where there is no report.

    Raises
    ------
    ArgumentError, CountsError, DesignError

    References
    ----------
    Ours: docs/methods/regression.md.

    Examples
    --------
    One person used a device, the other was asked directly:

    >>> from rr_engine import warner
    >>> from rr_engine.designs import direct
    >>> ReportLikelihoods([warner(0.75), direct(2)], [1, 0], [0, 1]).likelihoods.tolist()
    [[0.25, 0.75], [1.0, 0.0]]
    """

    def __init__(
        self, designs: Designs, reports: ArrayLike, which: ArrayLike | None = None
    ) -> None:
        self.designs = check_designs(designs)
        self.truths = self.designs[0].truth_size
        sizes = np.array([design.tally_size for design in self.designs] + [1])
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        codes, devices = _check_reports(reports, which, self.designs)
        wrong = np.flatnonzero((codes < NO_REPORT) | (codes >= sizes[devices]))
        if wrong.size:
            rule = f"hold numbers of reports, from 0 to {sizes[devices[wrong[0]]] - 1} for the "
            rule += f"device of respondent {wrong[0]}, who has {codes[wrong[0]]}, or -1 for none"
            raise CountsError("reports", reports, rule, "unknown_report")
        missing = codes == NO_REPORT
        self.device_of = freeze(np.where(missing, len(self.designs), devices))
        self.row_of = freeze(self.starts[self.device_of] + np.where(missing, 0, codes))

    @property
    def n(self) -> int:
        """Number of respondents, those without a report included."""
        return len(self.row_of)

    @cached_property
    def table(self) -> FloatArray:
        """The devices' matrices one below the other, then a row of ones."""
        matrices = [design.matrix for design in self.designs]
        return freeze(np.vstack([*matrices, np.ones((1, self.truths))]))

    @property
    def likelihoods(self) -> FloatArray:
        """Likelihood of each truth for each respondent, shape (n, truths)."""
        return self.table[self.row_of]

    @property
    def reported(self) -> BoolArray:
        """Whether each respondent has sent a report, shape (n,)."""
        return self.device_of < len(self.designs)

    def block(self, device: int) -> slice:
        """Return the rows of a device's reports in the table."""
        return slice(int(self.starts[device]), int(self.starts[device + 1]))

    def __repr__(self) -> str:
        return f"ReportLikelihoods(n={self.n}, truths={self.truths}, designs={len(self.designs)})"


def check_designs(value: object, argument: str = "designs") -> tuple[Channel, ...]:
    """Return one or more devices about the same truths, each with a matrix."""
    several: Any = as_list(value)
    designs = (value,) if several is None else several
    if not designs:
        rule = "be a device, or a list of one or more"
        raise ArgumentError(argument, value, rule, "not_designs")
    channels = tuple(check_channel(design, argument) for design in designs)
    for channel in channels:
        if isinstance(channel, BitPeople) or not channel.tabulated:
            rule = "be devices whose reports are counted one by one"
            raise ArgumentError(argument, channel, rule, "table_not_available")
    if len({channel.truth_size for channel in channels}) > 1:
        rule = "be about the same categories"
        raise ArgumentError(argument, value, rule, "categories_differ")
    return channels


def largest_epsilon(designs: Sequence[Channel]) -> float:
    """Return the largest privacy loss of a report to any of these devices."""
    return max(float(design.epsilon) for design in designs)


def check_possible(reports: ReportLikelihoods, weights: FloatArray, argument: str) -> None:
    """Refuse reports of respondents with a weight that their device never makes."""
    impossible = (reports.table == 0).all(axis=1)[reports.row_of] & (weights > 0)
    if impossible.any():
        respondent = int(np.flatnonzero(impossible)[0])
        rule = f"be such as the device makes, unlike that of respondent {respondent}"
        raise CountsError(argument, reports, rule, "impossible_report")


def check_varying(reports: ReportLikelihoods, weights: FloatArray, argument: str) -> None:
    """Refuse respondents with a weight of whom none, or all alike, have sent a report."""
    rows = reports.row_of[(weights > 0) & reports.reported]
    if not rows.size:
        rule = "hold the report of at least one respondent with a weight above zero"
        raise CountsError(argument, reports, rule, "no_reports")
    if (rows == rows[0]).all():
        rule = "differ: all respondents sent the same, so that nothing can explain the outcome"
        raise CountsError(argument, reports, rule, "constant_outcome")


def _check_reports(
    reports: object, which: object, designs: Sequence[Channel]
) -> tuple[IntArray, IntArray]:
    """Return the number of each report and of its device."""
    check_same_people({"reports": reports, "which": which})
    labels = [getattr(design, "report_labels", ()) for design in designs]
    if which is None:
        codes = check_codes(reports, "reports", labels)
        return codes, np.zeros(len(codes), np.int64)
    devices = check_codes(which, "which", remedy="name their device")
    given = as_array(reports)
    size = len(given) if given is not None and given.ndim else len(devices)
    if len(devices) != size:
        rule = f"name a device for each of the {size} reports"
        raise ArgumentError("which", which, rule, "lengths_differ")
    wrong = np.flatnonzero((devices < 0) | (devices >= len(designs)))
    if wrong.size:
        rule = f"hold numbers of devices, from 0 to {len(designs) - 1}, unlike "
        rule += f"{devices[wrong[0]]} of respondent {wrong[0]}"
        raise ArgumentError("which", which, rule, "out_of_range")
    return check_codes(reports, "reports", labels, devices), devices
