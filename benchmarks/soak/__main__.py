"""`python -m benchmarks.soak`: soak a site, print what it took, and fail where that grows.

    python -m benchmarks.soak [--minutes 60] [--rate 20] [--every 10] [--out FILE]
    python -m benchmarks.soak --read FILE

It needs nginx. The second line judges the samples of a soak that has run, or that still runs.
"""

import argparse
import json
import signal
import sys
from pathlib import Path

from benchmarks.drills.site import site
from benchmarks.soak.samples import read
from benchmarks.soak.soak import SETTINGS, Counts, Plan, amiss, prepared, run, tasks_of
from benchmarks.soak.words import count_lines, person_lines, sample_lines
from tests.system.stack import free_port


def main() -> int:
    options = chosen()
    if options.read:
        samples = read(options.read)
        print("\n".join(sample_lines(samples)))
        return told(amiss(samples))
    return soaked(options)


def soaked(options: argparse.Namespace) -> int:
    plan = Plan(options.minutes, options.rate, options.every, people=options.people)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    # Whoever ends an hour's work early leaves nothing running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    settings = {**SETTINGS, "CANDOR_METRICS_PORT": str(free_port())}
    with site(more=settings) as running, prepared(running):
        counts, samples, people = run(running, plan, options.out)
        lines = [*sample_lines(samples), *count_lines(counts), *person_lines(people)]
        print("\n".join(lines), flush=True)
        print(f"tasks: {tasks_of(running)}", flush=True)
    wrong = [*counts.wrong, *lost(counts), *(each for person in people for each in person.amiss)]
    return told([*wrong, *amiss(samples)])


def told(wrong: list[str]) -> int:
    """Say what is amiss; the exit code."""
    print(json.dumps(wrong, indent=1) if wrong else "It holds.", flush=True)
    return int(bool(wrong))


def lost(counts: Counts) -> list[str]:
    """Where the sums differ."""
    total = counts.total
    if total["acknowledged"] == total["stored"] == total["tallied"] > 0:
        return []
    return ["acknowledged, stored and tallied differ"]


def chosen() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=20, help="responses a second")
    parser.add_argument("--every", type=float, default=10, help="seconds between two samples")
    parser.add_argument("--people", type=int, default=150, help="people of a roster")
    parser.add_argument("--out", type=Path, default=Path("var/soak.jsonl"), help="the samples")
    parser.add_argument("--read", type=Path, help="judge these samples, and start nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
