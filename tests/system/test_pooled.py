"""The whole product through PgBouncer, which takes turns by transaction between few connections."""

import json
import secrets
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from tests import postgresql
from tests.system.answering_process import ROOT
from tests.system.crowd import Crowd, assert_counted_once
from tests.system.pooler import pooler
from tests.system.stack import Stack, running_stack

pytestmark = pytest.mark.system
SIZE = 4


@pytest.fixture(scope="module")
def pooled(tmp_path_factory: pytest.TempPathFactory, static_files: Path) -> Iterator[Stack]:
    settings = {"CANDOR_DATABASE_POOLED": "1", "CANDOR_PREPARED_STATEMENTS": "0"}
    with ExitStack() as resources:
        behind = resources.enter_context(postgresql.running(quick=True))
        folder = tmp_path_factory.mktemp("pooler")
        # Two web processes and two of workers have more threads than there are connections.
        url = resources.enter_context(pooler(folder, behind, size=SIZE, wait=3))
        yield resources.enter_context(
            running_stack(database_url=url, static_files=static_files, settings=settings)
        )


def test_responses_are_counted_once_and_backed_up(pooled):
    slug = f"pooled-{secrets.token_hex(4)}"
    document = pooled.ledger("launch", slug)
    crowd = Crowd(pooled.url, document, size=200).start()
    crowd.finish()
    assert_counted_once(pooled, slug, crowd)
    for command in (["recount", slug], ["backup", str(pooled.data / "whole.backup")]):
        done = subprocess.run(
            [sys.executable, "manage.py", "candor", *command],
            cwd=ROOT,
            env=pooled.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_where_no_connection_is_left_a_response_is_sent_again_and_stored_once(pooled):
    slug = f"full-{secrets.token_hex(4)}"
    document = pooled.ledger("launch", slug)
    with ExitStack() as held:
        for _ in range(SIZE):
            # In a transaction each has a connection of the pool to itself.
            other = held.enter_context(psycopg.connect(pooled.environment["DATABASE_URL"]))
            other.execute("SELECT 1")
        crowd = Crowd(pooled.url, document, size=20)
        submission, reports = next(iter(crowd.sent.items()))
        body = {"digest": document["digest"], "submission": submission, "reports": reports}
        refused = refusal(f"{pooled.url}/s/{slug}/responses/", json.dumps(body).encode())
        assert json.load(refused)["errors"][0]["code"] == "unavailable"
        assert b"Back in a moment" in refusal(f"{pooled.url}/s/{slug}/").read()
    crowd.start().finish()
    assert_counted_once(pooled, slug, crowd)


def refusal(address: str, body: bytes | None = None) -> urllib.error.HTTPError:
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=60)
    assert refused.value.code == 503
    assert refused.value.headers["Retry-After"]
    return refused.value
