"""Who else comes to a site in a soak: researchers, authors, and strangers who send what is wrong.

Each is a thread that goes on until the end, at its own pace, and counts the statuses of what it
gets. What a person may not do is answered with 4xx; a status of 5xx is amiss everywhere, but that
of a page that says when to come back.
"""

import http.client
import json
import random
import re
import secrets
import threading
import traceback
import urllib.request
import uuid
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode

from tests.app.posted_fields import Fields
from tests.system.crawled import Crawl

DRAFTS = "/admin/surveys/survey/"
ADDRESS = re.compile(r"https?://[^/]+(\S*)")
SECONDS = 120


@dataclass
class Open:
    """The surveys that are open now; others follow. `clusters`: that page of the pilot."""

    surveys: list[dict[str, Any]]
    clusters: str

    @property
    def slugs(self) -> list[str]:
        return [survey["slug"] for survey in self.surveys]


class Person(threading.Thread, ABC):
    """Comes again and again; `pause` are the seconds between two requests."""

    def __init__(self, port: int, stopped: threading.Event, pause: float) -> None:
        super().__init__(daemon=True)
        self.port, self.site = port, f"http://127.0.0.1:{port}"
        self.stopped, self.pause = stopped, pause
        self.visits = 0
        self.statuses: Counter[str] = Counter()
        self.amiss: list[str] = []

    def run(self) -> None:
        while not self.stopped.wait(self.pause):
            try:
                self.visit()
                self.visits += 1
            except (OSError, http.client.HTTPException, AssertionError):
                if not self.stopped.is_set():
                    self.amiss.append(traceback.format_exc())

    @abstractmethod
    def visit(self) -> None:
        """Come once, from the first request to the last."""

    def note(self, status: int, of: str) -> None:
        self.statuses[str(status)] += 1
        if status >= 500:
            self.amiss.append(f"{status} at {of}")

    def read_from(self, cookies: str, *starts: str) -> None:
        """Open all that leads on from these addresses, each kind of page once."""
        crawl = Pages(self, cookies)
        crawl.follow(*(f"{self.site}{start}" for start in starts))
        self.statuses["200"] += len(crawl.asked) - len(crawl.wrong) - crawl.later
        self.statuses["503 with Retry-After"] += crawl.later
        for wrong in crawl.wrong:
            status = wrong.partition(" ")[0]
            self.note(int(status) if status.isdigit() else 500, wrong)


class Pages(Crawl):
    """A crawl at a person's pace, which ends with the soak."""

    def __init__(self, person: Person, cookies: str) -> None:
        super().__init__(person.site, cookies)
        self.person, self.later = person, 0

    def _fetched(self, address: str, of: str) -> list[str]:
        if self.person.stopped.wait(self.person.pause):
            return []
        return super()._fetched(address, of)

    def _refused(self, error: HTTPError, where: str) -> None:
        """Results that are being computed anew are there some seconds later."""
        if error.code == 503 and error.headers["Retry-After"]:
            self.later += 1
        else:
            super()._refused(error, where)


class Stranger(Person):
    """Reads what respondents read, and sends bodies that no page sends."""

    def __init__(self, port: int, stopped: threading.Event, pause: float, now_open: Open) -> None:
        super().__init__(port, stopped, pause)
        self.now_open, self.chance = now_open, random.Random(1)

    def visit(self) -> None:
        for survey in self.now_open.surveys:
            for path, body, headers in wrong_requests(survey):
                if self.stopped.wait(self.pause):
                    return
                self._send(path, body, headers)
            self._leave(survey)
        self.read_from("", f"/s/{self.chance.choice(self.now_open.slugs)}/", "/check/")

    def _send(self, path: str, body: bytes, headers: dict[str, str]) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)) as line:
            line.request("POST", path, body, headers)
            status = line.getresponse().status
        self.note(status, path)
        if status < 400:
            self.amiss.append(f"{status} to {body[:100]!r}")

    def _leave(self, survey: dict[str, Any]) -> None:
        """Go away in the middle of a body."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)) as line:
            line.putrequest("POST", f"/s/{survey['slug']}/responses/")
            line.putheader("Content-Length", "1000")
            line.endheaders(b'{"digest":')
        self.statuses["left"] += 1


def wrong_requests(survey: dict[str, Any]) -> Iterator[tuple[str, bytes, dict[str, str]]]:
    """Address, body and headers of requests that are refused."""
    path, as_json = f"/s/{survey['slug']}/responses/", {"Content-Type": "application/json"}
    whole = {"digest": survey["digest"], "submission": str(uuid.uuid4()), "reports": {}}
    for body in (
        b"",
        b"{",
        b"[]",
        b"\xff\xfe\x00",
        b"[" * 50_000,
        b'{"digest": 1e999}',
        json.dumps(whole).encode(),
        json.dumps(whole | {"digest": secrets.token_hex(32)}).encode(),
        json.dumps(whole | {"reports": {"q1": 10**30}}).encode(),
        json.dumps(whole | {"submission": "x" * 5_000}).encode(),
        json.dumps(whole | {secrets.token_hex(8): "a name that nobody knows"}).encode(),
        secrets.token_hex(400_000).encode(),
    ):
        yield path, body, as_json
    yield (
        path,
        urlencode({"q1": secrets.token_hex(8)}).encode(),
        {"Content-Type": "application/x-www-form-urlencoded"},
    )
    yield f"/s/{secrets.token_hex(8)}/responses/", json.dumps(whole).encode(), as_json
    yield f"/s/{survey['slug']}/return/", b'{"code": "none"}', as_json


class Member(Person):
    """Somebody with an account."""

    def __init__(
        self,
        port: int,
        stopped: threading.Event,
        pause: float,
        name: str,
        password: str,
        now_open: Open,
    ) -> None:
        super().__init__(port, stopped, pause)
        self.account, self.password, self.now_open = name, password, now_open
        self.jar = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def sign_in(self) -> str:
        """Sign in and return the cookies. The browser stays the same, the session does not."""
        self.get("/account/login/")
        self.post("/account/login/", username=self.account, password=self.password)
        cookies = [f"{each.name}={each.value}" for each in self.jar]
        assert any(each.startswith("sessionid") for each in cookies), "nobody is signed in"
        return "; ".join(cookies)

    def sign_out(self) -> None:
        self.post("/account/logout/")

    def get(self, path: str) -> tuple[str, str]:
        """The path where it ends, and the text."""
        return self._ask(urllib.request.Request(f"{self.site}{path}"))

    def post(self, path: str, **fields: str) -> tuple[str, str]:
        token = next(each.value for each in self.jar if each.name == "csrftoken")
        body = urlencode({"csrfmiddlewaretoken": token or "", **fields}).encode()
        return self._ask(urllib.request.Request(f"{self.site}{path}", body))

    def _ask(self, request: urllib.request.Request) -> tuple[str, str]:
        self.stopped.wait(self.pause)
        try:
            with self.opener.open(request, timeout=SECONDS) as answer:
                self.note(answer.status, request.full_url)
                return answer.url.removeprefix(self.site), answer.read().decode(errors="replace")
        except HTTPError as error:
            with error:
                self.note(error.code, request.full_url)
                return request.full_url.removeprefix(self.site), ""


class Researcher(Member):
    """Reads results and downloads every file of a survey, which workers make."""

    def visit(self) -> None:
        cookies = self.sign_in()
        single, joint, _ = self.now_open.slugs
        self.read_from(cookies, "/account/", f"/s/{single}/results/")
        self.read_from(cookies, f"/s/{joint}/results/")
        self.sign_out()


class Author(Member):
    """Begins a draft, looks at all of the desk, has a pilot estimated, and deletes the draft."""

    def visit(self) -> None:
        cookies, clusters = self.sign_in(), self.now_open.clusters
        draft = self.post(f"{DRAFTS}add/")[0].removesuffix("change/")
        for kind in ("yes_no", "single_choice"):
            self.post(f"{draft}questions/add/", kind=kind)
        self.post(f"{clusters}start/")
        self.read_from(cookies, f"{draft}change/", clusters, "/admin/")
        slug = Fields(self.get(f"{draft}settings/")[1], "survey_form").posted["slug"][0]
        self.post(f"{draft}delete/", typed=slug)
        self.sign_out()
