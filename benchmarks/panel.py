"""`python -m benchmarks.panel QUESTIONS`: the author's panel for that many questions of 50 options.

Each has an epsilon of its own, so that no two share their figures. Prints processor seconds of all
figures in a new process and of the same ones again, the number of requests that the page needs for
them, and the wall seconds of the longest.
"""

import gc
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.effort import Effort, Rows

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = 50
# A usual survey, and the largest allowed (surveys.authoring.limits.MAX_QUESTIONS).
USUAL, LARGEST = 20, 200
TARGETS = {
    f"{USUAL} questions.cold_cpu_seconds": ("<=", 0.3),
    f"{USUAL} questions.warm_cpu_seconds": ("<=", 0.1),
    f"{LARGEST} questions.longest_request": ("<=", 2.0),
}


def rows(effort: Effort) -> Rows:
    medians = {}
    for count in (USUAL, LARGEST):
        runs = [_run_apart(count) for _ in range(effort.rounds)]
        medians[f"{count} questions"] = {key: median(run[key] for run in runs) for key in runs[0]}
    return medians


def _run_apart(count: int) -> dict[str, float]:
    environment = {
        **os.environ,
        "CANDOR_DEBUG": "1",
        "DATABASE_URL": "sqlite://:memory:",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-m", "benchmarks.panel", str(count)]
    process = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(process.stdout)


def measure(count: int) -> dict[str, float]:
    import django

    django.setup()
    from surveys.admin.pages.planning import panel_page  # noqa: F401  (as it is loaded before a request)

    # As config/stack/gunicorn.conf.py does.
    gc.collect()
    gc.freeze()
    questions = [_question(number) for number in range(count)]
    requests, cold = _until_complete(questions)
    _, warm = _until_complete(questions)
    return {
        "cold_cpu_seconds": cold,
        "warm_cpu_seconds": warm,
        "requests": len(requests),
        "longest_request": max(requests),
    }


def _until_complete(questions: list[dict[str, Any]]) -> tuple[list[float], float]:
    """Wall seconds of each request that the page sends, and processor seconds of all."""
    from surveys.admin.pages.planning.panel_page import Stored, answer_panels

    plan = {"budget": "100", "planned_n": "500", "language": "en", "questions": questions}
    requests, settled, more, first = [], [], True, time.process_time()
    while more:
        began = time.perf_counter()
        answer = answer_panels({**plan, "settled": settled}, Stored({}))
        requests.append(time.perf_counter() - began)
        settled += answer["panels"]
        more = answer["more"]
    return requests, time.process_time() - first


def _question(number: int) -> dict[str, Any]:
    return {
        "key": f"questions-{number}",
        "kind": "single_choice",
        "options": "\n".join(f"option {number}.{option}" for option in range(OPTIONS)),
        "randomized": "True",
        "epsilon": f"{0.5 + number / 100:.2f}",
        "prefer_not": False,
        "design": "cards",
    }


if __name__ == "__main__":
    json.dump(measure(int(sys.argv[1])), sys.stdout)
