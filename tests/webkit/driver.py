"""Debian's WebKitGTK, driven by the few commands of W3C WebDriver that a respondent's path needs.

Playwright drives no WebKit as it was released: docs/decisions/0073-webkit.md
"""

import json
import os
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tests.browser.support import PATIENCE
from tests.system.stack import free_port, wait_for

T = TypeVar("T")

DRIVER, DISPLAY = "WebKitWebDriver", "Xvfb"
# What the driver calls an element in its answers.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# Drawn by the processor, into a display that nobody sees.
SETTINGS = {
    "GDK_BACKEND": "x11",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
    "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
}
# Of a page that is on its way to where an act is possible.
NOT_YET = {
    "element click intercepted",
    "element not interactable",
    "no such element",
    "stale element reference",
}
# The driver tells nothing of the console.
LISTEN = """
window.troubles = [];
addEventListener("error", (event) => troubles.push(`error: ${event.message}`));
addEventListener("unhandledrejection", (event) => troubles.push(`rejected: ${event.reason}`));
addEventListener("securitypolicyviolation", (event) =>
  troubles.push(`${event.violatedDirective}: ${event.blockedURI}`));
"""
IN_THE_MIDDLE = """
const [element, done] = arguments;
element.scrollIntoView({ block: "center" });
const place = () => JSON.stringify(element.getBoundingClientRect());
requestAnimationFrame(() => {
  const before = place();
  requestAnimationFrame(() => done(place() === before));
});
"""


class Refused(Exception):
    """The driver's answer to what could not be done; `error` is its name in the standard."""

    def __init__(self, error: str, message: str) -> None:
        super().__init__(f"{error}: {message}")
        self.error = error


class Tab:
    """The one tab of a browser that nobody has used before."""

    def __init__(self, driver: str) -> None:
        self.address = f"{driver}/session"
        self.address += f"/{self._call('POST', '', {'capabilities': {}})['sessionId']}"
        self.troubles: list[str] = []
        # A phone's window, or the narrowest for which the browser's own toolbar has room.
        self._call("POST", "/window/rect", {"width": 360, "height": 740})

    def close(self) -> None:
        self._call("DELETE", "")

    def go(self, url: str) -> None:
        self._leave()
        self._call("POST", "/url", {"url": url})
        self.run(LISTEN)

    def reload(self) -> None:
        self._leave()
        self._call("POST", "/refresh", {})
        self.run(LISTEN)

    def enter_frame(self) -> None:
        """Go on inside of the one frame of the page, until the next page."""
        self._leave()

        def entered(element: str) -> bool:
            self._call("POST", "/frame", {"id": {ELEMENT: element}})
            return True

        self._first("//iframe", entered)
        self.run(LISTEN)

    def run(self, script: str, *arguments: Any, kind: str = "sync") -> Any:
        return self._call("POST", f"/execute/{kind}", {"script": script, "args": arguments})

    def press(self, name: str) -> None:
        self._click(f'//button[normalize-space()="{name}"]')

    def follow(self, name: str) -> None:
        self._click(f'//a[normalize-space()="{name}"]')

    def unfold(self, name: str) -> None:
        self._click(f'//summary[normalize-space()="{name}"]')

    def choose(self, label: str) -> None:
        """Take the radio button or the box with this label."""
        self._click(f'//label[normalize-space()="{label}"]')

    def write(self, text: str) -> None:
        """Into the one field of the screen."""

        def typed(element: str) -> bool:
            self._call("POST", f"/element/{element}/value", {"text": text})
            return True

        self._first('//input[@type="text" or @type="search"]', typed)

    def text(self, xpath: str) -> str:
        """What can be read where this is, as soon as there is something."""
        return self._first(xpath, lambda element: self._call("GET", f"/element/{element}/text"))

    def back(self) -> None:
        self._leave()
        self._call("POST", "/back", {})

    def ended(self) -> list[str]:
        """What went wrong in the pages of this tab."""
        self._leave()
        return self.troubles

    def _leave(self) -> None:
        self.troubles += self.run("return (window.troubles || []).splice(0)")

    def _click(self, xpath: str) -> None:
        def clicked(element: str) -> bool:
            # As Playwright does it: what moves is not clicked, nor what lies under something.
            if not self.run(IN_THE_MIDDLE, {ELEMENT: element}, kind="async"):
                return False
            self._call("POST", f"/element/{element}/click", {})
            return True

        self._first(xpath, clicked)

    def _first(self, xpath: str, act: Callable[[str], T]) -> T:
        """Do something with the first that is shown, as soon as it succeeds."""
        tried = partial(self._tried, xpath, act)
        return wait_for(tried, seconds=PATIENCE / 1000, every=0.05)

    def _tried(self, xpath: str, act: Callable[[str], T]) -> T | None:
        found = self._call("POST", "/elements", {"using": "xpath", "value": xpath})
        for element in (entry[ELEMENT] for entry in found):
            with suppress(_NotYet):
                if self._call("GET", f"/element/{element}/displayed"):
                    return act(element)
        return None

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            kind = _NotYet if value["error"] in NOT_YET else Refused
            raise kind(value["error"], value["message"]) from None


class _NotYet(Refused):
    """What may be possible in a moment."""


@contextmanager
def running_driver(home: Path) -> Iterator[str]:
    """A driver beside a display of its own; yields its address. It writes into `home`."""
    there = all(map(shutil.which, (DRIVER, DISPLAY)))
    assert there, "No WebKitGTK with its driver: `make webkit` finds or installs one."
    port = free_port()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    with _display() as display:
        environment = {**inherited, **SETTINGS, "HOME": str(home), "DISPLAY": display}
        with _started(DRIVER, f"--port={port}", env=environment):
            wait_for(lambda: _is_ready(port), every=0.05)
            yield f"http://127.0.0.1:{port}"


def _is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/status") as answer:
            return json.load(answer)["value"]["ready"]
    except OSError:
        return False


@contextmanager
def _display() -> Iterator[str]:
    """The first number that is free, which the server tells once it listens."""
    told, tells = os.pipe()
    command = [DISPLAY, "-displayfd", str(tells), "-screen", "0", "1280x1024x24"]
    with _started(*command, pass_fds=[tells], stderr=subprocess.DEVNULL):
        os.close(tells)
        with open(told) as number:
            yield f":{number.readline().strip()}"


@contextmanager
def _started(*command: str, **options: Any) -> Iterator[None]:
    # In a group of its own: an interrupted run ends it in its turn, after the browser.
    with subprocess.Popen([*command], process_group=0, **options) as process:
        try:
            yield
        finally:
            process.terminate()
