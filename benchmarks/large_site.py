"""A large site: processor time of every page of it.

    python -m benchmarks.large_site [--surveys 2000] [--authors 200] [--responses 10000000]

Builds a site on a PostgreSQL of its own: authors with an equal number of surveys each, in every
state, one survey with as many responses, and one of 30 questions. Then it asks for every address of
the resolver that can be read, for both of them and for the lists, as a superuser and as an author,
and prints the milliseconds of a processor that the second request took, in the web process and in
its process of the database together: as good on a busy machine as on a quiet one.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests import postgresql

# The most that a page may take, in milliseconds of a processor.
TARGET = 500
AT_ONCE = 1_000_000


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--surveys", type=int, default=2_000)
    arguments.add_argument("--authors", type=int, default=200)
    arguments.add_argument("--responses", type=int, default=10_000_000)
    arguments.add_argument("--json", type=Path)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="candor-large-") as folder, postgresql.running() as url:
        os.environ |= {
            "CANDOR_SECRET_KEY": "x" * 50,
            "CANDOR_DATA_DIR": folder,
            "CANDOR_DEBUG": "0",
            "CANDOR_PLAIN_HTTP": "1",
            "CANDOR_ALLOWED_HOSTS": "testserver",
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        rows = _measured(chosen.surveys, chosen.authors, chosen.responses)
    rows.sort(key=lambda row: -row["ms"])
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1))
    for row in rows[:40]:
        print(f"{row['ms']:8.0f} ms  {row['statements']:4d}  {row['status']}  {row['page']}")
    slow = sum(row["ms"] > TARGET for row in rows)
    print(f"{len(rows)} pages, {slow} above {TARGET} ms of a processor")


def _measured(surveys: int, authors: int, responses: int) -> list[dict[str, Any]]:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    began = time.monotonic()
    site = _Site(surveys, authors, responses)
    print(f"built in {time.monotonic() - began:.0f} s", file=sys.stderr)
    return [row for page in site.pages() for row in site.cost(*page)]


class _Site:
    def __init__(self, surveys: int, authors: int, responses: int) -> None:
        from django.test import Client

        from surveys.services.results import refresh_results
        from tests.builders import launched, make_user
        from tests.released import thirty

        self.root = make_user("root", superuser=True)
        people = [make_user(f"author{number}", author=True) for number in range(authors)]
        self.author = people[0]
        for number in range(surveys):
            self._one(number, people[number % authors])
        choice = {"kind": "single_choice", "options": ["a", "b", "c"]}
        large = launched(
            slug="large", owned_by=self.author, linkage="together", questions=[{}, choice]
        )
        from benchmarks.inbox import fill_aggregated, fill_inbox

        for _part in range(0, responses, AT_ONCE):
            fill_aggregated(large, min(AT_ONCE, responses))
        fill_inbox(large, 1_000)
        refresh_results(launch_id=large.pk)
        wide = thirty(slug="wide", owned_by=self.author)
        self.launches = {"large": large, "wide": wide}
        self.clients = {"root": Client(), "author": Client()}
        self.clients["root"].force_login(self.root)
        self.clients["author"].force_login(self.author)

    def _one(self, number: int, owner: Any) -> None:
        """A survey of one of five sorts: drafts, open, closed, with results, archived later."""
        from surveys.services.results import refresh_results
        from surveys.services.transitions import close_survey
        from tests.app.test_aggregation import fill
        from tests.builders import launched, make_survey

        values = {"slug": f"survey-{number}", "title": f"Survey {number}", "owned_by": owner}
        if number % 5 == 0:
            make_survey(**values)
            return
        launch = launched(**values)
        if number % 5 > 2:
            fill(launch, 20, reports={"q1": number % 2})
            refresh_results(launch_id=launch.pk)
        if number % 5 > 3:
            close_survey(survey=launch.survey, actor=owner)

    def pages(self) -> Iterator[tuple[str, str]]:
        """The addresses of all routes, for both surveys where they name one."""
        from tests.app.test_routes import routes

        for route, _entry in routes():
            for name in self.launches if "<" in route else ("large",):
                address = self._address(route, name)
                if address is not None:
                    yield from ((who, address) for who in self.clients)

    def _address(self, route: str, name: str) -> str | None:
        survey = self.launches[name].survey
        route = re.sub(r"\^?\(\?P<app_label>[^)]*\)/?\$?", "surveys/", route)
        values = {
            "slug": survey.slug,
            "object_id": survey.pk,
            "question_id": survey.questions.first().pk,
            "language": "de",
        }
        if "auth/user" in route:
            values |= {"object_id": self.author.pk, "id": self.author.pk}
        for value_name, value in values.items():
            route = re.sub(rf"<(?:\w+:)?{value_name}>", str(value), route)
        unknown = re.search(r"[<^(]", route) or re.search("logout|/login", route)
        return None if unknown else f"/{route}"

    def cost(self, who: str, address: str) -> Iterator[dict[str, Any]]:
        """What the second request takes: the first one imports and fills caches."""
        from django.db import connection, reset_queries
        from django.test.utils import CaptureQueriesContext

        client = self.clients[who]
        for again in (False, True):
            connection.ensure_connection()
            with connection.cursor() as cursor:
                cursor.execute("SET max_parallel_workers_per_gather = 0")
                cursor.execute("SELECT pg_backend_pid()")
                (backend,) = cursor.fetchone()
            reset_queries()
            with CaptureQueriesContext(connection) as queries:
                before = time.process_time() + _seconds_of(backend)
                answer = client.get(address)
                size = _size(answer)
                seconds = time.process_time() + _seconds_of(backend) - before
            if again:
                yield {
                    "page": f"{address} ({who})",
                    "status": answer.status_code,
                    "ms": seconds * 1000,
                    "bytes": size,
                    "statements": len(queries),
                }
            elif answer.status_code >= 400:
                return


def _size(answer: Any) -> int:
    if answer.streaming:
        return sum(len(part) for part in answer)
    return len(answer.content)


def _seconds_of(process: int) -> float:
    """Processor time of another process, in steps of a hundredth of a second."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
