"""The file of a backup: every table of the site in lines of JSON, compressed.

A line {"backup": FORMAT, ...} comes first; then for each table {"table": ..., "columns": [...]} and
a list of values for each row; and at last {"end": ..., "sha256": ...}, of all lines before, so that
a file that is cut short or was changed is noticed. Backups of 0.1.0 have no sum.
"""

import fcntl
import gzip
import hashlib
import json
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from surveys.exceptions import SurveyError

FORMAT = 1
# The name of a file that stands for the standard input or output.
STREAM = Path("-")
NO_BACKUP = "This file is no backup, or is damaged."


class BackupError(SurveyError):
    """A backup that cannot be made, or cannot be restored here."""

    code = "backup"


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: list[str]
    rows: Iterator[list[Any]]


class Writer:
    def __init__(self, lines: TextIO) -> None:
        self._lines, self._sum = lines, hashlib.sha256()

    def begin(self, **about: Any) -> None:
        self._line({"backup": FORMAT, **about})

    def table(self, name: str, columns: list[str], rows: Iterable[list[Any]]) -> int:
        """Write a table; returns the number of its rows."""
        self._line({"table": name, "columns": columns})
        number = 0
        for row in rows:
            self._line(row)
            number += 1
        return number

    def end(self, **about: Any) -> None:
        self._line({"end": about, "sha256": self._sum.hexdigest()})

    def _line(self, content: Any) -> None:
        line = json.dumps(content, separators=(",", ":")) + "\n"
        self._sum.update(line.encode())
        self._lines.write(line)


@contextmanager
def new_backup(path: Path) -> Iterator[Writer]:
    """A file for its owner alone, which has its name once it is whole; or the standard output."""
    if path == STREAM:
        with _lines_into(sys.stdout.buffer) as writer:
            yield writer
        sys.stdout.buffer.flush()
        return
    with new_file(path) as file, _lines_into(file) as writer:
        yield writer


@contextmanager
def _lines_into(file: Any) -> Iterator[Writer]:
    with gzip.open(file, "wt", encoding="utf-8", compresslevel=6) as lines:
        yield Writer(lines)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A file for its owner alone, which has its name once all of it is on disk."""
    if path.exists():
        raise BackupError(f"{path} exists already; a backup overwrites nothing.")
    partial = path.with_name(f"{path.name}.partial")
    try:
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT, 0o600)
    except OSError as error:
        raise BackupError(f"Cannot write to {partial}: {error.strerror}.") from error
    with os.fdopen(handle, "wb") as file:
        try:
            # The lock of a process that was killed is gone, what it wrote is not.
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BackupError(f"{partial} is being written by another process.") from error
        try:
            file.truncate(0)
            yield file
            file.flush()
            os.fsync(handle)
            partial.rename(path)
            _store_names(path.parent)
        except OSError as error:
            raise BackupError(f"Cannot write {path}: {error.strerror}.") from error
        finally:
            partial.unlink(missing_ok=True)


def _store_names(folder: Path) -> None:
    """A new name in a folder is on disk once the folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Reader:
    """A reader of a backup in the order of the file: `about`, then `tables()`, then `end`."""

    def __init__(self, lines: TextIO) -> None:
        self._lines, self._sum = lines, hashlib.sha256()
        self.about = self._next()
        self.end: dict[str, Any] | None = None
        if not isinstance(self.about, dict) or self.about.get("backup") != FORMAT:
            raise BackupError("This is no backup of this version of Candor.")

    def tables(self) -> Iterator[Table]:
        """The tables, each of which is to be read to its end before the next."""
        line = self._next()
        while "table" in line:
            self._following: Any = None
            yield Table(line["table"], line["columns"], self._rows())
            line = self._following
        # The compressed file has a sum of its own, which is read with its last byte.
        if self._read() or line.get("sha256", self._sum_before) != self._sum_before:
            raise BackupError("This backup is damaged: its lines are not those that were written.")
        self.end = line.get("end")

    def _rows(self) -> Iterator[list[Any]]:
        while isinstance(row := self._next(), list):
            yield row
        self._following = row

    def _next(self) -> Any:
        line = self._read()
        if not line:
            raise BackupError("This backup is cut short.")
        self._sum_before = self._sum.hexdigest() if line.startswith("{") else ""
        self._sum.update(line.encode())
        try:
            return json.loads(line)
        except ValueError as error:
            raise BackupError(NO_BACKUP) from error

    def _read(self) -> str:
        try:
            return self._lines.readline()
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise BackupError(NO_BACKUP) from error


@contextmanager
def existing_backup(path: Path) -> Iterator[Reader]:
    """The reader of a file, or of the standard input."""
    if path == STREAM:
        with gzip.open(sys.stdin.buffer, "rt", encoding="utf-8") as lines:
            yield Reader(lines)
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise BackupError(f"Cannot read {path}: {error.strerror}.") from error
    with file, gzip.open(file, "rt", encoding="utf-8") as lines:
        yield Reader(lines)
