"""A zip that is the same, byte for byte, whenever and wherever it is made of the same content."""

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

# The first moment that a zip knows: when a file was made says nothing about what is in it.
MOMENT = (1980, 1, 1, 0, 0, 0)
UNIX = 3
READABLE = 0o100644 << 16


class Member(io.BufferedIOBase):
    """A file of the archive that is being written, with its size and checksum so far."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        self._hash.update(data)
        self.size += len(data)
        return self._file.write(data)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    @property
    def file(self) -> BinaryIO:
        """As what formats write into."""
        return cast("BinaryIO", self)


@contextmanager
def archive_in(file: IO[bytes]) -> Iterator["Archive"]:
    """Begin a zip in an empty file; it is whole at the end, and of no use after an error."""
    with ZipFile(file, "w", ZIP_DEFLATED) as zip_file:
        yield Archive(zip_file)


class Archive:
    """Writes one file after the other into a zip, in constant memory.

    Files stand in the zip in the order in which they were written.
    """

    def __init__(self, zip_file: ZipFile) -> None:
        self._zip = zip_file

    @contextmanager
    def member(self, path: str) -> Iterator[Member]:
        info = ZipInfo(path, MOMENT)
        info.compress_type = ZIP_DEFLATED
        info.create_system = UNIX
        info.external_attr = READABLE
        # How large a table is nobody knows before: also one of more than 4 GB has to fit.
        with self._zip.open(info, "w", force_zip64=True) as opened:
            yield Member(opened)
