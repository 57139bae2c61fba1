"""A ranking: items are tapped in their order, an order is drawn, and nothing else is sent."""

from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from surveys.models import Submission
from tests.browser.axe import assert_well
from tests.browser.respondent import press, receipt, spin
from tests.browser.rr_page import rr_page, run
from tests.browser.support import in_sizes
from tests.browser.test_respond_kinds import open_questions

pytestmark = pytest.mark.browser

RANKING = {
    "kind": "ranked_items",
    "text": "What matters most to you at work?",
    "options": ["Pay", "Hours", "People", "The work"],
    "design": "near_orders",
    "epsilon": Decimal("1"),
    "prefer_not": True,
}


@pytest.fixture
def page(live_server: Any, new_context: Any) -> Page:
    return open_questions(live_server, new_context, RANKING)


def item(page: Page, label: str) -> Locator:
    return page.locator(".ranking__item").filter(has_text=label)


def ranks(page: Page) -> list[str]:
    return page.locator(".ranking__rank").all_inner_texts()


def test_nothing_is_ranked_until_it_is_tapped_and_ranks_are_taken_back(page: Page) -> None:
    assert ranks(page) == ["", "", "", ""]
    spun = page.get_by_role("button", name="Spin", exact=True)
    expect(spun).to_be_hidden()
    assert_well(page)
    item(page, "People").click()
    item(page, "Pay").click()
    assert ranks(page) == ["2.", "", "1.", ""]
    expect(page.get_by_role("button", name="People (rank 1)")).to_be_visible()
    expect(page.get_by_role("button", name="Hours (no rank yet)")).to_be_visible()
    press(page, "Send")
    expect(page.get_by_text("Give every item a rank before you go on.")).to_be_visible()
    # Its rank goes to the next.
    item(page, "People").click()
    assert ranks(page) == ["1.", "", "", ""]
    press(page, "Take the last rank back")
    assert ranks(page) == ["", "", "", ""]
    for label in ("Hours", "Pay", "The work", "People"):
        expect(spun).to_be_hidden()
        item(page, label).click()
    assert ranks(page) == ["2.", "1.", "4.", "3."]
    expect(spun).to_be_visible()
    expect(page.get_by_text("4 of 4 items have a rank.")).to_be_visible()
    # A refusal is another answer.
    page.get_by_label("Prefer not to say").check()
    assert ranks(page) == ["", "", "", ""]
    expect(spun).to_be_visible()
    item(page, "Pay").click()
    expect(page.get_by_label("Prefer not to say")).not_to_be_checked()
    expect(spun).to_be_hidden()


def test_it_is_well_in_all_sizes_by_keyboard_alone_and_sent_as_a_number(page: Page) -> None:
    for label in ("People", "Pay"):
        item(page, label).press("Enter")
    for label in ("Hours", "The work"):
        item(page, label).press("Space")
    for _size in in_sizes(page, ((360, 740), (1280, 800))):
        assert_well(page)
        for button in page.locator(".ranking__item").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
    spin(page)
    told = page.locator(".result__code")
    expect(told).to_contain_text("order ")
    sent = page.locator(".drawn__answers li").all_inner_texts()
    assert sent == ["Prefer not to say"] or sorted(sent) == sorted(RANKING["options"])
    assert page.locator(".ranking").count() == 0
    assert_well(page)
    number = int(told.inner_text().split("order ")[1].removesuffix("."))
    press(page, "Send")
    receipt(page)
    assert Submission.objects.get().content["reports"] == {"q1": number - 1}


def test_the_browser_draws_each_order_by_the_weight_of_its_distance(chromium: Browser) -> None:
    """Every integer of a small denominator, for every truth: how many give each report."""
    table = {
        "form": "ranking",
        "items": 3,
        "denominator": 16,
        "weights": [4, 2, 2, 1],
        "refusal": [3, 4, 2],
    }
    script = """
    const { form } = await import("/static/js/rr/ranking.js");
    const fail = (code, field) => { throw new Error(`${code} ${field}`); };
    const table = form(given, fail, true);
    return [0, 1, 2, 3, 4, 5, 6].map((truth) =>
      Array.from({ length: 16 }, (_, byte) => table.draw(truth, () => Uint8Array.of(byte))));
    """
    orders = ["012", "021", "102", "120", "201", "210"]
    pairs = ["01", "02", "12"]

    def distance(first: str, second: str) -> int:
        def is_before(order: str, pair: str) -> bool:
            return order.index(pair[0]) < order.index(pair[1])

        return sum(is_before(first, pair) != is_before(second, pair) for pair in pairs)

    with rr_page(chromium) as page:
        drawn = run(page, script, table)
    for truth, reports in enumerate(drawn[:6]):
        expected = [[4, 2, 2, 1][distance(orders[truth], order)] for order in orders]
        assert [reports.count(report) for report in range(7)] == [*expected, 3]
    assert [drawn[6].count(report) for report in range(7)] == [2] * 6 + [4]
