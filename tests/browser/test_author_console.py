"""What an author's test takes for trouble: whatever broke, and not what a new preview broke off."""

import base64
import hashlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.author import troubles
from tests.browser.support import come_to_rest

pytestmark = pytest.mark.browser

BODY = b" " * 100_000
HASH = "sha256-" + base64.b64encode(hashlib.sha256(BODY).digest()).decode()


class Slow(BaseHTTPRequestHandler):
    """A page with a frame that fetches a file, of which a part comes and then nothing more."""

    rest: threading.Event

    def do_GET(self) -> None:
        if self.path == "/file":
            self.answer(BODY[:1000], len(BODY), "text/javascript")
            self.rest.wait()
            return
        script = f"<script>fetch('/file', {{integrity: '{HASH}'}}).catch(() => {{}})</script>"
        pages = {"/": "<iframe src=/frame></iframe>", "/frame": script, "/empty": ""}
        text = pages.get(self.path, "").encode()
        self.answer(text, len(text), "text/html")

    def answer(self, part: bytes, size: int, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        self.wfile.write(part)
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def slow() -> Iterator[tuple[str, type[Slow]]]:
    handler = type("One", (Slow,), {"rest": threading.Event()})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/", handler
        handler.rest.set()
        server.shutdown()
        thread.join()


def test_a_file_that_a_new_preview_breaks_off_is_no_trouble(
    slow: tuple[str, type[Slow]], new_context: Callable[..., BrowserContext]
) -> None:
    url, _ = slow
    page = new_context().new_page()
    heard = troubles(page)
    # Whether anything is said of it depends on how far the file has come; of twenty, something is.
    for _ in range(20):
        with page.expect_response("**/file"):
            page.goto(url, wait_until="commit")
        page.evaluate("document.querySelector('iframe').contentWindow.location.replace('/empty')")
        come_to_rest(page)
    assert heard == []


def test_a_file_that_breaks_off_by_itself_is_one(
    slow: tuple[str, type[Slow]], new_context: Callable[..., BrowserContext]
) -> None:
    url, handler = slow
    page = new_context().new_page()
    heard = troubles(page)
    handler.rest.set()
    with page.expect_console_message(lambda message: "net::ERR" in message.text):
        page.goto(url)
    assert ["net::ERR" in text for text in heard] == [True]
