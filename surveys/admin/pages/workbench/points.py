"""One design of a search, beside the question's other devices, and whether it can be adopted."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from math import prod
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.figures.search_words import (
    Point,
    Row,
    gap_words,
    margin_words,
    points_of,
    privacy_words,
)
from surveys.admin.figures.searches import MOST_ROWS
from surveys.authoring.planning.mechanism_accuracy import accuracy
from surveys.devices import FAMILIES, draft_channel
from surveys.devices.registry import SEARCHED
from surveys.drafts import Draft
from surveys.engine_words import EngineError
from surveys.kinds import categories
from surveys.models import DesignSearch, Question
from surveys.parameters.exact import report_codes


def detail_of(search: DesignSearch, question: Question, point: Point) -> dict[str, Any]:
    """The part of the page about a chosen design."""
    matrix = point.row["matrix"]
    points = [point, *devices_of(search, question)]
    return {
        "point": point,
        "columns": [column.label for column in points],
        "rows": _facts(search.content, points),
        "labels": search.request["labels"],
        "matrix": [
            {"code": code, "cells": [numbers.out_of_100(entry) for entry in row]}
            for code, row in zip(report_codes(len(matrix)), matrix, strict=True)
        ],
        "drawable": len(matrix) <= MOST_ROWS,
        "obstacle": adoption_obstacle(search, question, point),
        "epsilon": _epsilon_text(search),
    }


def _epsilon_text(search: DesignSearch) -> str:
    epsilon = search.request["epsilon"]
    return numbers.decimal(epsilon) if epsilon else ""


def devices_of(search: DesignSearch, question: Question) -> list[Point]:
    """The other devices at the epsilon that was asked for, with margin and number of reports."""
    epsilon, prior = search.request["epsilon"], list(map(float, search.request["prior"]))
    devices = [point for point in points_of(search.content) if not point.method]
    if len(categories(question)) != len(prior):
        return devices
    former_values = question.epsilon, question.randomized, question.design
    question.epsilon, question.randomized = Decimal(epsilon or 1), True
    try:
        return [_with_measures(point, question, prior, search.request["n"]) for point in devices]
    finally:
        question.epsilon, question.randomized, question.design = former_values


def _with_measures(point: Point, question: Question, prior: Sequence[float], n: int) -> Point:
    question.design = point.row["name"]
    try:
        channel = draft_channel(question)
    except EngineError:
        return point
    margin = accuracy(channel, [prior], n, question.known_epsilon).margin
    measures = {"margin": margin, "reports": prod(channel.report_shape)}
    return replace(point, row={**measures, **point.row})


def _facts(content: Row, points: Sequence[Point]) -> list[dict[str, Any]]:
    """Rows of the comparison: the name of a measure, and its value for every design."""
    facts: list[tuple[str, Callable[[Point], str]]] = [
        (_("Best guess of an answer is wrong"), lambda p: numbers.percent(p.row["privacy"])),
        (_("Strongest belief after a report"), lambda p: numbers.percent(p.row["worst_posterior"])),
        (_("Epsilon"), lambda p: numbers.epsilon_rounded_up(p.row["epsilon"])),
        (_("Margin of the least certain share"), lambda p: margin_words(p.row)),
        (_("Mean squared error"), lambda p: numbers.two_digits(p.row["mse"])),
        (_("Above the certified bound by"), lambda p: _gap(content, p)),
        (_("Different reports"), _reports),
    ]
    return [{"name": name, "cells": [value(point) for point in points]} for name, value in facts]


def _reports(point: Point) -> str:
    return numbers.UNKNOWN if point.reports is None else numbers.count(point.reports)


def _gap(content: Row, point: Point) -> str:
    if point.method:
        return gap_words(point.row["gap"])
    if not point.row["feasible"]:
        return _("breaks a bound of this search")
    # The bound rises with privacy, so the bound at the next lower level holds for this device.
    errors = [
        bound["mse"] for bound in content["bound"] if bound["privacy"] <= point.row["privacy"]
    ]
    if not errors or point.row["mse"] is None:
        return numbers.UNKNOWN
    return _("%s at most") % gap_words(max(0.0, point.row["mse"] / max(errors) - 1))


def adoption_obstacle(search: DesignSearch, question: Question, point: Point) -> str:
    """Why this design cannot be adopted now; empty if it can. The service checks it again."""
    epsilon = point.row["epsilon"]
    if not question.survey.is_draft:
        return _("The survey has been launched: its devices are frozen.")
    if epsilon is None:
        return _(
            "Some of its reports rule an answer out: its epsilon is infinite, so it cannot be "
            "asked. Search again with a bound on epsilon."
        )
    if epsilon > float(settings.EPSILON_CAP):
        message = _(
            "This site allows an epsilon of %s at most. Search again with a bound on epsilon."
        )
        return message % numbers.decimal(settings.EPSILON_CAP)
    answers, searched = len(categories(question)), len(search.request["prior"])
    if answers != searched:
        message = _("The question has %(now)s answers now; this search was for %(then)s.")
        return message % {"now": answers, "then": searched}
    if not search.is_finished:
        return _("Wait until the search has ended, or stop it.")
    return ""


def device_words(question: Question) -> str:
    """Return the name of the question's device with its epsilon."""
    epsilon = numbers.decimal(question.epsilon) if question.epsilon else numbers.UNKNOWN
    draft = Draft.of(question)
    if SEARCHED.is_chosen(draft) and SEARCHED.fits(draft):
        return searched_name(float(question.design_parameters["search"]["privacy"]), epsilon)
    return _device(question.design, epsilon)


def _device(name: str, epsilon: str) -> str:
    label = FAMILIES[name].label if name in FAMILIES else name
    return _("%(device)s, epsilon %(epsilon)s") % {"device": label, "epsilon": epsilon}


def searched_name(privacy: float, epsilon: str) -> str:
    """A name that distinguishes one searched table from another."""
    text = _("%(device)s, best guess wrong %(privacy)s")
    return text % {"device": _device(SEARCHED.name, epsilon), "privacy": privacy_words(privacy)}
