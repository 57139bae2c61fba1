"""The file of a backup: every table of the site in lines of JSON, compressed.

A line {"backup": FORMAT, ...} comes first; then for each table {"table": ..., "columns": [...]} and
a list of values for each row; and at last {"end": ...}, so that a file cut short is noticed.
"""

import gzip
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from surveys.exceptions import SurveyError

FORMAT = 1


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
        self._lines = lines

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
        self._line({"end": about})

    def _line(self, content: Any) -> None:
        self._lines.write(json.dumps(content, separators=(",", ":")) + "\n")


@contextmanager
def new_backup(path: Path) -> Iterator[Writer]:
    """A file for its owner alone, which has its name once it is whole."""
    if path.exists():
        raise BackupError(f"{path} exists already; a backup overwrites nothing.")
    partial = path.with_name(f"{path.name}.partial")
    try:
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as error:
        raise BackupError(f"Cannot write to {partial}: {error.strerror}.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            with gzip.open(file, "wt", encoding="utf-8", compresslevel=6) as lines:
                yield Writer(lines)
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
    finally:
        partial.unlink(missing_ok=True)


class Reader:
    """A reader of a backup in the order of the file: `about`, then `tables()`, then `end`."""

    def __init__(self, lines: TextIO) -> None:
        self._lines = lines
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
        self.end = line.get("end")

    def _rows(self) -> Iterator[list[Any]]:
        while isinstance(row := self._next(), list):
            yield row
        self._following = row

    def _next(self) -> Any:
        try:
            line = self._lines.readline()
            if line:
                return json.loads(line)
        except (OSError, EOFError, ValueError) as error:
            raise BackupError("This file is no backup, or is damaged.") from error
        raise BackupError("This backup is cut short.")


@contextmanager
def existing_backup(path: Path) -> Iterator[Reader]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise BackupError(f"Cannot read {path}: {error.strerror}.") from error
    with file, gzip.open(file, "rt", encoding="utf-8") as lines:
        yield Reader(lines)
