"""`manage.py candor verify`, and folders of dated backups that were verified."""

import fcntl
import gzip
import io
import json
import os
import shlex
import stat
import sys
import tempfile
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.db import connection

from surveys.models import ApiToken, ReportSet, Survey
from surveys.services.results import recomputed, refresh_results
from surveys.services.temporary_site import temporary_site
from surveys.services.verified_backups import is_close
from tests.app.backed_up import (  # noqa: F401
    empty_the_site,
    everything,
    lines_of,
    rewritten,
    run,
    tables_once,
)
from tests.app.test_aggregation import QUESTIONS, fill
from tests.builders import launched

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.each_database,
    pytest.mark.usefixtures("tables_once"),
]
REVERSED = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])"


@pytest.fixture
def launch():
    launch = launched(questions=QUESTIONS, linkage="together", release_batch=10)
    fill(launch, 23)
    refresh_results(launch_id=launch.pk)
    return launch


@pytest.fixture(autouse=True)
def own_temporary_files(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert not list(folder.iterdir())


@pytest.fixture
def backup(tmp_path, launch):
    path = tmp_path / "site.backup"
    run("backup", path)
    return path


@pytest.mark.slow
def test_a_backup_is_verified_beside_the_site_and_nothing_is_changed(backup, launch, monkeypatch):
    before, modes = everything(), []

    def look(launch_id):
        folder = Path(connection.settings_dict["NAME"]).parent
        modes.append((connection.vendor, stat.S_IMODE(folder.stat().st_mode)))
        return recomputed(launch_id)

    monkeypatch.setattr("surveys.services.verified_backups.recomputed", look)
    said = run("verify", backup)
    assert modes == [("sqlite", 0o700)]
    assert "health, version 1, wave 1: 23 responses, 10 of them waiting; digest" in said
    assert "the same when computed anew" in said
    assert "This backup is whole" in said
    assert everything() == before


def changed(lines, table, change):
    """The lines, with a change to the first row of a table; `change` takes columns and row."""
    at = next(i for i, line in enumerate(lines) if f'"table":"{table}"' in line)
    columns, row = json.loads(lines[at])["columns"], json.loads(lines[at + 1])
    change(columns, row)
    return [*lines[: at + 1], json.dumps(row, separators=(",", ":")), *lines[at + 2 :]]


def other_result(columns, row):
    row[columns.index("content")]["responses"] += 1


def other_report(columns, row):
    reports = row[columns.index("content")]["reports"]
    reports["q1"] = 1 - reports["q1"]


def other_survey(columns, row):
    row[columns.index("parameters")]["survey"] = "another"


def one_value_more(_columns, row):
    row.append(1)


def no_moment(columns, row):
    row[columns.index("launched_at")] = "yesterday"


def without_an_account(lines):
    end = json.loads(lines[-1])
    del end["end"]["launches"]
    return [*lines[:-1], json.dumps(end)]


def test_what_somebody_has_changed_is_found(backup):
    lines = lines_of(backup)
    cut = backup.with_name("cut.backup")
    cut.write_bytes(backup.read_bytes()[:-9])
    turned = bytearray(backup.read_bytes())
    turned[len(turned) // 2] ^= 1
    flipped = backup.with_name("flipped.backup")
    flipped.write_bytes(turned)
    for file, words in (
        (cut, "damaged"),
        # What a turned bit makes of a compressed text is chance, and so is what is found first.
        (flipped, "."),
        (rewritten(backup, changed(lines, "surveys_result", other_result)), "results differ"),
        (rewritten(backup, changed(lines, "surveys_reportset", other_report)), "do not agree"),
        (rewritten(backup, changed(lines, "surveys_launch", other_survey)), "digest"),
        (rewritten(backup, changed(lines, "surveys_launch", one_value_more)), "damaged"),
        (rewritten(backup, changed(lines, "surveys_launch", no_moment)), "damaged|refuses"),
        (rewritten(backup, without_an_account(lines)), "damaged"),
    ):
        with pytest.raises(CommandError, match=words):
            run("verify", file)


def test_what_has_come_since_is_said(backup, launch):
    fill(launch, 4)
    launched(slug="later")
    said = run("verify", backup, against_site=True)
    assert "health: 4 responses more here than in the backup" in said
    assert "later: launched since, 0 responses" in said
    empty_the_site()
    assert "1 launches are in the backup only" in run("verify", backup, against_site=True)


def test_another_secret_is_said(backup, settings):
    settings.SECRET_KEY = "another secret, which is long enough too"
    assert "is not that of this site" in run("verify", backup)


def test_an_error_gives_the_site_its_database_back(launch):
    with pytest.raises(ZeroDivisionError), temporary_site():
        1 / Survey.objects.count()
    assert Survey.objects.exists()


def test_last_digits_are_those_of_a_machine():
    assert is_close({"a": [1.0, "x", None, 3]}, {"a": [1.0 + 1e-9, "x", None, 3]})
    assert is_close(1.0, 1)
    for other in ({"a": [1.001]}, {"a": []}, {"b": [1.0]}, {"a": ["1.0"]}, {"a": [None]}):
        assert not is_close({"a": [1.0]}, other)
    assert not is_close(3, 4)


# --- folders --------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "backups"
    path.mkdir()
    return path


def earlier(folder, count):
    names = [f"candor-2026-05-{day:02}T020000Z.backup" for day in range(1, count + 1)]
    for name in names:
        (folder / name).touch()
    return names


def test_a_folder_keeps_the_newest_and_touches_nothing_else(folder, launch):
    names = earlier(folder, 3)
    (folder / "notes.backup").touch()
    (folder / "candor-2026-05-01T020000Z.backup.partial").touch()
    said = run("backup", directory=folder, keep=3)
    assert "It was restored and verified. 1 older ones were deleted." in said
    (new,) = {path.name for path in folder.iterdir()} - {
        *names[1:],
        "notes.backup",
        "candor-2026-05-01T020000Z.backup.partial",
        "last-good",
    }
    assert stat.S_IMODE((folder / new).stat().st_mode) == 0o600
    assert "This backup is whole" in run("verify", folder / new)


@pytest.mark.slow
def test_a_backup_that_is_not_good_deletes_nothing(folder, launch, monkeypatch):
    names = earlier(folder, 2)
    ReportSet.objects.first().delete()
    with pytest.raises(CommandError, match="recount"):
        run("backup", directory=folder, keep=1)
    left = {path.name for path in folder.iterdir()}
    # All that there is of a site with faults is kept beside what there was.
    assert left > set(names)
    assert len(left) == 3
    for command in (shlex.join([sys.executable, "-c", "import sys; sys.exit(3)"]), "no-such-tool"):
        with pytest.raises(CommandError, match=r"ended with 3|Cannot run"):
            run("backup", directory=folder, keep=1, through=command)
    assert {path.name for path in folder.iterdir()} == left


@pytest.mark.slow
def test_what_is_stored_passes_through_a_command(folder, launch, monkeypatch):
    """The site has one half of a key at most; whoever restores has the other."""
    through = shlex.join([sys.executable, "-c", REVERSED])
    run("backup", directory=folder, through=through)
    (sealed,) = folder.glob("*.backup.*")
    assert sealed.suffix[1:] == Path(sys.executable).name
    with pytest.raises(CommandError, match="no backup"):
        run("verify", sealed)
    opened = sealed.read_bytes()[::-1]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(opened)))
    assert "This backup is whole" in run("verify", "-")
    before = everything()
    empty_the_site()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(opened)))
    assert "agree as they did" in run("restore", "-")
    assert everything() == before


@pytest.mark.slow
def test_a_backup_goes_to_the_standard_output(launch, monkeypatch, tmp_path):
    written = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", written)
    assert run("backup", "-") == ""
    monkeypatch.undo()
    content = written.buffer.getvalue()
    assert gzip.decompress(content).startswith(b'{"backup":1')
    path = tmp_path / "piped.backup"
    path.write_bytes(content)
    assert "This backup is whole" in run("verify", path)


def test_only_one_process_writes_a_file(tmp_path, launch):
    path = tmp_path / "site.backup"
    partial = tmp_path / "site.backup.partial"
    partial.write_bytes(b"of a process that was killed" * 100_000)
    with partial.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(CommandError, match="another process"):
            run("backup", path)
    run("backup", path)
    assert not partial.exists()
    assert "This backup is whole" in run("verify", path)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "Name either"),
        ({"directory": Path("no-such-folder")}, "no folder"),
        ({"directory": Path(os.sep), "keep": 0}, "at least 1"),
        ({"file": Path("a"), "through": "cat"}, "pipe"),
    ],
)
def test_what_does_not_go_together_is_refused(options, words):
    with pytest.raises(CommandError, match=words):
        run("backup", *([options.pop("file")] if "file" in options else []), **options)


def test_tokens_in_a_backup_of_the_first_version_are_passed_over(backup):
    """It had them, and no sum."""
    lines = lines_of(backup)
    end = json.loads(lines[-1])
    assert "surveys_apitoken" not in end["end"]["rows"]
    del end["sha256"]
    end["end"]["rows"]["surveys_apitoken"] = 1
    table = ['{"table":"surveys_apitoken","columns":["id"]}', "[1]"]
    old = rewritten(backup, [lines[0], *table, *lines[1:-1], json.dumps(end)])
    empty_the_site()
    assert "agree as they did" in run("restore", old)
    assert not ApiToken.objects.exists()
