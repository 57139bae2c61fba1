"""The tables of a soak."""

from collections.abc import Iterator
from typing import Any

from benchmarks.soak.judgement import growth_of_memory, growth_of_number
from benchmarks.soak.people import Person
from benchmarks.soak.samples import Sample
from benchmarks.soak.soak import Counts, replaced, series, staying

_MEMORY, _NUMBER = ("last", "ratio", "line"), ("last",)
HEAD = ("", "MB", *_MEMORY, "own MB", *_MEMORY, "files", *_NUMBER, "threads", *_NUMBER,
        "processes", "replaced")  # fmt: skip
WIDTHS = (12, 8, 8, 7, 7, 8, 8, 7, 7, 7, 7, 9, 6, 11, 10)


def sample_lines(samples: list[Sample]) -> Iterator[str]:
    """A line for each role, its first quarter after the warm-up beside its last one."""
    if not samples:
        return
    yield _row(HEAD)
    for role in samples[0].roles:
        yield _row([role, *_of_role(samples, role)])
    for name, values in (
        ("connections", [each.connections for each in samples]),
        ("inbox", [each.inbox for each in samples]),
        ("broker's MB", [each.broker_mb for each in samples]),
        ("broker's keys", [each.broker_keys for each in samples]),
    ):
        growth = growth_of_number(values)
        yield f"{name}: {growth.first:.1f}, last {growth.last:.1f}, most {max(values):.1f}"


def _of_role(samples: list[Sample], role: str) -> Iterator[str]:
    for name in ("memory", "own"):
        growth = growth_of_memory(series(samples, role, name))
        yield from (f"{growth.first:.1f}", f"{growth.last:.1f}")
        yield from (f"{growth.ratio:.3f}", f"{growth.line_ratio:.3f}")
    stay = staying(samples, role)
    for name in ("files", "threads"):
        growth = growth_of_number(series(samples, role, name, stay))
        yield from (f"{growth.first:.0f}", f"{growth.last:.0f}")
    yield from (str(len(samples[-1].roles[role])), str(replaced(samples, role)))


def _row(cells: Any) -> str:
    return "".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True))


def count_lines(counts: Counts) -> Iterator[str]:
    yield ", ".join(f"{name} {count}" for name, count in counts.total.items())
    yield "answers: " + _listed(counts.answers)


def person_lines(people: list[Person]) -> Iterator[str]:
    for person in people:
        name = type(person).__name__.lower()
        yield f"{name}: {person.visits} visits; answers: {_listed(person.statuses)}"


def _listed(counts: Any) -> str:
    return ", ".join(f"{count} x {name}" for name, count in sorted(counts.items()))
