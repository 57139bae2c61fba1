"""Declared cross-tables: joint shares, shares within groups, their differences, association."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import rr_engine
from surveys.kinds import KINDS
from surveys.kinds.estimates import LEVELS, derived, number, numbers, statistic
from surveys.parameters import Parameters, Question
from surveys.responses.crossings import Crossing, crossings
from surveys.results.inputs import Tallies
from surveys.results.merging import (
    GROUP,
    OUTCOME,
    Counted,
    Merging,
    counted_strata,
    has_small_cells,
    labels_of,
    mergings,
    shown_answers,
)
from surveys.results.within import within_groups


def all_table_results(
    questions: Mapping[str, Question], tallies: Tallies, parameters: Parameters
) -> list[dict[str, Any]]:
    """Every declared table; what is put together in one of them is so in all."""
    declared = crossings(parameters)
    threshold = max(parameters.release_threshold, 1)
    strata = [counted_strata(crossing, questions, tallies) for crossing in declared]
    used = [[one for one in found.values() if one.n >= threshold] for found in strata]
    merged = mergings(list(zip(declared, used, strict=True)), threshold)
    return [
        _table_results(crossing, questions, found, merged, parameters)
        for crossing, found in zip(declared, strata, strict=True)
    ]


def _table_results(
    crossing: Crossing,
    questions: Mapping[str, Question],
    strata: Mapping[str, Counted],
    mergings_of: Mapping[str, Merging],
    parameters: Parameters,
) -> dict[str, Any]:
    """Everything about one declared table that enough people have answered."""
    outcome, group = questions[crossing.outcome], questions[crossing.group]
    threshold = max(parameters.release_threshold, 1)
    common = _about(crossing, outcome, group, strata, threshold)
    used = [stratum for stratum in strata.values() if stratum.n >= threshold]
    if not used:
        notes = ["table_below_threshold" if common["withheld"] else "no_reports"]
        return {**common, "cells": [], "notes": notes}
    shown = shown_answers(crossing, used, mergings_of)
    if shown is None:
        return {**common, "cells": [], "notes": ["table_one_group"]}
    common["outcome_labels"] = labels_of(shown.outcomes, outcome.categories)
    common["group_labels"] = labels_of(shown.groups, group.categories)
    remarks = shown.remarks | ({"stratum_withheld"} if common["withheld"] else set())
    population = parameters.population
    if has_small_cells(crossing, shown.strata, threshold):
        kept = _margins_only(shown.strata, population=population, remarks=remarks)
        return {**common, "cells": [], **kept}
    whole = KINDS[outcome.kind].ordered and not any(len(one) > 1 for one in shown.outcomes)
    estimates = _estimates(
        shown.strata,
        population=population,
        remarks=remarks,
        ordered=_ordered(outcome) and _ordered(group) and "groups_merged" not in remarks,
        scale_refusal=outcome.prefer_not if whole else None,
    )
    return {**common, **estimates}


def _about(
    crossing: Crossing,
    outcome: Question,
    group: Question,
    strata: Mapping[str, Counted],
    threshold: int,
) -> dict[str, Any]:
    """What is said of a table whether or not it is shown."""
    return {
        "id": crossing.table,
        "outcome": crossing.outcome,
        "group": crossing.group,
        "outcome_text": outcome.text,
        "group_text": group.text,
        "outcome_labels": list(outcome.categories),
        "group_labels": list(group.categories),
        "n": sum(stratum.n for stratum in strata.values() if stratum.n >= threshold),
        "withheld": sum(stratum.n for stratum in strata.values() if stratum.n < threshold),
        "strata": [{"stratum": name, "n": one.n} for name, one in strata.items()],
    }


def _ordered(question: Question) -> bool:
    """Whether the answers have scores: those of a scale, and no and yes; a refusal has none."""
    kind = KINDS[question.kind]
    return (kind.ordered or kind.opposites) and not question.prefer_not


def _margins_only(
    strata: Sequence[Counted], *, population: str, remarks: set[str]
) -> dict[str, Any]:
    """What is left of a table some of whose combinations are of too few people."""
    joint = _joint(strata, population, "inversion")
    notes = {"small_cells", *(note.code for note in joint.notes), *remarks}
    return {"margins": _margins(joint), "notes": sorted(notes)}


def _margins(joint: rr_engine.JointEstimate) -> dict[str, list[dict[str, Any]]]:
    return {"outcome": _margin(joint, OUTCOME), "group": _margin(joint, GROUP)}


def _estimates(
    strata: Sequence[Counted],
    *,
    population: str,
    remarks: set[str],
    ordered: bool,
    scale_refusal: bool | None = None,
) -> dict[str, Any]:
    """`scale_refusal`: of a scale, whether its last outcome is a refusal; None of other kinds."""
    joint = _joint(strata, population, "inversion")
    constrained = _joint(strata, population, "mle")
    within, remarks_within = within_groups(strata, joint, scale_refusal)
    notes = remarks_within | {note.code for note in (*joint.notes, *constrained.notes)}
    return {
        "cells": _cells(joint, constrained),
        "margins": _margins(joint),
        **within,
        "association": _association(joint, ordered=ordered),
        "independence": statistic(rr_engine.independence_test(joint)),
        "notes": sorted(notes | remarks),
    }


def _joint(strata: Sequence[Counted], population: str, method: str) -> rr_engine.JointEstimate:
    settings = {"method": method, "population": population}
    if len(strata) == 1:
        return rr_engine.estimate_joint(strata[0].designs, strata[0].counts, **settings)
    designs, counts = zip(*((one.designs, one.counts) for one in strata), strict=True)
    return rr_engine.estimate_joint_strata(designs, counts, **settings)


def _cells(
    joint: rr_engine.JointEstimate, constrained: rr_engine.JointEstimate
) -> list[list[dict[str, Any]]]:
    """Shares of everybody, one row for each group and one column for each outcome."""
    return [
        [
            {**share, "constrained": number(inside)}
            for share, inside in zip(row, constrained.proportions[:, group], strict=True)
        ]
        for group, row in enumerate(_grid(joint))
    ]


def _grid(joint: rr_engine.JointEstimate) -> list[list[dict[str, Any]]]:
    ends = joint.interval(LEVELS[0], method="default")
    outcomes, groups = joint.proportions.shape
    return [
        [
            _share(
                joint.proportions[outcome, group],
                joint.standard_errors[outcome, group],
                ends[outcome, group],
            )
            for outcome in range(outcomes)
        ]
        for group in range(groups)
    ]


def _margin(joint: rr_engine.JointEstimate, axis: int) -> list[dict[str, Any]]:
    margin = joint.margin(axis)
    ends = margin.interval(LEVELS[0], method="default")
    return [
        _share(*values)
        for values in zip(margin.proportions, margin.standard_errors, ends, strict=True)
    ]


def _share(value: float, error: float, ends: np.ndarray) -> dict[str, Any]:
    """A share that the reports cannot tell has no value, not a guess."""
    known = number(error) is not None
    return {
        "estimate": number(value) if known else None,
        "standard_error": number(error),
        "interval": numbers(ends),
    }


def _association(joint: rr_engine.JointEstimate, *, ordered: bool) -> dict[str, Any]:
    measures = dict(MEASURES)
    if joint.proportions.shape == (2, 2):
        measures["odds_ratio"] = rr_engine.odds_ratio
    if ordered:
        measures["pearson_correlation"] = rr_engine.pearson_correlation
    return {name: derived(measure(joint)) for name, measure in measures.items()}


MEASURES: dict[str, Callable[[rr_engine.JointEstimate], rr_engine.Derived]] = {
    "cramers_v": rr_engine.cramers_v,
    "mutual_information": rr_engine.mutual_information,
    "entropy": rr_engine.entropy,
    "chi_square": rr_engine.chi_square,
    "g_squared": rr_engine.g_squared,
}
