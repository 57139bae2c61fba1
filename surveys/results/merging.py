"""Which answers to a direct question the cross-tables of a survey show apart.

Everybody's answer to a direct question is known, so an answer can be that of too few people to be
shown. It is then put together with others, alike in every table and on both sides of it: two
tables that differed could be subtracted, and leave those few.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import rr_engine
from surveys.parameters import Question, coded
from surveys.parameters.exact import channel_of
from surveys.responses.crossings import Crossing
from surveys.responses.spaces import counted
from surveys.results.inputs import Tallies

OUTCOME, GROUP = 0, 1

# Answers as they are shown: each a list of the answers that are put together.
Merging = list[list[int]]


@dataclass(frozen=True, slots=True)
class Counted:
    """One pair of strata: a design for each question and the table of their reports."""

    designs: tuple[rr_engine.DesignMatrix, rr_engine.DesignMatrix]
    counts: np.ndarray  # reports of the outcome x reports of the group

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def answers(self) -> tuple[int, int]:
        """Of the outcome and of the group; there may be more reports than these."""
        outcome, group = self.designs
        return len(outcome.categories), len(group.categories)


def counted_strata(
    crossing: Crossing, questions: Mapping[str, Question], tallies: Tallies
) -> dict[str, Counted]:
    """Each pair of strata of a table with its reports, people or no people."""
    asked = (questions[crossing.outcome], questions[crossing.group])
    return {name: _counted(crossing, name, asked, tallies) for name in crossing.strata}


def _counted(
    crossing: Crossing, stratum: str, asked: Sequence[Question], tallies: Tallies
) -> Counted:
    one, other = crossing.strata[stratum]
    shape = (len(coded(one.table).reports), len(coded(other.table).reports))
    counts = np.zeros(shape, dtype=np.int64)
    for number, count in counted(tallies.get((crossing.table, stratum))).items():
        counts.flat[number] = count
    return Counted((channel_of(one, asked[OUTCOME]), channel_of(other, asked[GROUP])), counts)


def is_direct(crossing: Crossing, axis: int) -> bool:
    """Whether everybody's answer on this side of the table is known."""
    return all(pair[axis].direct for pair in crossing.strata.values())


def mergings(
    tables: Sequence[tuple[Crossing, Sequence[Counted]]], threshold: int
) -> dict[str, Merging]:
    """Of each direct question the answers as every table with it shows them.

    `tables` pairs each table with those strata of it whose reports are released.
    """
    sizes: dict[str, list[list[int]]] = {}
    for crossing, used in tables:
        for axis, name in enumerate((crossing.outcome, crossing.group)):
            if used and is_direct(crossing, axis):
                sizes.setdefault(name, []).append(_sizes(used, axis).tolist())
    return {name: merging(rows, threshold) for name, rows in sizes.items()}


def _sizes(used: Sequence[Counted], axis: int) -> np.ndarray:
    """People with each answer on one side of a table."""
    return np.sum([one.counts.sum(axis=1 - axis) for one in used], axis=0)


def merging(sizes: Sequence[Sequence[int]], threshold: int) -> Merging:
    """Answers that too few people of some table gave are put together; `sizes`: table x answer.

    If even together they are too few, the rarest of the others joins them: what is shown, taken
    away from the whole, must not leave a few people. Answers that nobody gave are left out.
    """
    tables = np.asarray(sizes)
    present = np.flatnonzero(tables.any(axis=0)).tolist()
    small = [answer for answer in present if _few(tables[:, answer], threshold)]
    others = [answer for answer in present if answer not in small]
    others.sort(key=lambda answer: tables[:, answer].sum())
    while small and others and _few(tables[:, small].sum(axis=1), threshold):
        small.append(others.pop(0))
    return sorted([[answer] for answer in others] + ([sorted(small)] if small else []))


def _few(people: np.ndarray, threshold: int) -> bool:
    """Whether there is a table with some people, but fewer than may be shown."""
    return bool(((people > 0) & (people < threshold)).any())


@dataclass(frozen=True, slots=True)
class Shown:
    """The answers of one table as they are shown, and its reports put together in that way."""

    outcomes: Merging
    groups: Merging
    strata: list[Counted]
    remarks: set[str]


def shown_answers(
    crossing: Crossing, used: Sequence[Counted], merged: Mapping[str, Merging]
) -> Shown | None:
    """One table as it is shown; None where only one group or one answer is left to compare."""
    outcomes, groups = ([[answer] for answer in range(size)] for size in used[0].answers)
    if is_direct(crossing, GROUP):
        groups = _present(merged[crossing.group], used, GROUP)
    if is_direct(crossing, OUTCOME):
        outcomes = _with_the_rest(merged[crossing.outcome], len(outcomes))
    remarks = _remarks(outcomes, groups, used)
    compared = _present(outcomes, used, OUTCOME) if _joined(outcomes) else outcomes
    if min(len(groups), len(compared)) < 2:
        return None
    for axis, answers in ((OUTCOME, outcomes), (GROUP, groups)):
        if is_direct(crossing, axis):
            used = [_put_together(stratum, axis, answers) for stratum in used]
    return Shown(outcomes, groups, list(used), remarks)


def _present(merged: Merging, used: Sequence[Counted], axis: int) -> Merging:
    """Without what nobody in this table has answered."""
    sizes = _sizes(used, axis)
    return [answers for answers in merged if sizes[answers].any()]


def _with_the_rest(merged: Merging, answers: int) -> Merging:
    """An outcome that nobody gave has its place, with a share of zero."""
    given = {answer for one in merged for answer in one}
    return sorted(merged + [[answer] for answer in range(answers) if answer not in given])


def _joined(merged: Merging) -> bool:
    return any(len(answers) > 1 for answers in merged)


def _remarks(outcomes: Merging, groups: Merging, used: Sequence[Counted]) -> set[str]:
    found = {
        "groups_merged": _joined(outcomes) or _joined(groups),
        "groups_empty": sum(map(len, groups)) < used[0].answers[GROUP],
    }
    return {code for code, holds in found.items() if holds}


def _put_together(stratum: Counted, axis: int, merged: Merging) -> Counted:
    """A question that is asked directly can be merged and cut as if it had been asked so."""
    pieces = [stratum.counts.take(one, axis=axis).sum(axis=axis) for one in merged]
    designs = list(stratum.designs)
    designs[axis] = rr_engine.direct(len(merged))
    return Counted((designs[OUTCOME], designs[GROUP]), np.stack(pieces, axis=axis))


def labels_of(merged: Merging, labels: Sequence[str]) -> list[str]:
    return [" + ".join(labels[answer] for answer in one) for one in merged]


def has_small_cells(crossing: Crossing, used: Sequence[Counted], threshold: int) -> bool:
    """Whether a combination of two known answers is that of fewer people than may be shown."""
    if not (is_direct(crossing, OUTCOME) and is_direct(crossing, GROUP)):
        return False
    return _few(np.sum([stratum.counts for stratum in used], axis=0), threshold)
