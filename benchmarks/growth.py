"""What a response takes, and what a hundred million of them would: docs/operating/growth.md.

    python -m benchmarks.growth [--responses 1000000] [--seconds 20]

On a PostgreSQL of its own: bytes of each table and index for a response to a survey of 3 questions
and to one of 30, stored in batches as a worker does, and what that is of a hundred million;
processor time of `recount`, `backup`, `restore`, a file of all reports and the deletion of a
survey, and of a response in every part of a site under load; the log of the database, memory and
connections. Times are of a processor, so they mean much the same on a busy machine.
"""

import argparse
import json
import os
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import psycopg
import redis

from benchmarks.costs import MEGABYTE, anonymous_bytes
from benchmarks.share import load, processor_seconds
from tests import postgresql
from tests.system.stack import ROOT, Stack, running_stack

PLANNED = 100_000_000
BATCH = 1_000
TABLES = ("surveys_receipt", "surveys_reportset", "surveys_submission")
# As a worker stores them: batches of a thousand in the order of keys that were drawn.
FILLED = """DO $$ BEGIN FOR batch IN 1..{batches} LOOP
    INSERT INTO surveys_receipt (id, submission, launch_id)
        SELECT (random() * 9e18)::bigint, gen_random_uuid(), {launch} FROM generate_series(1, 1000);
    INSERT INTO surveys_reportset (id, launch_id, step, content)
        SELECT (random() * 9e18)::bigint AS key, {launch}, 0, '{content}'
        FROM generate_series(1, 1000) ORDER BY key;
    END LOOP; END $$"""
SIZE = """SELECT relname, pg_relation_size(oid) + COALESCE(pg_total_relation_size(
    NULLIF(reltoastrelid, 0)), 0) FROM pg_class WHERE relkind IN ('r', 'i')
    AND relnamespace = 'public'::regnamespace AND (relname = ANY(%s)
    OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid::regclass::text = ANY(%s)))"""


class Server:
    def __init__(self, url: str) -> None:
        self.url = url
        self.connection = psycopg.connect(url, autocommit=True)
        parent = psutil.Process(self.connection.info.backend_pid).parent()
        assert parent
        self.process = parent

    def asked(self, statement: str, values: Any = None) -> list[tuple[Any, ...]]:
        cursor = self.connection.execute(statement, values)  # type: ignore[arg-type]
        return cursor.fetchall() if cursor.description else []

    def sizes(self) -> dict[str, int]:
        return dict(self.asked(SIZE, [list(TABLES), list(TABLES)]))

    def log_written(self) -> int:
        return int(self.asked("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")[0][0])


# --- bytes ----------------------------------------------------------------------------------------


def bytes_of_a_response(server: Server, launch: Any, responses: int) -> dict[str, float]:
    """Of each table and index, after as many responses have been stored and aggregated."""
    from surveys.models import Launch
    from surveys.responses import tallies
    from surveys.responses.counting import count, tally_spaces

    content = _stored(launch)
    before = server.sizes()
    statement = FILLED.format(
        batches=responses // BATCH, launch=launch.pk, content=json.dumps(content)
    )
    server.asked(statement)
    for table in TABLES:
        server.asked(f"VACUUM (ANALYZE) {table}")
    grown = server.sizes()
    spaces, totals = tally_spaces(launch.parameters), {}
    batch = count([content] * BATCH, launch.parameters)
    for _number in range(responses // BATCH):
        totals |= {key: spaces[key].add(totals.get(key), added) for key, added in batch.items()}
    tallies._add_to_tallies(launch, 0, totals)
    Launch.objects.filter(pk=launch.pk).update(aggregated=responses, revision=responses)
    found = {name: (size - before[name]) / responses for name, size in grown.items()}
    return {name: size for name, size in sorted(found.items()) if size > 0.5}


def _stored(launch: Any) -> dict[str, Any]:
    """What a response is in the tables: one is sent, looked at and taken away."""
    from surveys.models import Receipt, Submission
    from surveys.services.responses import record_response
    from tests.builders import response

    record_response(launch=launch, body=json.dumps(response(launch)).encode())
    content = Submission.objects.get().content
    Submission.objects.all().delete()
    Receipt.objects.filter(launch=launch).delete()
    return content


# --- commands -------------------------------------------------------------------------------------


def command_cost(server: Server, *words: str, **environment: str) -> float:
    """Seconds of a processor that a command takes, in its own process and in the database."""
    before = processor_seconds(server.process)
    command = psutil.Popen([sys.executable, *words], cwd=ROOT, env={**os.environ, **environment})
    spent = 0.0
    while True:
        try:
            command.wait(timeout=0.2)
        except psutil.TimeoutExpired:
            spent = sum(command.cpu_times()[:2])
        else:
            break
    assert command.returncode == 0, words
    return spent + processor_seconds(server.process) - before


def commands(server: Server, folder: str) -> dict[str, float]:
    backup = f"{folder}/backup"
    server.asked("CREATE DATABASE restored")
    other = server.url.rpartition("/")[0] + "/restored"
    found = {
        "recount": command_cost(server, "manage.py", "candor", "recount"),
        "backup": command_cost(server, "manage.py", "candor", "backup", backup),
        "file of all reports": command_cost(server, "-m", "benchmarks.growth", "--file"),
    }
    command_cost(server, "manage.py", "migrate", "--verbosity", "0", DATABASE_URL=other)
    found["restore"] = command_cost(
        server, "manage.py", "candor", "restore", backup, DATABASE_URL=other
    )
    print(f"the backup has {Path(backup).stat().st_size / MEGABYTE:.4g} MB")
    return found


def write_file() -> None:
    """The reports of the launch with most of them, as its download has them."""
    import django

    django.setup()
    from surveys.exports.formats import csv
    from surveys.exports.tables import reports
    from surveys.models import Launch
    from surveys.services.results import refresh_results

    launch = Launch.objects.order_by("-aggregated")[0]
    refresh_results(launch_id=launch.pk)
    for _piece in csv.pieces(reports.table(launch)):
        pass


def delete_survey() -> None:
    import django

    django.setup()
    from surveys import jobs
    from surveys.models import Survey
    from surveys.services import transitions
    from surveys.services.removal import REMOVAL

    survey = Survey.objects.get(slug="short")
    transitions.close_survey(survey=survey, actor=None)
    if not transitions.delete_survey(survey=survey, actor=survey.owner):
        while REMOVAL.is_lagging(survey.pk):
            jobs.run(REMOVAL, survey.pk)


# --- a site under load ----------------------------------------------------------------------------


def under_load(server: Server, stack: Stack, seconds: float) -> dict[str, float]:
    """Milliseconds of a processor for a response, by part; memory and connections of them."""
    document = stack.ledger("launch", "growth")
    load(stack, document, 2)  # warms up
    parts = {name: stack.role(name) for name in ("web", "worker", "beat", "broker")}
    parts["database"] = server.process
    before = {name: processor_seconds(part) for name, part in parts.items()}
    log = server.log_written()
    run = load(stack, document, seconds)
    responses = run["per_second"] * seconds
    found = {
        f"ms of {name}": (processor_seconds(part) - before[name]) / responses * 1000
        for name, part in parts.items()
    }
    found["log of the database, bytes"] = (server.log_written() - log) / responses
    (connections,) = server.asked(
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    )[0]
    found["connections"] = connections - 1
    for name, part in parts.items():
        family = [part, *part.children(recursive=True)]
        found[f"processes of {name}"] = len(family)
        found[f"MB of a process of {name}"] = (
            max(anonymous_bytes(each.pid) for each in family) / MEGABYTE
        )
    with closing(redis.Redis.from_url(stack.broker_url())) as broker:
        found["MB in use by the broker at its peak"] = (
            broker.info("memory")["used_memory_peak"] / MEGABYTE
        )
    return found


# --- all of it ------------------------------------------------------------------------------------


def measure(url: str, folder: str, responses: int, seconds: float) -> dict[str, dict[str, float]]:
    import django

    django.setup()
    from django.core.management import call_command

    from tests.builders import launched
    from tests.released import LONG

    call_command("migrate", verbosity=0, interactive=False)
    server = Server(url)
    choice = {"kind": "single_choice", "options": ["a", "b", "c"]}
    short = launched(slug="short", linkage="together", questions=[{}, choice, {}])
    found: dict[str, dict[str, float]] = {}
    gigabytes: Any = {"times": PLANNED / 1e9, "unit": f"GB for {PLANNED:,}"}
    hours: Any = {"times": PLANNED / responses / 3600, "unit": f"hours for {PLANNED:,}"}
    found["bytes of a response, 3 questions"] = bytes_of_a_response(server, short, responses)
    _say(found, **gigabytes)
    found["seconds of a processor"] = commands(server, folder)
    _say(found, **hours)
    long = launched(slug="long", linkage="together", questions=LONG, budget=10)
    found["bytes of a response, 30 questions"] = bytes_of_a_response(server, long, responses // 5)
    _say(found, **gigabytes)
    with running_stack(database_url=url) as stack:
        found["a site under load"] = under_load(server, stack, seconds)
    _say(found)
    deleted = command_cost(server, "-m", "benchmarks.growth", "--delete")
    found["seconds of a processor at the end"] = {"the survey deleted": deleted}
    _say(found, **hours)
    return found


def _say(found: dict[str, dict[str, float]], *, times: float = 0, unit: str = "") -> None:
    """Print what was found last, and so many times as much."""
    title, numbers = list(found.items())[-1]
    print(f"{title}:", flush=True)
    for name, number in numbers.items():
        planned = f"{number * times:12.4g} {unit}" if times else ""
        print(f"    {name:50} {number:12.4g} {planned}", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--responses", type=int, default=1_000_000)
    arguments.add_argument("--seconds", type=float, default=20)
    arguments.add_argument("--file", action="store_true", help=argparse.SUPPRESS)
    arguments.add_argument("--delete", action="store_true", help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if chosen.file or chosen.delete:
        write_file() if chosen.file else delete_survey()
        return
    with (
        tempfile.TemporaryDirectory(prefix="candor-growth-") as folder,
        postgresql.running() as url,
    ):
        os.environ |= {
            "CANDOR_SECRET_KEY": "x" * 50,
            "CANDOR_DATA_DIR": folder,
            "CANDOR_PLAIN_HTTP": "1",
            "CANDOR_ALLOWED_HOSTS": "testserver",
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        measure(url, folder, chosen.responses, chosen.seconds)


if __name__ == "__main__":
    main()
