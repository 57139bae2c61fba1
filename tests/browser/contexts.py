"""Contexts of a browser, for one test after the other.

To make a context and to load the scripts of a page into it for the first time takes longer than
most tests do with it. So a context that was only used is emptied and lent again, to the next test
that asks for one. What tests ask for most, its pages have: the size of the window, its colours, and
scripts that run before those of a page. A context that was changed otherwise (a route, a clock) is
closed, and so is one that a test wants for itself.

Nothing moves in them unless a test is about motion and asks for `reduced_motion="no-preference"`: a
wheel turns for a second, and each change of a colour is drawn ten times.

Each that may be lent again has an empty page that nobody sees. It keeps the process that draws its
pages, with the scripts that were compiled there: a page takes a third less of the processor.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Frame, Page

from tests.browser.support import PATIENCE

# Calls that change a context for good.
CHANGES = (
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
# Settings that pages can have and their context has not.
VIEWPORT, MEDIA = "viewport", ("color_scheme", "reduced_motion")
STILL = {"reduced_motion": "reduce"}
# As many as one process keeps; the one that was not lent for longest goes.
KEPT = 6
# A clock that Playwright has put in stays, too, and is no function of the browser.
OWN_CLOCK = """[Date, setTimeout, performance.now].every((each) =>
    Function.prototype.toString.call(each).includes("[native code]"))"""


class Lent:
    """A context, and what went wrong in its pages."""

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        self.errors: list[str] = []
        self.context = browser.new_context(**{**STILL, **options})
        self.context.set_default_timeout(PATIENCE)
        self.context.on("weberror", lambda error: self.errors.append(str(error.error)))


class LentAgain(Lent):
    """One for several tests, which differ in what their pages have."""

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        super().__init__(browser, options)
        self.key = repr(sorted(options.items()))
        self.changed = False
        self.of_pages: dict[str, Any] = {}
        self.scripts: list[str] = []
        self.ours: set[Page] = set()
        self.origins: set[str] = set()
        self.anchor = self.context.new_page()
        self._new_page = self.context.new_page
        for name in CHANGES:
            setattr(self.context, name, self._marking(getattr(self.context, name)))
        setattr(self.context, "new_page", self.new_page)  # noqa: B010
        setattr(self.context, "add_init_script", self.add_script)  # noqa: B010

    def _marking(self, method: Any) -> Any:
        def marked(*args: Any, **kwargs: Any) -> Any:
            self.changed = True
            return method(*args, **kwargs)

        return marked

    def new_page(self) -> Page:
        page = self._new_page()
        self.ours.add(page)
        page.on("framenavigated", self._remember)
        if size := self.of_pages.get(VIEWPORT):
            page.set_viewport_size(size)
        if media := {name: self.of_pages[name] for name in MEDIA if name in self.of_pages}:
            page.emulate_media(**media)
        for script in self.scripts:
            page.add_init_script(script)
        return page

    def _remember(self, frame: Frame) -> None:
        """Where a frame has been it may have stored something, and left."""
        address = urlsplit(frame.url)
        if address.netloc:
            self.origins.add(f"{address.scheme}://{address.netloc}")

    def add_script(self, script: str) -> None:
        self.scripts.append(script)
        for page in self.ours:
            page.add_init_script(script)

    def emptied(self) -> bool:
        """Take away all that a test has left; False where that is not sure."""
        context, pages = self.context, [page for page in self.context.pages if page != self.anchor]
        if self.changed or not pages:
            return False
        if (self.scripts or self.of_pages) and not self.ours.issuperset(pages):
            self.errors.append("a page that the test did not open: it needs a fresh context")
        for page in pages:
            self._remember(page.main_frame)
        try:
            for page in pages:
                page.close()
            if not self.anchor.evaluate(OWN_CLOCK):
                return False
            self.forget()
            context.clear_cookies()
        except Error:
            # A page that has crashed, or hangs in a dialogue.
            return False
        self.ours.clear()
        self.scripts.clear()
        return context.pages == [self.anchor]

    def forget(self) -> None:
        """Take away what pages have stored."""
        session = self.context.new_cdp_session(self.anchor)
        for origin in self.origins:
            storage = {"origin": origin, "storageTypes": "all"}
            session.send("Storage.clearDataForOrigin", storage)
        session.detach()


class Contexts:
    """Those of one browser that may be lent again."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._kept: list[LentAgain] = []

    def lend(self, options: dict[str, Any]) -> LentAgain:
        """One whose pages have these options."""
        of_pages = {name: options[name] for name in (VIEWPORT, *MEDIA) if options.get(name)}
        others = {name: value for name, value in options.items() if name not in of_pages}
        key = repr(sorted(others.items()))
        found = next((lent for lent in self._kept if lent.key == key), None)
        if found:
            self._kept.remove(found)
            # What a page was storing when it was closed may have come after it was emptied.
            found.forget()
        lent = found or LentAgain(self.browser, others)
        lent.of_pages = of_pages
        return lent

    def take_back(self, lent: Lent) -> None:
        if not isinstance(lent, LentAgain) or not lent.emptied():
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
            borrowed.append(Lent(self.browser, options) if fresh else self.lend(options))
            return borrowed[-1].context

        yield make
        errors = []
        for lent in borrowed:
            self.take_back(lent)
            errors += lent.errors
            lent.errors.clear()
        assert not errors, "\n".join(errors)
