"""`python -m benchmarks.recompute COUNT`: recomputes after 1,000 new responses on top of COUNT.

For each line read it recomputes once more and prints the seconds.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any

import psycopg

ROOT = Path(__file__).resolve().parents[1]
NEW = 1_000
ROUNDS = 36


def measure_both(database_url: str, _effort: object) -> dict[str, Any]:
    return compare(10_000, 1_000_000, database_url=database_url)


def measure_large(database_url: str, _effort: object) -> dict[str, Any]:
    """The growth of a national survey; filling takes minutes."""
    return compare(100_000, 10_000_000, database_url=database_url)


def compare(small: int, large: int, *, database_url: str = "") -> dict[str, Any]:
    """Each size in a process and a database of its own, in turns, so that other load on the
    machine slows both alike. The first recompute of each warms it up. Seconds are means.
    """
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(_recomputing(size, database_url)) for size in (small, large)
        )
        seconds = [(first(), second()) for _ in range(ROUNDS + 1)][1:]
    # Every second or third one on SQLite has a checkpoint of its log in it and takes twice as long:
    # a median, or few rounds, would be one sort or the other by chance.
    of_small, of_large = map(fmean, zip(*seconds, strict=True))
    return {
        f"seconds_on_{small}": of_small,
        f"seconds_on_{large}": of_large,
        "ratio": of_large / of_small,
    }


@contextmanager
def _recomputing(size: int, database_url: str) -> Iterator[Callable[[], float]]:
    with (
        tempfile.TemporaryDirectory(prefix="candor-bench-") as folder,
        _database(size, database_url) as url,
    ):
        environment = {
            **os.environ,
            "CANDOR_SECRET_KEY": "x" * 50,
            "CANDOR_DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": url or f"sqlite:///{folder}/candor.sqlite3",
        }
        with subprocess.Popen(
            [sys.executable, "-m", "benchmarks.recompute", str(size)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin
            assert process.stdout
            process.stdout.readline()  # waits until the database is filled

            def recompute() -> float:
                process.stdin.write("again\n")
                process.stdin.flush()
                return float(process.stdout.readline())

            yield recompute
            process.stdin.close()


@contextmanager
def _database(size: int, database_url: str) -> Iterator[str]:
    if not database_url:
        yield ""
        return
    name = f"recompute_{size}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield database_url.rpartition("/")[0] + "/" + name
        connection.execute(f"DROP DATABASE {name}")


def serve(aggregated: int) -> None:
    """Fill the database, say so, and recompute once for each line that comes in."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)

    from benchmarks.inbox import fill_aggregated, fill_inbox
    from surveys.services.results import refresh_results
    from surveys.services.traces import truncate_write_ahead_log
    from tests.builders import launched

    choice = {"kind": "single_choice", "options": ["a", "b", "c"]}
    launch = launched(linkage="together", questions=[{}, choice])
    fill_aggregated(launch, aggregated)
    # Writing the million rows to disk must not count as part of the first recompute.
    truncate_write_ahead_log()
    os.sync()
    print("filled", flush=True)
    for _ in sys.stdin:
        fill_inbox(launch, NEW)
        began = time.perf_counter()
        refresh_results(launch_id=launch.pk)
        print(time.perf_counter() - began, flush=True)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
