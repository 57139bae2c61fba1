"""The Bloom filter of a text in a browser: the shared vectors, and no answer without SHA-256."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.rr_page import rr_page, run
from tests.browser.support import ROOT

pytestmark = pytest.mark.browser

VECTORS = json.loads((ROOT / "tests" / "vectors" / "bloom_filters.json").read_text())
BLOOM = 'const bloom = await import("/static/js/rr/bloom.js");'


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with rr_page(chromium) as opened:
        yield opened


def test_texts_set_the_bits_of_the_shared_vectors(page: Page) -> None:
    body = f"""{BLOOM}
    const positionsOf = (text, filter) => Promise.all(
      [...Array(filter.cohorts).keys()].map((k) => bloom.bloomPositions(text, k, filter)));
    return Promise.all(given.texts.map(({{ text }}) =>
      Promise.all(given.filters.map((filter) => positionsOf(text, filter))).catch(() => null)));
    """
    expected = [case["positions"] for case in VECTORS["texts"]]
    assert run(page, body, VECTORS) == expected
    words = run(page, f"{BLOOM} return given.map(bloom.normalizeText)", texts_of("text"))
    assert words == texts_of("words")


def texts_of(key: str) -> list[str]:
    return [case[key] for case in VECTORS["texts"]]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ('bloom.bloomPositions(" ", 0, { bits: 8, hashes: 1 })', "empty_text"),
        ('bloom.bloomPositions("tea", 0, { bits: 8, hashes: 5 })', "bad_number"),
        ('bloom.bloomPositions("tea", 0, { bits: 8.5, hashes: 1 })', "bad_number"),
        ('bloom.bloomPositions("tea", -1, { bits: 8, hashes: 1 })', "bad_number"),
    ],
)
def test_filters_that_cannot_be_are_refused(page: Page, call: str, code: str) -> None:
    refused = run(page, f"{BLOOM} return refusal(() => {call})")
    assert (refused["type"], refused["code"]) == ("DeviceError", code)
    assert "tea" not in refused["message"]


def test_without_sha_256_there_are_no_positions(page: Page) -> None:
    body = f"""{BLOOM}
    Object.defineProperty(globalThis.crypto, "subtle", {{ value: undefined, configurable: true }});
    const refused = await refusal(() => bloom.bloomPositions("tea", 0, {{ bits: 8, hashes: 1 }}));
    delete globalThis.crypto.subtle;
    return refused;"""
    assert run(page, body)["code"] == "insecure_context"
