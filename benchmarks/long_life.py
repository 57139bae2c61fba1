"""The tables and indexes of a site on which surveys come and go: does one of them only grow?

    python -m benchmarks.long_life [--surveys 16] [--responses 50000] [--at-once 6]

On a PostgreSQL of its own, without its daemon: responses come in batches of 1,000 through the
inbox, vacuum comes after each five where the daemon would have come, and once there are as many
surveys as may be at once, one that was drawn is deleted for each new one. Prints the size of all
tables and indexes above 100 kB after each survey, and at the end beside those of the same rows
written anew. `tests/app/test_growth.py` does the same at a small scale.
"""

import argparse
import os
import random
import tempfile

import psycopg

from tests import postgresql

BATCH = 1_000
LEAST = 100_000


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--surveys", type=int, default=16)
    arguments.add_argument("--responses", type=int, default=50_000)
    arguments.add_argument("--at-once", type=int, default=6)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="candor-life-") as folder, postgresql.running() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET autovacuum = off")
            connection.execute("SELECT pg_reload_conf()")
        os.environ |= {
            "CANDOR_SECRET_KEY": "x" * 50,
            "CANDOR_DATA_DIR": folder,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        live(chosen.surveys, chosen.responses, chosen.at_once)


def live(surveys: int, responses: int, at_once: int) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    from tests.builders import launched
    from tests.growing import asked, packed, receive, remove, sizes

    call_command("migrate", verbosity=0, interactive=False)
    tables = [name for (name,) in asked("SELECT relname FROM pg_stat_user_tables")]
    choice = {"kind": "single_choice", "options": ["a", "b", "c"]}
    launches = []
    for number in range(surveys):
        launches.append(
            launched(slug=f"survey-{number}", linkage="together", questions=[{}, choice])
        )
        receive(launches[-1], responses // BATCH, BATCH, vacuumed_every=5)
        if len(launches) > at_once:
            remove(launches.pop(random.randrange(at_once)))
        large = {name: size for name, size in sizes(*tables).items() if size > LEAST}
        print(number + 1, {name: f"{size / 1e6:.1f}" for name, size in large.items()}, flush=True)
    for name, size in packed(*tables).items():
        if name in large:
            print(f"{name:50} {large[name] / 1e6:9.2f} MB, {large[name] / max(size, 1):.2f} times")


if __name__ == "__main__":
    main()
