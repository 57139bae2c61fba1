"""Short texts, audited over whole reports of a small filter and place by place over a larger."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Browser, Page
from scipy import stats

from rr_engine.rappor import Rappor
from rr_engine.rappor.bloom import positions_of
from tests.audit.audit import (
    BEYOND_DOUBT,
    SIGNIFICANCE,
    epsilon_lower_bound,
    goodness_of_fit,
    replays,
)
from tests.browser.rr_page import answer_of, make_device, rr_page
from tests.vectors.case_lines import read_vectors

pytestmark = pytest.mark.browser

DRAWS = 1_000_000
SETUP = """
const {checkDevice, drawReport} = await import("/static/js/rr/device.js");
const bloom = await import("/static/js/rr/bloom.js");
const texts = await import("/static/js/rr/text.js");
const harness = await import("/tests/audit/harness.js");
const clients = await import("/tests/audit/mutants/filters.js");
const {raw, draws, name, words, bytes} = JSON.parse(text);
const device = checkDevice(raw, new Map([["bloom", bloom], ["text", texts]]));
const client = clients[name];
"""
WHOLE = "return Promise.all(words.map((one) => harness.countFilters(client, device, one, draws)));"
PLACES = "return harness.countPlaces(client, device, words, draws);"
SEQUENCE = """const marks = await client.marksOf(device.table, {words, cohort: 0});
const source = harness.chunkedSource();
return Array.from({length: draws}, () => client.drawReport(device, marks, source)[1]);"""
FROM_BYTES = """let used = 0;
const source = (count) => Uint8Array.from(bytes.slice(used, used += count));
const cohort = client.drawCohort(device.table, source, words);
return client.drawReport(device, await client.marksOf(device.table, {words, cohort}), source);"""

# Every cell of a report can be counted: two cohorts of four bits, of which a text sets two.
SMALL = Rappor.for_epsilon("1", bits=4, hashes=2, cohorts=2)
# Half of the bits are set, so that both chances are seen as often; 24 cohorts divide no byte.
LARGE = Rappor.for_epsilon("4", bits=32, hashes=16, cohorts=24)
REPORTS = read_vectors("bloom_reports.json")["reports"]


def served(table: Mapping[str, Any], epsilon: str = "8") -> dict[str, Any]:
    device = make_device([[1, 1]], epsilon=epsilon, family="rappor", look="text")
    return device | {"table": table}


def device_of(rappor: Rappor, epsilon: str) -> dict[str, Any]:
    table = {
        "form": "bloom",
        "cohorts": rappor.cohorts,
        "bits": rappor.bits,
        "hashes": rappor.hashes,
        "denominator": rappor.denominator,
        "one": rappor.kept,
        "zero": rappor.raised,
    }
    return served(table, epsilon)


def evaluate(page: Page, body: str, **given: Any) -> Any:
    return answer_of(page, SETUP + body, given)


def marked(rappor: Rappor, words: str, cohort: int) -> set[int]:
    return set(positions_of(words, cohort, rappor.bits, rappor.hashes))


def worst_pair() -> tuple[str, str]:
    """Two texts whose filters have no bit in common in any cohort."""
    cohorts = range(SMALL.cohorts)
    other = next(
        text
        for text in map("text {}".format, count())
        if not any(marked(SMALL, "text", k) & marked(SMALL, text, k) for k in cohorts)
    )
    return "text", other


def counts_of(page: Page, name: str, draws: int = DRAWS) -> npt.NDArray[np.int64]:
    """Counts of whole reports of the worst pair and of a refusal."""
    words = [*worst_pair(), ""]
    raw = device_of(SMALL, "1")
    return np.array(evaluate(page, WHOLE, raw=raw, draws=draws, name=name, words=words))


def declared_table() -> npt.NDArray[np.float64]:
    """The chance of every report under each of the three truths: the cohort, then its bits."""
    p, q = SMALL.channel.pair
    rows = []
    for words in (*worst_pair(), ""):
        row = []
        for cohort in range(SMALL.cohorts):
            own = marked(SMALL, words, cohort)
            law = np.ones(1)
            for bit in range(SMALL.bits):
                one = p if bit in own else q
                law = np.outer(law, [1 - one, one]).ravel()
            row.append(law / SMALL.cohorts)
        rows.append(np.concatenate(row))
    return np.array(rows)


def test_a_text_reveals_no_more_than_declared(page: Page, record_property: Any) -> None:
    counts = counts_of(page, "shipping")
    bound, p_value = epsilon_lower_bound(counts), goodness_of_fit(counts, declared_table())
    record_property("epsilon_lower_bound", bound)
    record_property("goodness_of_fit", p_value)
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 1, counts.tolist()
    # A bound far below would be an audit that sees nothing.
    assert bound > 0.93
    assert p_value > SIGNIFICANCE


def test_the_table_of_the_audit_has_the_declared_loss() -> None:
    table = declared_table()
    assert table.sum(axis=1) == pytest.approx(1)
    assert np.log(table[0] / table[1]).max() == pytest.approx(1, abs=1e-8)


@pytest.mark.parametrize(
    ("name", "bound", "draws"),
    [
        ("redrawn", 1.5, 3 * DRAWS // 10),
        ("cohortOfText", 3, DRAWS // 10),
        ("neverClears", 3, DRAWS // 10),
    ],
)
def test_the_same_audit_sees_a_client_reveal_more(
    page: Page, name: str, bound: float, draws: int
) -> None:
    assert epsilon_lower_bound(counts_of(page, name, draws)) > bound


def places_p_value(page: Page, name: str, words: str, draws: int = DRAWS) -> float:
    """Whether cohorts are equally frequent, and places marked as often as declared, alone and all
    together: the smallest of four p-values, by Bonferroni.
    """
    raw = device_of(LARGE, "4")
    drawn = evaluate(page, PLACES, raw=raw, draws=draws, name=name, words=words)
    people, ones = (np.array(each) for each in drawn)
    own = np.zeros(ones.shape, dtype=bool)
    for cohort in range(LARGE.cohorts):
        own[cohort, list(marked(LARGE, words, cohort))] = True
    p, q = LARGE.channel.pair
    chance = np.where(own, p, q)
    trials = np.broadcast_to(people[:, None], ones.shape)
    squares = (ones - trials * chance) ** 2 / (trials * chance * (1 - chance)).clip(1)
    tests = [
        stats.chisquare(people).pvalue,
        stats.chi2.sf(squares.sum(), squares.size),
        stats.binomtest(int(ones[own].sum()), int(trials[own].sum()), p).pvalue,
        stats.binomtest(int(ones[~own].sum()), int(trials[~own].sum()), q).pvalue,
    ]
    return float(min(1.0, len(tests) * min(tests)))


@pytest.mark.parametrize("words", ["heroin", ""], ids=["a text", "a refusal"])
def test_every_cohort_and_place_is_as_declared(page: Page, words: str) -> None:
    assert places_p_value(page, "shipping", words) > SIGNIFICANCE


@pytest.mark.parametrize(
    ("name", "draws"),
    [
        ("moduloCohort", DRAWS // 10),
        ("cohortOfText", DRAWS // 10),
        ("withoutCohort", DRAWS // 10),
        ("thousandthOff", DRAWS),
    ],
)
def test_the_same_audit_sees_a_client_leave_its_table(page: Page, name: str, draws: int) -> None:
    assert places_p_value(page, name, "heroin", draws) < SIGNIFICANCE


@pytest.mark.parametrize(("name", "alike"), [("shipping", True), ("inDoubles", False)])
def test_draws_in_doubles_have_the_law_and_other_bytes(page: Page, name: str, alike: bool) -> None:
    """No count tells 32 bits from a double; the shared vectors do."""
    drawn = [
        evaluate(
            page,
            FROM_BYTES,
            raw=served(case["table"]),
            name=name,
            words=case["words"],
            bytes=list(bytes.fromhex(case["bytes"])),
        )
        for case in REPORTS
        if case["table"]["denominator"] == 2**32
    ]
    expected = [case["report"] for case in REPORTS if case["table"]["denominator"] == 2**32]
    assert len(expected) == 3
    assert (drawn == expected) is alike


def test_two_fresh_pages_send_different_patterns(chromium: Browser) -> None:
    sequences = []
    for _ in range(2):
        with rr_page(chromium) as page:
            raw = device_of(LARGE, "4")
            given = {"raw": raw, "draws": 200, "name": "shipping", "words": "heroin"}
            sequences.append(evaluate(page, SEQUENCE, **given))
    assert not replays(*sequences)
