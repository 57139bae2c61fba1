"""Notes on an estimate, under stable codes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.channels.protocol import Channel
from rr_engine.distributions import binomial_cdf, binomial_sf

# Chance, at most, that an honest survey is called implausible.
FALSE_ALARM = 0.001
ILL_CONDITIONED = 1e4


@dataclass(frozen=True, slots=True)
class Note:
    """One remark on an estimate.

    Attributes
    ----------
    code : str
        Stable key, one of those in docs/methods/estimation.md.
    message : str
        The same in an English sentence.
    """

    code: str
    message: str


class _HasNotes(Protocol):
    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes for the reader."""


class Noted:
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
