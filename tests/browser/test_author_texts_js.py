"""The browser's twin of the rule for authors' texts, on the vectors of both."""

import pytest
from playwright.sync_api import Browser

from tests.browser.rr_page import rr_page, run
from tests.vectors.case_lines import read_vectors

VECTORS = read_vectors("author_texts.json")
pytestmark = [pytest.mark.browser, pytest.mark.any_database]

TWIN = """
const { oneLine, paragraphs } = await import("/static/js/admin/author_texts.js");
return [
  given.lines.map(({ text }) => oneLine(text)),
  given.paragraphs.map(({ text }) => paragraphs(text)),
];
"""


def test_the_twin_does_as_the_vectors_say(chromium: Browser) -> None:
    with rr_page(chromium) as page:
        lines, several = run(page, TWIN, VECTORS)
    assert lines == [case["line"] for case in VECTORS["lines"]]
    assert several == [case["stored"] for case in VECTORS["paragraphs"]]
