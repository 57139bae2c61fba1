"""Cards and a searched table are audited as they ship: whole reports, a million draws a truth."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.audit.audit import BEYOND_DOUBT, SIGNIFICANCE, epsilon_lower_bound, goodness_of_fit
from tests.audit.test_shipping_device import counts_of, declared_table
from tests.builders import launched
from tests.devices import cards_of, devices_of
from tests.searched import searched_question

CARDS = {
    "name": "reason",
    "kind": "single_choice",
    "design": "cards",
    "options": [f"Answer {number}" for number in range(1, 8)],
    "epsilon": Decimal("1"),
}
QUESTIONS = {"cards": CARDS, "searched": searched_question(epsilon=Decimal("1"))}


@pytest.fixture(params=QUESTIONS)
def device(request: pytest.FixtureRequest, db: None) -> dict[str, Any]:
    """A device as it is served, of more reports than answers."""
    (frozen_device,) = devices_of(launched(questions=[QUESTIONS[request.param]]))
    assert len(frozen_device["reports"]) > len(frozen_device["columns"])
    return frozen_device


@pytest.fixture
def card_device(db: None) -> dict[str, Any]:
    (frozen_device,) = devices_of(launched(questions=[CARDS]))
    return frozen_device


def test_the_table_keeps_its_epsilon_exactly(device: dict[str, Any]) -> None:
    rows = list(zip(*device["columns"], strict=True))
    ratio = max(Fraction(max(row), min(row)) for row in rows)
    # Decimal's exp is correctly rounded to 28 digits; the ratio stays further below than that.
    assert ratio <= Fraction(Decimal(device["epsilon"]).exp())
    assert math.log(ratio) > 0.99 * float(device["epsilon"])
    assert {sum(column) for column in device["columns"]} == {device["denominator"]}


def test_every_answer_is_on_its_share_of_the_cards(card_device: dict[str, Any]) -> None:
    """k e^eps / (k e^eps + n - k) of the chance lies on cards with the answer, alike for all."""
    cards, denominator = cards_of(card_device), card_device["denominator"]
    size, answers = len(cards[0]), len(card_device["columns"])
    expected = size * math.e / (size * math.e + answers - size)
    for answer, column in enumerate(card_device["columns"]):
        included = sum(entry for entry, card in zip(column, cards, strict=True) if answer in card)
        assert included / denominator == pytest.approx(expected, abs=1e-8)


@pytest.mark.browser
def test_the_shipping_device_reveals_no_more_than_declared(
    page: Page, device: dict[str, Any], record_property: Callable[[str, object], None]
) -> None:
    counts = counts_of(page, device, "shipping")
    bound, p_value = epsilon_lower_bound(counts), goodness_of_fit(counts, declared_table(device))
    record_property("epsilon_lower_bound", bound)
    record_property("goodness_of_fit", p_value)
    assert epsilon_lower_bound(counts, BEYOND_DOUBT) <= 1, counts.tolist()
    # A bound far below would be an audit that sees nothing.
    assert bound > 0.93
    assert p_value > SIGNIFICANCE


@pytest.mark.browser
@pytest.mark.parametrize("name", ["showsTruthTooOften", "alwaysShowsTruth"])
def test_the_same_audit_sees_cards_that_reveal_more(
    page: Page, card_device: dict[str, Any], name: str
) -> None:
    counts = counts_of(page, card_device, name)
    assert epsilon_lower_bound(counts) > 1
    assert goodness_of_fit(counts, declared_table(card_device)) < SIGNIFICANCE
