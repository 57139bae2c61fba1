"""Static files: whether they are collected, and from this source."""

import json
from collections.abc import Iterator
from pathlib import Path

from django.contrib.staticfiles.finders import get_finders

from config.environment.environment import Environment
from config.group_files import GroupFinder
from surveys.management.unsafe.finding import Finding

_REMEDY = "python manage.py collectstatic --noinput"


def find(environment: Environment, collected: Path) -> Iterator[Finding]:
    """In debug they are served from the source."""
    if environment.CANDOR_DEBUG:
        return
    manifest = collected / "staticfiles.json"
    try:
        names = json.loads(manifest.read_text(encoding="utf-8"))["paths"]
        when = manifest.stat().st_mtime
    except (OSError, ValueError, KeyError):
        yield Finding("static files", f"No static files are collected, so pages fail: {_REMEDY}")
        return
    newer = next((name for name, path in _sources() if _differs(name, path, names, when)), None)
    if newer:
        yield Finding(
            "static files",
            f"The static files are older than the source ({newer}), so respondents get scripts of "
            f"another version: {_REMEDY}",
        )


def _differs(name: str, path: Path, names: dict[str, str], when: float) -> bool:
    return name not in names or path.stat().st_mtime > when


def _sources() -> Iterator[tuple[str, Path]]:
    """Each file with its path; groups of files follow from these."""
    for finder in get_finders():
        if not isinstance(finder, GroupFinder):
            for name, storage in finder.list([]):
                yield name, Path(storage.path(name))
