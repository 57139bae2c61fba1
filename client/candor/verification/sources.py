"""Where a page and its files come from: the network, as a browser asks, or a recording of one."""

import base64
import binascii
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urldefrag, urlsplit

import httpx

from candor.errors import CandorError, UnreachableError

# A site could show a program another page than a browser. These are the words of a Firefox.
BROWSER = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Accept-Language": "en-US,en;q=0.5",
}
ACCEPTED = {
    "document": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "empty": "*/*",
}
MOST_BYTES = 30_000_000
SECONDS = 30
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Fetched:
    """One answer. `headers`: pairs with names in lower case; a name may come more than once."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    content: bytes
    recorded: bool = False

    def header(self, name: str) -> list[str]:
        return [value for own, value in self.headers if own == name]


class Source(Protocol):
    def get(self, url: str, kind: str = "empty") -> Fetched:
        """Raises CandorError where there is no answer."""
        ...


def origin_of(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    return parts.scheme, parts.hostname or "", port


class Network:
    """Asks the site itself. Nothing is kept between requests, and cookies are not sent back."""

    def __init__(self, headers: Mapping[str, str] | None = None) -> None:
        self._headers = {**BROWSER, **(headers or {})}

    def get(self, url: str, kind: str = "empty") -> Fetched:
        asked = {**self._headers, "Accept": ACCEPTED[kind], "Sec-Fetch-Dest": kind}
        try:
            with httpx.Client(headers=asked, timeout=SECONDS) as client:
                response = client.get(url)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UnreachableError(f"{url} does not answer: {error}") from error
        if len(response.content) > MOST_BYTES:
            raise CandorError(f"{url} is longer than {MOST_BYTES:,} bytes")
        pairs = tuple((name.lower(), value) for name, value in response.headers.multi_items())
        return Fetched(str(response.url), response.status_code, pairs, response.content)


class Recording:
    """What a browser has received and sent, as its developer tools save it (HAR 1.2).

    Whatever it did not load comes from `beside`.
    """

    def __init__(self, path: Path, beside: Source) -> None:
        try:
            entries = json.loads(path.read_text("utf-8-sig"))["log"]["entries"]
            self.entries: list[dict[str, Any]] = list(entries)
            self._answers = dict(_answers(self.entries))
        except (ValueError, KeyError, TypeError) as error:
            raise CandorError(f"har: {path} is no recording of a browser (HAR)") from error
        self._beside = beside

    def get(self, url: str, kind: str = "empty") -> Fetched:
        return self._answers.get(urldefrag(url).url) or self._beside.get(url, kind)

    def asked(self) -> Iterable[tuple[str, str, str]]:
        """Yield method, address and body of each request."""
        for entry in self.entries:
            request = entry["request"]
            body = (request.get("postData") or {}).get("text") or ""
            yield request["method"], request["url"], body


def _answers(entries: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, Fetched]]:
    for entry in entries:
        request, response = entry["request"], entry["response"]
        content = response["content"]
        if request["method"] != "GET" or response["status"] != 200 or "text" not in content:
            continue
        url = urldefrag(request["url"]).url
        pairs = tuple((each["name"].lower(), each["value"]) for each in response["headers"])
        yield url, Fetched(url, 200, pairs, _bytes_of(content), recorded=True)


def _bytes_of(content: Mapping[str, Any]) -> bytes:
    if content.get("encoding") != "base64":
        return str(content["text"]).encode()
    try:
        return base64.b64decode(content["text"], validate=True)
    except binascii.Error as error:
        raise ValueError("no Base64") from error
