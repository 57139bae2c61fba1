"""`python -m benchmarks.recompute FOLDED`: a recompute after 1,000 new responses on top of FOLDED.

Prints the median seconds of nine, in a database of its own.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NEW = 1_000
ROUNDS = 9


def measure_both(database_url: str, _effort: object) -> dict[str, Any]:
    return compare(10_000, 1_000_000, database_url=database_url)


def compare(small: int, large: int, *, database_url: str = "") -> dict[str, Any]:
    """Each size in a process and a database of its own."""
    seconds = {size: _in_own_process(size, database_url) for size in (small, large)}
    return {
        f"seconds_on_{small}": seconds[small],
        f"seconds_on_{large}": seconds[large],
        "ratio": seconds[large] / seconds[small],
    }


def _in_own_process(size: int, database_url: str) -> float:
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as folder:
        environment = {
            **os.environ,
            "CANDOR_SECRET_KEY": "x" * 50,
            "CANDOR_DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database_url or f"sqlite:///{folder}/candor.sqlite3",
        }
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.recompute", str(size)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return json.loads(done.stdout)["seconds"]


def measure(folded: int) -> float:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("flush" if _has_tables() else "migrate", verbosity=0, interactive=False)

    from benchmarks.inbox import fill_folded, fill_inbox
    from surveys.services.results import refresh_results
    from surveys.services.traces import truncate_write_ahead_log
    from tests.builders import launched

    choice = {"kind": "single_choice", "options": ["a", "b", "c"]}
    launch = launched(linkage="together", questions=[{}, choice])
    fill_folded(launch, folded)
    # The million rows just written must be on disk before anything counts: they are no recompute.
    truncate_write_ahead_log()
    os.sync()
    seconds = []
    for _ in range(ROUNDS + 1):
        fill_inbox(launch, NEW)
        began = time.perf_counter()
        refresh_results(launch_id=launch.pk)
        seconds.append(time.perf_counter() - began)
    return median(seconds[1:])  # the first one warms up


def _has_tables() -> bool:
    from django.db import connection

    return bool(connection.introspection.table_names())


if __name__ == "__main__":
    json.dump({"seconds": measure(int(sys.argv[1]))}, sys.stdout)
