"""The parts of a search's page that change while it runs."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from django.utils.translation import get_language

from surveys import numbers
from surveys.admin.figures.search_words import (
    METHOD_LABELS,
    Point,
    Row,
    gap_words,
    margin_words,
    note_words,
    numbered_options,
    privacy_words,
    stage,
    state_words,
)
from surveys.admin.pages.workbench.findings import findings_of
from surveys.admin.pages.workbench.searches import search_row
from surveys.models import DesignSearch, Question
from surveys.services.searches import obstacle_of


def live_context(
    search: DesignSearch, question: Question, points: Sequence[Point]
) -> dict[str, Any]:
    state, next_step = state_words(search)
    return {
        "question": question,
        "search": search,
        "row": search_row(search),
        "findings": findings_of(search, question, points),
        "state_words": state,
        "next_step": next_step,
        "stage": stage(search),
        "progress_shown": numbers.percent(int(100 * search.progress) / 100),
        "can_start": not obstacle_of(question),
        "methods": _methods(search, points),
        "groups": _groups(points),
        "in_line": _in_line(points, search.request),
    }


def stamp_of(search: DesignSearch) -> str:
    """A hash of everything on the page except the progress, and of the reader's language."""
    front = search.content.get("fronts", {})
    parts = [search.state, search.stop_requested, search.message, get_language()]
    parts += [
        (name, state["steps"], state["finished"], state["hypervolume"])
        for name, state in front.items()
    ]
    parts += [len(search.content.get("bound", ())), search.content.get("notes")]
    return sha256(repr(parts).encode()).hexdigest()[:16]


def announcement(search: DesignSearch) -> str:
    """The text for a screen reader, which changes with the state and at every quarter."""
    state = state_words(search)[0]
    quarter = int(4 * search.progress)
    if search.is_finished or not quarter:
        return state
    return f"{state} {numbers.percent(quarter / 4)}"


def _in_line(points: Sequence[Point], request: Row) -> bool:
    """Whether the bounds are so strict that every design is as private as no report at all."""
    largest = 1 - max(map(float, request["prior"]))
    privacies = [point.row["privacy"] for point in points if point.method]
    return bool(privacies) and min(privacies) > largest - 5e-4


def _methods(search: DesignSearch, points: Sequence[Point]) -> list[dict[str, Any]]:
    """One row for each method that was asked for."""
    content, counts = search.content, Counter(point.method for point in points)
    return [
        {
            "label": METHOD_LABELS[method],
            "note": note_words(content.get("notes", {}).get(method, "")),
            **_front(content.get("fronts", {}).get(method)),
            "count": counts[method],
        }
        for method in search.request["methods"]
    ]


def _front(front: Row | None) -> dict[str, Any]:
    if front is None:
        return dict.fromkeys(("done", "area", "best", "seconds"), numbers.UNKNOWN)
    gaps = [member["gap"] for member in front["members"]]
    return {
        "done": numbers.percent(front["finished"]),
        "area": numbers.fixed_decimals(front["hypervolume"], 4),
        "best": gap_words(min(gaps, default=None)),
        "seconds": numbers.fixed_decimals(front["seconds"], 1),
    }


def _groups(points: Sequence[Point]) -> list[dict[str, Any]]:
    """The points to choose from, by method."""
    return [
        {"label": label, "method": method, "options": _options(members)}
        for method, label in METHOD_LABELS.items()
        if (members := [point for point in points if point.method == method])
    ]


def _options(points: Sequence[Point]) -> list[dict[str, Any]]:
    return [
        {
            "key": point.key,
            "words": words,
            "privacy": privacy_words(point.row["privacy"]),
            "cells": _cells(point),
        }
        for point, words in zip(points, numbered_options(points), strict=True)
    ]


def _cells(point: Point) -> list[str]:
    row = point.row
    return [
        numbers.percent(row["worst_posterior"]),
        numbers.epsilon_rounded_up(row["epsilon"]),
        margin_words(row),
        gap_words(row["gap"]),
        numbers.UNKNOWN if point.reports is None else numbers.count(point.reports),
    ]
