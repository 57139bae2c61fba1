"""A Candor site, as an account sees it through one of its tokens."""

import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
import msgspec

from candor.documents import (
    Checks,
    Document,
    Json,
    Status,
    Stored,
    Survey,
    Token,
    Validated,
)
from candor.errors import CandorError, JobFailedError, UnreachableError
from candor.transport import Transport, refusal_of

T = TypeVar("T")
D = TypeVar("D", bound=Document)

# How often what a worker makes, or a release, is looked for, in seconds.
SHORTEST_LOOK, LONGEST_LOOK = 0.5, 10.0
# A survey, or its number.
Which = Survey | int
CHUNK = 1 << 20


class Candor:
    """A site, by its address and a token that was made on its page *Tokens*.

    Whatever is asked for twice because an answer was lost is done once. Every method raises
    SiteError where the site refuses, and UnreachableError where it does not answer.
    """

    def __init__(self, url: str, token: str, *, timeout: float = 60.0) -> None:
        from candor import __version__

        agent = f"candor-client/{__version__}"
        self._transport = Transport(url, token, timeout=timeout, agent=agent)
        self.url = self._transport.url

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- surveys ----------------------------------------------------------------------------------

    def token(self) -> Token:
        """What this token is for."""
        return self._get("/token", Token)

    def surveys(self, *, state: str | None = None) -> Iterator[Survey]:
        """Yield the surveys that the account owns or that are shared with it, the newest first."""
        yield from self._listed("/surveys", Survey, {"state": state})

    def survey(self, which: int | str) -> Survey:
        """Return a survey by its number, or by its address: the last part of its link."""
        if isinstance(which, int) or which.isdigit():
            return self._get(f"/surveys/{which}", Survey)
        for survey in self._listed("/surveys", Survey, {"address": which}):
            return survey
        raise CandorError(f"survey: {which!r} is the address of no survey of yours at {self.url}")

    def create(self, definition: Json | str | Path) -> Stored:
        """Make a draft of a definition, or of the file that has it."""
        response = self._transport.request("POST", "/surveys", content=_definition(definition))
        return _read(response, Stored)

    def replace(
        self, survey: Which, definition: Json | str | Path, *, tag: str | None = None
    ) -> Stored:
        """Replace the definition of a draft.

        `tag`: that of the definition that was read (`definition`), so that what somebody else
        has changed since is not lost; None to replace whatever is there.
        """
        response = self._transport.request(
            "PUT",
            f"/surveys/{_number(survey)}/definition",
            content=_definition(definition),
            headers={"If-Match": tag or "*"},
        )
        return _read(response, Stored)

    def definition(self, survey: Which) -> tuple[Json, str]:
        """Return the definition of a survey, and its tag."""
        response = self._transport.request("GET", f"/surveys/{_number(survey)}/definition")
        return response.json(), response.headers.get("ETag", "")

    def validate(self, definition: Json | str | Path) -> Validated:
        """Say what a definition would become, without storing it."""
        content = _definition(definition)
        return _read(
            self._transport.request("POST", "/surveys/validate", content=content), Validated
        )

    def delete(self, survey: Which) -> None:
        """Delete a draft."""
        self._transport.request("DELETE", f"/surveys/{_number(survey)}")

    # --- its steps --------------------------------------------------------------------------------

    def check(self, survey: Which) -> Checks:
        """Run the checks of the launch, and launch nothing."""
        return self._get(f"/surveys/{_number(survey)}/checks", Checks)

    def launch(self, survey: Which, checks: Checks, *, confirmed: bool = False) -> Survey:
        """Launch the draft that these checks are of; one that was changed since is refused.

        `confirmed`: whether its author has read what `checks.confirm` says.
        """
        order = {"digest": checks.digest or "", "confirmed": confirmed}
        return self._post(f"/surveys/{_number(survey)}/launch", order, Survey)

    def shut(self, survey: Which) -> Survey:
        """Close an open survey for responses."""
        return self._post(f"/surveys/{_number(survey)}/close", None, Survey)

    def reopen(self, survey: Which, *, closes_at: datetime | None = None) -> Survey:
        """Open a closed survey again, under the same parameters."""
        order = {"closes_at": closes_at}
        return self._post(f"/surveys/{_number(survey)}/reopen", order, Survey)

    # --- results ----------------------------------------------------------------------------------

    def parameters(self, survey: Which) -> Json:
        """The frozen parameters of a survey, or those that a launch would freeze."""
        return dict(self._transport.request("GET", f"/surveys/{_number(survey)}/parameters").json())

    def status(self, survey: Which) -> Status:
        """How many responses are released."""
        return self._get(f"/surveys/{_number(survey)}/status", Status)

    def results(self, survey: Which) -> Json:
        """The released results, with all digits."""
        return dict(self._transport.request("GET", f"/surveys/{_number(survey)}/results").json())

    def releases(self, survey: Which, *, every: float | None = None) -> Iterator[Status]:
        """Yield the status of the newest release now, and then of each further one, for ever.

        Looks every so many seconds; by default less and less often until there is something new.
        """
        path, tag, seen, pause = f"/surveys/{_number(survey)}/status", "", "", SHORTEST_LOOK
        while True:
            headers = {"If-None-Match": tag} if tag else {}
            response = self._transport.request("GET", path, headers=headers)
            tag = response.headers.get("ETag", tag)
            if response.status_code == 200:
                status = _read(response, Status)
                if status.released and status.revision != seen:
                    seen, pause = status.revision, SHORTEST_LOOK
                    yield status
            time.sleep(every if every is not None else pause)
            pause = min(pause * 1.5, LONGEST_LOOK)

    # --- files ------------------------------------------------------------------------------------

    def files(self, survey: Which) -> list[Json]:
        """The files about the results: name, media type, and whether a row is a person's."""
        response = self._transport.request("GET", f"/surveys/{_number(survey)}/files")
        return list(response.json()["items"])

    def export(
        self,
        survey: Which,
        name: str = "reports.csv",
        path: str | Path | None = None,
        *,
        progress: Callable[[float], None] | None = None,
    ) -> Path:
        """Store a file about the results, such as "reports.sav" or "estimates.xlsx".

        `path`: a folder, or the name of the file; by default the name that the site gives it. What
        a worker has to make first is waited for, and `progress` told how far it is. Nothing is left
        of a download that breaks off.
        """
        known = {file["name"]: file for file in self.files(survey)}
        if name not in known:
            raise CandorError(f"name: {name!r} is none of {', '.join(sorted(known))}")
        address = known[name]["address"].partition("/api/v1")[2]
        pause = SHORTEST_LOOK
        while True:
            with closing(self._transport.download(address)) as response:
                if response.status_code == 200:
                    return _stored(response, path)
                job = json.loads(response.read())
            if progress is not None:
                progress(float(job["progress"]))
            time.sleep(pause)
            pause = min(pause * 1.5, LONGEST_LOOK)

    # --- in and out -------------------------------------------------------------------------------

    def _get(self, path: str, kind: type[D]) -> D:
        return _read(self._transport.request("GET", path), kind)

    def _post(self, path: str, content: Any, kind: type[D]) -> D:
        return _read(self._transport.request("POST", path, content=content), kind)

    def _listed(self, path: str, kind: type[D], query: Json) -> Iterator[D]:
        asked: Json | None = query
        while True:
            page = self._transport.request("GET", path, query=asked).json()
            yield from (msgspec.convert(item, kind, strict=False) for item in page["items"])
            if not page["next"]:
                return
            path, asked = page["next"].partition("/api/v1")[2], None


def _number(survey: Which) -> int:
    return survey if isinstance(survey, int) else survey.id


def _definition(definition: Json | str | Path) -> Json:
    """A definition as it is, or from the file that has it."""
    if isinstance(definition, dict):
        return definition
    try:
        read = msgspec.json.decode(Path(definition).read_bytes())
    except OSError as error:
        raise CandorError(f"definition: {definition} cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise CandorError(f"definition: {definition} is no JSON: {error}") from error
    if not isinstance(read, dict):
        raise CandorError(f"definition: {definition} is no JSON object")
    return read


def _read(response: httpx.Response, kind: type[D]) -> D:
    try:
        return msgspec.json.decode(response.content, type=kind)
    except msgspec.MsgspecError:
        raise refusal_of(response) from None


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
