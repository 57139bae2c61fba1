"""The findings of control items: how many respondents do not follow the device.

It rests on the released counts that the items' own estimates rest on, and on nobody else's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

import rr_engine
from surveys.features.control_items.presentation import ControlView, control_view
from surveys.features.control_items.results_section import KEY, ControlFound, Corrected
from surveys.features.control_items.section import control_items, known_share
from surveys.features.parts import ResultsPart
from surveys.kinds.estimates import LEVELS, codes, ends, number
from surveys.kinds.estimation_inputs import Input
from surveys.parameters import PAGE, Parameters, Question, Table
from surveys.results.launch_strata import Source, released_strata, strata_of
from surveys.results_document.parts import ABSENT
from surveys.results_document.questions import QuestionResults

# If more people than this may not follow the device, its reports tell nothing of other questions.
MOST_ASTRAY = 0.9
YES = 1


@dataclass(frozen=True, slots=True, eq=False)
class PageReports:
    """The counts of all released reports that one table of the page has drawn on a question."""

    question: Question
    table: Table
    design: rr_engine.channels.Channel
    counts: npt.NDArray[np.int64]


class ControlItemsInResults(ResultsPart):
    question_sections = {KEY: ControlFound | None}

    def of_question(
        self,
        found: QuestionResults,
        question: Question,
        parameters: Parameters,
        sources: Sequence[Source],
    ) -> QuestionResults:
        if known_share(question) is None:
            return found
        controls = control_results(parameters, sources)
        return replace(found, control=controls.get(question.id, ABSENT))

    def question_context(
        self,
        question: QuestionResults,
        others: Mapping[str, QuestionResults],
        parameters: Parameters,
    ) -> ControlView | None:
        return control_view(question, others, parameters)


def control_results(
    parameters: Parameters, sources: Sequence[Source]
) -> dict[str, ControlFound | None]:
    """Return what each control item found, by its id; nothing of one without released reports."""
    items = {item.id for item in control_items(parameters)}
    if not items:
        return {}
    reports = [
        counted
        for question in parameters.questions
        if question.randomized
        and (counted := _page_reports(question, parameters.release_threshold, sources))
    ]
    others = [each for each in reports if each.question.id not in items]
    return {each.question.id: _entry(each, others) for each in reports if each.question.id in items}


def _page_reports(
    question: Question, threshold: int, sources: Sequence[Source]
) -> PageReports | None:
    """Return the reports of its first table: other devices may be followed better or worse."""
    strata = released_strata(strata_of(question, *sources), threshold)
    inputs = [stratum.inputs[0] for stratum in strata if stratum.name == PAGE]
    if not inputs or len(strata[0].inputs) > 1:
        return None
    first: Input = inputs[0]
    same = [each.counts for each in inputs if each.device.table == first.device.table]
    return PageReports(question, first.device.table, first.design, np.sum(same, axis=0))


def _entry(item: PageReports, others: Sequence[PageReports]) -> ControlFound | None:
    """Return the results of an item; None where the reports cannot tell."""
    known = float(known_share(item.question) or 0)
    try:
        check = rr_engine.compliance.anchor_check(item.design, item.counts, known, level=LEVELS[0])
        same = [other for other in others if other.table == item.table]
        tells = check.interval[1] <= MOST_ASTRAY
        corrected = tuple(_corrected(other, check) for other in same if tells)
    except rr_engine.EngineError:
        return None
    return ControlFound(
        known=known,
        n=int(item.design.people(item.counts)),
        share=number(check.share),
        standard_error=number(check.standard_error),
        interval=ends(check.interval),
        maximum_likelihood=number(check.maximum_likelihood),
        statistic=number(check.statistic),
        p_value=float(check.p_value),
        notes=codes(check.notes),
        corrected=corrected,
    )


def _corrected(other: PageReports, check: rr_engine.compliance.AnchorCheck) -> Corrected:
    """The share of the second answer if as many did not follow the device on this question.

    The interval is that of all shares astray in the interval of the control item, put together.
    """
    astray = [check.interval[0], check.maximum_likelihood, check.interval[1]]
    bounds = rr_engine.compliance.inattention_bounds(
        other.design, other.counts, astray, category=YES, level=LEVELS[0]
    )
    return Corrected(
        question=other.question.id,
        estimate=number(bounds.prevalences[1]),
        interval=ends(bounds.interval),
    )
