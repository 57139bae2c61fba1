"""A multiple choice is audited as one person sends it: the reports to all options together."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.audit.audit import BEYOND_DOUBT, SIGNIFICANCE, epsilon_lower_bound, goodness_of_fit
from tests.browser.rr_page import answer_of
from tests.builders import launched
from tests.devices import as_served, devices_of

DRAWS = 200_000
SETUP = """
const {checkDevice, drawReport} = await import("/static/js/rr/device.js");
const {countWholeReports} = await import("/tests/audit/harness.js");
const mutants = await import("/tests/audit/mutants/devices.js");
const {raw, draws, truths, name} = JSON.parse(text);
const devices = raw.map((one) => checkDevice(one));
const draw = name === "shipping" ? drawReport : mutants[name];
return truths.map((each) => countWholeReports(draw, devices, each, draws));
"""
SEVERAL = {
    "kind": "multiple_choice",
    "design": "per_option",
    "options": ["Paper", "Tools"],
    "prefer_not": True,
    "epsilon": Decimal("1"),
}
# The answers that a person can tick: any of the options, or the refusal alone.
TRUTHS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1)]


@pytest.fixture
def devices(db: None) -> list[dict[str, Any]]:
    """The devices as they are served."""
    return devices_of(launched(questions=[SEVERAL]))


def whole_reports(
    devices: list[dict[str, Any]], truths: list[tuple[int, ...]]
) -> list[list[Fraction]]:
    """The exact chance of every whole report under each truth, the last device fastest."""
    return [
        [
            prod(
                Fraction(device["columns"][truth][code], device["denominator"])
                for device, truth, code in zip(devices, each, codes, strict=True)
            )
            for codes in product(*(range(len(device["reports"])) for device in devices))
        ]
        for each in truths
    ]


def largest_ratio(table: list[list[Fraction]]) -> Fraction:
    return max(max(chances) / min(chances) for chances in zip(*table, strict=True))


def test_whole_reports_keep_the_epsilon_of_the_question(devices: list[dict[str, Any]]) -> None:
    """Exact: over every set of ticks, those that the page does not allow included."""
    every = list(product((0, 1), repeat=len(devices)))
    table = whole_reports(devices, every)
    assert [sum(chances) for chances in table] == [1] * 8
    declared = sum(Decimal(device["epsilon"]) for device in devices)
    assert declared <= SEVERAL["epsilon"]
    ratio = largest_ratio(table)
    # Decimal's exp is correctly rounded to 28 digits; the ratio stays further below than that.
    assert ratio <= Fraction(declared.exp()) < Fraction(Decimal(1).exp())
    assert float(ratio) == pytest.approx(float(declared.exp()), rel=1e-6)


def test_what_can_be_ticked_together_decides_what_is_revealed(
    devices: list[dict[str, Any]],
) -> None:
    """Two sets that differ in two boxes differ by two shares of epsilon, not by three."""
    shares = [Decimal(device["epsilon"]) for device in devices]
    for first, second in pairwise([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]):
        ratio = largest_ratio(whole_reports(devices, [first, second]))
        different_shares = [
            share for share, a, b in zip(shares, first, second, strict=True) if a != b
        ]
        assert float(ratio) == pytest.approx(float(sum(different_shares).exp()), rel=1e-6)


def count_draws(page: Page, devices: list[dict[str, Any]], name: str) -> np.ndarray:
    arguments = {"raw": [*map(as_served, devices)], "draws": DRAWS, "truths": TRUTHS, "name": name}
    return np.array(answer_of(page, SETUP, arguments))


@pytest.mark.browser
def test_the_shipping_devices_of_a_question_reveal_no_more_than_its_epsilon(
    page: Page, devices: list[dict[str, Any]]
) -> None:
    counts = count_draws(page, devices, "shipping")
    exact = np.array(whole_reports(devices, TRUTHS), dtype=float)
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 1, counts.tolist()
    # Far below it the audit would see nothing: two options against the refusal differ in all three.
    assert epsilon_lower_bound(counts) > 0.9
    assert goodness_of_fit(counts, exact) > SIGNIFICANCE


@pytest.mark.browser
def test_one_draw_for_all_options_is_seen_over_whole_reports_only(
    page: Page, devices: list[dict[str, Any]]
) -> None:
    counts = count_draws(page, devices, "oneForAll")
    assert epsilon_lower_bound(counts) > 1
    # Each device by itself is what it declares: only the whole report gives it away.
    margins = counts.reshape(len(TRUTHS), 2, 2, 2).sum(axis=(2, 3))
    assert epsilon_lower_bound(margins, BEYOND_DOUBT) <= float(devices[0]["epsilon"])
