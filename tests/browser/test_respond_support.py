"""Help below a distressing question, and the quick exit: what is left and where Back leads."""

from decimal import Decimal

import pytest
from playwright.sync_api import expect

from surveys.services.transitions import close_survey
from tests.browser.axe import assert_well, assert_well_in_sizes
from tests.browser.comer import answer_first
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
from tests.browser.test_respond_roster import come, network, personal
from tests.waves import coded_launch, next_wave

pytestmark = pytest.mark.browser

HELP = "Talk to us: 116 006, day and night.\n\nhttps://help.example/en."
HARMLESS = "https://en.wikipedia.org/"
SUPPORTED = {"help_text": HELP, "quick_exit": True}
HURT = {**SENSITIVE, "help_box": True}
QUESTIONS = [HURT, DIRECT]
SIZES = [(360, 800), (1280, 800)]
KEPT = """() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]"""


def supported(**values):
    return survey(**{"questions": QUESTIONS, **SUPPORTED, **values})


@pytest.fixture
def leaving(new_context):
    """A browser in which the page that an exit leads to is there; its requests, and a page."""

    def made(**options):
        context = new_context(**options)
        context.route(f"{HARMLESS}**", lambda route: route.fulfill(body="<title>Harmless</title>"))
        page, requests = context.new_page(), []
        page.on("request", lambda request: requests.append(request))
        return page, requests

    return made


def leave(page):
    page.get_by_role("link", name="Leave this page").click()
    page.wait_for_url(HARMLESS)


def kept_at(page, live_server):
    """What the browser keeps of the site, seen from a page of it that runs no script."""
    page.goto(f"{live_server.url}/check/")
    return page.evaluate(KEPT)


def by_click(page):
    page.get_by_role("link", name="Leave this page").click()


def by_keys(page):
    for _ in range(3):
        page.keyboard.press("Shift")


@pytest.mark.parametrize("layout", ["one", "all"])
@pytest.mark.parametrize("act", [by_click, by_keys], ids=["button", "keys"])
def test_after_the_exit_nothing_is_left_and_back_leads_nowhere_near(
    live_server, leaving, act, layout
):
    launch = supported(layout=layout)
    page, requests = leaving()
    page.goto(f"{live_server.url}/check/")
    arrive(page, address(live_server, launch))
    to_questions(page)
    choose(page.locator(".question").first, "Yes")
    spin(page)
    assert page.evaluate(KEPT)
    asked = len(requests)
    act(page)
    page.wait_for_url(HARMLESS)
    after = requests[asked:]
    assert [request.url for request in after if request.url.startswith(live_server.url)] == []
    (led,) = [request for request in after if request.url == HARMLESS]
    assert "referer" not in led.all_headers()
    page.go_back()
    assert page.url == f"{live_server.url}/check/"
    assert page.evaluate(KEPT) == []
    page.go_forward()
    page.wait_for_url(HARMLESS)


def test_each_browser_forgets_and_goes_back_to_what_was_before(live_server, new_context_in_each):
    context = new_context_in_each()
    context.route(f"{HARMLESS}**", lambda route: route.fulfill(body="<title>Harmless</title>"))
    page = context.new_page()
    page.goto(f"{live_server.url}/check/")
    arrive(page, address(live_server, supported()))
    to_questions(page)
    choose(page, "No")
    spin(page)
    assert page.evaluate(KEPT)
    by_keys(page)
    page.wait_for_url(HARMLESS)
    # Playwright is not told of a page that Firefox takes out of its cache.
    page.evaluate("void setTimeout(() => history.back())")
    page.wait_for_function("location.pathname === '/check/'")
    assert page.evaluate(KEPT) == []


@pytest.mark.parametrize("screen", ["welcome", "explained", "drawn", "sent", "again"])
def test_the_button_is_in_sight_on_every_screen(live_server, leaving, screen):
    launch = supported(questions=[HURT])
    page, _requests = leaving(viewport={"width": 360, "height": 740})
    url = address(live_server, launch)
    arrive(page, url)
    if screen == "explained":
        press(page, "I agree")
    elif screen != "welcome":
        to_questions(page)
        choose(page, "No")
        spin(page)
    if screen in ("sent", "again"):
        press(page, "Send")
        assert receipt(page)
    if screen == "again":
        page.reload()
        expect(page.get_by_role("heading", name="You have answered")).to_be_visible()
    page.mouse.wheel(0, 10_000)
    expect(page.get_by_role("link", name="Leave this page")).to_be_in_viewport(ratio=1)
    leave(page)
    assert kept_at(page, live_server) == []


def test_what_earlier_waves_have_left_goes_too(live_server, leaving):
    first = coded_launch(questions=[HURT], **SUPPORTED)
    page, _requests = leaving()
    answer_first(page, live_server, first)
    close_survey(survey=first.survey, actor=None)
    third = next_wave(next_wave(first, q1="1.3"), q1="1.5")
    arrive(page, address(live_server, third))
    assert any(first.digest in key for key in page.evaluate(KEPT))
    leave(page)
    assert kept_at(page, live_server) == []


def test_it_speaks_the_language_of_the_survey(live_server, leaving):
    page, _requests = leaving()
    page.goto(address(live_server, supported(language="de")))
    expect(page.locator("#start")).to_be_visible()
    link = page.get_by_role("link", name="Diese Seite verlassen")
    assert link.get_attribute("href") == "https://de.wikipedia.org/"
    expect(page.locator(".leaving")).to_contain_text("Dreimal die Umschalttaste")
    page.keyboard.press("Shift")
    expect(page.locator("#announcer")).to_contain_text("noch zweimal die Umschalttaste")


def test_what_other_surveys_keep_stays(live_server, leaving):
    page, _requests = leaving()
    page.goto(address(live_server, supported()))
    page.evaluate("localStorage.setItem('candor:sha256:other', '1')")
    leave(page)
    assert kept_at(page, live_server) == ["candor:sha256:other"]


def test_a_code_for_later_waves_and_a_personal_link_leave_nothing(live_server, leaving):
    page, _requests = leaving()
    launch = supported(questions=[HURT], mode="pseudonymous", linkage="together")
    answer_first(page, live_server, launch)
    assert page.evaluate(KEPT)
    leave(page)
    roster = network(features={"support": {"text": HELP, "quick_exit": True}})
    come(page, personal(live_server, roster, "ana-1"))
    assert any(key.endswith(":link") for key in page.evaluate(KEPT))
    leave(page)
    assert kept_at(page, live_server) == []


def test_the_page_is_empty_while_the_other_one_is_on_its_way(live_server, new_context):
    context = new_context()
    context.route(f"{HARMLESS}**", lambda route: None)
    page = context.new_page()
    arrive(page, address(live_server, supported()))
    to_questions(page)
    left = page.evaluate("""() => {
      document.getElementById("quick-exit").click();
      return [document.documentElement.childElementCount, document.title];
    }""")
    assert left == [0, ""]


def test_it_works_where_the_page_refuses_to_ask(live_server, leaving):
    launch = supported()
    page, _requests = leaving()

    def tampered(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("116 006", "116 007"))

    page.route(address(live_server, launch), tampered)
    page.goto(address(live_server, launch))
    expect(page.locator("#welcome")).to_have_count(0)
    expect(page.locator("#respond h2")).to_have_count(1)
    by_keys(page)
    page.wait_for_url(HARMLESS)


def test_capitals_and_slow_presses_do_not_leave(live_server, leaving):
    page, _requests = leaving()
    arrive(page, address(live_server, supported()))
    for letter in "ABC":
        page.keyboard.press(f"Shift+{letter}")
    page.keyboard.press("Shift")
    expect(page.locator("#announcer")).to_have_text("Press Shift two more times to leave.")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift")
    page.keyboard.press("Shift")
    expect(page.locator("#announcer")).to_have_text("Press Shift once more to leave.")
    expect(page.locator("#start")).to_be_visible()
    page.keyboard.press("Shift")
    page.wait_for_url(HARMLESS)


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
          (box) => box.previousElementSibling.matches(".question"))""")


def test_it_needs_nothing_where_it_is_not_used(live_server, new_context):
    page = new_context().new_page()
    arrive(page, address(live_server, survey()))
    assert page.locator(".support, link[data-module^='support/']").count() == 0
    to_questions(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Two questions")).to_be_visible()


COINS = {**HURT, "physical_device": "two_coins"}


def test_the_form_without_javascript_has_both(live_server, leaving):
    page, _requests = leaving(java_script_enabled=False)
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
