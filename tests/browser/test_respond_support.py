"""Help below a distressing question: for everybody alike, and beside every other feature."""

from decimal import Decimal

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_well, assert_well_in_sizes
from tests.browser.focus import walk_in_sizes
from tests.browser.joint import THREE
from tests.browser.respondent import (
    DIRECT,
    SENSITIVE,
    address,
    arrive,
    choose,
    press,
    receipt,
    spin,
    survey,
    to_questions,
)
from tests.browser.support import BOTH_SCHEMES, in_schemes
from tests.browser.supported import HELP, HURT, leave, leaving, supported

pytestmark = pytest.mark.browser

SIZES = [(360, 800), (1280, 800)]


def below(page):
    return page.locator("#respond .support-box")


@pytest.mark.parametrize("layout", ["one", "all"])
def test_the_box_stands_there_for_each_answer_alike(live_server, new_context, layout):
    """The same before an answer, with each, and once it is scrambled; the same requests follow."""
    launch = supported(layout=layout)
    seen = []
    for answer in ("Yes", "No", None):
        page, requests = new_context().new_page(), []
        page.on("request", lambda request, to=requests: to.append(request))
        arrive(page, address(live_server, launch))
        expect(below(page)).to_have_count(0)
        to_questions(page)
        expect(below(page)).to_have_count(1)
        shown = [below(page).evaluate("box => box.outerHTML")]
        if answer is None:
            assert shown == seen[0][0][:1]
            continue
        question = page.locator(".question").first
        choose(question, answer)
        shown.append(below(page).evaluate("box => box.outerHTML"))
        spin(page)
        shown.append(below(page).evaluate("box => box.outerHTML"))
        if layout == "one":
            press(page, "Next")
            expect(below(page)).to_have_count(0)
        choose(page.locator(".question").last, "None")
        press(page, "Send")
        assert receipt(page)
        sizes = [(x.url, x.method, len(x.post_data or "")) for x in requests]
        seen.append((shown, sorted(sizes)))
    assert seen[0] == seen[1]


def test_numbers_and_addresses_are_links_and_help_stays_at_hand(live_server, new_context):
    page = new_context().new_page()
    arrive(page, address(live_server, supported()))
    to_questions(page)
    links = below(page).get_by_role("link")
    assert [link.get_attribute("href") for link in links.all()] == [
        "tel:116006",
        "https://help.example/en",
    ]
    page.locator(".support__help summary").click()
    expect(page.locator(".support__text")).to_contain_text("day and night")
    expect(page.locator(".support__text")).to_be_in_viewport()


def test_without_a_ticked_question_the_box_stands_at_both_ends(live_server, new_context):
    page = new_context().new_page()
    arrive(page, address(live_server, survey(questions=[SENSITIVE], help_text=HELP)))
    expect(below(page)).to_have_count(1)
    expect(page.locator("#quick-exit")).to_have_count(0)
    to_questions(page)
    expect(below(page)).to_have_count(0)
    choose(page, "Yes")
    spin(page)
    press(page, "Send")
    assert receipt(page)
    expect(below(page)).to_have_count(1)


TIERS = (("The public", "0.25"), ("Staff", "1"))
PILOT = [{**HURT, "epsilon": Decimal("0.8"), "text": f"Ever {x}?"} for x in ("hit", "hurt", "hid")]
VARIANTS = {
    "groups": ({"questions": [{**each, "help_box": True} for each in THREE]}, 3),
    "groups, one by one": ({"questions": [{**THREE[0], "help_box": True}, *THREE[1:]]}, 1),
    "tiers": ({"tiers": TIERS}, 1),
    "pilots": ({"questions": PILOT, "pilot": True}, 2),
    "arms": ({"questions": [{**HURT, "split_epsilon": "0.5"}, DIRECT], "split_share": 50}, 1),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_it_stands_below_its_questions_beside_other_features(live_server, new_context, name):
    values, boxes = VARIANTS[name]
    layout = "one" if "one by one" in name else "all"
    page = new_context().new_page()
    arrive(page, address(live_server, supported(**values, layout=layout)))
    to_questions(page)
    expect(below(page)).to_have_count(boxes)
    if layout == "all":
        assert page.evaluate("""() => [...document.querySelectorAll("#respond .support-box")].every(
          (box) => box.matches(".question > :last-child"))""")


def test_it_needs_nothing_where_it_is_not_used(live_server, new_context):
    page = new_context().new_page()
    arrive(page, address(live_server, survey()))
    assert page.locator(".support, link[data-group='features/support/page']").count() == 0
    to_questions(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Practice: nothing is sent")).to_be_visible()


COINS = {**HURT, "physical_device": "two_coins"}


def test_the_form_without_javascript_has_both(live_server, new_context):
    page, _requests = leaving(new_context, java_script_enabled=False)
    page.goto(f"{address(live_server, supported(questions=[COINS, DIRECT]))}physical/")
    expect(page.locator("form .support-box")).to_have_count(1)
    expect(page.locator(".leaving")).to_contain_text("the button Back leads to it again")
    link = page.get_by_role("link", name="Leave this page")
    assert link.get_attribute("referrerpolicy") == "no-referrer"
    assert "noreferrer" in link.get_attribute("rel")
    leave(page)


def test_axe_finds_nothing(live_server, new_context):
    page = new_context(viewport={"width": 360, "height": 800}).new_page()
    arrive(page, address(live_server, supported()))
    for scheme in in_schemes(page, BOTH_SCHEMES):
        assert_well_in_sizes(page, f"welcome {scheme}", SIZES)
    to_questions(page)
    page.locator(".support__help summary").click()
    for scheme in in_schemes(page, BOTH_SCHEMES):
        assert_well(page, f"question {scheme}")


def test_axe_finds_nothing_in_the_form(live_server, new_context):
    page = new_context(viewport={"width": 360, "height": 800}, bypass_csp=True).new_page()
    page.goto(f"{address(live_server, supported(questions=[COINS, DIRECT]))}physical/")
    for scheme in in_schemes(page, BOTH_SCHEMES):
        assert_well_in_sizes(page, scheme, SIZES)


def test_the_bar_covers_nothing_that_has_the_focus(live_server, new_context):
    page = new_context().new_page()
    arrive(page, address(live_server, supported()))
    walk_in_sizes(page, "welcome")
    to_questions(page)
    walk_in_sizes(page, "question")
