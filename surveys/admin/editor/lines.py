"""The questions of a draft as a list: one line for each, with its protection and its margin."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.draft_merge import is_unfinished
from surveys.authoring.features import selection_of
from surveys.authoring.panel.number_words import margin_words
from surveys.authoring.panel.words import budget_of
from surveys.authoring.planning.figures import focal_margin
from surveys.authoring.strengths import strength_label
from surveys.drafts import Draft
from surveys.features import FEATURES
from surveys.kinds import KINDS, kind_of
from surveys.models import Question, Survey
from surveys.services.editing import shown_text

# After this time the page is shown with the margins that are known; it asks for the others.
SECONDS = 0.5


@dataclass(slots=True)
class Line:
    """`margin`: None while it is being computed. `words`: of features, a few each."""

    question: Question
    number: int
    text: str
    kind: str
    protection: str
    margin: str | None
    is_unfinished: bool
    problems: list[str] = field(default_factory=list)
    above: list[tuple[str, Any]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    group: int | None = None
    is_last_of_group: bool = False


@dataclass(slots=True)
class Overview:
    """All lines, and what the questions mean together; `pending`: some figures are missing."""

    lines: list[Line]
    budget: Mapping[str, Any] | None
    plan: str
    pending: bool


def overview_of(survey: Survey, questions: Sequence[Question], findings: list[Finding]) -> Overview:
    """`questions`: all of the draft, each with what it must know of those that share its draw."""
    deadline = time.monotonic() + SECONDS
    problems: dict[str | None, list[str]] = {}
    for finding in findings:
        if finding.blocks:
            problems.setdefault(finding.question, []).append(finding.message)
    lines, pending = [], False
    for number, question in enumerate(questions, 1):
        is_late = time.monotonic() > deadline
        pending = pending or is_late
        line = _line(number, question, survey, is_late=is_late)
        line.problems = problems.get(question.name, [])
        lines.append(line)
    for feature in FEATURES.values():
        if feature.desk.head_template:
            for line in lines:
                if (head := feature.desk.head_of(line.question)) is not None:
                    line.above.append((feature.desk.head_template, head))
        panels = feature.author.panels_above(questions, survey.planned_n, deadline)
        for panel in panels:
            pending = pending or panel.pending
            lines[panel.place].above.append((feature.desk.above_template, panel))
    for place, line in enumerate(lines):
        following = lines[place + 1 : place + 2]
        line.is_last_of_group = not following or following[0].group != line.group
    spending = [each for each in questions if each.randomized and each.epsilon]
    selection = selection_of(survey)
    return Overview(
        lines,
        budget_of(questions=spending, budget=Decimal(survey.budget), selection=selection),
        selection.plan(spending, survey.planned_n) if selection else "",
        pending,
    )


def _line(number: int, question: Question, survey: Survey, *, is_late: bool) -> Line:
    kind = KINDS.get(question.kind)
    return Line(
        question=question,
        number=number,
        text=shown_text(question) or _("No text yet"),
        kind=str(kind.label) if kind else question.kind,
        protection=_protection(question),
        margin=None if is_late else _margin(question, survey.planned_n),
        is_unfinished=is_unfinished(question.typed),
        words=[words for each in FEATURES.values() if (words := each.desk.line_words(question))],
        group=question.group,
    )


def _protection(question: Question) -> str:
    if not question.randomized:
        return _("Sent as it is")
    if not question.epsilon:
        return ""
    return str(strength_label(question.epsilon))


def _margin(question: Question, planned_n: int) -> str:
    """Return how well its share will be known; empty where there is no such number."""
    if not question.randomized or question.kind not in KINDS:
        return ""
    kind = kind_of(question)
    if not kind.has_margin or not kind.is_complete(question):
        return ""
    margin = focal_margin(Draft.of(question), planned_n)
    return "" if margin is None else margin_words(Draft.of(question), margin)
