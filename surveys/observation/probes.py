"""`/livez` and `/readyz`: whether a process runs, and whether it should be sent requests."""

import functools
import shutil
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import redis
from django.conf import settings
from django.core.files.storage import storages
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from config.stack.ending import is_ending
from surveys.jobs.queue import broker

OK, AWAY, MISSING, LOW, ENDING = "ok", "away", "missing", "low", "ending"
UNKNOWN = "unknown"
# However many ask, a process looks once in this time.
KEPT_SECONDS = 1.0
MEGABYTE = 1_000_000

_looking = threading.Lock()
_looked: tuple[float, dict[str, str]] | None = None


@require_safe
def livez(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return _answer({}, is_well=True)


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    checks = current_checks()
    return _answer(checks, is_well=is_ready(checks))


def is_ready(checks: Mapping[str, str]) -> bool:
    """Whether requests should come here.

    Without a broker responses are stored as ever, and limits count per process. A full disk stops
    nothing but files, unless the database lies on it. Both concern every web server alike, so that
    a balancer would have none left; they are told and not acted upon.
    """
    deciding = {"process", "database", "migrations"}
    if connection.vendor == "sqlite":
        deciding.add("disk")
    return all(checks[name] == OK for name in deciding)


def current_checks() -> dict[str, str]:
    """The outcome of each check as of the last second.

    One thread looks at a time, and meanwhile the others answer what was found last: a database that
    does not answer must not take every thread.
    """
    global _looked
    known = _looked
    is_looking = _looking.acquire(blocking=known is None)
    try:
        if is_looking and (_looked is None or time.monotonic() - _looked[0] >= KEPT_SECONDS):
            found = look()
            _looked = (time.monotonic(), found)
        checks = (_looked or (0.0, {}))[1]
    finally:
        if is_looking:
            _looking.release()
    return {"process": ENDING if is_ending.is_set() else OK, **checks}


def forget() -> None:
    """Look again at the next request."""
    global _looked
    _looked = None


def look() -> dict[str, str]:
    database, migrations = _database_and_migrations()
    return {
        "database": database,
        "migrations": migrations,
        "broker": OK if broker_answers() else AWAY,
        "disk": OK if has_room() else LOW,
    }


def broker_answers() -> bool:
    try:
        return bool(broker().ping())
    except redis.RedisError:
        return False


def _database_and_migrations() -> tuple[str, str]:
    try:
        connection.ensure_connection()
        applied = MigrationRecorder(connection).applied_migrations()
    except DatabaseError:
        connection.close_if_unusable_or_obsolete()
        return AWAY, UNKNOWN
    return OK, OK if migrations_of_this_code() <= set(applied) else MISSING


def missing_migrations() -> int:
    """How many of this code's migrations the database lacks; those of a later one do no harm."""
    return len(migrations_of_this_code() - set(MigrationRecorder(connection).applied_migrations()))


@functools.cache
def migrations_of_this_code() -> set[tuple[str, str]]:
    return set(MigrationLoader(None).disk_migrations)


def has_room() -> bool:
    return all(free >= settings.LEAST_FREE_MB * MEGABYTE for free, _ in disks().values())


def disks() -> dict[str, tuple[int, int]]:
    """Free and total bytes where data and files lie, by the name of the folder."""
    files = Path(storages["files"].path(""))
    folders = {"data": settings.DATA_DIR, "files": files}
    found = {name: shutil.disk_usage(_existing(path)) for name, path in folders.items()}
    return {name: (usage.free, usage.total) for name, usage in found.items()}


def _existing(path: Path) -> Path:
    """The folder, or the nearest one above that is there already."""
    return next(each for each in (path, *path.absolute().parents) if each.exists())


def _answer(checks: Mapping[str, str], *, is_well: bool) -> HttpResponse:
    status = 200 if is_well else 503
    response = JsonResponse({"ok": is_well, **checks}, status=status)
    # The middleware for pages would add the length; without it the connection would be closed.
    response["Content-Length"] = str(len(response.content))
    response["Cache-Control"] = "no-store"
    return response
