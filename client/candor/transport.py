"""Requests that arrive once: repeated where nothing came back, and done once all the same."""

import time
import uuid
from collections.abc import Mapping
from contextlib import closing
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
import msgspec

from candor.documents import Problem
from candor.errors import CandorError, SiteError, UnreachableError

# Of the interface, below the address of the site.
ROOT = "/api/v1"
ATTEMPTS = 5
# Answers that may be another one a moment later.
PASSING = (429, 502, 503, 504)
LONGEST_WAIT = 60.0
LOCAL = ("localhost", "127.0.0.1", "::1")


class Transport:
    """One site and one token. A token goes to its own site alone: redirects are not followed."""

    def __init__(self, url: str, token: str, *, timeout: float, agent: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise CandorError(f"url: {url!r} is no address such as https://survey.example.org")
        if parts.scheme == "http" and parts.hostname not in LOCAL:
            raise CandorError(f"url: {url!r} would send the token unencrypted; use https://")
        self.url = url.rstrip("/")
        headers = {"Authorization": f"Bearer {token}", "User-Agent": agent}
        self._http = httpx.Client(base_url=f"{self.url}{ROOT}", headers=headers, timeout=timeout)

    def request(
        self,
        method: str,
        path: str,
        *,
        content: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """The answer to one request, also 304. Raises SiteError, UnreachableError."""
        sent = {**(headers or {})}
        body = None
        if content is not None:
            body = msgspec.json.encode(content)
            sent["Content-Type"] = "application/json"
        if method == "POST":
            # What is asked for twice because an answer was lost is done once.
            sent["Idempotency-Key"] = uuid.uuid4().hex
        parameters = {name: value for name, value in (query or {}).items() if value is not None}
        request = self._http.build_request(
            method, path, content=body, params=parameters or None, headers=sent
        )
        response = self._answer(request)
        if response.is_success or response.status_code == 304:
            return response
        raise refusal_of(response)

    def _answer(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                response = self._http.send(request, stream=stream)
            except httpx.TransportError as error:
                if attempt == ATTEMPTS:
                    raise UnreachableError(f"{self.url} does not answer: {error}") from error
                time.sleep(min(2.0 ** (attempt - 2), LONGEST_WAIT))
                continue
            if response.status_code not in PASSING or attempt == ATTEMPTS:
                return response
            response.close()
            time.sleep(waiting_time(response, attempt))
        raise AssertionError("the last attempt returns or raises")

    def download(self, path: str, *, tag: str = "") -> httpx.Response:
        """The answer, 200, 202 or 304, whose body is not read yet; the caller closes it.

        `tag`: that of the file that is there already.
        """
        headers = {"If-None-Match": tag} if tag else {}
        request = self._http.build_request("GET", path, headers=headers)
        response = self._answer(request, stream=True)
        if response.status_code in (200, 202, 304):
            return response
        with closing(response):
            response.read()
        raise refusal_of(response)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def waiting_time(response: httpx.Response, attempt: int) -> float:
    """Seconds to wait: as the site says, else 0.5, 1, 2, ..."""
    said = response.headers.get("Retry-After", "")
    wait = float(said) if said.isdigit() else 2.0 ** (attempt - 2)
    return min(wait, LONGEST_WAIT)


def refusal_of(response: httpx.Response) -> CandorError:
    """The error that an answer means."""
    if "problem+json" in response.headers.get("Content-Type", ""):
        return SiteError(response.status_code, msgspec.json.decode(response.content, type=Problem))
    words = f"{response.request.url} answers {response.status_code} and not as a Candor site does"
    return UnreachableError(words)
