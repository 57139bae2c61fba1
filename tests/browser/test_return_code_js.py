"""Return codes: the browser and the server read, write and check them alike."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from surveys.features.return_codes.section import check_symbols, is_return_code, return_code
from tests.browser.rr_page import rr_page, run
from tests.browser.support import ROOT
from tests.vectors.make_return_code_vectors import return_code_vectors

pytestmark = pytest.mark.browser

VECTORS = json.loads((ROOT / "tests" / "vectors" / "return_codes.json").read_text())
IMPORT = "const codes = await import('/static/js/features/return_codes/code.js');"


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with rr_page(chromium) as opened:
        yield opened


def test_the_vectors_are_what_their_script_writes() -> None:
    assert return_code_vectors() == VECTORS


def test_both_sides_compute_the_check(page: Page) -> None:
    symbols = [case["symbols"] for case in VECTORS["drawn"]]
    checks = [case["check"] for case in VECTORS["drawn"]]
    assert run(page, f"{IMPORT} return given.map(codes.checkSymbols)", symbols) == checks
    assert [check_symbols(text) for text in symbols] == checks
    assert [return_code(text) for text in symbols] == [case["code"] for case in VECTORS["drawn"]]


def test_a_new_code_is_five_bits_of_each_byte(page: Page) -> None:
    body = """return given.map(({ bytes }) => {
      const source = sourceOf(bytes.match(/../g).map((pair) => parseInt(pair, 16)));
      return [codes.newReturnCode(source), source.used()];
    });"""
    expected = [[case["code"], 18] for case in VECTORS["drawn"]]
    assert run(page, IMPORT + body, VECTORS["drawn"]) == expected


def test_both_sides_know_a_code(page: Page) -> None:
    good = [case["code"] for case in VECTORS["drawn"]]
    bad = [*VECTORS["wrong"], *VECTORS["not_codes"]]
    found = run(page, f"{IMPORT} return given.map(codes.isReturnCode)", good + bad)
    assert found == [True] * len(good) + [False] * len(bad)
    assert [is_return_code(text) for text in good + bad] == found


def test_what_people_type_is_read(page: Page) -> None:
    typed = [case["typed"] for case in VECTORS["typed"]]
    read = run(page, f"{IMPORT} return given.map(codes.readReturnCode)", typed)
    assert read == [case["code"] for case in VECTORS["typed"]]
