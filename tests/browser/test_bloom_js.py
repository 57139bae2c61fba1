"""The Bloom filter of a text in a browser: the shared vectors, and no answer without SHA-256."""

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.rr_page import make_device, run
from tests.vectors.case_lines import read_vectors

pytestmark = pytest.mark.browser

VECTORS = read_vectors("bloom_filters.json")
REPORTS = read_vectors("bloom_reports.json")
BLOOM = """const bloom = await import("/static/js/rr/bloom.js");
const { normalizeText } = await import("/static/js/rr/text.js");"""


def test_texts_set_the_bits_of_the_shared_vectors(page: Page) -> None:
    body = f"""{BLOOM}
    const positionsOf = (text, filter) => Promise.all(
      [...Array(filter.cohorts).keys()].map((k) => bloom.wordPositions(text, k, filter)));
    return Promise.all(given.texts.map(({{ text }}) =>
      Promise.all(given.filters.map((filter) => positionsOf(normalizeText(text), filter)))));
    """
    seen = [case for case in VECTORS["texts"] if case["words"]]
    given = {"texts": seen, "filters": VECTORS["filters"]}
    assert run(page, body, given) == [case["positions"] for case in seen]
    words = run(page, f"{BLOOM} return given.map(normalizeText)", texts_of("text"))
    assert words == texts_of("words")


def texts_of(key: str) -> list[str]:
    return [case[key] for case in VECTORS["texts"]]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ('bloom.wordPositions("tea", 0, { bits: 8, hashes: 5 })', "bad_number"),
        ('bloom.wordPositions("tea", 0, { bits: 8.5, hashes: 1 })', "bad_number"),
        ('bloom.wordPositions("tea", -1, { bits: 8, hashes: 1 })', "bad_number"),
    ],
)
def test_filters_that_cannot_be_are_refused(page: Page, call: str, code: str) -> None:
    refused = run(page, f"{BLOOM} return refusal(() => {call})")
    assert (refused["type"], refused["code"]) == ("DeviceError", code)
    assert "tea" not in refused["message"]


def test_without_sha_256_there_are_no_positions(page: Page) -> None:
    body = f"""{BLOOM}
    Object.defineProperty(globalThis.crypto, "subtle", {{ value: undefined, configurable: true }});
    const refused = await refusal(() => bloom.wordPositions("tea", 0, {{ bits: 8, hashes: 1 }}));
    delete globalThis.crypto.subtle;
    return refused;"""
    assert run(page, body)["code"] == "insecure_context"


# A device with this table, of which nothing but the loss is checked elsewhere.
CHECKED = "const checked = device.checkDevice(given.device, parts);"
DRAWN = """
const cohort = bloom.drawCohort(checked.table, source);
const marks = await bloom.marksOf(checked.table, { words, cohort });
const report = device.drawReport(checked, marks, source);"""


def device_of(table: dict[str, Any], epsilon: str = "8", **other: Any) -> dict[str, Any]:
    text = {"family": "rappor", "look": "text", "table": table}
    return make_device([[1, 1]], epsilon=epsilon) | text | other


def filter_of(**other: int) -> dict[str, Any]:
    shape = {"cohorts": 3, "bits": 8, "hashes": 1, "denominator": 8, "one": 5, "zero": 3}
    return {"form": "bloom", **shape, **other}


@pytest.mark.parametrize("case", REPORTS["reports"], ids=lambda case: case["name"])
def test_the_same_bytes_give_the_report_of_the_shared_vectors(page: Page, case: Any) -> None:
    body = f"""{BLOOM} {CHECKED}
    const source = sourceOf(given.bytes);
    const words = normalizeText(given.text);
    {DRAWN}
    return [report, source.used(), device.isReportOf(checked, report)];"""
    taken = list(bytes.fromhex(case["bytes"]))
    # No epsilon is allowed that a table with eight hashes keeps for eight bits and more.
    given = {"device": device_of(case["table"]), "bytes": taken, "text": case["text"]}
    assert run(page, body, given) == [case["report"], len(taken), True]


@pytest.mark.parametrize("words", ["tea", "a rather long text", ""])
def test_every_text_and_a_refusal_take_the_same_bytes(page: Page, words: str) -> None:
    body = f"""{BLOOM} {CHECKED}
    const source = sourceOf(Array(64).fill(1));
    const words = given.words;
    {DRAWN}
    return source.used();"""
    assert run(page, body, {"device": device_of(filter_of()), "words": words}) == 9


def test_every_byte_of_a_small_filter_is_dealt_out_exactly(page: Page) -> None:
    """Two bits with denominator 4: over all 16 pairs of integers the law of the table."""
    body = f"""{CHECKED}
    const marks = {{ cohort: 0, positions: [1] }};
    const all = [...Array(16).keys()].map((i) => sourceOf([i >> 2, i & 3]));
    return all.map((source) => device.drawReport(checked, marks, source));"""
    table = filter_of(cohorts=1, bits=2, denominator=4, one=3, zero=1)
    reports = run(page, body, {"device": device_of(table)})
    assert {cohort for cohort, _ in reports} == {0}
    assert Counter(bits for _, bits in reports) == {"00": 3, "01": 9, "10": 1, "11": 3}


@pytest.mark.parametrize(
    "marks",
    [
        '"tea"',
        "1",
        "[1]",
        "{ cohort: 3, positions: [1] }",
        "{ cohort: -1, positions: [1] }",
        "{ cohort: 0, positions: [8] }",
        "{ cohort: 0, positions: [1, 2] }",
        "{ cohort: 0, positions: [] }",
    ],
)
def test_what_are_no_marks_of_the_table_is_not_drawn_from(page: Page, marks: str) -> None:
    body = f"""{CHECKED}
    return refusal(() => device.drawReport(checked, {marks}, sourceOf(Array(64).fill(1))));"""
    refused = run(page, body, {"device": device_of(filter_of())})
    assert (refused["code"], refused["field"]) == ("not_a_category", "answer")


# ln((5 * 5) / (3 * 3)) for each hash.
@pytest.mark.parametrize(
    ("hashes", "epsilon", "code"),
    [
        (1, "1.021651247532", None),
        (1, "1.021651247531", "too_revealing"),
        (3, "3.064953742596", None),
        (3, "3.064953742595", "too_revealing"),
    ],
)
def test_the_loss_is_decided_exactly(
    page: Page, hashes: int, epsilon: str, code: str | None
) -> None:
    given = device_of(filter_of(hashes=hashes), epsilon)
    refused = run(page, "return refusal(() => device.checkDevice(given, parts))", given)
    assert (refused and refused["code"]) == code


def test_only_filters_are_shown_as_texts(page: Page) -> None:
    given = make_device([[3, 1], [1, 3]], epsilon="2", look="text")
    refused = run(page, "return refusal(() => device.checkDevice(given, parts))", given)
    assert (refused["code"], refused["field"]) == ("bad_form", "table")
