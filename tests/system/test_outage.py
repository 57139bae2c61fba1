"""The database goes away and comes back, and strangers flood the server, with real processes.

Nothing of it may lose a response, draw a second report, or fill a log.
"""

import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import pytest
from playwright.sync_api import Error, Page, expect

from tests import postgresql
from tests.browser.respondent import arrive, choose, press, receipt, spin, to_questions
from tests.system.author import sign_in
from tests.system.conftest import Stacks
from tests.system.stack import Stack, wait_for

pytestmark = pytest.mark.system

ADDRESS = re.compile(r"\d+\.\d+\.\d+\.\d+|[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){3,}")
TIME = re.compile(r"\d{1,2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}|\d{10}")
# The most bytes of all processes together; what they say at the start:
# tests/system/test_make_run.py.
MOST_BYTES = 20_000


@dataclass
class Site:
    """A stack, and how to take its database away and give it back."""

    stack: Stack
    take: Callable[[], None]
    give: Callable[[], None]

    @contextmanager
    def without_database(self) -> Iterator[None]:
        self.take()
        # Every thread of every web process, as far as one can tell from outside.
        wait_for(lambda: all(self.get("/healthz")[0] == 503 for _ in range(20)), every=0.3)
        try:
            yield
        finally:
            self.give()
            wait_for(lambda: self.get("/healthz")[0] == 200)

    def get(self, path: str, body: bytes | None = None) -> tuple[int, dict[str, str], str]:
        request = urllib.request.Request(self.stack.url + path, body)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, dict(answer.headers), answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, dict(error.headers), error.read().decode()
        except OSError:
            return 0, {}, ""

    def stored(self, page: Page) -> str:
        """The page as the server has it now; empty while nobody answers."""
        with suppress(Error):
            return page.request.get(page.url).text()
        return ""

    def log_bytes(self) -> int:
        return sum(len(text.encode()) for text in self.stack.logs().values())


@pytest.fixture
def site(stack: Stack, stacks: Stacks) -> Site:
    on_postgresql = "DATABASE_URL" in stack.environment
    return _on_postgresql(stack, stacks.postgresql) if on_postgresql else _on_sqlite(stack)


def _on_postgresql(stack: Stack, server: postgresql.Server) -> Site:
    return Site(stack, server.stop, server.start)


def _on_sqlite(stack: Stack) -> Site:
    """The files go to another folder, and the web server, which has them open, starts anew."""
    aside = stack.data / "aside"
    aside.mkdir(exist_ok=True)

    def take() -> None:
        for path in stack.data.glob("candor.sqlite3*"):
            path.rename(aside / path.name)
        (stack.data / "candor.sqlite3").mkdir()
        before = stack.role("web")
        before.kill()
        wait_for(lambda: stack.role("web").pid != before.pid)

    def give() -> None:
        # The log first: whoever opened the database without it would miss what is in it.
        *beside, database = sorted(aside.iterdir(), reverse=True)
        for path in beside:
            path.rename(stack.data / path.name)
        (stack.data / "candor.sqlite3").rmdir()
        database.rename(stack.data / database.name)

    return Site(stack, take, give)


def assert_no_log_places_a_person_at_a_time(stack: Stack) -> None:
    """Nor what all tests before have left in them."""
    for name, text in stack.logs(whole=True).items():
        for line in text.splitlines():
            assert not (ADDRESS.search(line) and TIME.search(line)), (name, line)
            assert name != "web.log" or not (ADDRESS.search(line) or TIME.search(line)), line


# --- the database is away -----------------------------------------------------------------------


def test_everybody_is_told_to_come_back_and_the_logs_stay_small(site):
    document = site.stack.ledger("launch", "away")
    body = json.dumps(
        {"digest": document["digest"], "submission": "0b8c5b3e-3a51-4d0e-9a4c-2f1b0c6d7e8f"}
        | {"reports": {"q1": 0, "q2": 1}}
    ).encode()
    before = site.log_bytes()
    with site.without_database():
        for _ in range(45):
            status, headers, text = site.get("/s/away/responses/", body)
            assert (status, headers["Content-Type"]) == (503, "application/json")
            assert int(headers["Retry-After"]) > 0
            assert json.loads(text)["errors"][0]["code"] == "unavailable"
        for path in ("/", "/s/away/", "/s/away/results/"):
            status, headers, text = site.get(path)
            assert status == 503, path
            assert "Back in a moment" in text
            assert headers["Retry-After"]
            assert headers["Permissions-Policy"]
        assert site.get("/s/away/parameters.json")[0] == 503
    assert site.get("/s/away/responses/", body)[0] == 201
    assert site.log_bytes() - before < 6_000, site.stack.logs()
    assert "the database is away" in site.stack.logs(whole=True)["web.log"]
    assert_no_log_places_a_person_at_a_time(site.stack)


@pytest.mark.browser
def test_a_page_keeps_what_it_drew_and_sends_it_once_the_database_is_back(site, new_context):
    document = site.stack.ledger("launch", "kept")
    page = arrive(new_context(reduced_motion="reduce").new_page(), f"{site.stack.url}/s/kept/")
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    choose(page, "b")
    spin(page)
    press(page, "Next")
    choose(page, "Yes")
    bodies: list[str] = []
    page.on(
        "request",
        lambda request: bodies.append(request.post_data) if request.method == "POST" else None,
    )
    with site.without_database():
        press(page, "Send")
        expect(page.get_by_text("The server has a problem of its own.")).to_be_visible()
        stored_response = page.evaluate(f"localStorage.getItem('candor:{document['digest']}')")
        assert json.loads(stored_response)["body"] == bodies[0].rstrip()
    receipt(page)
    assert len(bodies) > 1
    assert len(set(bodies)) == 1
    response = json.loads(bodies[0])
    wait_for(lambda: site.stack.ledger("audit", "kept")["aggregated"] == 1, every=0.3)
    ledger = site.stack.ledger("audit", "kept")
    assert ledger["receipts"] == [response["submission"]]
    assert ledger["report_sets"] == 1
    assert ledger["tallies"]["q1/page"][response["reports"]["q1"]] == 1
    assert_no_log_places_a_person_at_a_time(site.stack)


# --- a flood ------------------------------------------------------------------------------------

LINE = b"GET /s/flood/ HTTP/1.1\r\n"
MALFORMED = (
    LINE + b"Host: evil.example\r\n\r\n",
    LINE + b"Host: a b\r\n\r\n",
    LINE + b"Host: %s\r\nX-\x00Y: 1\r\n\r\n",
    LINE + b"Host: %s\r\nNo colon here\r\n\r\n",
    b"GARBAGE\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64,
    b"GET /\x00 HTTP/1.1\r\nHost: %s\r\n\r\n",
    b"GET /%%00/%%ff?%%fe HTTP/1.1\r\nHost: %s\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: %s\r\n\r\n",
    b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: %s\r\n\r\n",
    b"POST /s/flood/responses/ HTTP/1.1\r\nHost: %s\r\nContent-Length: nine\r\n\r\n{}",
    b"POST /s/flood/responses/ HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
    b"Content-Length: 500\r\n\r\n{",
    b"POST /s/flood/responses/ HTTP/1.1\r\nHost: %s\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /s/flood/responses/ HTTP/1.1\r\nHost: %s\r\nOrigin: https://evil.example\r\n"
    b"Content-Length: 2\r\n\r\n{}",
    b"POST /account/login/ HTTP/1.1\r\nHost: %s\r\nContent-Length: 3\r\n\r\na=b",
    b"POST /account/login/ HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data\r\n"
    b"Content-Length: 3\r\n\r\na=b",
    b"OPTIONS * HTTP/1.1\r\nHost: %s\r\n\r\n",
)


def flood(stack: Stack, rounds: int) -> None:
    host = f"127.0.0.1:{stack.port}".encode()
    for _ in range(rounds):
        for content in MALFORMED:
            with (
                suppress(OSError),
                socket.create_connection(("127.0.0.1", stack.port), timeout=5) as sending,
            ):
                sending.sendall(content.replace(b"%s", host).replace(b"%%", b"%"))
                # Half of them do not wait for the answer.
                sending.shutdown(socket.SHUT_WR)
                if _ % 2:
                    sending.recv(65536)


@pytest.mark.browser
def test_a_draft_keeps_what_is_typed_and_saves_it_once_the_server_is_back(site, new_context):
    page = new_context().new_page()
    sign_in(page, site.stack, "writer")
    page.goto(site.stack.url + "/admin/surveys/survey/start/")
    page.get_by_role("button", name="Blank survey").click()
    page.get_by_role("button", name="Yes or no", exact=True).click()
    text, state = page.locator("form [name=text]"), page.locator("[data-save-state]")
    expect(text).to_be_focused()
    with site.without_database():
        text.fill("Typed without a database")
        expect(state).to_contain_text("Not saved")
        page.get_by_label("Title", exact=True).fill("Also without one")
    expect(state).to_have_text("Saved")
    site.stack.role("web").kill()
    text.fill("Typed while nobody listens")
    wait_for(lambda: site.get("/healthz")[0] == 200)
    wait_for(lambda: "Typed while nobody listens" in site.stored(page))
    expect(state).to_have_text("Saved")
    page.reload()
    expect(text).to_have_value("Typed while nobody listens")
    expect(page.get_by_label("Title", exact=True)).to_have_value("Also without one")


# The database stays; this one refuses more of what is sent.
@pytest.mark.parametrize("stack", ["postgresql"], indirect=True)
def test_logs_do_not_grow_with_what_strangers_send(site):
    site.stack.ledger("launch", "flood")
    flood(site.stack, 4)
    wait_for(lambda: site.get("/healthz")[0] == 200)
    after_a_few = site.log_bytes()
    flood(site.stack, 60)
    wait_for(lambda: site.get("/healthz")[0] == 200)
    # A second web process may meet a kind of request for the first time.
    assert site.log_bytes() - after_a_few < 3_000, site.stack.logs()
    assert site.log_bytes() < MOST_BYTES, site.stack.logs()
    assert_no_log_places_a_person_at_a_time(site.stack)
