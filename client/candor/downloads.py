"""Files about the results: waited for, stored whole, and not sent again where nothing changed."""

import json
import os
import re
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import httpx

from candor.connection import Connection, Patience, Which, below_root, of
from candor.documents import FileFacts, FileList
from candor.errors import CandorError, JobFailedError, UnreachableError

CHUNK = 1 << 20
# What the site says beside the file of an earlier release: how many responses the newest has.
NEWEST = "Candor-Newest-Responses"
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Download:
    """A file that was stored. `tag`: by which the site knows whether there is a newer one.

    `path`: None where the site has no other file than the one with the tag that was shown to it.
    """

    path: Path | None
    tag: str


class Downloads(Connection):
    """Files of estimates, of reports, and replication bundles."""

    def files(self, survey: Which) -> tuple[FileFacts, ...]:
        """The files about the results: name, media type, and whether a row is a person's."""
        return self._get(of(survey, "files"), FileList).items

    def export(
        self,
        survey: Which,
        name: str = "reports.csv",
        path: str | Path | None = None,
        *,
        tag: str = "",
        again: bool = False,
        progress: Progress | None = None,
    ) -> Download:
        """Store a file about the results, such as "reports.sav" or "estimates.xlsx".

        `path`: a folder, or the name of the file; by default the name that the site gives it. What
        a worker has to make first is waited for, and `progress` told how far it is, from 0 to 1.
        Nothing is left of a download that breaks off. The file is of the release that there is now,
        or of a newer one. `tag`: that of a download before; where
        nothing has changed since, nothing is sent. `again`: have a worker make the file once more,
        where it could not be made.
        """
        known = {file.name: file for file in self.files(survey)}
        if name not in known:
            raise CandorError(f"name: {name!r} is none of {', '.join(sorted(known))}")
        address = below_root(known[name].address)
        return self._download(address, path, tag, again, progress)

    def bundle(
        self,
        survey: Which,
        path: str | Path | None = None,
        *,
        with_rows: bool = False,
        tag: str = "",
        again: bool = False,
        progress: Progress | None = None,
    ) -> Download:
        """Store the replication bundle: all that recomputes the results, in one ZIP file.

        `with_rows`: with the reports, for those whom the author names. The rest as of `export`.
        """
        address = of(survey, "bundle", *(["rows"] if with_rows else []))
        return self._download(address, path, tag, again, progress)

    def _download(
        self,
        address: str,
        path: str | Path | None,
        tag: str,
        again: bool,
        progress: Progress | None,
    ) -> Download:
        if again:
            self._transport.request("POST", f"{address}/again")
        patience, looks = Patience(), count()
        while True:
            with closing(self._transport.download(address, tag=tag)) as response:
                newest = response.headers.get(NEWEST, "")
                if next(looks) == 0 and newest.isdigit():
                    # The file of an earlier release: what is asked for now is not to be older.
                    address = f"{address}?at_least={newest}"
                    continue
                if response.status_code == 304:
                    return Download(None, tag)
                if response.status_code == 200:
                    return Download(_stored(response, path), response.headers.get("ETag", ""))
                job = json.loads(response.read())
            if progress is not None:
                progress(float(job["progress"]))
            patience.wait()


def _stored(response: httpx.Response, path: str | Path | None) -> Path:
    """Write the body beside its place, and then put it there whole."""
    place = Path(path) if path is not None else Path()
    if path is None or place.is_dir():
        place = place / _name_of(response)
    with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
        try:
            for chunk in response.iter_bytes(CHUNK):
                file.write(chunk)
            file.close()
            os.replace(file.name, place)
        except BaseException as error:
            os.unlink(file.name)
            if isinstance(error, httpx.TransportError):
                raise UnreachableError(f"The download broke off: {error}") from error
            raise
    return place


def _name_of(response: httpx.Response) -> str:
    """The file name that the site gives, without any folder."""
    said = re.search(r'filename="([^"/\\]+)"', response.headers.get("Content-Disposition", ""))
    if said is None or said[1].startswith("."):
        raise JobFailedError("The site has not said what the file is called; give a path.")
    return said[1]
