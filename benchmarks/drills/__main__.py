"""`python -m benchmarks.drills`: run the drills, print a table, and fail where one does not hold.

    python -m benchmarks.drills [--rate 100] [--only WORDS ...]

It needs nginx, and for the disk that fills root, and for the clock that moves Debian's libfaketime.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from benchmarks.drills.drill import Drill, run
from benchmarks.drills.events import DRILLS
from benchmarks.drills.site import site

COLUMNS = ("sent", "acknowledged", "stored", "tallied", "sent again")


def chosen(drills: list[Drill], only: list[str]) -> list[Drill]:
    return [each for each in drills if not only or any(words in each.name for words in only)]


def outcomes(rate: float, only: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each drill's name and figures, as it ends."""
    drills = chosen(DRILLS, only)
    if drills:
        with site() as running:
            for number, drill in enumerate(drills):
                yield drill.name, run(drill, running, rate, number)


def line_of(name: str, figures: dict[str, Any]) -> str:
    counts = "".join(f"{figures[column]:>14}" for column in COLUMNS)
    answers = ", ".join(f"{count} x {status}" for status, count in figures["answers"].items())
    end = "holds" if not figures["wrong"] else "FAILS"
    return f"{name:<40}{counts}  {end}  {figures['seconds']:.0f} s  ({answers})"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drills")
    parser.add_argument("--rate", type=float, default=100, help="responses a second")
    parser.add_argument("--only", nargs="*", default=[], help="words of the drills to run")
    options = parser.parse_args()
    print(" " * 40 + "".join(f"{column:>14}" for column in COLUMNS), flush=True)
    failed = False
    for name, figures in outcomes(options.rate, options.only):
        print(line_of(name, figures), flush=True)
        if figures["wrong"]:
            failed = True
            print(json.dumps(figures["wrong"], indent=1), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
