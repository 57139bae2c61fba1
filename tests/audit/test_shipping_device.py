"""The device that ships, audited where it runs: a million browser draws for every true value."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Browser, Page

from rr_engine.bounded import MeanDevice
from tests.audit.audit import (
    BEYOND_DOUBT,
    SIGNIFICANCE,
    epsilon_lower_bound,
    goodness_of_fit,
    replays,
)
from tests.browser.rr_page import answer_of, k_rr_device, make_device, rr_page
from tests.devices import as_served, expanded_device
from tests.vectors.make_wire_vectors import linear

pytestmark = pytest.mark.browser

DRAWS = 1_000_000
SETUP = """
const {checkDevice, drawReport} = await import("/static/js/rr/device.js");
const {countReports, sequence} = await import("/tests/audit/harness.js");
const mutants = await import("/tests/audit/mutants/devices.js");
const {raw, draws, name, truths} = JSON.parse(text);
const cards = await import("/static/js/rr/cards.js");
const linear = await import("/static/js/rr/linear.js");
const rules = await import("/static/js/rr/rules.js");
const parts = new Map([["cards", cards], ["linear", linear], ["rules", rules]]);
const device = checkDevice(raw, parts);
const draw = name === "shipping" ? drawReport : mutants[name];
"""
COUNT = "return truths.map((truth) => countReports(draw, device, truth, draws));"
SEQUENCE = "return sequence(draw, device, 0, draws);"

# Each truth has a column of its own shape: a table read by rows would be another device.
UNEVEN = [[100, 60, 96], [96, 100, 60], [56, 104, 96]]


def evaluate(
    page: Page, body: str, device: dict[str, Any], name: str, draws: int, truths: Sequence[int] = ()
) -> Any:
    arguments = {"raw": as_served(device), "draws": draws, "name": name, "truths": truths}
    return answer_of(page, SETUP + body, arguments)


def counts_of(
    page: Page, device: dict[str, Any], name: str, step: int = 1
) -> npt.NDArray[np.int64]:
    """Return the counts of every true value, or of each `step`-th; shape (truths, reports)."""
    truths = range(len(device["columns"]))[::step]
    return np.array(evaluate(page, COUNT, device, name, DRAWS, [*truths]))


def declared_table(device: dict[str, Any], step: int = 1) -> npt.NDArray[np.float64]:
    return np.array(device["columns"][::step]) / device["denominator"]


@pytest.mark.parametrize("size", [2, 10, 100])
def test_the_shipping_device_reveals_no_more_than_declared(
    page: Page, size: int, record_property: Callable[[str, object], None]
) -> None:
    """Each tenth of a hundred true values is drawn.

    That each of them has its law is exact over every sequence of bytes in
    tests/browser/test_device_draw.py.
    """
    device, step = expanded_device(k_rr_device(size, "1")), max(1, size // 10)
    counts = counts_of(page, device, "shipping", step)
    bound = epsilon_lower_bound(counts)
    p_value = goodness_of_fit(counts, declared_table(device, step))
    record_property("epsilon_lower_bound", bound)
    record_property("goodness_of_fit", p_value)
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 1, counts.tolist()
    # A bound far below would be an audit that sees nothing.
    assert bound > 0.93
    assert p_value > SIGNIFICANCE


def test_the_shipping_device_follows_an_uneven_table(page: Page) -> None:
    device = expanded_device(make_device(UNEVEN, epsilon="1"))
    assert (
        goodness_of_fit(counts_of(page, device, "shipping"), declared_table(device)) > SIGNIFICANCE
    )


@pytest.mark.parametrize(
    ("name", "size"), [("truthOnNaN", 2), ("liesOverAll", 10), ("modulo", 100)]
)
def test_the_same_audit_sees_a_browser_mutant_reveal_more(page: Page, name: str, size: int) -> None:
    device = expanded_device(k_rr_device(size, "1"))
    step = max(1, size // 10)
    counts = counts_of(page, device, name, step)
    assert epsilon_lower_bound(counts) > 1
    assert goodness_of_fit(counts, declared_table(device, step)) < SIGNIFICANCE


# One bit on a number of 41 values; the audit looks at every tenth.
STEPS, TENTH = 40, 10


def one_bit() -> dict[str, Any]:
    engine = MeanDevice.from_epsilon(STEPS, "1")
    table = linear(STEPS, engine.low, engine.rise, engine.denominator)
    return expanded_device(make_device(UNEVEN, epsilon="1") | {"table": table})


def test_one_bit_on_a_number_reveals_no_more_than_declared(page: Page) -> None:
    device = one_bit()
    counts = counts_of(page, device, "shipping", TENTH)
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 1, counts.tolist()
    assert epsilon_lower_bound(counts) > 0.93
    assert goodness_of_fit(counts, declared_table(device, TENTH)) > SIGNIFICANCE


def test_the_same_audit_sees_a_number_that_is_rounded_and_sent(page: Page) -> None:
    assert epsilon_lower_bound(counts_of(page, one_bit(), "sendsRounded", TENTH)) > 1


def test_the_same_audit_sees_a_number_that_is_rounded_to_the_nearest_end(page: Page) -> None:
    device = one_bit()
    counts = counts_of(page, device, "roundsToNearest", TENTH)
    assert goodness_of_fit(counts, declared_table(device, TENTH)) < SIGNIFICANCE


@pytest.mark.parametrize("name", ["countedFromOne", "transposed"])
def test_the_same_audit_sees_a_browser_mutant_leave_its_table(page: Page, name: str) -> None:
    device = expanded_device(make_device(UNEVEN, epsilon="1"))
    assert goodness_of_fit(counts_of(page, device, name), declared_table(device)) < SIGNIFICANCE


@pytest.mark.parametrize(("name", "replayed"), [("shipping", False), ("fixedSeed", True)])
def test_two_fresh_pages_send_different_reports(
    chromium: Browser, name: str, replayed: bool
) -> None:
    sequences = []
    for _ in range(2):
        with rr_page(chromium) as page:
            sequences.append(evaluate(page, SEQUENCE, k_rr_device(10, "1"), name, 200))
    assert replays(*sequences) is replayed
