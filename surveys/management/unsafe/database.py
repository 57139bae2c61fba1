"""The database: whether it can be reached, is complete, and keeps the time."""

import time
from collections.abc import Iterator
from pathlib import Path

from django.db import Error
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from config.environment.environment import Environment
from surveys.management.unsafe.finding import Finding, without_secrets
from surveys.management.unsafe.folders import read_by_others, why_not_writable

SUBJECT = "DATABASE_URL"
MOST_SECONDS_APART = 5
# File systems of other machines, as Linux calls them: SQLite's locks and its log do not hold there.
_FAR = {"afs", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "gfs2", "lustre", "ncpfs", "nfs"}
_FAR |= {"nfs4", "ocfs2", "smb2", "smb3", "smbfs"}
MOUNTS = Path("/proc/self/mountinfo")


def find(
    environment: Environment, connection: BaseDatabaseWrapper, mounts: Path = MOUNTS
) -> Iterator[Finding]:
    if {SUBJECT, "CANDOR_DATA_DIR"} & environment.problems.keys():
        return
    if connection.vendor == "sqlite":
        name = str(connection.settings_dict["NAME"])
        yield from _of_sqlite(name, mounts)
        if not _has_content(Path(name)):
            # To ask it would make it.
            return
    try:
        yield from _unapplied(connection)
        yield from clocks_apart(connection, time.time())
    except Error as error:
        yield Finding(
            SUBJECT,
            f"The database does not answer ({without_secrets(str(error), environment)}), so every "
            "page answers 503: start it, or correct DATABASE_URL.",
        )


def _of_sqlite(name: str, mounts: Path) -> Iterator[Finding]:
    path = Path(name)
    if ":memory:" in name or "mode=memory" in name:
        yield Finding(
            SUBJECT,
            "The database is in memory, so each process has one of its own and nothing is kept: "
            "set DATABASE_URL to sqlite:///path or to PostgreSQL.",
        )
        return
    if not _has_content(path):
        yield Finding(
            SUBJECT, f"There is no database at {path}: python manage.py migrate makes it."
        )
    if read_by_others(path):
        yield Finding(
            SUBJECT, f"Every account of this machine can read the database: chmod o= {path}"
        )
    if reason := why_not_writable(path.parent):
        yield Finding(
            SUBJECT,
            f"This account cannot write to {path.parent} ({reason}), where SQLite has to write "
            "beside the database: let it own that folder.",
        )
    if (kind := file_system(path, mounts)) in _FAR:
        yield Finding(
            SUBJECT,
            f"SQLite's locks do not hold on {kind}, where {path} is, so the database can be "
            "damaged: move it to a disk of this machine, or use PostgreSQL.",
        )


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def file_system(path: Path, mounts: Path) -> str:
    """The kind of the file system that a file is on, by the kernel's table; empty if unknown."""
    try:
        lines = mounts.read_text().splitlines()
    except OSError:
        return ""
    kinds = {}
    for line in lines:
        mounted, _, rest = line.partition(" - ")
        kinds[Path(mounted.split()[4].replace("\\040", " "))] = rest.split()[0]
    path = path.resolve()
    return next((kinds[each] for each in (path, *path.parents) if each in kinds), "")


def _unapplied(connection: BaseDatabaseWrapper) -> Iterator[Finding]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        first = plan[0][0]
        more = f" and {len(plan) - 1} more" if len(plan) > 1 else ""
        yield Finding(
            "migrations",
            f"The migration {first.app_label}.{first.name}{more} is not applied, so pages fail: "
            "python manage.py migrate",
        )


def clocks_apart(connection: BaseDatabaseWrapper, ours: float) -> Iterator[Finding]:
    """`ours` is the time here; SQLite has no other."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        apart = abs(float(cursor.fetchone()[0]) - ours)
    if apart > MOST_SECONDS_APART:
        yield Finding(
            "clock",
            f"The clocks of the database and of this machine are {round(apart)} seconds apart, so "
            "surveys close and jobs are taken over at wrong times: let both follow NTP.",
        )
