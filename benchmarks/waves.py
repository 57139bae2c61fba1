"""Accepted submissions a second of people who come back, against those who come first, in turns."""

from statistics import median
from typing import Any

from benchmarks.submit import load, order
from surveys.features.return_codes.section import new_code
from tests.system.stack import Stack

PEOPLE = 800


def measure(stack: Stack, effort: Any) -> dict[str, Any]:
    """In each round the same people answer the first wave of a survey and then its second one."""
    rounds = [_round(stack, f"waves-{number}") for number in range(effort.rounds + 1)][1:]
    return {
        "first_per_second": median(first["per_second"] for first, _ in rounds),
        "second_per_second": median(second["per_second"] for _, second in rounds),
        "ratio": median(second["per_second"] / first["per_second"] for first, second in rounds),
        "statuses": [run["statuses"] for both in rounds for run in both],
    }


def _round(stack: Stack, slug: str) -> tuple[dict[str, Any], dict[str, Any]]:
    codes = [new_code() for _ in range(PEOPLE)]
    first = _answer(stack, stack.ledger("coded", slug), codes)
    second = _answer(stack, stack.ledger("next_wave", slug, "q1", "2"), codes)
    return first, second


def _answer(stack: Stack, document: dict[str, Any], codes: list[str]) -> dict[str, Any]:
    reports = {device["id"]: 0 for device in document["devices"]}
    body = {
        "digest": document["digest"],
        "submission": "@uuid@",
        "reports": reports,
        "code": "@code@",
    }
    headers = {"Content-Type": "application/json"}
    path = f"/s/{document['survey']}/responses/"
    return load({**order(stack.port, path, headers, body, seconds=60), "codes": codes})
