"""Simulated respondents that send their reports over HTTP, as browsers do."""

import http.client
import json
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

TRIES = 30


class RefusedError(Exception):
    """The server refused a response."""


class Respondents:
    """Sends responses to one launched survey, over one connection per thread."""

    def __init__(self, base_url: str, document: Mapping[str, Any], *, tries: int = TRIES) -> None:
        self.tries = tries
        site = urlsplit(base_url)
        self.netloc = site.netloc
        self.path = f"{site.path.rstrip('/')}/s/{document['survey']}/responses/"
        self.digest = document["digest"]
        self._local = threading.local()
        self._opened: list[http.client.HTTPConnection] = []

    def send_all(
        self,
        responses: Sequence[Mapping[str, Mapping[str, Any]]],
        keys: Sequence[Mapping[str, str]],
        *,
        at_once: int = 4,
    ) -> Iterator[str]:
        """Send each {"reports", "strata"} with the key of one respondent, {"code": ...},
        {"link": ...} or {"submission": ...}; yields the receipts."""
        with ThreadPoolExecutor(at_once) as pool:
            yield from pool.map(
                lambda response, key: self.send(response["reports"], response["strata"], **key),
                responses,
                keys,
            )
        self.close()

    def close(self) -> None:
        """Close the connections of all threads; they reopen when needed."""
        for connection in self._opened:
            connection.close()

    def send(
        self,
        reports: Mapping[str, int],
        strata: Mapping[str, str] | None = None,
        *,
        submission: str = "",
        code: str = "",
        link: str = "",
    ) -> str:
        """Send one response, repeated under the same id until the server has stored it."""
        submission = submission or str(uuid.uuid4())
        response = {"digest": self.digest, "submission": submission, "reports": reports}
        optional = {"strata": strata, "code": code, "link": link}
        response |= {key: value for key, value in optional.items() if value}
        body = json.dumps(response).encode()
        for attempt in range(self.tries):
            try:
                return self._post(body)
            except (OSError, http.client.HTTPException):
                self._connection().close()
                time.sleep(min(0.1 * 2 ** min(attempt, 5), 2))
        raise RefusedError(f"No answer from {self.netloc} after {self.tries} tries.")

    def _post(self, body: bytes) -> str:
        connection = self._connection()
        connection.request("POST", self.path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise RefusedError(f"{answer.status} {text[:300].decode(errors='replace')}")
        return json.loads(text)["receipt"]

    def _connection(self) -> http.client.HTTPConnection:
        if not hasattr(self._local, "connection"):
            self._local.connection = http.client.HTTPConnection(self.netloc, timeout=30)
            self._opened.append(self._local.connection)
        return self._local.connection
