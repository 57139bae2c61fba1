"""A group on the author's page: what it is, what stands against it, and what it is good for."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import rr_engine
from surveys import numbers
from surveys.authoring.panel.number_words import WIDE
from surveys.devices.joint import BITS, family_of_sizes
from surveys.drafts import Draft
from surveys.features.groups.allowed import (
    Group,
    combinations_text,
    group_problems,
    groups_in,
    thin_words,
    too_many_words,
)
from surveys.models import Question
from surveys.parameters.budget import text_of

# The ways to spend one epsilon on several questions, by their names in the engine.
WAYS = {
    "independent": gettext_lazy("A device for each question, with an equal part of the epsilon"),
    "changes": gettext_lazy("One draw: the more answers changed, the less likely"),
    "uniform": gettext_lazy("One draw: all other combinations equally likely"),
    "subsets": gettext_lazy(
        "Several combinations named by each report, which only the library offers"
    ),
}
TARGETS = {
    "margins": gettext_lazy("Each answer"),
    "pairs": gettext_lazy("Pairs of answers"),
    "table": gettext_lazy("All combinations"),
}
# The targets within a sentence.
_FOR = {
    "margins": gettext_lazy("each answer alone"),
    "pairs": gettext_lazy("pairs of answers"),
    "table": gettext_lazy("all combinations"),
}


@dataclass(frozen=True, slots=True)
class WayCell:
    margin: str
    best: bool


@dataclass(frozen=True, slots=True)
class WayRow:
    """One way; `used` marks that of the group."""

    label: str
    used: bool
    cells: list[WayCell]


@dataclass(frozen=True, slots=True)
class GroupPanel:
    """`place`: that of its first question among all, from 0 on. `problems` stop a launch, `warning`
    does not; without rows the ways cannot be compared.

    `pending`: there was no time to compare them.
    """

    number: int
    place: int
    label: str
    problems: list[str]
    warning: str
    columns: list[str]
    rows: list[WayRow]
    sentence: str
    pending: bool


def group_panels(
    questions: Sequence[Question], planned_n: int, deadline: float
) -> list[GroupPanel]:
    """The groups of a draft, whose questions are in their order and know their groups.

    After the deadline, a time of `time.monotonic`, no further group is compared; the first always
    is. What was computed is remembered for the next try.
    """
    problems: dict[int | None, list[str]] = {}
    for problem in group_problems(questions):
        place = _("Question %s") % numbers.count(problem.index + 1)
        text = f"{place}: {problem.message}"
        problems.setdefault(questions[problem.index].group, []).append(text)
    panels: list[GroupPanel] = []
    for group in groups_in(questions):
        is_late = bool(panels) and time.monotonic() > deadline
        panels.append(_panel(group, problems.get(group.number, []), planned_n, is_late))
    return panels


def group_label(group: Group) -> str:
    """Return which questions are sent together, and with which epsilon."""
    values = {
        "group": numbers.count(group.number),
        "questions": numbers.places(group.places),
        "epsilon": numbers.decimal(group.epsilon),
        "cells": combinations_text(group.sizes) if group.has_sizes else "",
    }
    head = (
        ngettext(
            "Group %(group)s: question %(questions)s",
            "Group %(group)s: questions %(questions)s",
            len(group.places),
        )
        % values
    )
    parts = [head, _("ε %(epsilon)s together") % values]
    if group.has_sizes:
        parts.append(_("%(cells)s combinations of answers") % values)
    return ", ".join(parts)


def report_words(draft: Draft) -> str:
    """Return the note on a report that answers several questions; empty for one question's own."""
    if draft.membership is None:
        return ""
    text = _(
        "One report answers for all %(count)s questions of the group. What it can reveal about "
        "this answer is the epsilon of the group, %(epsilon)s; the other figures are those of this "
        "question's part of the report."
    )
    return text % {
        "count": numbers.count(len(draft.membership.sizes)),
        "epsilon": numbers.decimal(draft.membership.epsilon),
    }


def _panel(group: Group, problems: list[str], planned_n: int, is_late: bool) -> GroupPanel:
    is_known = all(question.membership is not None for question in group.questions)
    too_many = too_many_words(group, planned_n) if is_known else ""
    warning = thin_words(group, planned_n) if is_known and not too_many else ""
    # The author of a group that cannot be launched must change its size first.
    is_compared = is_known and not too_many
    is_pending = is_compared and is_late
    ways = _ways(group.sizes, group.epsilon, planned_n) if is_compared and not is_late else ()
    targets = [target for target in TARGETS if target != "pairs" or len(group.places) > 2]
    used = family_of_sizes(group.sizes, group.epsilon).form if ways else ""
    return GroupPanel(
        number=group.number,
        place=group.places[0],
        label=group_label(group),
        problems=[*problems, *([too_many] if too_many else [])],
        warning=warning,
        columns=[str(TARGETS[target]) for target in targets] if ways else [],
        rows=[_row(way, targets, used) for way in ways],
        sentence=_sentence(ways, targets, used),
        pending=is_pending,
    )


@lru_cache(maxsize=256)
def _ways(
    sizes: tuple[int, ...], epsilon: Decimal, n: int
) -> tuple[rr_engine.spending.JointWay, ...]:
    """Ways to spend this epsilon; none where there is no device."""
    try:
        return tuple(rr_engine.spending.compare_joint(sizes, text_of(epsilon), n, bits=BITS))
    except rr_engine.EngineError:
        return ()


def _row(way: rr_engine.spending.JointWay, targets: Sequence[str], used: str) -> WayRow:
    cells = [
        WayCell(numbers.margin(WIDE * getattr(way, target)), target in way.best_for)
        for target in targets
    ]
    return WayRow(str(WAYS[way.way]), way.way == used, cells)


def _sentence(
    ways: Sequence[rr_engine.spending.JointWay], targets: Sequence[str], used: str
) -> str:
    """Return for what separate devices are more precise, and for what the group is."""
    by_name = {way.way: way for way in ways}
    apart, together = by_name.get("independent"), by_name.get(used)
    if apart is None or together is None:
        return ""
    better = {target: getattr(together, target) < getattr(apart, target) for target in targets}
    values = {
        "count": numbers.count(len(apart.questions)),
        "apart": _listed([target for target in targets if not better[target]]),
        "together": _listed([target for target in targets if better[target]]),
    }
    if all(better.values()):
        return _("The group is more precise than %(count)s separate devices throughout.") % values
    if not any(better.values()):
        message = _(
            "For %(apart)s, %(count)s separate devices would be more precise: ask these questions "
            "on their own."
        )
        return message % values
    message = _(
        "For %(apart)s, %(count)s separate devices would be more precise; for %(together)s, the "
        "group."
    )
    return message % values


def _listed(targets: Sequence[str]) -> str:
    *first, last = (str(_FOR[target]) for target in targets) if targets else ("",)
    return (
        _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last
    )
