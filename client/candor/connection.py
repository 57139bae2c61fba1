"""One site through one token: documents are sent and read, and what takes time is waited for."""

import time
from collections.abc import Iterator
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from candor.documents import Document, Json, Readable, Survey
from candor.errors import CandorError
from candor.transport import ROOT, Transport, refusal_of

T = TypeVar("T")
D = TypeVar("D", bound=Document)

# How often what a worker makes, or a release, is looked for, in seconds.
SHORTEST_LOOK, LONGEST_LOOK = 0.5, 10.0
# A survey, or its number.
Which = Survey | Readable | int


class Connection:
    """What every part of the interface is asked through."""

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

    def _get(self, path: str, kind: type[T], query: Json | None = None) -> T:
        return read(self._transport.request("GET", path, query=query), kind)

    def _post(self, path: str, content: Any, kind: type[T]) -> T:
        return read(self._transport.request("POST", path, content=content), kind)

    def _put(self, path: str, content: Any, kind: type[T]) -> T:
        return read(self._transport.request("PUT", path, content=content), kind)

    def _delete(self, path: str) -> None:
        self._transport.request("DELETE", path)

    def _listed(self, path: str, kind: type[D], query: Json | None = None) -> Iterator[D]:
        """Yield the items of a list, page after page."""
        asked = query
        while True:
            page = self._transport.request("GET", path, query=asked).json()
            yield from (msgspec.convert(item, kind, strict=False) for item in page["items"])
            following = page.get("next")
            if not following:
                return
            path, asked = below_root(following), None


class Patience:
    """Pauses between looks: of so many seconds, or less and less often."""

    def __init__(self, every: float | None = None) -> None:
        self._every, self._next = every, SHORTEST_LOOK

    def wait(self) -> None:
        time.sleep(self._next if self._every is None else self._every)
        self._next = min(self._next * 1.5, LONGEST_LOOK)

    def begin_again(self) -> None:
        self._next = SHORTEST_LOOK


def of(survey: Which, *parts: str | int) -> str:
    """The address of a survey, or of something of it; no part leads to anything else."""
    for part in parts:
        if part in ("", ".", ".."):
            raise CandorError(f"name: {part!r} is the name of nothing")
    number = survey if isinstance(survey, int) else survey.id
    return "/".join(["/surveys", *(quote(str(part), safe="") for part in (number, *parts))])


def below_root(address: str) -> str:
    """What stands after the root of the interface, before which a site may have a path."""
    return address.rpartition(ROOT)[2]


def read(response: httpx.Response, kind: type[T]) -> T:
    """The document in an answer; raises UnreachableError where there is another."""
    try:
        return msgspec.json.decode(response.content, type=kind)
    except msgspec.MsgspecError:
        raise refusal_of(response) from None
