"""`python -m benchmarks [--full] [NAME ...]`: what is measured, as ratios in one run.

Names are those of parts (benchmarks/parts.py) or of databases; without any, everything runs. The
numbers go to var/bench.json as they come. A target that is missed is marked, and the run still ends
with the whole table.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.effort import FULL, QUICK, Effort, Rows
from benchmarks.parts import ALONE, ON_A_DATABASE, ON_A_STACK, Part
from tests import postgresql
from tests.system.stack import running_stack

DATABASES = ("sqlite", "postgresql")
REPORT = Path(__file__).resolve().parents[1] / "var" / "bench.json"
HOLDS: dict[str, Callable[[float, float], bool]] = {
    ">=": lambda value, target: value >= target,
    "<=": lambda value, target: value <= target,
    "<": lambda value, target: value < target,
}

Measured = tuple[Part, Rows]


def measured(effort: Effort, names: set[str]) -> Iterator[Measured]:
    """The chosen parts, one after the other, because two at a time would slow each other."""
    for part in _chosen(ALONE, effort, names):
        yield part, part.measure(effort)
    for database in DATABASES:
        if names & set(DATABASES) and database not in names:
            continue
        on_a_stack = _chosen(ON_A_STACK, effort, names)
        if on_a_stack:
            with _database(database) as url, running_stack(database_url=url) as stack:
                for part in on_a_stack:
                    yield part, {database: part.measure(stack, effort)}
        for part in _chosen(ON_A_DATABASE, effort, names):
            with _database(database) as url:
                yield part, {database: part.measure(url, effort)}


def _chosen(parts: Iterable[Part], effort: Effort, names: set[str]) -> list[Part]:
    """Named parts whatever their length; else those of this effort."""
    wanted = names - set(DATABASES)
    if wanted:
        return [part for part in parts if part.name in wanted]
    return [part for part in parts if effort.full or not part.full_only]


@contextmanager
def _database(name: str) -> Iterator[str]:
    """Its address; an empty one stands for a new SQLite file."""
    if name == "sqlite":
        yield ""
        return
    with postgresql.running() as url:
        yield url


def print_rows(part: Part, rows: Rows, seconds: float) -> None:
    for row, numbers in rows.items():
        shown = [f"{key}={value:.4g}" for key, value in numbers.items() if _is_number(value)]
        print(f"{part.name:10} {row:24}", *shown, flush=True)
    print(f"{part.name:10} took {seconds:.0f} s", flush=True)


def verdicts(part: Part, rows: Rows) -> Iterator[str]:
    """Each target with what was measured for it."""
    for row, numbers in rows.items():
        for number, value in numbers.items():
            target = part.targets.get(f"{row}.{number}") or part.targets.get(number)
            if target:
                verdict = "met" if HOLDS[target[0]](value, target[1]) else "MISSED"
                name = f"{part.name}, {row}: {number}"
                yield f"{verdict:7} {name:56} {value:10.4g}   {target[0]} {target[1]:g}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    arguments.add_argument("--full", action="store_true", help="more rounds, and the long parts")
    known = [part.name for part in (*ALONE, *ON_A_STACK, *ON_A_DATABASE)]
    arguments.add_argument("names", nargs="*", metavar="NAME", help=", ".join([*known, *DATABASES]))
    given = arguments.parse_args()
    if unknown := set(given.names) - {*known, *DATABASES}:
        arguments.error(f"no part is called {', '.join(sorted(unknown))}")
    run(FULL if given.full else QUICK, set(given.names))


def run(effort: Effort, names: set[str]) -> None:
    report: dict[str, Rows] = {}
    lines: list[str] = []
    first = began = time.monotonic()
    REPORT.parent.mkdir(exist_ok=True)
    for part, rows in measured(effort, names):
        print_rows(part, rows, time.monotonic() - began)
        lines += verdicts(part, rows)
        report.setdefault(part.name, {}).update(rows)
        REPORT.write_text(json.dumps(report, indent=2))
        began = time.monotonic()
    print(f"\nTargets, after {time.monotonic() - first:.0f} s:", *lines, sep="\n")


if __name__ == "__main__":
    main()
