"""Declared tables: joint shares, shares within groups, their differences, association."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

import rr_engine
from surveys.kinds import KINDS
from surveys.kinds.estimates import LEVELS, derived, identified, number, statistic
from surveys.parameters import Parameters, Question
from surveys.parameters.analyses import is_listed
from surveys.responses.crossings import TOGETHER, Crossing, crossings
from surveys.results.launch_strata import Source, released_strata, strata_of
from surveys.results.tables.conditional_shares import group_estimates
from surveys.results.tables.recoding import (
    GROUP,
    OUTCOME,
    CrossedCounts,
    SourceStratum,
    crossed_counts,
    has_small_cells,
    is_recoded,
    labels_of,
    recode_table,
    recodings,
)
from surveys.results_document.document import LeftOut, Recoding
from surveys.results_document.parts import Share
from surveys.results_document.tables import Association, Cell, Margins, TableResults, TableStratum

# The measures of association of larger tables have no interval.
MOST_CELLS_OF_A_PAIR = 1_600


def all_table_results(
    questions: Mapping[str, Question], sources: Sequence[Source], parameters: Parameters
) -> tuple[list[TableResults], dict[str, Recoding]]:
    """The results of every declared table, and how each direct question is recoded in them all."""
    declared_tables = crossings(parameters)
    threshold = max(parameters.release_threshold, 1)
    strata = [crossed_counts(crossing, questions, sources) for crossing in declared_tables]
    released = [
        [stratum for stratum in by_name.values() if stratum.n >= threshold] for by_name in strata
    ]
    answered = _answered_directly(questions.values(), sources, parameters)
    recoded = recodings(list(zip(declared_tables, released, strict=True)), answered, threshold)
    results = [
        _table_results(crossing, questions, by_name, recoded, parameters)
        for crossing, by_name in zip(declared_tables, strata, strict=True)
    ]
    return results, recoded


def with_left_out(table: TableResults, left_out: LeftOut) -> TableResults:
    """A table with the note that some people are in no joint number, or that nobody is."""
    if not left_out.people:
        return table
    if left_out.withheld:
        return replace(table, notes=("few_left_out",))
    return replace(table, notes=tuple(sorted({*table.notes, "some_left_out"})))


def _answered_directly(
    questions: Iterable[Question], sources: Sequence[Source], parameters: Parameters
) -> dict[str, list[int]]:
    """How many gave each answer to a direct question that an analysis can be about."""
    if parameters.linkage != TOGETHER:
        return {}
    counted = {}
    for question in questions:
        if question.randomized or not is_listed(question):
            continue
        strata = released_strata(strata_of(question, *sources), parameters.release_threshold)
        if strata:
            rows = [stratum.inputs[0].counts for stratum in strata]
            counted[question.id] = np.sum(rows, axis=0).tolist()
    return counted


def _table_results(
    crossing: Crossing,
    questions: Mapping[str, Question],
    strata: Mapping[SourceStratum, CrossedCounts],
    recodings: Mapping[str, Recoding],
    parameters: Parameters,
) -> TableResults:
    """The results of one declared table; without cells if too few people answered."""
    outcome, group = questions[crossing.outcome], questions[crossing.group]
    threshold = max(parameters.release_threshold, 1)
    people = {key: stratum.n for key, stratum in strata.items()}
    common = _table_header((outcome, group), people, threshold)
    released = [stratum for stratum in strata.values() if stratum.n >= threshold]
    if not released:
        return replace(common, notes=(common.few if common.suppressed else "no_reports",))
    table = recode_table(crossing, released, recodings)
    if table is None:
        return replace(common, notes=("table_one_group",))
    common = replace(
        common,
        outcome_labels=labels_of(table.outcomes, outcome.categories),
        group_labels=labels_of(table.groups, group.categories),
    )
    remarks = table.remarks | ({"stratum_suppressed"} if common.suppressed else set())
    population = parameters.population
    if has_small_cells(crossing, table.strata, threshold):
        return _margins_only(common, table.strata, population=population, remarks=remarks)
    return _estimated(
        common,
        table.strata,
        population=population,
        remarks=remarks,
        ordered=_has_order(outcome) and _has_order(group) and "groups_recoded" not in remarks,
        scale_others=None if is_recoded(table.outcomes) else _scale_others(outcome),
    )


def pair_results(
    pair: tuple[Question, Question],
    counts: CrossedCounts,
    people: Mapping[SourceStratum, int],
    parameters: Parameters,
) -> TableResults:
    """The results of two randomized questions that one device covers, as those of a table.

    `people`: how many have reported to it in each wave; `counts` are of those waves that enough
    have. Nobody is known to have given an answer, so nothing is recoded.
    """
    outcome, group = pair
    common = _table_header(pair, people, max(parameters.release_threshold, 1))
    if counts.counts.size > MOST_CELLS_OF_A_PAIR:
        return replace(common, notes=("pair_too_large",))
    return _estimated(
        common,
        [counts],
        population=parameters.population,
        remarks={"stratum_suppressed"} if common.suppressed else set(),
        ordered=_has_order(outcome) and _has_order(group),
        scale_others=_scale_others(outcome),
    )


def _table_header(
    pair: tuple[Question, Question],
    people: Mapping[SourceStratum, int],
    threshold: int,
) -> TableResults:
    """The published fields of a table that do not depend on its cells."""
    outcome, group = pair
    return TableResults(
        id=f"{outcome.id},{group.id}",
        outcome=outcome.id,
        group=group.id,
        outcome_text=outcome.text,
        group_text=group.text,
        outcome_labels=outcome.categories,
        group_labels=group.categories,
        n=sum(number for number in people.values() if number >= threshold),
        suppressed=sum(number for number in people.values() if number < threshold),
        strata=tuple(
            TableStratum(source=source, stratum=name, n=number)
            for (source, name), number in people.items()
        ),
        notes=(),
    )


def _scale_others(outcome: Question) -> int | None:
    """How many of the last outcomes of a scale are no answers; None for other kinds.

    The scores 1, 2, ... of bins are no mean of their numbers.
    """
    kind = KINDS[outcome.kind]
    return outcome.other_count if kind.ordered and not kind.numeric else None


def _has_order(question: Question) -> bool:
    """Whether all answers have scores: those of a scale, and no and yes."""
    kind = KINDS[question.kind]
    return (kind.ordered or kind.opposites) and not question.other_count


def _margins_only(
    common: TableResults, strata: Sequence[CrossedCounts], *, population: str, remarks: set[str]
) -> TableResults:
    """The published margins of a table with cells below the minimum size."""
    joint = _joint(strata, population, "inversion")
    notes = {"small_cells", *(note.code for note in joint.notes), *remarks}
    return replace(common, margins=_margins(joint), notes=tuple(sorted(notes)))


def _margins(joint: rr_engine.JointEstimate) -> Margins:
    return Margins(outcome=_margin(joint, OUTCOME), group=_margin(joint, GROUP))


def _estimated(
    common: TableResults,
    strata: Sequence[CrossedCounts],
    *,
    population: str,
    remarks: set[str],
    ordered: bool,
    scale_others: int | None = None,
) -> TableResults:
    """The table with its estimates.

    `scale_others`: how many of the last outcomes of a scale are no answers; None for other kinds.
    """
    joint = _joint(strata, population, "inversion")
    maximum_likelihood = _joint(strata, population, "mle")
    conditional, remarks_within = group_estimates(strata, joint, scale_others)
    notes = remarks_within | {note.code for note in (*joint.notes, *maximum_likelihood.notes)}
    return replace(
        common,
        cells=_cells(joint, maximum_likelihood),
        margins=_margins(joint),
        **conditional,
        association=_association(joint, ordered=ordered),
        independence=statistic(rr_engine.independence_test(joint)),
        notes=tuple(sorted(notes | remarks)),
    )


def _joint(
    strata: Sequence[CrossedCounts], population: str, method: str
) -> rr_engine.JointEstimate:
    settings = {"method": method, "population": population}
    if len(strata) == 1:
        return rr_engine.estimate_joint(strata[0].designs, strata[0].counts, **settings)
    designs, counts = zip(*((stratum.designs, stratum.counts) for stratum in strata), strict=True)
    return rr_engine.joint.estimate_joint_strata(designs, counts, **settings)


def _cells(
    joint: rr_engine.JointEstimate, maximum_likelihood: rr_engine.JointEstimate
) -> tuple[tuple[Cell, ...], ...]:
    """Joint shares, one row for each group and one column for each outcome."""
    intervals, errors = joint.interval(LEVELS[0], method="default"), joint.standard_errors
    outcomes, groups = joint.proportions.shape
    return tuple(
        tuple(
            Cell(
                **identified(joint.proportions[place], errors[place], intervals[place]),
                maximum_likelihood=number(maximum_likelihood.proportions[place]),
            )
            for place in ((outcome, group) for outcome in range(outcomes))
        )
        for group in range(groups)
    )


def _margin(joint: rr_engine.JointEstimate, axis: int) -> tuple[Share, ...]:
    margin = joint.margin(axis)
    intervals = margin.interval(LEVELS[0], method="default")
    rows = zip(margin.proportions, margin.standard_errors, intervals, strict=True)
    return tuple(Share(**identified(*values)) for values in rows)


def _association(joint: rr_engine.JointEstimate, *, ordered: bool) -> Association:
    measures = dict(MEASURES)
    if joint.proportions.shape == (2, 2):
        measures["odds_ratio"] = rr_engine.association.odds_ratio
    if ordered:
        measures["pearson_correlation"] = rr_engine.association.pearson_correlation
    return Association(**{name: derived(measure(joint)) for name, measure in measures.items()})


MEASURES: dict[str, Callable[[rr_engine.JointEstimate], rr_engine.association.Derived]] = {
    "cramers_v": rr_engine.association.cramers_v,
    "mutual_information": rr_engine.association.mutual_information,
    "entropy": rr_engine.association.entropy,
    "chi_square": rr_engine.association.chi_square,
    "g_squared": rr_engine.association.g_squared,
}
