"""No file keeps a submission id beside its reports, or a deleted name, once it is swept."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def left(tmp_path_factory):
    """{story: [what must be found or not, the content of all files of its database]}"""
    folder = tmp_path_factory.mktemp("left")
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    environment["DATABASE_URL"] = f"sqlite:///{folder / 'candor.sqlite3'}"
    done = subprocess.run(
        [sys.executable, "-m", "tests.app.traces_left", str(folder)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return {
        name: (*words, b"".join(path.read_bytes() for path in (folder / name).iterdir()))
        for name, words in map(json.loads, done.stdout.splitlines())
    }


def test_the_sweep_wipes_the_log(left):
    # The test can see a trace: without the sweep, the log has it.
    submission, content = left["a_response-kept"]
    assert submission.encode() in content
    assert b"Member 7" in content

    submission, content = left["a_response-swept"]
    assert len(submission) == 32
    assert submission.encode() not in content
    assert b"Member " not in content
    assert b"m007" in content
    assert json.dumps({"q1": 0}).encode() in content


def test_names_that_were_deleted_and_links_are_in_no_file(left):
    submission, link, content = left["a_roster-kept"]
    assert b"Zephyrine Quillfeather3" in content
    assert submission.encode() in content
    assert link.encode() not in content

    submission, link, content = left["a_roster-swept"]
    for secret in ("Quillfeather", "Zephyrine", submission, link):
        assert secret.encode() not in content
    # The reports are there, under the code.
    assert b"kx7.3" in content
    assert b"10101010101" in content
