"""`python -m benchmarks.drills`: run the drills, print a table, and fail where one does not hold.

    python -m benchmarks.drills [--rate 100] [--only WORDS ...]

It needs nginx, and for the disk that fills root, and for the clock that moves a C compiler.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from benchmarks.drills import recovery, surroundings
from benchmarks.drills.drill import Drill, run
from benchmarks.drills.events import DRILLS
from benchmarks.drills.site import Site, site
from benchmarks.drills.upgrade import BACK, NAME, NoReleaseError, upgrades

COLUMNS = ("sent", "acknowledged", "stored", "tallied", "sent again")
# Which drills run on a site of which sort, one after the other.
SITES: list[tuple[Callable[[], AbstractContextManager[Site]], list[Drill]]] = [
    (site, DRILLS),
    (surroundings.on_a_small_disk, [surroundings.FULL]),
    (surroundings.with_a_clock, surroundings.MOVED),
]


def chosen(name: str, only: list[str]) -> bool:
    return not only or any(words in name for words in only)


def outcomes(rate: float, only: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each drill's name and figures, as it ends."""
    for made, drills in SITES:
        wanted = [each for each in drills if chosen(each.name, only)]
        if wanted:
            try:
                with made() as running:
                    for number, drill in enumerate(wanted):
                        yield drill.name, run(drill, running, rate, number)
            except surroundings.MissingError as missing:
                yield wanted[0].name, {"left out": str(missing)}
    if any(chosen(name, only) for name in recovery.NAMES):
        yield from recovery.recoveries(rate)
    if chosen(NAME, only):
        try:
            yield from upgrades(rate)
        except NoReleaseError as missing:
            yield NAME, {"left out": str(missing)}


def line_of(name: str, figures: dict[str, Any]) -> str:
    counts = "".join(f"{figures[column]:>14}" for column in COLUMNS)
    answers = ", ".join(f"{count} x {status}" for status, count in figures["answers"].items())
    end = "holds" if not figures["wrong"] else "FAILS"
    return f"{name:<40}{counts}  {end}  {figures['seconds']:.0f} s  ({answers})"


def names() -> list[str]:
    of_sites = [drill.name for _, drills in SITES for drill in drills]
    return [*of_sites, *recovery.NAMES, NAME, BACK]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.drills",
        epilog="\n".join(["The drills:", *(f"  {name}" for name in names())]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rate", type=float, default=100, help="responses a second")
    parser.add_argument("--only", nargs="*", default=[], help="words of the drills to run")
    options = parser.parse_args()
    print(" " * 40 + "".join(f"{column:>14}" for column in COLUMNS), flush=True)
    failed = False
    for name, figures in outcomes(options.rate, options.only):
        if "left out" in figures:
            failed = True
            print(f"{name:<40} left out: {figures['left out']}", flush=True)
            continue
        print(line_of(name, figures), flush=True)
        if figures["wrong"]:
            failed = True
            print(json.dumps(figures["wrong"], indent=1), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
