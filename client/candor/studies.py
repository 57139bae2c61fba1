"""Surveys of a site, and the steps of a study: from a definition to the last release."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import httpx
import msgspec

from candor.connection import Connection, Patience, Which, of, read
from candor.documents import Checks, Json, Readable, Status, Stored, Survey, Token, Validated
from candor.errors import CandorError


class Studies(Connection):
    """Surveys, their definitions, launch and results."""

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

    def readable(self) -> Iterator[Readable]:
        """Yield the launched surveys whose results the account may see, the newest first."""
        yield from self._listed("/results", Readable)

    def create(self, definition: Json | str | Path) -> Stored:
        """Make a draft of a definition, or of the file that has it."""
        content = _definition(definition)
        return _stored(self._transport.request("POST", "/surveys", content=content))

    def replace(
        self, survey: Which, definition: Json | str | Path, *, tag: str | None = None
    ) -> Stored:
        """Replace the definition of a draft.

        `tag`: that of the definition that was read (`definition`) or stored, so that what somebody
        else has changed since is not lost; None to replace whatever is there.
        """
        response = self._transport.request(
            "PUT",
            of(survey, "definition"),
            content=_definition(definition),
            headers={"If-Match": tag or "*"},
        )
        return _stored(response)

    def definition(self, survey: Which) -> tuple[Json, str]:
        """Return the definition of a survey, and its tag."""
        response = self._transport.request("GET", of(survey, "definition"))
        return response.json(), response.headers.get("ETag", "")

    def validate(self, definition: Json | str | Path) -> Validated:
        """Say what a definition would become, without storing it."""
        return self._post("/surveys/validate", _definition(definition), Validated)

    def delete(self, survey: Which) -> None:
        """Delete a draft."""
        self._delete(of(survey))

    def check(self, survey: Which) -> Checks:
        """Run the checks of the launch, and launch nothing."""
        return self._get(of(survey, "checks"), Checks)

    def launch(self, survey: Which, checks: Checks, *, confirmed: bool = False) -> Survey:
        """Launch the draft that these checks are of; one that was changed since is refused.

        `confirmed`: whether its author has read what `checks.confirm` says.
        """
        order = {"digest": checks.digest or "", "confirmed": confirmed}
        return self._post(of(survey, "launch"), order, Survey)

    def shut(self, survey: Which) -> Survey:
        """Close an open survey for responses."""
        return self._post(of(survey, "close"), None, Survey)

    def reopen(self, survey: Which, *, closes_at: datetime | None = None) -> Survey:
        """Open a closed survey again, under the same parameters."""
        return self._post(of(survey, "reopen"), {"closes_at": closes_at}, Survey)

    def parameters(self, survey: Which) -> Json:
        """The frozen parameters of a survey, or those that a launch would freeze."""
        return self._get(of(survey, "parameters"), Json)

    def status(self, survey: Which) -> Status:
        """How many responses are released."""
        return self._get(of(survey, "status"), Status)

    def results(self, survey: Which) -> Json:
        """The released results, with all digits."""
        return self._get(of(survey, "results"), Json)

    def releases(self, survey: Which, *, every: float | None = None) -> Iterator[Status]:
        """Yield the status of the newest release now, and then of each further one, for ever.

        Looks every so many seconds; by default less and less often until there is something new.
        """
        tag, seen, patience = "", "", Patience(every)
        while True:
            headers = {"If-None-Match": tag} if tag else {}
            response = self._transport.request("GET", of(survey, "status"), headers=headers)
            tag = response.headers.get("ETag", tag)
            if response.status_code == 200:
                status = read(response, Status)
                if status.released and status.revision != seen:
                    seen = status.revision
                    patience.begin_again()
                    yield status
            patience.wait()


def _stored(response: httpx.Response) -> Stored:
    """What was stored, with the tag that only the head of the answer has."""
    stored = read(response, Stored)
    return msgspec.structs.replace(stored, tag=response.headers.get("ETag", ""))


def _definition(definition: Json | str | Path) -> Json:
    """A definition as it is, or from the file that has it."""
    if isinstance(definition, dict):
        return definition
    try:
        found = msgspec.json.decode(Path(definition).read_bytes())
    except OSError as error:
        raise CandorError(f"definition: {definition} cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise CandorError(f"definition: {definition} is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise CandorError(f"definition: {definition} is no JSON object")
    return found
