"""The table that a measure is computed from, and the delta method."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_list
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import Note, NoteTexts, note
from rr_engine.estimation.result import Estimate
from rr_engine.labelled import entries_of, in_order, is_labelled

MEASURE_NOTES = NoteTexts(
    at_projection="A cell was estimated at zero or below: the measure is that of the nearest "
    "possible table, and its standard error is only a guide.",
    half_added="A combination is empty: half a person was added to each of the four cells.",
    open_odds_ratio="A cell was estimated at zero or below: how far the odds ratio may be from "
    "the value cannot be told.",
    above_one="The estimate exceeded 1, the most that there can be, and was cut to it.",
    near_independence="The reports do not contradict independence. There the standard error "
    "means little: go by the interval and the test of independence.",
    too_thin="The reports are too few for what the device hides: cells are hardly told from "
    "zero, and the interval is only a guide.",
    near_zero="A share is hardly told from zero: the interval may cover somewhat more or less "
    "often than it says, more often where nobody is in it.",
    mostly_noise="Noise is larger than the largest distance would be: the interval says little "
    "and may be wider than it needs to be.",
    too_large="The table has more than 1,600 cells: the value is that of the estimated table, "
    "and there is no interval.",
    nobody_answered="The share of those who answered is estimated at zero or below: there is no "
    "mean, and its standard error is infinite.",
    no_spread="All estimated answers to one question are the same: the measure is undefined.",
    not_testable="The reports to one question are all the same: independence cannot be tested.",
    few_expected="Few reports are expected in some cells: the p-value is only approximate.",
    chance_pairing="The test compares with a chance pairing of the answers, also where the "
    "respondents are the whole group.",
)


# A cell or group of fewer people is empty: maximum likelihood approaches zero in small steps.
EMPTY = 1e-6
# Fourth powers of scores stay within a double.
LARGEST_SCORE = 1e50


class Devices(Protocol):
    """One stratum of reports on several attributes."""

    @property
    def designs(self) -> tuple[Channel, ...]: ...
    @property
    def counts(self) -> IntArray | FloatArray: ...


class Covariances(Protocol):
    """Covariances of weighted sums of the cells of a table."""

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray: ...


class Table(Protocol):
    """The parts of a joint estimate that measures use."""

    @property
    def strata(self) -> tuple[Devices, ...]: ...
    @property
    def proportions(self) -> FloatArray: ...
    @property
    def standard_errors(self) -> FloatArray: ...
    @property
    def covariance_operator(self) -> Covariances: ...
    @property
    def population(self) -> str: ...
    @property
    def n(self) -> int: ...

    def projected(self) -> FloatArray: ...

    def covariance_of(self, contrast_a: ArrayLike, contrast_b: ArrayLike) -> float: ...


def check_measurable(value: Any) -> Estimate | Table:
    """Return an estimate of one or of several attributes."""
    if not isinstance(value, Estimate) and not hasattr(value, "covariance_of"):
        rule = "be an Estimate or a JointEstimate"
        raise ArgumentError("estimate", value, rule, "not_an_estimate")
    return value


def check_two_attributes(value: Any) -> Table:
    """Return a joint estimate of exactly two attributes."""
    rule = "be a JointEstimate of two attributes; take .margin of one with more"
    if not hasattr(value, "covariance_of") or not hasattr(value, "strata"):
        raise ArgumentError("joint", value, rule, "not_two_attributes")
    if value.proportions.ndim != 2:
        raise ArgumentError(
            "joint", f"{value.proportions.ndim} attributes", rule, "not_two_attributes"
        )
    return value


def check_scores(
    value: ArrayLike | Mapping | None, size: int, argument: str, labels: Sequence[str] = ()
) -> FloatArray:
    """Return one finite score per category, not all alike; 0, 1, ... for None."""
    if value is None:
        return np.arange(size, dtype=np.float64)
    if is_labelled(value):
        value = in_order(value, labels or check.number_labels(size), argument)
    rule = f"be {size} numbers, at most {LARGEST_SCORE:g} in size, that are not all the same"
    scores = check.reals(value, (size,), argument, rule)
    if np.abs(scores).max() > LARGEST_SCORE or np.ptp(scores) == 0:
        raise ArgumentError(argument, value, rule, "scores_unusable")
    return scores


def check_first_scores(value: ArrayLike, most: int, labels: Sequence[str] = ()) -> FloatArray:
    """Return one score for each of two or more of the first categories."""
    given = entries_of(value) if is_labelled(value) else as_list(value)
    size = check.whole(len(given or ()), "scores", minimum=2, maximum=most)
    return check_scores(value, size, "scores", labels[:size])


def possible_table(estimate: Estimate | Table) -> tuple[FloatArray, FloatArray, list[Note]]:
    """Return the proportions to measure, those at which to take the gradient, and the notes.

    Where a cell is empty or below zero, the first are the nearest possible ones, and the second
    have half a person in every empty cell, because logarithms have no slope at zero.
    """
    remarks = [note("no_reports")] if estimate.n == 0 else []
    if estimate.proportions.min() * max(estimate.n, 1) > EMPTY:
        return estimate.proportions, estimate.proportions, remarks
    nearest = estimate.projected()
    filled = np.maximum(nearest, 0.5 / estimate.n)
    return nearest, filled / filled.sum(), [*remarks, MEASURE_NOTES.note("at_projection")]


def all_direct(table: Table) -> bool:
    """Whether every report is the true answer."""
    designs = [design for stratum in table.strata for design in stratum.designs]
    return all(_is_direct(design) for design in designs)


def _is_direct(channel: Channel) -> bool:
    if channel.uniform is not None:
        return channel.uniform == (1.0, 0.0)
    shape = channel.tally_size, channel.truth_size
    return channel.tabulated and np.array_equal(channel.matrix, np.eye(*shape))


def standard_error(estimate: Estimate | Table, gradient: FloatArray) -> float:
    """Return the standard error of a function of the proportions with this gradient (Wang Eq. 24).

    Infinite where that of the proportions is. The gradient is centred first, which changes nothing
    because the proportions sum to one, and keeps digits.
    """
    if not np.isfinite(estimate.standard_errors).all():
        return float("inf")
    slope = gradient - (gradient * estimate.projected()).sum()
    if isinstance(estimate, Estimate) and estimate.design.tabulated:
        variance = float(slope @ estimate.covariance @ slope)
    else:
        variance = estimate.covariance_of(slope, slope)
    return float(np.sqrt(max(variance, 0.0)))
