"""A context that is lent again has nothing of the test before."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.contexts import Contexts
from tests.browser.support import serving

pytestmark = pytest.mark.browser

BLANK = "/blank"
TRACES = """() => [localStorage.length, sessionStorage.length, document.cookie, window.mark ?? null,
    innerWidth, matchMedia("(prefers-color-scheme: dark)").matches,
    matchMedia("(prefers-reduced-motion: reduce)").matches]"""
LEAVE = """() => { localStorage.a = sessionStorage.b = "1"; document.cookie = "c=1" }"""


@pytest.fixture
def contexts(chromium: Browser) -> Contexts:
    return Contexts(chromium)


@pytest.fixture
def static_site(tmp_path: Path) -> Iterator[str]:
    with serving(tmp_path) as address:
        yield address


def opened(make: Any, site: str, **options: Any) -> Page:
    page = make(**options).new_page()
    page.goto(site + BLANK)
    return page


def test_what_one_test_leaves_the_next_does_not_find(contexts: Contexts, static_site: str) -> None:
    with contexts.borrowing() as make:
        size = {"width": 360, "height": 800}
        context = make(viewport=size, color_scheme="dark", reduced_motion="no-preference")
        context.add_init_script("window.mark = 1")
        page = context.new_page()
        page.goto(static_site + BLANK)
        page.evaluate(LEAVE)
        assert page.evaluate(TRACES) == [1, 1, "c=1", 1, 360, True, False]
        first = page.context
    with contexts.borrowing() as make:
        page = opened(make, static_site, viewport={"width": 1280, "height": 800})
        assert page.context == first
        assert page.evaluate(TRACES) == [0, 0, "", None, 1280, False, True]


@pytest.mark.parametrize("then", ["it leaves", "it is closed"])
def test_what_a_page_has_stored_somewhere_else_goes_too(
    contexts: Contexts, static_site: str, tmp_path: Path, then: str
) -> None:
    with serving(tmp_path) as elsewhere, contexts.borrowing() as make:
        page = opened(make, static_site)
        page.evaluate(LEAVE)
        first = page.context
        if then == "it is closed":
            page.close()
            page = first.new_page()
        page.goto(elsewhere + BLANK)
    with contexts.borrowing() as make:
        page = opened(make, static_site)
        assert page.context == first
        assert page.evaluate("[localStorage.length, document.cookie]") == [0, ""]


@pytest.mark.parametrize("change", ["route", "clock", "fresh"])
def test_a_context_that_was_changed_is_lent_once(
    contexts: Contexts, static_site: str, change: str
) -> None:
    with contexts.borrowing() as make:
        page = opened(make, static_site, fresh=change == "fresh")
        if change == "route":
            page.context.route("**/nowhere", lambda route: route.abort())
        if change == "clock":
            page.clock.install()
        first = page.context
    with contexts.borrowing() as make:
        assert opened(make, static_site).context != first


def test_a_page_that_a_page_opens_has_to_be_in_a_fresh_context(
    contexts: Contexts, static_site: str
) -> None:
    """The scripts and the size of a page that is lent again are those of the pages of the test."""

    def open_another(**options: Any) -> None:
        with contexts.borrowing() as make:
            context = make(**options)
            context.add_init_script("window.mark = 1")
            page = context.new_page()
            page.goto(static_site + BLANK)
            with page.expect_popup() as another:
                page.evaluate("() => void window.open(location.href)")
            another.value.wait_for_load_state()

    with pytest.raises(AssertionError, match="needs a fresh context"):
        open_another()
    open_another(fresh=True)


@pytest.mark.any_database
def test_the_threads_of_the_server_have_connections_of_their_own(live_server: Any) -> None:
    """Also where this is the first test of a process, before any other asked for the database."""
    assert not live_server.thread.connections_override
