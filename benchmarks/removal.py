"""How long each slice takes in which a worker removes a deleted survey, on PostgreSQL.

    python -m benchmarks.removal [--responses 2000000] [--reading]

On a PostgreSQL of its own: a survey of two questions with so many responses and another one with
as many beside it, in the same tables by turns. The first is deleted as its author does, and a job
removes its rows. Prints the seconds of the request, and of the slices of each table the number,
and the milliseconds of the least, the middle, the slowest, and of the last tenth of them. With
--reading somebody reads one state of the database all the while, as a backup does.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from tests import postgresql

TURNS = 10


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--responses", type=int, default=2_000_000)
    arguments.add_argument("--reading", action="store_true")
    chosen = arguments.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="candor-removal-") as folder,
        postgresql.running() as url,
    ):
        os.environ |= {
            "CANDOR_SECRET_KEY": "x" * 50,
            "CANDOR_DATA_DIR": str(Path(folder)),
            "CANDOR_DEBUG": "1",
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        _measure(chosen.responses, reading=chosen.reading)


def _measure(responses: int, *, reading: bool) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    launch = _filled(responses)

    from django.db import connection

    from surveys.models import Receipt, ReportSet
    from surveys.services.transitions import close_survey, delete_survey

    reader = connection.copy("reader")
    if reading:
        with reader.cursor() as cursor:
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("SELECT id FROM surveys_survey")
    survey = launch.survey
    close_survey(survey=survey, actor=survey.owner)
    began = time.monotonic()
    delete_survey(survey=survey, actor=survey.owner)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"the request: {time.monotonic() - began:.2f} s")
    for name, times in _removed(survey.pk).items():
        last = times[-max(2, len(times) // 10) : -1] or times
        print(
            f"{name}: {len(times)} slices, ms: least {min(times):.0f},"
            f" median {statistics.median(times):.0f}, most {max(times):.0f},"
            f" median of the last tenth {statistics.median(last):.0f}"
        )
    print(f"load {os.getloadavg()[0]:.1f}")
    reader.close()
    assert Receipt.objects.count() == ReportSet.objects.count() == responses


def _removed(survey_id: int) -> dict[str, list[float]]:
    """Run the job until no row is left; the milliseconds of each slice, by table."""
    from surveys import jobs
    from surveys.models import Survey
    from surveys.services import removal

    slices: dict[str, list[float]] = {}
    cut = removal._slice

    def timed(model: Any, *values: Any) -> tuple[int, int]:
        before = time.monotonic()
        found = cut(model, *values)
        slices.setdefault(model.__name__, []).append((time.monotonic() - before) * 1000)
        return found

    removal._slice = timed
    began, turns = time.monotonic(), 0
    while Survey.everything.filter(pk=survey_id).exists():
        jobs.run(removal.REMOVAL, survey_id)
        turns += 1
    print(f"the worker: {time.monotonic() - began:.1f} s in {turns} turns")
    return slices


def _filled(responses: int) -> Any:
    from django.db import connection

    from benchmarks.inbox import fill_aggregated
    from tests.builders import launched

    choice = {"kind": "single_choice", "options": ["a", "b", "c"]}
    large, other = (
        launched(slug=slug, linkage="together", questions=[{}, choice])
        for slug in ("large", "other")
    )
    for _turn in range(TURNS):
        for launch in (large, other):
            fill_aggregated(launch, responses // TURNS)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    large.refresh_from_db()
    return large


if __name__ == "__main__":
    main()
