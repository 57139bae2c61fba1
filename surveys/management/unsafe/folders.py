"""Folders and files: who can read them, and whether this account can write them."""

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from config.environment.environment import Environment
from surveys.management.unsafe.finding import Finding


def find(environment: Environment) -> Iterator[Finding]:
    data, files = environment.CANDOR_DATA_DIR, environment.CANDOR_FILES_DIR
    if not data.is_dir():
        yield Finding(
            "CANDOR_DATA_DIR", f"The data folder {data} does not exist: mkdir -m 700 {data}"
        )
        return
    if read_by_others(data):
        yield Finding(
            "CANDOR_DATA_DIR",
            f"Every account of this machine can look into the data folder {data}: chmod o= {data}",
        )
    if files.is_dir() and read_by_others(files):
        yield Finding(
            "CANDOR_FILES_DIR",
            f"Every account of this machine can read the files of researchers in {files}: "
            f"chmod o= {files}",
        )
    if reason := why_not_writable(files):
        yield Finding(
            "CANDOR_FILES_DIR",
            f"This account cannot write to {files} ({reason}), so workers cannot make files: let "
            "it own that folder, or set CANDOR_FILES_DIR to one that all machines share.",
        )


def read_by_others(path: Path) -> bool:
    """Whether accounts that are neither owner nor of the group can read it where it lies."""
    try:
        path = path.resolve()
        if not path.stat().st_mode & stat.S_IROTH:
            return False
        return all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)
    except OSError:
        return False


def why_not_writable(folder: Path) -> str:
    """The system's reason, asked with a file that is gone again; a folder yet to be made is asked
    of the one that it would be made in.
    """
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".candor-check-"):
            return ""
    except OSError as error:
        return error.strerror or str(error)
