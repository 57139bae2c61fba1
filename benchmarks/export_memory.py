"""Peak memory and time of the CSV download at 10,000 and at 1,000,000 people.

    python -m benchmarks.export_memory

Uses a temporary SQLite file, or the empty database that DATABASE_URL names. Each size is streamed
by a process of its own, which looks at its anonymous memory after each piece.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.costs import MEGABYTE, anonymous_bytes

ROOT = Path(__file__).resolve().parents[1]
SIZES = (10_000, 1_000_000)
BATCH = 5_000


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(measure(int(sys.argv[1]))))
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder}/export.sqlite3")
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        start_django()
        results = {f"{total}": measure_at(total) for total in SIZES}
    small, large = results.values()
    print(json.dumps(results | {"growth": {"ratio": large["peak_mb"] / small["peak_mb"]}}))


def rows(_effort: object) -> dict[str, dict[str, float]]:
    """Run `main` in a process of its own, because Django reads its settings once."""
    command = [sys.executable, "-m", "benchmarks.export_memory"]
    process = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return json.loads(process.stdout)


def measure_at(total: int) -> dict[str, float]:
    enlarge(total)
    command = [sys.executable, "-m", "benchmarks.export_memory", str(total)]
    process = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return json.loads(process.stdout)


def measure(total: int) -> dict[str, float]:
    """Stream the whole file, discard it, and note the most anonymous memory of this process."""
    start_django(migrate=False)
    from surveys.exports.formats import csv
    from surveys.exports.tables import reports
    from surveys.models import Launch

    launch = Launch.objects.get()
    before, began, size, first = anonymous_bytes(), time.perf_counter(), 0, 0.0
    peak = before
    for chunk in csv.pieces(reports.table(launch)):
        first = first or time.perf_counter() - began
        size += len(chunk)
        peak = max(peak, anonymous_bytes())
    return {
        "seconds": time.perf_counter() - began,
        "first": first,
        "size_mb": size / MEGABYTE,
        "peak_mb": peak / MEGABYTE,
        "grown_mb": (peak - before) / MEGABYTE,
    }


def start_django(*, migrate: bool = True) -> None:
    import django
    from django.core.management import call_command

    django.setup()
    if migrate:
        call_command("migrate", verbosity=0)
        from surveys.models import Survey
        from tests.released import QUESTIONS, released, varied

        if Survey.objects.exists():
            sys.exit("DATABASE_URL names a database with surveys in it; name an empty one.")
        released(varied(30), linkage="together", questions=QUESTIONS)


def enlarge(total: int) -> None:
    """Stored reports as a worker would have left them, without submitting each."""
    import secrets

    from surveys.models import Launch, ReportSet, Result

    launch = Launch.objects.get()
    content = ReportSet.objects.first().content
    for start in range(ReportSet.objects.count(), total, BATCH):
        keys = (secrets.randbits(63) for _ in range(min(BATCH, total - start)))
        ReportSet.objects.bulk_create(
            [ReportSet(pk=key, launch=launch, content=content) for key in keys]
        )
    Launch.objects.update(aggregated=total)
    Result.objects.update(responses=total)


if __name__ == "__main__":
    main()
