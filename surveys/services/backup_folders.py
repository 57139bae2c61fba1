"""A folder of dated backups: each is verified before it counts, and before an older one goes."""

import hashlib
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from django.utils import timezone

from surveys.services.backup_files import BackupError, new_file
from surveys.services.backups import Progress, make_backup
from surveys.services.verified_backups import verify_backup

# Empty; its time of change is that of the newest backup that was verified.
LAST_GOOD = "last-good"
_NAME = re.compile(r"candor-\d{4}-\d{2}-\d{2}T\d{6}Z\.backup(\.(?!partial$)\w+)?")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Kept:
    """A new backup in its folder. `end`: what its end says; `problems`: what is wrong with the site
    that it is a copy of, and then nothing was deleted.
    """

    path: Path
    end: dict[str, Any]
    problems: list[str]
    deleted: list[Path]


def keep_backup(*, folder: Path, keep: int, through: str, say: Progress) -> Kept:
    """Make a backup, verify it, put it into a folder under its moment, and delete what is beyond
    `keep`, the oldest first.

    `through`: a command that reads the backup and writes what is stored, such as one that encrypts
    it. Raises BackupError, and then the folder is as it was.
    """
    if not folder.is_dir():
        raise BackupError(f"{folder} is no folder.")
    path = folder / _name(shlex.split(through))
    # Whoever made it can read the site's database as well, so that it lies here in the clear; no
    # submission id stands beside reports.
    with tempfile.TemporaryDirectory(prefix="candor-") as temporary:
        plain = Path(temporary, "new.backup")
        end = make_backup(path=plain, say=say)
        problems = verify_backup(plain, say=say, progress=lambda _: None).problems
        with new_file(path) as file, _filtered(plain, through) as content:
            digest = _copy(content, file)
    if _digest(path) != digest:
        raise BackupError(
            f"{path} is not what was written: look at the disk before you rely on it."
        )
    if problems:
        return Kept(path, end, problems, [])
    (folder / LAST_GOOD).touch()
    return Kept(path, end, [], list(_delete_oldest(folder, keep)))


def _name(command: list[str]) -> str:
    ending = f".{Path(command[0]).name}" if command else ""
    return f"candor-{timezone.now():%Y-%m-%dT%H%M%SZ}.backup{ending}"


@contextmanager
def _filtered(path: Path, through: str) -> Iterator[Any]:
    """The content of a file, or what a command makes of it."""
    with path.open("rb") as file:
        if not through:
            yield file
            return
        try:
            process = subprocess.Popen(shlex.split(through), stdin=file, stdout=subprocess.PIPE)
        except OSError as error:
            raise BackupError(f"Cannot run {through!r}: {error.strerror}.") from error
        with process:
            yield process.stdout
        if process.returncode:
            raise BackupError(f"{through!r} ended with {process.returncode}; nothing was kept.")


def _copy(source: Any, target: BinaryIO) -> str:
    """Copy all of it; returns the digest of what was written."""
    digest = hashlib.sha256()
    while chunk := source.read(_CHUNK):
        digest.update(chunk)
        target.write(chunk)
    return digest.hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _delete_oldest(folder: Path, keep: int) -> Iterator[Path]:
    dated = sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))
    for path in dated[:-keep]:
        path.unlink()
        yield path
