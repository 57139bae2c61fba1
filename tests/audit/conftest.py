"""What the audits share: a page beside the served modules that stays warm."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.rr_page import rr_page


@pytest.fixture(scope="session")
def page(chromium: Browser) -> Iterator[Page]:
    with rr_page(chromium) as opened:
        yield opened
