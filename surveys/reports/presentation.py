"""A release -> what templates show: localized texts only, the same for the page and the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from surveys.kinds import KINDS
from surveys.reports import numbers
from surveys.reports.notes import note_texts
from surveys.reports.release import Release


@dataclass(frozen=True, slots=True)
class CategoryRow:
    label: str
    estimate: str
    outside: bool  # below 0 or above 1: shown as it is, and marked
    interval: str
    standard_error: str
    constrained: str
    reported: str
    reported_share: str
    truth: str | None


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """What one report has of chance from each true answer."""

    report: str
    shares: list[str]
    integers: list[int]


@dataclass(frozen=True, slots=True)
class QuestionView:
    key: str  # "device/stratum", by which figures are found
    anchor: str
    name: str
    text: str
    kind: str
    randomized: bool
    epsilon: str | None
    n: str
    as_good_as: str | None
    rows: list[CategoryRow]
    has_truth: bool
    notes: list[str]
    labels: list[str]
    matrix: list[MatrixRow]
    denominator: int
    device: str


def question_views(release: Release) -> list[QuestionView]:
    truths = release.launch.survey.simulated_truth or {}
    questions = release.content["questions"] if release.content else []
    return [_question(question, truths.get(question["id"])) for question in questions]


def _question(question: Mapping[str, Any], truth: Sequence[float] | None) -> QuestionView:
    rows = question["categories"]
    shares: Sequence[float | None] = truth or [None] * len(rows)
    digits = numbers.common_digits(rows)
    return QuestionView(
        key=f"{question['device']}/{question['stratum']}",
        anchor=f"{question['device']}-{question['stratum']}",
        name=question["id"],
        text=question["text"],
        kind=str(KINDS[question["kind"]].label) if question["kind"] in KINDS else question["kind"],
        randomized=question["randomized"],
        epsilon=numbers.decimal(question["epsilon"]) if question["epsilon"] else None,
        n=numbers.count(question["n"]),
        as_good_as=_as_good_as(question),
        rows=[_row(row, share, digits) for row, share in zip(rows, shares, strict=bool(rows))],
        has_truth=bool(rows) and truth is not None,
        notes=note_texts(question["notes"]),
        labels=question["labels"],
        matrix=_matrix(question),
        denominator=question["denominator"],
        device=DEVICES.get(question["design"], lambda: question["design"])(),
    )


def _row(row: Mapping[str, Any], truth: float | None, digits: int) -> CategoryRow:
    return CategoryRow(
        label=row["label"],
        estimate=numbers.percent(row["estimate"], digits),
        outside=row["estimate"] is not None and not 0 <= row["estimate"] <= 1,
        interval=numbers.span(row["interval"], digits),
        standard_error=numbers.points(row["standard_error"], digits),
        constrained=numbers.percent(row["constrained"], digits),
        reported=numbers.count(row["reported"]),
        reported_share=numbers.percent(row["reported_share"], 1),
        truth=None if truth is None else numbers.percent(truth, 1),
    )


def _matrix(question: Mapping[str, Any]) -> list[MatrixRow]:
    """Rows are reports and columns true answers, as in P[u, v]; a column sums to 100 %."""
    denominator = question["denominator"]
    rows = zip(*question["columns"], strict=True)
    return [
        MatrixRow(
            report=report,
            shares=[numbers.percent(number / denominator, 2) for number in integers],
            integers=list(integers),
        )
        for report, integers in zip(question["reports"], rows, strict=True)
    ]


def _as_good_as(question: Mapping[str, Any]) -> str | None:
    """Direct answers of the same precision; said only where scrambling has a cost."""
    size = question.get("effective_n")
    if size is None or not question["randomized"]:
        return None
    return numbers.count(max(1, round(size)))


DEVICES = {
    "k_rr": lambda: _("Chance keeps the answer or picks another, all others equally likely."),
    "direct": lambda: _("The answer is sent as it is."),
}
