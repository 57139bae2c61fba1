"""Declared tables weighted to known margins: recoded as the tables that are not weighted."""

import numpy as np
import numpy.typing as npt

import rr_engine
from rr_engine.regression.report_likelihoods import NO_REPORT
from surveys.engine_words import EngineError
from surveys.kinds.estimates import LEVELS, number
from surveys.results.regression.frame import AnswerColumn
from surveys.results.weighted.people import (
    ColumnReports,
    WeightedPeople,
    possible_share,
    weighted_share,
)
from surveys.results_document.tables import TableResults
from surveys.results_document.weighted import WeightedShare, WeightedTable, WeightedTest


def weighted_table(people: WeightedPeople, table: TableResults) -> WeightedTable | None:
    """The weighted numbers of a table whose cells are shown; None where a few would be told of.

    `table`: its results.
    """
    names = (table.group, table.outcome)
    both = [people.reports(name) for name in names]
    columns = [people.frame.column(name) for name in names]
    reported = (both[0].codes != NO_REPORT) & (both[1].codes != NO_REPORT)
    reported &= ~_held_back(columns, both, table, people.threshold)
    groups, outcomes = (reports.of(reported) for reports in both)
    if _tells_of_few(people, groups, outcomes):
        return None
    try:
        found = rr_engine.sampling.estimate_weighted_table(
            groups.scores(), outcomes.scores(), people.sample
        )
    except EngineError:
        return None
    within = found.shares_within(0, LEVELS[0])
    joint = _grid(found.proportions, found.standard_errors, found.interval(LEVELS[0]))
    conditional = _grid(within.values, within.standard_errors, within.ends)
    if groups.direct and outcomes.direct:
        joint, conditional = (
            tuple(tuple(map(possible_share, row)) for row in g) for g in (joint, conditional)
        )
    return WeightedTable(
        n=int(reported.sum()),
        groups=groups.answers,
        outcomes=outcomes.answers,
        cells=joint,
        conditional=conditional,
        independence=_independence(found),
    )


def _held_back(
    columns: list[AnswerColumn], both: list[ColumnReports], table: TableResults, threshold: int
) -> npt.NDArray[np.bool_]:
    """Return who is in a pair of strata with too few people, whom the table leaves out."""
    group, outcome = columns
    few = {(row.source, row.stratum) for row in table.strata if row.n < threshold}
    held = np.zeros(len(both[0].codes), dtype=bool)
    for (source, _, second), group_device in group.devices.items():
        for (other, _, first), outcome_device in outcome.devices.items():
            if source == other and (source, f"{first},{second}") in few:
                held |= (both[0].devices == group_device) & (both[1].devices == outcome_device)
    return held


def _tells_of_few(people: WeightedPeople, groups: ColumnReports, outcomes: ColumnReports) -> bool:
    """Whether only one group or outcome is left, or direct answers are those of a few people."""
    if groups.n < people.threshold or min(len(groups.answers), len(outcomes.answers)) < 2:
        return True
    if any(each.direct and people.is_few(each.sizes()) for each in (groups, outcomes)):
        return True
    if not (groups.direct and outcomes.direct):
        return False
    pairs = groups.codes * len(outcomes.answers) + outcomes.codes
    return people.is_few(np.bincount(pairs[groups.codes != NO_REPORT]))


def _grid(
    values: npt.NDArray[np.float64],
    errors: npt.NDArray[np.float64],
    ends: npt.NDArray[np.float64],
) -> tuple[tuple[WeightedShare, ...], ...]:
    """One row for each group and one column for each outcome."""
    return tuple(
        tuple(weighted_share(*share) for share in zip(*row, strict=True))
        for row in zip(values, errors, ends, strict=True)
    )


def _independence(table: rr_engine.sampling.WeightedTable) -> WeightedTest:
    """The test of independence; no p-value where the people are too few for one."""
    found = table.independence()
    known = not found.notes
    return WeightedTest(
        statistic=number(found.statistic) if known else None,
        numerator_freedom=found.numerator_freedom,
        denominator_freedom=found.denominator_freedom,
        p_value=number(found.p_value) if known else None,
    )
