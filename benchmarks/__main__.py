"""`python -m benchmarks`: everything that is measured, as ratios in one run.

A table here, the numbers in var/bench.json. The targets are those of the project; a target missed
is marked, and the run still ends with the whole table.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import optimal, recompute, submit, worker
from tests import postgresql
from tests.system.stack import Stack, running_stack

ROUNDS = 5
SECONDS = 5.0
ROOT = Path(__file__).resolve().parents[1]
REPORT = ROOT / "var" / "bench.json"
PEERS = ROOT / "var" / "peers" / "bin" / "python"
# Nanoseconds for an answer that is drawn with the operating system's randomness, at most this many
# times what NumPy's own generator takes; and a univariate estimate from raw reports, in seconds.
ENGINE_TARGETS = {"ours/numpy": 6.0, "seconds": 0.3}
# (part, number, relation, target)
TARGETS = [
    ("submit", "ratio", ">=", 0.5),
    ("submit", "ours_per_second", ">=", 100.0),
    ("submit", "p95_ms", "<", 100.0),
    ("recompute", "ratio", "<=", 2.0),
    ("worker", "growth", "<=", 1.1),
]


@contextmanager
def _database(name: str) -> Iterator[str]:
    if name == "sqlite":
        yield ""
        return
    with postgresql.running() as url:
        yield url


def measured(name: str) -> dict[str, Any]:
    with _database(name) as url, _stack(url) as stack:
        parts = {
            "submit": submit.measure(stack, rounds=ROUNDS, seconds=SECONDS),
            "worker": worker.measure(stack),
        }
    with _database(name) as url:
        parts["recompute"] = recompute.compare(10_000, 1_000_000, database_url=url)
    return parts


@contextmanager
def _stack(url: str) -> Iterator[Stack]:
    with running_stack(database_url=url) as stack:
        yield stack


def engine() -> dict[str, dict[str, float]]:
    """The engine beside other libraries, under the Python that has them."""
    command = [PEERS, "-W", "ignore", "-m", "benchmarks.engine"]
    ran = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return json.loads(ran.stdout)


def print_engine(parts: dict[str, dict[str, float]]) -> None:
    for part, numbers in parts.items():
        print(f"{'engine':11} {part:24}", *(f"{key}={value:.3g}" for key, value in numbers.items()))
        for number, most in ENGINE_TARGETS.items():
            if number in numbers and not part.startswith("estimate"):
                verdict = "met" if numbers[number] <= most else "MISSED"
                print(f"{'engine':11} {part}: {number} <= {most:g}: {verdict}")


def print_measured(name: str, parts: dict[str, Any]) -> None:
    for part, numbers in parts.items():
        shown = {key: value for key, value in numbers.items() if key != "statuses"}
        print(f"{name:11} {part:10}", *(f"{key}={value:.4g}" for key, value in shown.items()))
    for part, number, relation, target in TARGETS:
        value = parts[part][number]
        met = {">=": value >= target, "<=": value <= target, "<": value < target}[relation]
        print(f"{name:11} {part}.{number} {relation} {target:g}: {'met' if met else 'MISSED'}")


def main(names: list[str]) -> None:
    report: dict[str, Any] = {}
    for name in names:
        if name == "engine":
            report[name] = engine()
            print_engine(report[name])
        elif name == "optimal":
            report[name] = optimal.compare()
            optimal.print_compared(report[name])
        else:
            report[name] = measured(name)
            print_measured(name, report[name])
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps(report, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:] or ["engine", "optimal", "sqlite", "postgresql"])
