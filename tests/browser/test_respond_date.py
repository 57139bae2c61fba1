"""A date in parts: its fields, what is no date, and the bin that is all that is sent."""

from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from surveys.models import Submission
from tests.browser.axe import assert_well
from tests.browser.respondent import press, receipt, spin
from tests.browser.support import in_sizes
from tests.browser.test_respond_kinds import open_questions

pytestmark = pytest.mark.browser

SINCE = {
    "kind": "calendar_date",
    "text": "When did it happen last?",
    "options": ["2019-01-01", "2019-07-01", "2020-01-01", "2020-12-31"],
    "design": "k_rr",
    "epsilon": Decimal("2"),
    "prefer_not": True,
}
BORN = {**SINCE, "text": "When were you born?", "options": ["1950", "1970", "1990", "2009"]}


@pytest.fixture
def page(live_server: Any, new_context: Any) -> Page:
    return open_questions(live_server, new_context, SINCE)


def fill(page: Page, day: str, month: str, year: str) -> None:
    page.get_by_label("Month", exact=True).select_option(month)
    page.get_by_label("Day", exact=True).fill(day)
    page.get_by_label("Year", exact=True).fill(year)


def turn(page: Page) -> Locator:
    return page.get_by_role("button", name="Spin", exact=True)


def test_a_date_has_three_fields_without_names_and_only_its_bin_is_sent(page: Page) -> None:
    fields = page.locator(".date__field")
    # In the order in which English writes a date.
    labels = page.locator(".date__part label").all_inner_texts()
    assert labels == ["Month", "Day", "Year"]
    for field in fields.all():
        assert field.get_attribute("name") is None
        assert field.get_attribute("autocomplete") == "off"
        assert field.evaluate("node => node.type") in ("text", "select-one")
    expect(turn(page)).to_be_hidden()
    fill(page, "30", "6", "2019")
    told = page.locator(".date__bin")
    expect(told).to_contain_text("Counts as “Jan. 1, 2019")
    page.get_by_label("Day", exact=True).fill("1")
    page.get_by_label("Month", exact=True).select_option("July")
    expect(told).to_contain_text("Counts as “July 1, 2019")
    for _size in in_sizes(page, ((360, 740), (1280, 800))):
        assert_well(page)
        for field in fields.all():
            box = field.bounding_box()
            assert box is not None
            assert box["height"] >= 44
    spin(page)
    assert page.locator(".date__field").count() == 0
    press(page, "Send")
    receipt(page)
    (code,) = Submission.objects.get().content["reports"].values()
    assert code in range(4)


@pytest.mark.parametrize(
    ("day", "month", "year", "words"),
    [
        ("31", "2", "2019", "There is no such date."),
        ("31", "12", "2018", "From January 1, 2019 to December 31, 2020."),
        ("1", "1", "2021", "From January 1, 2019 to December 31, 2020."),
        ("1", "1", "", "Fill in all parts of the date."),
    ],
)
def test_what_is_no_date_of_the_range_is_said_and_not_drawn(
    page: Page, day: str, month: str, year: str, words: str
) -> None:
    fill(page, day, month, year)
    expect(turn(page)).to_be_hidden()
    press(page, "Send")
    expect(page.locator(".field__error")).to_have_text(words)
    assert Submission.objects.count() == 0
    page.get_by_label("Prefer not to say").check()
    expect(page.get_by_label("Day", exact=True)).to_have_value("")
    expect(turn(page)).to_be_visible()


def test_a_year_is_one_field_by_keyboard_alone(live_server: Any, new_context: Any) -> None:
    page = open_questions(live_server, new_context, BORN)
    year = page.get_by_label("Year", exact=True)
    assert page.locator(".date__field").count() == 1
    year.press_sequentially("1969")
    expect(page.locator(".date__bin")).to_contain_text("1950")
    year.press("Control+A")
    year.press_sequentially("1970")
    expect(page.locator(".date__bin")).to_contain_text("1989")
    turn(page).press("Enter")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
