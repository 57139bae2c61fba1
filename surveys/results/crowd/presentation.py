"""A statistic of a crowd as localized texts for its page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import rr_engine
from surveys import numbers
from surveys.results.crowd.distribution import Crowd
from surveys.results.crowd.statistics import (
    ANSWERS,
    PREDICTORS,
    STATISTICS,
    WHERE,
    Chosen,
    condition_of,
    questions_of,
)
from surveys.results.findings.crowd import crowd_finding
from surveys.results.findings.finding import Finding
from surveys.results_document.parts import Share

LEVEL = 0.95
# Notes of the engine. That of independence by assumption has no text: no such statistic is shown.
NOTES: dict[str, Promise] = {
    "margins_not_met": gettext_lazy(
        "What was asked of different people about the same questions does not agree: the joint "
        "distribution meets it only nearly."
    ),
    "outside_bounds": gettext_lazy(
        "A value or the end of an interval lies outside what is possible. Scrambling adds chance, "
        "and taking its average out again can overshoot. It is shown as it is, because cutting it "
        "off would bias it."
    ),
    "small_group": gettext_lazy(
        "The share of those whom this is about is hardly above zero: almost nothing can be said "
        "about them."
    ),
    "undefined": gettext_lazy(
        "Some of it has no value: nobody is estimated to have given these answers, or all gave the "
        "same."
    ),
}


@dataclass(frozen=True, slots=True)
class ValueRow:
    label: str
    value: str
    interval: str
    synthetic: str


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A row of a conditional table: the shares of all answers within one group."""

    label: str
    cells: list[ValueRow]


@dataclass(frozen=True, slots=True)
class StatisticView:
    """`fitted`: how many questions it relates, where their joint distribution is fitted to pairs
    of them; else empty. `repetitions` is empty where nothing was simulated.
    """

    title: str
    among: list[str]
    rows: list[ValueRow]
    outcomes: Sequence[str]
    groups: list[GroupRow]
    unit: str
    fitted: str
    notes: list[str]
    n: str
    repetitions: str
    seed: str
    finding: Finding | None


def statistic_view(
    crowd: Crowd, name: str, chosen: Chosen, found: rr_engine.crowd.ComputedStatistic
) -> StatisticView:
    codes = {note.code for note in found.notes}
    rows = _rows(crowd, name, chosen, found)
    groups: list[GroupRow] = []
    outcomes: Sequence[str] = ()
    if name == "table":
        outcomes = crowd.labels(chosen["outcome"])
        groups = _groups(crowd.labels(chosen["given"]), rows)
    return StatisticView(
        title=_title(crowd, name, chosen),
        among=_conditions(crowd, condition_of(chosen, WHERE)),
        rows=[] if groups else rows,
        outcomes=outcomes,
        groups=groups,
        unit=_unit(crowd, name, chosen),
        fitted=_fitted(crowd, chosen),
        notes=[str(text) for code, text in NOTES.items() if code in codes],
        n=numbers.count(found.n),
        repetitions=numbers.count(found.repetitions) if found.repetitions else "",
        seed=str(found.seed),
        finding=crowd_finding(
            list(zip(_labels(crowd, name, chosen, found), *_columns(found), strict=True)),
            in_percent=STATISTICS[name].in_percent,
            groups=crowd.labels(chosen["given"]) if groups else (),
            outcomes=outcomes,
            unit=_unit(crowd, name, chosen),
        ),
    )


def _columns(found: rr_engine.crowd.ComputedStatistic) -> Iterator[list[Any]]:
    """The values, their errors and their intervals; None for what is not known."""
    yield list(map(_known, found.values))
    yield list(map(_known, found.standard_errors))
    yield [tuple(map(_known, ends)) for ends in found.interval(LEVEL)]


def _fitted(crowd: Crowd, chosen: Chosen) -> str:
    """How many questions are related by pairs of them alone; empty where a table holds them all.

    A device that covers several of them has such a table.
    """
    names = questions_of(chosen)
    clusters = crowd.distribution.components if crowd.distribution else ()
    held = any(names <= set(each.names) for part in clusters for each in part.clusters)
    return "" if len(names) < 3 or held else numbers.count(len(names))


def _rows(
    crowd: Crowd, name: str, chosen: Chosen, found: rr_engine.crowd.ComputedStatistic
) -> list[ValueRow]:
    """A row for each value, with the digits that its error allows."""
    in_percent = STATISTICS[name].in_percent
    labels = _labels(crowd, name, chosen, found)
    columns = (found.values, found.fitted, found.interval(LEVEL), found.standard_errors)
    rows = []
    for label, value, fitted, ends, error in zip(labels, *columns, strict=True):
        rows.append(_row(label, value, fitted, ends, None if in_percent else error))
    return rows


def _row(
    label: str, value: float, fitted: float, ends: np.ndarray, error: float | None
) -> ValueRow:
    estimate, synthetic = (_known(number) for number in (value, fitted))
    low, high = map(_known, ends)
    interval = (low, high)
    if error is None:
        digits = numbers.digits_for(interval)
        share = Share(estimate=estimate, standard_error=None, interval=interval)
        return ValueRow(
            label, *numbers.share_texts(share, digits), numbers.percent(synthetic, digits)
        )
    digits = numbers.digits_of_error(_known(error))
    return ValueRow(
        label,
        numbers.fixed_decimals(estimate, digits),
        numbers.span(interval, digits),
        numbers.fixed_decimals(synthetic, digits),
    )


def _known(number: float) -> float | None:
    return float(number) if isfinite(number) else None


def _groups(labels: Sequence[str], rows: Sequence[ValueRow]) -> list[GroupRow]:
    size = len(rows) // len(labels)
    return [
        GroupRow(label, list(rows[place * size : (place + 1) * size]))
        for place, label in enumerate(labels)
    ]


def _labels(
    crowd: Crowd, name: str, chosen: Chosen, found: rr_engine.crowd.ComputedStatistic
) -> list[str]:
    """Return what each value is of: intercept and predictors of a regression, else the whole."""
    if name == "regression":
        asked = [chosen[field] for field in PREDICTORS if field in chosen]
        return [_("Intercept"), *(crowd.question(question).text for question in asked)]
    if len(found.values) > 1:
        return list(found.labels)
    return [str(STATISTICS[name].label)]


def _title(crowd: Crowd, name: str, chosen: Chosen) -> str:
    """The statistic and the questions it is about."""
    if name == "share":
        return " · ".join(_conditions(crowd, condition_of(chosen, ANSWERS)))
    fields = ("question", "second", "outcome", "given")
    texts = [crowd.question(chosen[field]).text for field in fields if field in chosen]
    return " · ".join(texts)


def _conditions(crowd: Crowd, condition: Mapping[str, Sequence[int]]) -> list[str]:
    """Each question of a condition with the answers that are meant."""
    sentences = []
    for name, indices in condition.items():
        question = crowd.question(name)
        labels = crowd.labels(name)
        answers = numbers.either([labels[index] for index in dict.fromkeys(indices)])
        sentences.append(f"{question.text} {answers}")
    return sentences


def _unit(crowd: Crowd, name: str, chosen: Chosen) -> str:
    """The unit of a mean or quantile."""
    if name not in ("mean", "quantile"):
        return ""
    scale = crowd.question(chosen["question"]).scale
    return scale.unit if scale else ""
