"""From the release before to this version and back, step by step as docs/operating.md has it.

The release before is taken from the repository (docs/releases/previous.txt). This version comes
with one migration more of every sort that may run beside it, so that there is something to migrate.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.drills.drill import Drill, Load, run
from benchmarks.drills.site import WORKERS, Site, site
from scripts.migration_lint import previous
from tests.system.answering_process import ROOT

NAME = "upgrade from the release before"
BACK = "back to its code on the new tables, and forward"
# What ends a backup by release 0.1.0 where somebody came back while their reports were moved; the
# version after it sets that right by itself.
REFUSED = "report_set_once_per_respondent"
BOOKS = Path("benchmarks/drills")
# Added in the copy of this version: a column that may be empty in the table that every response is
# written to, one with a default in a frozen table, an index, a constraint, and its check. The two
# columns are apart, as the lint wants them: together they ended responses by deadlocks.
MIGRATIONS = {
    "9001_column": (
        True,
        'migrations.AddField("submission", "drill", models.IntegerField(null=True)),',
    ),
    "9002_frozen_table": (
        True,
        'migrations.AddField("survey", "drill", models.IntegerField(db_default=1)),',
    ),
    "9003_index": (
        False,
        '_beside.AddIndex("receipt", models.Index(fields=["launch", "submission"], name="drill")),',
    ),
    "9004_constraint": (
        True,
        '_beside.AddConstraint("submission", models.CheckConstraint('
        'condition=models.Q(drill__gte=0), name="drill_column")),',
    ),
    "9005_rows": (True, '_beside.CheckRows("surveys_submission", "drill_column"),'),
}
MIGRATION = """
from django.db import migrations, models
from surveys.migrations import _beside

class Migration(migrations.Migration):
    atomic = {atomic}
    dependencies = [("surveys", "{before}")]
    operations = [{operations}]
"""
STATIC = re.compile(r'"(/static/[^"]+)"')


class NoReleaseError(Exception):
    """The repository has not the release before."""


def release_before(folder: Path) -> Path:
    """The source of the release before, with the books of the drills."""
    release = previous()
    archived = subprocess.run(
        ["git", "archive", release.commit], cwd=ROOT, capture_output=True, check=False
    )
    if archived.returncode:
        raise NoReleaseError(
            f"The repository has no commit {release.commit} of {release.version}, perhaps because"
            " its history is shallow: git fetch --unshallow"
        )
    folder.mkdir()
    subprocess.run(["tar", "-x"], cwd=folder, input=archived.stdout, check=True)
    if not (folder / BOOKS).exists():
        (folder / BOOKS).mkdir()
        for name in ("__init__.py", "books.py"):
            shutil.copy(ROOT / BOOKS / name, folder / BOOKS / name)
    return folder


def this_version(folder: Path) -> Path:
    """A copy of this version with more migrations."""
    folder.mkdir()
    ignored = shutil.ignore_patterns("__pycache__")
    for path in ROOT.iterdir():
        if path.name == "surveys":
            shutil.copytree(path, folder / path.name, ignore=ignored)
        elif path.is_file():
            # Not a link: Python looks for modules beside the file that a link leads to.
            shutil.copy(path, folder / path.name)
        elif not path.name.startswith(".") and path.name != "var":
            (folder / path.name).symlink_to(path)
    migrations = folder / "surveys" / "migrations"
    before = max(path.stem for path in migrations.glob("[0-9]*.py"))
    for name, (atomic, operations) in MIGRATIONS.items():
        text = MIGRATION.format(atomic=atomic, before=before, operations=operations)
        (migrations / f"{name}.py").write_text(text)
        before = name
    return folder


def files_of_page(running: Site, load: Load) -> list[str]:
    """The addresses of all files that a browser loads with a survey's page."""
    address = f"http://127.0.0.1:{running.port}/s/{load.surveys[0]['slug']}/"
    with urllib.request.urlopen(address, timeout=60) as answer:
        found = STATIC.findall(answer.read().decode())
    assert found, "the page loads no file"
    return found


def are_there(running: Site, addresses: list[str]) -> None:
    """A page loaded before may ask for its files later: raises HTTPError for a missing one."""
    for address in addresses:
        with urllib.request.urlopen(f"http://127.0.0.1:{running.port}{address}", timeout=60):
            pass


def renew(running: Site, load: Load, code: Path) -> None:
    """The steps of the page after the backup; `code` is the version to go to."""
    files, before = files_of_page(running, load), running.books.ask("migrated")
    for name in WORKERS:
        running.programs[name].end()
    load.wait_for_more(20)
    running.run("prepare", code)
    assert running.books.ask("migrated") != before, "there was nothing to migrate"
    load.wait_for_more(20)
    for name in WORKERS:
        running.start_from(running.programs[name], code)
    for web in running.webs:
        web.end()
        running.start_from(web, code)
        load.wait_for_more(20)
    are_there(running, files)


def back_up(running: Site, load: Load) -> None:
    """Back up by the release before, which may be refused as docs/operating.md says."""
    try:
        running.run("backup", running.code)
    except subprocess.CalledProcessError:
        if REFUSED not in (running.folder / "backup.log").read_text():
            raise
        sys.stderr.write("The release before made no backup: it holds two reports of a person.\n")
    load.wait_for_more(20)


def start_anew(running: Site, load: Load, code: Path) -> None:
    for program in (*running.programs.values(), *running.webs):
        program.end()
        running.start_from(program, code)
        load.wait_for_more(20)


@contextmanager
def versions() -> Iterator[tuple[Site, Path, Path]]:
    """A site of the release before, and the folders of both."""
    with tempfile.TemporaryDirectory(prefix="candor-versions-") as name:
        folder = Path(name)
        old, new = release_before(folder / "before"), this_version(folder / "after")
        with site(code=old) as running:
            yield running, old, new


def upgrades(rate: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """The upgrade, and the way back of the code alone, each with its figures."""
    with versions() as (running, old, new):

        def upgrade(running: Site, load: Load) -> None:
            back_up(running, load)
            renew(running, load, new)
            running.books.close()
            running.books = running.open_books(new)
            # A backup overwrites nothing.
            (running.folder / "data" / "candor.backup").unlink(missing_ok=True)
            running.run("backup", new)

        def downgrade(running: Site, load: Load) -> None:
            """The old code on the new tables, whose `prepare` has nothing to undo."""
            start_anew(running, load, old)
            start_anew(running, load, new)

        for number, drill in enumerate((Drill(NAME, upgrade), Drill(BACK, downgrade))):
            yield drill.name, run(drill, running, rate, number)
