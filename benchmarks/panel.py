"""`python -m benchmarks.panel QUESTIONS`: the lines of a draft of that many questions.

Each has 50 options and an epsilon of its own, so that no two share their figures. Prints processor
seconds of all lines in a new process and of the same ones again, the number of requests that the
page needs for them, and the wall seconds of the longest.
"""

import gc
import json
import os
import subprocess
import sys
import time
from decimal import Decimal
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
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    survey = _draft(count)

    # As config/stack/gunicorn.conf.py does.
    gc.collect()
    gc.freeze()
    requests, cold = _until_complete(survey)
    _, warm = _until_complete(survey)
    return {
        "cold_cpu_seconds": cold,
        "warm_cpu_seconds": warm,
        "requests": len(requests),
        "longest_request": max(requests),
    }


def _until_complete(survey: Any) -> tuple[list[float], float]:
    """Wall seconds of each request that the page sends, and processor seconds of all."""
    from surveys.admin.editor.lines import overview_of
    from surveys.authoring.checks.survey import lint_survey
    from surveys.authoring.draft_parameters import questions_of

    requests, more, first = [], True, time.process_time()
    while more:
        began = time.perf_counter()
        questions = questions_of(survey)
        overview = overview_of(survey, questions, lint_survey(survey, questions))
        requests.append(time.perf_counter() - began)
        more = overview.pending
    return requests, time.process_time() - first


def _draft(count: int) -> Any:
    from django.contrib.auth.models import User

    from surveys.models import Question, Survey

    survey = Survey.objects.create(
        owner=User.objects.create(username="measured"),
        title="Measured",
        slug="measured",
        budget=100,
        planned_n=500,
    )
    Question.objects.bulk_create(
        Question(
            survey=survey,
            position=number + 1,
            name=f"q{number + 1}",
            text=f"Question {number}?",
            kind="single_choice",
            options=[f"option {number}.{option}" for option in range(OPTIONS)],
            epsilon=Decimal(50 + number) / 100,
            prefer_not=False,
            design="cards",
        )
        for number in range(count)
    )
    return survey


if __name__ == "__main__":
    json.dump(measure(int(sys.argv[1])), sys.stdout)
