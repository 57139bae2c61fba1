"""Stored configuration -> an engine design.

In a draft the table DESIGNS turns a question's settings into a design. After launch the frozen
integers speak and nothing else.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

import rr_engine
from surveys.kinds import categories
from surveys.wire import DEFAULT_STRATUM

if TYPE_CHECKING:
    from surveys.models import Question


def _k_rr(labels: list[str], question: "Question") -> rr_engine.DesignMatrix:
    return rr_engine.k_rr(labels, epsilon_text(question.epsilon)).quantized()


DESIGNS: dict[str, Callable[[list[str], "Question"], rr_engine.DesignMatrix]] = {"k_rr": _k_rr}
DIRECT = "direct"


def draft_design(question: "Question") -> rr_engine.DesignMatrix:
    """The exact integer design that this question would be launched with."""
    labels = categories(question)
    if not question.randomized:
        return rr_engine.direct(labels)
    return DESIGNS[question.design](labels, question)


def devices_of(questions: Iterable["Question"]) -> list[dict[str, Any]]:
    """The devices of a parameters document, in the order of the questions."""
    return [_device(question) for question in questions]


def frozen_design(device: Mapping[str, Any], labels: list[str]) -> rr_engine.DesignMatrix:
    """The design that a launched device is: its integers, reports along the first axis."""
    if device["design"] == DIRECT:
        return rr_engine.direct(labels)
    integers = [list(row) for row in zip(*device["columns"], strict=True)]
    return rr_engine.DesignMatrix.from_integers(integers, device["denominator"], categories=labels)


def question_epsilon_total(questions: Iterable["Question"]) -> Decimal:
    """What these questions together may reveal about one person (sum over the devices)."""
    events = [
        rr_engine.Randomized(epsilon_text(question.epsilon))
        for question in questions
        if question.randomized and question.epsilon
    ]
    return Decimal(str(rr_engine.total_epsilon(rr_engine.Composition(events))))


def report_codes(count: int) -> list[str]:
    """Neutral names of the reports: A, B, ..., Z, AA, AB, ...; never an answer's label."""
    letters = ascii_uppercase
    return [
        letters[index] if index < 26 else letters[index // 26 - 1] + letters[index % 26]
        for index in range(count)
    ]


def epsilon_text(epsilon: Decimal) -> str:
    """1.1000 -> "1.1": the shortest decimal string, which is what the digest covers."""
    return format(epsilon.normalize(), "f")


def _device(question: "Question") -> dict[str, Any]:
    design = draft_design(question)
    return {
        "id": question.name,
        "questions": [question.name],
        "stratum": DEFAULT_STRATUM,
        "design": question.design if question.randomized else DIRECT,
        "reports": report_codes(design.integers.shape[0]),
        "denominator": int(design.denominator),
        "columns": design.integers.T.tolist(),
        "epsilon": epsilon_text(question.epsilon) if question.randomized else None,
    }
