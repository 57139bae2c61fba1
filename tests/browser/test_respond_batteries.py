"""A battery: a table on a wide window, one item after the other on a phone, and one press."""

import json
from decimal import Decimal

import pytest
from playwright.sync_api import Locator, Page, expect

from surveys.models import Receipt
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import (
    SENSITIVE,
    address,
    arrive,
    choose,
    press,
    press_by_key,
    receipt,
    spin,
    survey,
    to_questions,
)

pytestmark = pytest.mark.browser

STEM = "In the last twelve months, how often have you at work"
OFTEN = {
    "kind": "scale",
    "options": ["Never", "Once", "Several times", "Often"],
    "epsilon": Decimal("0.8"),
    "battery": 1,
}
WORDS = ("taken pens or paper home?", "taken food?", "come late on purpose?", "called in sick?")
ITEMS = [{**OFTEN, "text": text, "battery_text": "" if i else STEM} for i, text in enumerate(WORDS)]
QUESTIONS = [*ITEMS, {**SENSITIVE, "text": "Have you been asked about it?"}]
SIZES = [(1280, 800), (360, 740)]
WIDE, PHONE = ({"width": width, "height": height} for width, height in SIZES)


def row(page: Page, item: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=item))


def bodies_of(page: Page) -> list[str]:
    """What the page sends, as it sends it."""
    bodies: list[str] = []
    page.on(
        "request",
        lambda each: bodies.append(each.post_data or "") if each.method == "POST" else None,
    )
    return bodies


def test_a_battery_is_answered_by_keys_alone_and_drawn_for_at_once(live_server, new_context):
    page = new_context(viewport=WIDE).new_page()
    bodies = bodies_of(page)
    arrive(page, address(live_server, survey(questions=QUESTIONS)))
    to_questions(page)
    expect(page.locator("h2", has_text=STEM)).to_be_focused()
    expect(page.locator(".progress p")).to_have_text("Questions 1 to 4 of 5")
    table = page.get_by_role("table", name=STEM)
    expect(table.get_by_role("radiogroup")).to_have_count(4)
    tops = (
        table.get_by_role("radiogroup", name=WORDS[0])
        .get_by_role("radio")
        .evaluate_all(
            "(radios) => radios.map((radio) => Math.round(radio.getBoundingClientRect().top))"
        )
    )
    assert len(set(tops)) == 1, "the answers stand beside each other"
    assert_well_in_sizes(page, "a battery", SIZES)

    press_by_key(page, "Next")
    first = table.get_by_role("radiogroup", name=WORDS[0])
    expect(first.get_by_role("radio").first).to_be_focused()
    expect(row(page, WORDS[0]).get_by_role("alert")).to_have_text(
        "Choose an answer before you go on."
    )
    page.keyboard.press("ArrowRight")
    for _ in WORDS[1:]:
        page.keyboard.press("Tab")
        page.keyboard.press("End")
    expect(table.get_by_role("radio", checked=True)).to_have_count(4)
    assert_well_in_sizes(page, "an answered battery", SIZES)
    press_by_key(page, "Spin")

    expect(page.locator(".battery")).to_have_attribute("data-state", "drawn")
    expect(page.locator(".battery .codes li")).to_have_count(4)
    expect(page.locator("input")).to_have_count(0)
    assert_well_in_sizes(page, "a battery that is drawn", SIZES)
    assert not bodies
    press_by_key(page, "Next")
    choose(page, "No")
    spin(page)
    press(page, "Send")
    assert receipt(page)
    (body,) = bodies
    assert [*json.loads(body)["reports"]] == ["q1", "q2", "q3", "q4", "q5"]


def test_on_a_phone_items_stand_one_below_the_other_and_some_may_be_left_out(
    live_server, new_context
):
    context = new_context(viewport=PHONE)
    page, other = context.new_page(), context.new_page()
    items = [{**item, "required": False} for item in ITEMS]
    url = address(live_server, survey(questions=items))
    for tab in (page, other):
        arrive(tab, url)
        to_questions(tab)
    expect(row(page, WORDS[2])).to_contain_text("Item 3 of 4")
    lefts = (
        row(page, WORDS[2])
        .get_by_role("radio")
        .evaluate_all(
            "(radios) => radios.map((radio) => Math.round(radio.getBoundingClientRect().left))"
        )
    )
    assert len(set(lefts)) == 1, "the answers stand one below the other"
    for tab in (page, other):
        for item in WORDS[:2]:
            choose(row(tab, item), "Once")
    press(page, "Spin")
    expect(page.get_by_text("2 of 4 have an answer.")).to_be_visible()
    expect(page.locator(".battery")).to_have_attribute("data-state", "open")
    press(page, "Spin")
    expect(page.locator(".battery")).to_have_attribute("data-state", "drawn")
    expect(page.locator(".battery .codes li").last).to_contain_text("left out")
    # What is drawn stays: another tab shows it, and after a reload it is there.
    expect(other.locator(".battery")).to_have_attribute("data-state", "drawn")
    drawn = page.locator(".battery .codes").inner_text()
    assert other.locator(".battery .codes").inner_text() == drawn
    page.reload()
    expect(page.locator(".battery .codes")).to_have_text(drawn, use_inner_text=True)
    bodies = bodies_of(page)
    press(page, "Send")
    assert receipt(page)
    assert [*json.loads(bodies[0])["reports"]] == ["q1", "q2"]
    assert Receipt.objects.count() == 1


def test_whom_a_battery_is_not_for_passes_all_of_it_by_one_press(live_server, new_context):
    drug = {"name": "drug", "text": "Have you taken a drug?"}
    only = {"features": {"filters": {"only_if": "drug = Yes"}}}
    items = [{**item, **only} for item in ITEMS[:2]]
    asked = [drug, *items, {"text": "Have you stolen?"}]
    page = new_context().new_page()
    page.clock.install()
    bodies = bodies_of(page)
    arrive(page, address(live_server, survey(questions=asked)))
    to_questions(page)
    choose(page, "No")
    spin(page)
    press(page, "Next")
    expect(page.get_by_role("heading", name="This question is not for you")).to_be_visible()
    expect(page.locator(".progress p")).to_have_text("Questions 2 to 3 of 4")
    expect(page.get_by_role("radio")).to_have_count(0)
    press(page, "Next")
    expect(page.locator(".progress p")).to_have_text("Question 4 of 4")
    choose(page, "No")
    spin(page)
    press(page, "Send")
    expect(page.get_by_text("The wait hides how many questions were for you")).to_be_visible()
    page.clock.run_for(91_000)
    receipt(page)
    assert [*json.loads(bodies[0])["reports"]] == ["drug", "q2", "q3", "q4"]


def test_a_battery_with_one_draw_is_one_report(live_server, new_context):
    page = new_context(viewport=WIDE).new_page()
    bodies = bodies_of(page)
    items = [{**item, "group": 1, "required": False} for item in ITEMS[:3]]
    arrive(page, address(live_server, survey(questions=items)))
    to_questions(page)
    expect(page.locator(".battery .meeting__drawing svg")).to_have_count(1)
    for item in WORDS[:2]:
        choose(row(page, item), "Never")
    press(page, "Send")
    expect(row(page, WORDS[2]).get_by_role("alert")).not_to_be_empty()
    expect(page.get_by_role("button", name="Spin")).to_be_hidden()
    choose(row(page, WORDS[2]), "Often")
    press(page, "Spin")
    expect(page.locator(".battery .codes li")).to_have_count(3)
    assert_well_in_sizes(page, "a battery with one draw", SIZES)
    press(page, "Send")
    assert receipt(page)
    ((name, codes),) = json.loads(bodies[0])["reports"].items()
    assert (name, len(codes)) == ("group_1", 3)


def test_chance_orders_the_items_and_nothing_that_is_sent_tells_how(live_server, new_context):
    items = [{**each, "battery_random": not i} for i, each in enumerate(ITEMS)]
    section = {"section_title": "About you", "section_random": True}
    launch = survey(questions=[*items, {**SENSITIVE, **section}, {**SENSITIVE, "text": "Else?"}])
    shown, sent = {}, {}
    for draw in (0, 2):
        context = new_context(fresh=True, viewport=WIDE)
        context.add_init_script(f"crypto.getRandomValues = (bytes) => bytes.fill({draw});")
        page = context.new_page()
        bodies = bodies_of(page)
        arrive(page, address(live_server, launch))
        to_questions(page)
        shown[draw] = page.get_by_role("rowheader").all_inner_texts()
        for item in WORDS:
            row(page, item).get_by_role("radio").first.check()
        spin(page)
        for _ in range(2):
            press(page, "Next")
            choose(page, "No")
            spin(page)
        press(page, "Send")
        assert receipt(page)
        (body,) = bodies
        sent[draw] = list(json.loads(body)["reports"]), len(body)
    assert shown[0] != shown[2]
    assert sorted(shown[0]) == sorted(shown[2]) == sorted(WORDS)
    assert sent[0] == sent[2] == (["q1", "q2", "q3", "q4", "q5", "q6"], sent[0][1])
