"""Real browsers, and a server that hands out the static files as they are."""

import os
import shutil
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, ViewportSize

ROOT = Path(__file__).resolve().parents[2]
# Milliseconds that only a broken page takes: no test fails because a machine is slow.
PATIENCE = 60_000
BOTH_SCHEMES = ("dark", "light")
# The same Chromium without the window around its pages takes a quarter of the processor for each.
CHROMIUM = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
# Debian's, then anybody's.
FIREFOX = ("firefox-esr", "firefox")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    # No process is kept ready for a page to come: another context could not use it.
    "--renderer-process-limit=1",
    # Each page loads dozens of files, and each of them would go through one more process.
    "--enable-features=NetworkServiceInProcess2",
)


def launch_chromium(playwright: Playwright) -> Browser:
    """Start the Chromium that CANDOR_CHROMIUM names, one on the PATH, or Playwright's own."""
    program = _program("CANDOR_CHROMIUM", CHROMIUM)
    return playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))


def launch_firefox(playwright: Playwright) -> Browser:
    """Start the Firefox that CANDOR_FIREFOX names, or one on the PATH, just as it was released.

    Playwright's own is a patched build; a channel of Mozilla's is driven by WebDriver BiDi.
    """
    program = _program("CANDOR_FIREFOX", FIREFOX)
    assert program, "No Firefox: `make firefox` finds or installs one."
    python = Path(sys.executable).parent
    path = os.pathsep.join([str(python), os.environ["PATH"]])
    return playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=ROOT / "tests/browser/firefox.py",
        env={**os.environ, "PATH": path, "CANDOR_FIREFOX": program},
    )


def _program(variable: str, names: Sequence[str]) -> str | None:
    return os.environ.get(variable) or next(filter(None, map(shutil.which, names)), None)


def in_schemes(page: Page, schemes: Sequence[str] = BOTH_SCHEMES) -> Iterator[str]:
    """The page as it stands in each set of colours, with whatever moves at its end."""
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        # Axe blends half-transparent elements, and the admin's colours take a moment to change.
        page.evaluate("document.getAnimations().forEach((one) => one.finish())")
        yield scheme


def in_sizes(page: Page, sizes: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The page as it stands in windows of these sizes; at the end it is in the first again.

    Sheets alone lay the pages out, so that a page that is loaded in another window is the same. Not
    so figures: they are drawn for the window that they find.
    """
    for width, height in sizes:
        _resize(page, width, height)
        yield width, height
    _resize(page, *sizes[0])


def _resize(page: Page, width: int, height: int) -> None:
    size: ViewportSize = {"width": width, "height": height}
    # It lays the page out once more even if it has this size.
    if page.viewport_size != size:
        page.set_viewport_size(size)


class _StaticFiles(SimpleHTTPRequestHandler):
    """Files, an empty page at /blank, and the types that modules insist on."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".html": "text/html; charset=utf-8",
    }

    def do_GET(self) -> None:
        if self.path != "/blank":
            return super().do_GET()
        page = b"<!doctype html><title>blank</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)
        return None

    def log_message(self, *_: object) -> None:
        """Silence: a test's output is its result."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve `folder` on a free local port; yields the address without a slash at its end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_StaticFiles, directory=folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# Twice: what is done when a page is idle may give it something to do. A page that is never idle,
# because another one is in front of it, is not waited for for ever.
IDLE_TWICE = """new Promise((done) => {
    const limit = { timeout: 20_000 };
    requestIdleCallback(() => requestIdleCallback(done, limit), limit);
})"""


def come_to_rest(page: Page) -> None:
    """Wait until the page has nothing left to do, be it in answer to a click or to a message."""
    page.evaluate(IDLE_TWICE)


def open_details(page: Page) -> None:
    """Open all that is closed at first, such as the tables under the figures of results."""
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")


def until(page: Page, expression: str, argument: Any = None) -> None:
    """Wait until an expression is true: Playwright's wait_for_function evaluates in the page, where
    the policy forbids it.
    """
    for _ in range(PATIENCE // 100):
        if page.evaluate(expression, argument):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"never true: {expression}")
