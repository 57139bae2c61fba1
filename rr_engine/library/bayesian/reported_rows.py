"""The likelihood of reports of one or several devices as rows of chances and their counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine.arguments import check_channel, check_channel_list, check_tallies
from rr_engine.arrays import FloatArray, IntArray, as_list
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.estimation.estimate import check_possible
from rr_engine.estimation.notes import strata_notes
from rr_engine.precision import CONDITION_LIMIT, condition_number

# Proportions whose posterior can be followed in a few seconds.
MOST_TRUTHS = 60


@dataclass(frozen=True, slots=True, eq=False)
class ReportedRows:
    """Reports that came in: the log-likelihood is ``counts @ log(rows @ proportions)``.

    Attributes
    ----------
    rows : ndarray of float, shape (different reports, truths)
    counts : ndarray of float, shape (different reports,)
    n : int
        Number of people.
    implausible, identified : bool
        Whether reports lie outside what the devices produce, and whether they determine all
        proportions.
    """

    rows: FloatArray
    counts: FloatArray
    n: int
    implausible: bool
    identified: bool

    @property
    def truths(self) -> int:
        return self.rows.shape[1]


def check_reports(
    design: Channel | Sequence[Channel], counts: npt.ArrayLike | Mapping | Sequence
) -> ReportedRows:
    """Return the reports of one device, or of each of a list of devices, checked."""
    several = as_list(design)
    if several is None:
        channels, given = [check_channel(design)], (counts,)
        tallies = [channels[0].tally(counts)]
        names = ["counts"]
    else:
        channels, given = check_channel_list(several, "design"), as_list(counts) or ()
        tallies = check_tallies(channels, given)
        names = [f"counts[{position}]" for position in range(len(channels))]
    _check_truths(channels)
    for channel, tally, name in zip(channels, tallies, names, strict=True):
        check_possible(channel, tally, name)
    return _reported_rows(channels, tallies, given)


def _check_truths(channels: Sequence[Channel]) -> None:
    sizes = {channel.truth_size for channel in channels}
    if len(sizes) > 1:
        raise CategoryError("design", channels, "all have the same truths", "categories_differ")
    if not all(channel.exclusive for channel in channels):
        rule = "give everybody exactly one of the truths: the proportions have to sum to 1"
        raise ArgumentError("design", channels, rule, "truths_not_exclusive")
    if max(sizes) > MOST_TRUTHS:
        rule = f"have at most {MOST_TRUTHS} truths"
        raise ArgumentError("design", channels, rule, "too_many_categories")


def _reported_rows(
    channels: Sequence[Channel], tallies: Sequence[IntArray], given: Sequence
) -> ReportedRows:
    parts = [
        _stratum_rows(channel, tally, counts)
        for channel, tally, counts in zip(channels, tallies, given, strict=True)
        if tally.any()
    ]
    truths = channels[0].truth_size
    rows = np.vstack([np.empty((0, truths)), *(rows for rows, _ in parts)])
    counts = np.concatenate([np.empty(0), *(counts for _, counts in parts)])
    # Sorted and equal ones together, so that the draws depend neither on the order of devices nor
    # on how their reports were divided.
    rows, which = np.unique(rows, axis=0, return_inverse=True)
    sums = np.zeros(len(rows))
    np.add.at(sums, which.ravel(), counts)
    notes = strata_notes(list(zip(channels, tallies, strict=True)), 1.0)
    return ReportedRows(
        rows=rows,
        counts=sums,
        n=sum(channel.people(tally) for channel, tally in zip(channels, tallies, strict=True)),
        implausible="implausible" in {note.code for note in notes},
        identified=_is_identified(channels, tallies),
    )


def _stratum_rows(
    channel: Channel, tally: IntArray, counts: object
) -> tuple[FloatArray, FloatArray]:
    n = channel.people(tally)
    likelihood, shares = channel.likelihood(counts, tally / tally.sum())
    seen = shares > 0
    rows = likelihood.dense()[seen]
    # Rows of a large report space come each up to a factor, which leaves the posterior alone.
    return rows / rows.max(axis=1, keepdims=True), np.rint(shares[seen] * n)


def _is_identified(channels: Sequence[Channel], tallies: Sequence[IntArray]) -> bool:
    used = [channel for channel, tally in zip(channels, tallies, strict=True) if tally.any()]
    if any(channel.condition_number < CONDITION_LIMIT for channel in used):
        return True
    if not used or not all(channel.tabulated for channel in used):
        return False
    return condition_number(np.vstack([channel.matrix for channel in used])) < CONDITION_LIMIT
