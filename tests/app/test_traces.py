"""No file keeps a submission id beside its reports, or a deleted name, once it is swept."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

# In a process of its own: the suite's database is in memory, or a PostgreSQL.
PROGRAM = """
import json, django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from surveys.services import responses, results, rosters, traces, transitions
from tests.builders import launched, response
from tests.rosters import launched_network
network = launched_network(slug="network").survey
transitions.close_survey(survey=network, actor=None)
rosters.delete_names(survey=network, actor=None)
launch = launched()
payload = response(launch)
responses.record_response(launch=launch, body=json.dumps(payload).encode())
results.refresh_results(launch_id=launch.pk)
from django.db import connection
connection.cursor().execute("DELETE FROM surveys_receipt")
if SWEPT:
    traces.truncate_write_ahead_log()
print(payload["submission"].replace("-", ""), flush=True)
import os, shutil
from django.conf import settings
shutil.rmtree(settings.FOLDER)
os._exit(0)  # as a killed process: closing would empty the log by itself
"""


# The last line has the submission id and the personal link of a member, who is called in full.
ROSTER_PROGRAM = """
import json, uuid, django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from surveys.services import responses, results, rosters, traces, transitions
from tests.rosters import RosterRow, launched_network, links_of
rows = [RosterRow(f"kx7.{n}", f"Zephyrine Quillfeather{n}", "EL"[n % 2]) for n in range(12)]
launch = launched_network(rows)
link, submission = links_of(launch.survey)["kx7.3"], str(uuid.uuid4())
body = {"digest": launch.digest, "submission": submission, "link": link}
body["reports"] = {"friends": "10" * 5 + "1", "smokes": 1}
responses.record_response(launch=launch, body=json.dumps(body).encode())
results.refresh_results(launch_id=launch.pk)
transitions.close_survey(survey=launch.survey, actor=None)
results.refresh_results(launch_id=launch.pk)
from django.db import connection
connection.cursor().execute("DELETE FROM surveys_receipt")
if SWEPT:
    rosters.delete_names(survey=launch.survey, actor=None)
    traces.truncate_write_ahead_log()
print(submission.replace("-", ""), link, flush=True)
import os, shutil
from django.conf import settings
shutil.rmtree(settings.FOLDER)
os._exit(0)  # as a killed process: closing would empty the log by itself
"""


def files_after(folder: Path, *, swept: bool, program: str = PROGRAM) -> tuple[str, bytes]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    environment["DATABASE_URL"] = f"sqlite:///{folder / 'candor.sqlite3'}"
    program = program.replace("SWEPT", str(swept))
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip(), b"".join(path.read_bytes() for path in folder.iterdir())


def test_the_sweep_wipes_the_log(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "swept").mkdir()
    # The test can see a trace: without the sweep, the log has it.
    submission, content = files_after(tmp_path / "kept", swept=False)
    assert submission.encode() in content
    assert b"Member 7" in content

    submission, content = files_after(tmp_path / "swept", swept=True)
    assert len(submission) == 32
    assert submission.encode() not in content
    assert b"Member " not in content
    assert b"m007" in content
    assert json.dumps({"q1": 0}).encode() in content


def test_names_that_were_deleted_and_links_are_in_no_file(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "swept").mkdir()
    words, content = files_after(tmp_path / "kept", swept=False, program=ROSTER_PROGRAM)
    submission, link = words.split()
    assert b"Zephyrine Quillfeather3" in content
    assert submission.encode() in content
    assert link.encode() not in content

    words, content = files_after(tmp_path / "swept", swept=True, program=ROSTER_PROGRAM)
    submission, link = words.split()
    for secret in ("Quillfeather", "Zephyrine", submission, link):
        assert secret.encode() not in content
    # The reports are there, under the code.
    assert b"kx7.3" in content
    assert b"10101010101" in content
