"""The tables of a soak."""

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.soak.judgement import growth_of_memory, growth_of_number
from benchmarks.soak.people import Person
from benchmarks.soak.samples import Sample, Taken
from benchmarks.soak.soak import Counts, replaced

HEAD = ("", "MB", "last", "ratio", "line", "own MB", "last", "ratio", "files", "last", "threads",
        "last", "processes", "replaced")  # fmt: skip
WIDTHS = (12, 8, 8, 7, 7, 8, 8, 7, 7, 7, 9, 6, 11, 10)


def sample_lines(samples: list[Sample]) -> Iterator[str]:
    """A line for each role, its first quarter after the warm-up beside its last one."""
    if not samples:
        return
    yield _row(HEAD)
    for role in samples[0].roles:
        yield _row((role, *_of_role([sample.roles[role] for sample in samples]),
                    str(replaced(samples, role))))  # fmt: skip
    for name, values in (
        ("connections", [each.connections for each in samples]),
        ("inbox", [each.inbox for each in samples]),
        ("broker's MB", [each.broker_mb for each in samples]),
        ("broker's keys", [each.broker_keys for each in samples]),
    ):
        growth = growth_of_number(values)
        yield f"{name}: {growth.first:.1f}, last {growth.last:.1f}, most {max(values):.1f}"


def _of_role(taken: list[Taken]) -> Iterator[str]:
    def numbers(of: Callable[[Taken], float]) -> list[float]:
        return [of(each) for each in taken]

    memory = growth_of_memory(numbers(lambda each: each.memory))
    own = growth_of_memory(numbers(lambda each: each.own))
    yield from (f"{memory.first:.1f}", f"{memory.last:.1f}")
    yield from (f"{memory.ratio:.3f}", f"{memory.line_ratio:.3f}")
    yield from (f"{own.first:.1f}", f"{own.last:.1f}", f"{own.ratio:.3f}")
    for number in (lambda each: each.files, lambda each: each.threads):
        growth = growth_of_number(numbers(number))
        yield from (f"{growth.first:.0f}", f"{growth.last:.0f}")
    yield str(len(taken[-1].pids))


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
