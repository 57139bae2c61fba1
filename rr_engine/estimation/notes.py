"""Notes on results, under stable codes, and standard errors that are absent rather than small."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, IntArray
from rr_engine.channels.protocol import Channel
from rr_engine.display.shown import Shown
from rr_engine.distributions import binomial_cdf, binomial_sf

# Chance, at most, that an honest survey is called implausible.
FALSE_ALARM = 0.001
ILL_CONDITIONED = 1e4
# A standard error of a sample below this is rounding: all reports were alike.
VANISHED = 1e-6


@dataclass(frozen=True, slots=True)
class Note:
    """One remark on an estimate.

    Attributes
    ----------
    code : str
        Stable key, one of those in docs/methods/estimation.md.
    message : str
        The same in an English sentence.

    Examples
    --------
    >>> from rr_engine import estimate, forced_response
    >>> (note,) = estimate(forced_response(2 / 3, 1 / 6), [175, 25]).notes
    >>> note.code
    'outside_range'
    """

    code: str
    message: str


class _HasNotes(Protocol):
    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes for the reader."""


class Noted(Shown):
    """A result with notes."""

    __slots__ = ()

    def note(self: _HasNotes, code: str) -> Note | None:
        """Return the note with this code, if there is one."""
        return next((note for note in self.notes if note.code == code), None)


class NoteTexts(dict[str, str]):
    """The texts of notes, by their codes."""

    def note(self, code: str) -> Note:
        """Return the note of a code."""
        return Note(code, self[code])

    def holding(self, conditions: Mapping[str, bool]) -> tuple[Note, ...]:
        """Return the notes whose conditions hold."""
        return tuple(self.note(code) for code, holds in conditions.items() if holds)


TEXTS = NoteTexts(
    no_reports="No reports yet: any proportions fit, the interval is the whole range.",
    one_report="One report gives no standard error for a sample of a population.",
    all_alike="All reports are the same: judge the uncertainty by the default interval, not by "
    "the standard error.",
    outside_range="An unconstrained proportion lies below 0 or above 1; chance can do that.",
    implausible="Reported shares lie outside what the device can produce; chance does this in "
    "at most 1 of 1,000 surveys that follow it.",
    boundary="A proportion was held at 0; its standard error is only a guide there.",
    not_converged="The iterations ended before the estimate settled.",
    ill_conditioned="The device is so noisy that small errors are magnified greatly.",
    covariance_at_projection="The covariance is computed at the nearest possible proportions.",
)
# Of a survey estimate, of a figure about quantities, and of a posterior.
SAMPLE_NOTES = NoteTexts(
    all_alike="All answers are the same: the interval rests on the device and the weights, not "
    "on the standard error.",
    boundary="A proportion was held at 0; its standard error is only a guide there.",
    few_clusters="Fewer than 10 degrees of freedom between clusters: the standard errors "
    "themselves are uncertain.",
    margins_not_met="The weights do not reach the known margins; the report says by how much.",
    negative_variance="The variance estimator came out below zero, as unbiased ones can; the "
    "standard error is unknown.",
    not_converged="The iterations ended before the estimate settled.",
    outside_range="An unconstrained proportion lies below 0 or above 1; chance can do that.",
    reports_missing="Some drawn respondents have no report; the estimate is about those who "
    "have one.",
    weights_trimmed="Weights were held at a limit, which trades bias for variance.",
    weights_unequal="Unequal weights alone more than double the variance.",
    zero_weights="Respondents of a category whose known share is 0 have the weight 0.",
)
QUANTITY_NOTES = NoteTexts(
    infinite_epsilon="Some report is possible for one value and impossible for another: no "
    "epsilon bounds what it reveals.",
    listed_values="The epsilon holds for people whose value is one of those listed; any other "
    "value may give itself away.",
    not_computed="The scrambling is no finite list of numbers: its epsilon is not computed, and "
    "reported as infinite.",
    outside_range="An unconstrained share lies below 0 or above 1; chance can do that.",
)
POSTERIOR_NOTES = NoteTexts(
    no_reports="No reports yet: the posterior is the prior.",
    implausible=TEXTS["implausible"],
    prior_decides="The reports do not determine all proportions: between some of them the prior "
    "alone decides, whatever the number of reports.",
    separated="Maximum likelihood has no finite estimate of some coefficients; what is said of "
    "these rests on the prior.",
    few_draws="The posterior was followed to its limit without the precision that was aimed "
    "at: see the Monte Carlo errors.",
)


def note(code: str) -> Note:
    """Return the note of a code."""
    return TEXTS.note(code)


def data_notes(channel: Channel, counts: IntArray, population: str) -> list[Note]:
    """Return the notes on counts."""
    n = channel.people(counts)
    conditions = {
        "no_reports": n == 0,
        "one_report": n == 1 and population == "sample",
        "all_alike": channel.all_alike(counts),
        "implausible": n > 0 and _implausible(channel.report_bounds(), counts, n, len(counts)),
        "ill_conditioned": channel.condition_number > ILL_CONDITIONED,
    }
    return list(TEXTS.holding(conditions))


def strata_notes(strata: Sequence[tuple[Channel, IntArray]], condition: float) -> list[Note]:
    """Return the notes on counts of several devices, with one false-alarm rate for all."""
    reports = sum(len(tallied) for _, tallied in strata)
    conditions = {
        "no_reports": not any(tallied.any() for _, tallied in strata),
        "all_alike": all(
            channel.all_alike(tallied) or channel.people(tallied) == 1
            for channel, tallied in strata
        ),
        "implausible": any(
            _implausible(channel.report_bounds(), tallied, channel.people(tallied), reports)
            for channel, tallied in strata
            if tallied.any()
        ),
        "ill_conditioned": condition > ILL_CONDITIONED,
    }
    return list(TEXTS.holding(conditions))


def _implausible(
    bounds: tuple[FloatArray, FloatArray], counts: IntArray, n: int, reports: int
) -> bool:
    """Test every reported share against the nearest one that the device allows.

    Exact binomial tails with Bonferroni's correction over both sides of every report;
    `reports` is their number, those of other devices that are tested beside these included.
    """
    lowest, highest = (np.clip(bound, 0, 1) for bound in bounds)
    # If all reports have the same bounds, the smallest and the largest count are decisive.
    fewest = counts if lowest.ndim else counts.min()
    most = counts if highest.ndim else counts.max()
    tails = binomial_cdf(fewest, n, lowest).min(), binomial_sf(most - 1, n, highest).min()
    return bool(min(tails) < FALSE_ALARM / (2 * reports))


def vanished_errors(errors: ArrayLike, population: str) -> BoolArray:
    """Tell which standard errors say nothing, because the reports they rest on were all alike.

    A sample of alike reports has the estimated variance zero, which is no statement about the
    population (Agresti and Coull 1998 show what the normal interval makes of it); go by an interval
    that inverts a test. A fixed group may truly have no error.

    Parameters
    ----------
    errors : array_like of float
    population : {"sample", "fixed"}

    Returns
    -------
    ndarray of bool

    References
    ----------
    .. [1] A. Agresti and B. A. Coull, "Approximate is Better than 'Exact' for Interval Estimation
       of Binomial Proportions", The American Statistician 52 (1998), 119-126.

    Examples
    --------
    >>> vanished_errors([0.1, 0.0], "sample").tolist()
    [False, True]
    """
    return (np.asarray(errors) < VANISHED) & (population == "sample")
