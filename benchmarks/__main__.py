"""`python -m benchmarks [--full] [NAME ...]`: measure performance, as ratios within one run.

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
from benchmarks.parts import ALONE, DATABASES, ON_A_DATABASE, ON_A_STACK, Part
from tests import postgresql
from tests.system.stack import running_stack

REPORT = Path(__file__).resolve().parents[1] / "var" / "bench.json"
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">=": lambda value, target: value >= target,
    "<=": lambda value, target: value <= target,
    "<": lambda value, target: value < target,
}


def measure_parts(effort: Effort, names: set[str]) -> Iterator[tuple[Part, Rows]]:
    """Measure the selected parts one after the other: two at a time would slow each other."""
    for part in select_parts(ALONE, effort, names):
        yield part, part.measure(effort)
    for database in DATABASES:
        if names & set(DATABASES) and database not in names:
            continue
        on_a_stack, on_a_database = (
            [part for part in select_parts(parts, effort, names) if database in part.databases]
            for parts in (ON_A_STACK, ON_A_DATABASE)
        )
        if on_a_stack:
            with _database(database) as url, running_stack(database_url=url) as stack:
                for part in on_a_stack:
                    yield part, {database: part.measure(stack, effort)}
        for part in on_a_database:
            with _database(database) as url:
                yield part, {database: part.measure(url, effort)}


def select_parts(parts: Iterable[Part], effort: Effort, names: set[str]) -> list[Part]:
    """The parts named, however long they take; without a name those of this effort."""
    part_names = names - set(DATABASES)
    if part_names:
        return [part for part in parts if part.name in part_names]
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
        cells = [f"{key}={value:.4g}" for key, value in numbers.items() if _is_number(value)]
        print(f"{part.name:10} {row:24}", *cells, flush=True)
    print(f"{part.name:10} took {seconds:.0f} s", flush=True)


def verdicts(part: Part, rows: Rows) -> Iterator[str]:
    """Each target as a line with the number measured for it."""
    for row, numbers in rows.items():
        for number, value in numbers.items():
            target = part.targets.get(f"{row}.{number}") or part.targets.get(number)
            if target:
                verdict = "met" if COMPARISONS[target[0]](value, target[1]) else "MISSED"
                name = f"{part.name}, {row}: {number}"
                yield f"{verdict:7} {name:56} {value:10.4g}   {target[0]} {target[1]:g}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--full", action="store_true", help="more rounds, and the long parts")
    choices = [part.name for part in (*ALONE, *ON_A_STACK, *ON_A_DATABASE)] + list(DATABASES)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(choices))
    options = parser.parse_args()
    if unknown := set(options.names) - set(choices):
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    run(FULL if options.full else QUICK, set(options.names))


def run(effort: Effort, names: set[str]) -> None:
    report: dict[str, Rows] = {}
    lines: list[str] = []
    start = part_start = time.monotonic()
    REPORT.parent.mkdir(exist_ok=True)
    for part, rows in measure_parts(effort, names):
        print_rows(part, rows, time.monotonic() - part_start)
        lines += verdicts(part, rows)
        report.setdefault(part.name, {}).update(rows)
        REPORT.write_text(json.dumps(report, indent=2))
        part_start = time.monotonic()
    print(f"\nTargets, after {time.monotonic() - start:.0f} s:", *lines, sep="\n")


if __name__ == "__main__":
    main()
