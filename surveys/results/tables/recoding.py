"""Disclosure control of tables of two questions: recoding of rare answers to direct questions.

The true answer of everybody to a direct question is known, so an answer can be that of fewer people
than the minimum cell size, the survey's release threshold. Such answers are recoded: combined with
others, alike in every table and on both sides of it. Two tables that were recoded differently could
be subtracted, which would leave those few people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import rr_engine
from surveys.parameters import Question
from surveys.parameters.exact import channel_of
from surveys.responses.crossings import Crossing
from surveys.results.launch_strata import Source, Tallies
from surveys.results_document.document import Recoding

OUTCOME, GROUP = 0, 1
# The name of a source of reports, and that of a pair of its strata.
SourceStratum = tuple[str, str]


@dataclass(frozen=True, slots=True)
class CrossedCounts:
    """The cross-tabulated reports of one pair of strata, with the channel of each question.

    Of two questions that one device covers, there is one channel.
    """

    designs: tuple[rr_engine.channels.Channel, ...]
    counts: np.ndarray  # reports of the outcome x reports of the group

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def answers(self) -> tuple[int, int]:
        """The numbers of true answers of the outcome and of the group; reports may be more."""
        outcome, group = (size for design in self.designs for size in design.truth_shape)
        return outcome, group


def crossed_counts(
    crossing: Crossing, questions: Mapping[str, Question], sources: Sequence[Source]
) -> dict[SourceStratum, CrossedCounts]:
    """The reports of each pair of strata of a table, empty ones included."""
    crossed_questions = (questions[crossing.outcome], questions[crossing.group])
    return {
        (source.name, name): _crossed_counts(
            crossing.of(source.devices), name, crossed_questions, source.tallies
        )
        for source in sources
        for name in crossing.of(source.devices).strata
    }


def _crossed_counts(
    crossing: Crossing, stratum: str, crossed_questions: Sequence[Question], tallies: Tallies
) -> CrossedCounts:
    (outcome, group), space = crossing.strata[stratum], crossing.space(stratum)
    counts = space.array(tallies.get((crossing.table, stratum))).reshape(space.shape)
    designs = (
        channel_of(outcome, crossed_questions[OUTCOME]),
        channel_of(group, crossed_questions[GROUP]),
    )
    return CrossedCounts(designs, counts)


def is_direct(crossing: Crossing, axis: int) -> bool:
    """Whether the question on this side of the table is direct, its true answers known."""
    return all(pair[axis].direct for pair in crossing.strata.values())


def recodings(
    tables: Sequence[tuple[Crossing, Sequence[CrossedCounts]]],
    answered: Mapping[str, Sequence[int]],
    threshold: int,
) -> dict[str, Recoding]:
    """The recoding of each direct question, the same in every table and analysis with it.

    `tables` pairs each table with those of its strata whose reports are released. `answered`: how
    many of all people gave each answer, by direct question.
    """
    sizes = {name: [list(row)] for name, row in answered.items()}
    for crossing, strata in tables:
        for axis, name in enumerate((crossing.outcome, crossing.group)):
            if strata and is_direct(crossing, axis):
                sizes.setdefault(name, []).append(_sizes(strata, axis).tolist())
    return {name: recoding(rows, threshold) for name, rows in sizes.items()}


def _sizes(strata: Sequence[CrossedCounts], axis: int) -> np.ndarray:
    """People with each answer on one side of a table."""
    return np.sum([stratum.counts.sum(axis=1 - axis) for stratum in strata], axis=0)


def recoding(sizes: Sequence[Sequence[int]], threshold: int) -> Recoding:
    """Combine the answers that fewer than `threshold` people of some table gave.

    `sizes`: people by table and answer. If the combined answers are still below the minimum, the
    rarest other answer joins them: a total minus the published cells must not leave a few people.
    Answers that nobody gave are left out.
    """
    tables = np.asarray(sizes)
    answers_given = np.flatnonzero(tables.any(axis=0)).tolist()
    small = [answer for answer in answers_given if _is_below_minimum(tables[:, answer], threshold)]
    others = [answer for answer in answers_given if answer not in small]
    others.sort(key=lambda answer: tables[:, answer].sum())
    while small and others and _is_below_minimum(tables[:, small].sum(axis=1), threshold):
        small.append(others.pop(0))
    return sorted([[answer] for answer in others] + ([sorted(small)] if small else []))


def _is_below_minimum(people: np.ndarray, threshold: int) -> bool:
    """Whether some count is positive and below the minimum cell size."""
    return bool(((people > 0) & (people < threshold)).any())


@dataclass(frozen=True, slots=True)
class RecodedTable:
    """One table after recoding: its answers, its reports, and the codes of remarks on it."""

    outcomes: Recoding
    groups: Recoding
    strata: list[CrossedCounts]
    remarks: set[str]


def recode_table(
    crossing: Crossing, strata: Sequence[CrossedCounts], recodings: Mapping[str, Recoding]
) -> RecodedTable | None:
    """Recode one table; None where only one group or one outcome is left to compare."""
    outcomes, groups = ([[answer] for answer in range(size)] for size in strata[0].answers)
    if is_direct(crossing, GROUP):
        groups = _drop_empty_answers(recodings[crossing.group], strata, GROUP)
    if is_direct(crossing, OUTCOME):
        outcomes = _with_unobserved(recodings[crossing.outcome], len(outcomes))
    remarks = _disclosure_remarks(outcomes, groups, strata)
    compared = _drop_empty_answers(outcomes, strata, OUTCOME) if is_recoded(outcomes) else outcomes
    if min(len(groups), len(compared)) < 2:
        return None
    for axis, answers in ((OUTCOME, outcomes), (GROUP, groups)):
        if is_direct(crossing, axis):
            strata = [_recode(stratum, axis, answers) for stratum in strata]
    return RecodedTable(outcomes, groups, list(strata), remarks)


def _drop_empty_answers(recoding: Recoding, strata: Sequence[CrossedCounts], axis: int) -> Recoding:
    """The recoding without answers that nobody in this table gave."""
    sizes = _sizes(strata, axis)
    return [answers for answers in recoding if sizes[answers].any()]


def _with_unobserved(recoding: Recoding, size: int) -> Recoding:
    """The recoding with the outcomes that nobody gave, whose shares are zero."""
    observed = {answer for answers in recoding for answer in answers}
    return sorted(recoding + [[answer] for answer in range(size) if answer not in observed])


def is_recoded(recoding: Recoding) -> bool:
    return any(len(answers) > 1 for answers in recoding)


def _disclosure_remarks(
    outcomes: Recoding, groups: Recoding, strata: Sequence[CrossedCounts]
) -> set[str]:
    remarks = {
        "groups_recoded": is_recoded(outcomes) or is_recoded(groups),
        "groups_empty": sum(map(len, groups)) < strata[0].answers[GROUP],
    }
    return {code for code, holds in remarks.items() if holds}


def _recode(stratum: CrossedCounts, axis: int, recoding: Recoding) -> CrossedCounts:
    """Combine the reports of a direct question, as if it had been asked with these answers."""
    pieces = [stratum.counts.take(answers, axis=axis).sum(axis=axis) for answers in recoding]
    designs = list(stratum.designs)
    designs[axis] = rr_engine.designs.direct(len(recoding))
    return CrossedCounts((designs[OUTCOME], designs[GROUP]), np.stack(pieces, axis=axis))


def labels_of(recoding: Recoding, labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(" + ".join(labels[answer] for answer in answers) for answers in recoding)


def has_small_cells(crossing: Crossing, strata: Sequence[CrossedCounts], threshold: int) -> bool:
    """Whether a cell of two direct questions is below the minimum cell size."""
    if not (is_direct(crossing, OUTCOME) and is_direct(crossing, GROUP)):
        return False
    return _is_below_minimum(np.sum([stratum.counts for stratum in strata], axis=0), threshold)
