"""Contexts of a browser, for one test after the other.

To make a context and to load the scripts of a page into it for the first time takes longer than
most tests do with it. So a context that was only used is emptied and lent again: to the next test
that asks for one with the same options. One that was changed (a script for every page, a route, a
clock) is closed, and so is one that a test wants for itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error

from tests.browser.support import PATIENCE

# What stays with a context: whoever does any of this has it for good.
CHANGES = (
    "add_init_script",
    "expose_binding",
    "expose_function",
    "grant_permissions",
    "on",
    "once",
    "route",
    "route_from_har",
    "set_default_navigation_timeout",
    "set_default_timeout",
    "set_extra_http_headers",
    "set_geolocation",
    "set_offline",
)
# As many as one process keeps; the one that was not lent for longest goes.
KEPT = 6
# A clock that Playwright has put in stays, too, and is no function of the browser.
OWN_CLOCK = """[Date, setTimeout, performance.now].every((each) =>
    Function.prototype.toString.call(each).includes("[native code]"))"""


class Lent:
    """A context, and whether somebody else can have it afterwards."""

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        self.key = repr(sorted(options.items()))
        self.errors: list[str] = []
        self.changed = False
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE)
        self.context.on("weberror", lambda error: self.errors.append(str(error.error)))
        for name in CHANGES:
            setattr(self.context, name, self._marking(getattr(self.context, name)))

    def _marking(self, method: Any) -> Any:
        def marked(*args: Any, **kwargs: Any) -> Any:
            self.changed = True
            return method(*args, **kwargs)

        return marked

    def emptied(self) -> bool:
        """Take away all that a test has left; False where that is not sure."""
        context = self.context
        pages = context.pages
        if self.changed or not pages:
            return False
        origins = {f"{at.scheme}://{at.netloc}" for at in map(urlsplit, (p.url for p in pages))}
        try:
            for page in pages[1:]:
                page.close()
            page = pages[0]
            page.unroute_all(behavior="ignoreErrors")
            page.goto("about:blank")
            if not page.evaluate(OWN_CLOCK):
                return False
            session = context.new_cdp_session(page)
            for origin in origins:
                storage = {"origin": origin, "storageTypes": "all"}
                session.send("Storage.clearDataForOrigin", storage)
            context.clear_cookies()
            page.close()
        except Error:
            # A page that has crashed, or hangs in a dialogue.
            return False
        return not context.pages


class Contexts:
    """Those of one browser that may be lent again."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._kept: list[Lent] = []

    def lend(self, options: dict[str, Any], *, fresh: bool) -> Lent:
        key = repr(sorted(options.items()))
        for lent in self._kept if not fresh else ():
            if lent.key == key:
                self._kept.remove(lent)
                return lent
        return Lent(self.browser, options)

    def take_back(self, lent: Lent) -> None:
        if not lent.emptied():
            lent.context.close()
            return
        self._kept.append(lent)
        if len(self._kept) > KEPT:
            self._kept.pop(0).context.close()

    @contextmanager
    def borrowing(self) -> Iterator[Any]:
        """A function that makes contexts for one test, and the check that none had an error."""
        borrowed: list[Lent] = []

        def make(*, fresh: bool = False, **options: Any) -> BrowserContext:
            lent = self.lend(options, fresh=fresh)
            borrowed.append(lent)
            lent.changed |= fresh
            return lent.context

        yield make
        errors = [error for lent in borrowed for error in lent.errors]
        for lent in borrowed:
            lent.errors.clear()
            self.take_back(lent)
        assert not errors
