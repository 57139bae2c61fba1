"""The results of joint questions: every pair of them, and the joint table.

Each question has results of its own, from its margin of the joint device. The joint estimates go
through the device as a structured channel, which is never a dense matrix. Joint questions have the
same device in all waves, so the reports of people who answered different ones add up.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

import rr_engine
from rr_engine.estimation.notes import vanished_errors
from surveys.kinds.estimates import LEVELS, ends, identified, number
from surveys.parameters import PAGE, Device, Joint, Parameters, Question, joint_of
from surveys.parameters.joint import channel_of_joint
from surveys.responses.spaces import Counts, space_of
from surveys.results.launch_strata import Source
from surveys.results.tables.estimates import pair_results
from surveys.results.tables.recoding import CrossedCounts
from surveys.results_document.tables import Combination, JointResults, TableResults, TableStratum

# The results have only the largest estimates of a larger joint table; the download has all.
MOST_LISTED = 200
LARGEST_LISTED = 100
# The reports to a joint device as a table with an axis for each question, by source.
JointCounts = Mapping[str, npt.NDArray[np.int64]]


def all_joint_results(
    questions: Mapping[str, Question], sources: Sequence[Source], parameters: Parameters
) -> tuple[JointResults, ...]:
    """The results of all joint questions, in the order of their devices.

    `sources`: the waves, in all of which joint questions have the same device.
    """
    return tuple(
        _joint_results(
            device,
            [questions[name] for name in device.questions],
            {each.name: joint_counts(device, each.tallies.get(device.key)) for each in sources},
            parameters,
        )
        for device in joint_of(parameters)
    )


def joint_counts(device: Device, counts: Counts | None) -> np.ndarray:
    """The reports to a joint device as a table with an axis for each question."""
    return space_of(device).array(counts).reshape(joint_table(device).shape)


def joint_name(device: Device) -> str:
    """Return a device's name in files; each pair that chance picks is a stratum of one device."""
    return device.id if device.stratum == PAGE else device.stratum


def joint_table(device: Device) -> Joint:
    """The table of a device that covers several questions."""
    if not isinstance(device.table, Joint):
        raise TypeError(f"device {device.id} covers one question")
    return device.table


def _joint_results(
    device: Device, covered: Sequence[Question], by_source: JointCounts, parameters: Parameters
) -> JointResults:
    people = {source: int(counts.sum()) for source, counts in by_source.items()}
    threshold = max(parameters.release_threshold, 1)
    released = [counts for counts in by_source.values() if counts.sum() >= threshold]
    n = int(sum(counts.sum() for counts in released))
    suppressed = sum(people.values()) - n
    common = JointResults(
        id=device.id,
        stratum=device.stratum,
        family=device.family,
        epsilon=device.epsilon or "0",
        strata=tuple(
            TableStratum(source=source, stratum=device.stratum, n=number)
            for source, number in people.items()
        ),
        questions=device.questions,
        texts=tuple(question.text for question in covered),
        labels=tuple(question.categories for question in covered),
        table=joint_table(device),
        combinations=joint_table(device).truths,
        n=n,
        suppressed=suppressed,
        notes=(JointResults.few if suppressed else "no_reports",),
    )
    if not released:
        return common
    counts = np.sum(released, axis=0)
    pairs = _pairs(device, covered, counts, people, parameters)
    cells = JointCells(device, counts, parameters.population)
    remarks = {"stratum_suppressed"} if suppressed else set()
    return replace(common, pairs=pairs, **_listed(cells, remarks))


def _pairs(
    device: Device,
    covered: Sequence[Question],
    counts: npt.NDArray[np.int64],
    by_source: Mapping[str, int],
    parameters: Parameters,
) -> tuple[TableResults, ...]:
    """The results of each pair of questions, from the margin of the device for the two.

    `by_source`: how many have reported in each wave.
    """
    stratum = f"{device.stratum},{device.stratum}"
    people = {(source, stratum): number for source, number in by_source.items()}
    channel = channel_of_joint(joint_table(device))
    axes = range(len(covered))
    return tuple(
        pair_results(
            (covered[first], covered[second]),
            CrossedCounts(
                (channel.margin((first, second)),),
                counts.sum(axis=tuple(axis for axis in axes if axis not in (first, second))),
            ),
            people,
            parameters,
        )
        for first, second in combinations(axes, 2)
    )


def _listed(cells: "JointCells", remarks: set[str]) -> dict[str, Any]:
    """The joint table: all combinations, or the largest of many, those with most people first."""
    shares = cells.joint.proportions.ravel()
    limit = shares.size if shares.size <= MOST_LISTED else LARGEST_LISTED
    order = np.argsort(-shares, kind="stable")[:limit]
    notes = cells.notes | remarks | ({"largest_only"} if limit < shares.size else set())
    return {
        "cells": tuple(cells.row(int(index)) for index in order),
        "not_above_zero": cells.not_above_zero,
        "notes": tuple(sorted(notes)),
    }


class JointCells:
    """The estimates of all combinations of joint answers, the last question running fastest.

    The likeliest table is computed where all combinations are listed; of large ones it would take
    seconds.
    """

    def __init__(self, device: Device, counts: np.ndarray, population: str) -> None:
        channel = channel_of_joint(joint_table(device))
        self.joint = rr_engine.estimate_joint([channel], counts, population=population)
        self._counts = counts
        self._ends = [self.joint.interval(level, method="default") for level in LEVELS]
        self._errors = self.joint.standard_errors
        # The error of a combination that nobody reported comes out as zero.
        self._vanished = vanished_errors(self._errors, population)
        self._likeliest: rr_engine.JointEstimate | None = None
        if counts.size <= MOST_LISTED:
            self._likeliest = rr_engine.estimate_joint([channel], counts, "mle", population)

    @property
    def notes(self) -> set[str]:
        """The codes of the notes on the estimates."""
        joints = (self.joint, *([self._likeliest] if self._likeliest else []))
        codes = {note.code for joint in joints for note in joint.notes}
        return codes | ({"combination_unreported"} if self._vanished.any() else set())

    @property
    def not_above_zero(self) -> int:
        """How many combinations have an interval that reaches zero."""
        return int((self._ends[0][..., 0] <= 0).sum())

    def row(self, index: int) -> Combination:
        """The published numbers of the combination with this number."""
        cell = np.unravel_index(index, self._counts.shape)
        count = int(self._counts[cell])
        table = self._likeliest
        wide, narrow = (intervals[cell] for intervals in self._ends)
        share = self.joint.proportions[cell], float(self._errors[cell]), wide
        return Combination(
            codes=tuple(int(code) for code in cell),
            **identified(*share),
            interval_50=ends(narrow),
            maximum_likelihood=None if table is None else number(table.proportions[cell]),
            reported=count,
            reported_share=count / max(self.joint.n, 1),
        )
