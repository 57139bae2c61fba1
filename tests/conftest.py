"""Fixtures for every suite."""

import gc
import os
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from tests import leftovers, surroundings
from tests.browser.contexts import Contexts
from tests.browser.support import PATIENCE, launch_chromium, launch_firefox

surroundings.settle_signals()
leftovers.adopt_orphans()

expect.set_options(timeout=PATIENCE)

NewContext = Callable[..., BrowserContext]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """For `--dist loadgroup`; the others are as they are."""
    from tests.spread import InGroups

    return InGroups(config, log) if config.getoption("dist") == "loadgroup" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collecting tests leaves nothing behind that would have to be found meanwhile."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """All tests stay until the end; to look through them again and again takes a tenth of a run."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """End what an interrupted run, or a crashed process of pytest-xdist, has left running."""
    leftovers.kill(leftovers.running())


@pytest.fixture(scope="session", autouse=True)
def nothing_is_left_running() -> Iterator[None]:
    """The last thing of a run; each process of pytest-xdist looks at its own."""
    with leftovers.none_left():
        yield


@pytest.fixture(scope="session", autouse=True)
def quicker_django(django_test_environment: None) -> Iterator[None]:
    from tests import quicker_django

    with quicker_django.contexts_of_fields_not_kept(), quicker_django.rows_of_migrate_kept():
        yield


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    # Playwright's synchronous interface runs an event loop in this thread, for which Django
    # refuses database calls. The loop is idle whenever a test touches the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(driver: Playwright) -> Iterator[Browser]:
    """One real browser for the whole run; tests open contexts of their own in it."""
    with launch_chromium(driver) as browser:
        yield browser


@pytest.fixture(scope="session")
def contexts(chromium: Browser) -> Contexts:
    return Contexts(chromium)


@pytest.fixture
def new_context(contexts: Contexts) -> Iterator[NewContext]:
    """Contexts with nothing in their storage; script errors fail the test.

    With `fresh=True` also without what the browser remembers of files that it has loaded before.
    """
    with contexts.borrowing() as make:
        yield make


@pytest.fixture(scope="session")
def firefox(driver: Playwright) -> Iterator[Browser]:
    """To start it takes as long as a test in it: `tests/spread.py` keeps these in one process."""
    with launch_firefox(driver) as browser:
        yield browser


@pytest.fixture(params=["chromium", "firefox"])
def new_context_in_each(request: pytest.FixtureRequest) -> Iterator[NewContext]:
    """The same in one browser after the other."""
    if request.param == "chromium":
        yield request.getfixturevalue("new_context")
        return
    with Contexts(request.getfixturevalue("firefox")).borrowing() as make:
        yield make


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Numbers of rows begin at a thousand, as on a site in use: a page that writes one for readers,
    with a separator, instead of for its script fails here.
    """
    from django.apps import apps
    from django.db import connection

    with django_db_blocker.unblock(), connection.cursor() as cursor:
        for model in apps.get_app_config("surveys").get_models():
            table = model._meta.db_table
            if connection.vendor == "sqlite":
                cursor.execute(
                    "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, 1000]
                )
            elif model._meta.auto_field:
                column = model._meta.auto_field.column
                cursor.execute(f'ALTER TABLE "{table}" ALTER COLUMN "{column}" RESTART WITH 1001')


@pytest.fixture(scope="session")
def live_server(django_db_setup: None, live_server: Any) -> Any:
    """The server starts when the database of the tests is there: of the one in memory that the
    settings name before, its threads would share a single connection.
    """
    return live_server


@pytest.fixture
def client() -> Any:
    """Django's test client, which reads a download to its end as every server does.

    One that is left half read keeps its cursor, and PostgreSQL waits for ever when the garbage
    collector closes that in the middle of another query.
    """
    from django.test import Client

    class ReadingClient(Client):
        def request(self, **request: Any) -> Any:
            response = super().request(**request)
            if response.streaming:
                response.streaming_content = [b"".join(response.streaming_content)]
            return response

    return ReadingClient()


@pytest.fixture(autouse=True)
def thaw_for_the_flush(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let SQLite's flush after a transactional test delete what the triggers hold frozen."""
    marker = request.node.get_closest_marker("django_db")
    transactional = marker is not None and marker.kwargs.get("transaction", False)
    if not transactional and not {"transactional_db", "live_server"} & set(request.fixturenames):
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    from surveys.models import Survey

    Survey.objects.update(state=Survey.State.DELETED)
