"""A WebKit for every process of a run, and a browser that nobody has used for every test."""

from collections.abc import Iterator

import pytest

from tests.webkit.driver import Tab, running_driver


@pytest.fixture(scope="session")
def webkit_driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_driver(tmp_path_factory.mktemp("webkit")) as address:
        yield address


@pytest.fixture
def tab(webkit_driver: str) -> Iterator[Tab]:
    """A tab with nothing in its storage; script errors fail the test."""
    opened = Tab(webkit_driver)
    try:
        yield opened
        assert opened.ended() == []
    finally:
        opened.close()
