"""The quick exit: what is left, where Back leads, and what is sent."""

import pytest
from playwright.sync_api import expect

from surveys.services.transitions import close_survey
from tests.browser.comer import answer_first
from tests.browser.respondent import address, arrive, choose, press, receipt, spin, to_questions
from tests.browser.support import serving
from tests.browser.supported import (
    HARMLESS,
    HELP,
    HURT,
    KEPT,
    SUPPORTED,
    leave,
    leaving,
    supported,
)
from tests.browser.test_respond_roster import come, network, personal
from tests.waves import coded_launch, next_wave

pytestmark = pytest.mark.browser


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
    live_server, new_context, act, layout
):
    launch = supported(layout=layout)
    page, requests = leaving(new_context)
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
    page = new_context_in_each().new_page()
    page.route(f"{HARMLESS}**", lambda route: route.fulfill(body="<title>Harmless</title>"))
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
def test_the_button_is_in_sight_on_every_screen(live_server, new_context, screen):
    launch = supported(questions=[HURT])
    page, _requests = leaving(new_context, viewport={"width": 360, "height": 740})
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


def test_what_earlier_waves_have_left_goes_too(live_server, new_context):
    first = coded_launch(questions=[HURT], **SUPPORTED)
    page, _requests = leaving(new_context)
    answer_first(page, live_server, first)
    close_survey(survey=first.survey, actor=None)
    third = next_wave(next_wave(first, q1="1.3"), q1="1.5")
    arrive(page, address(live_server, third))
    assert any(first.digest in key for key in page.evaluate(KEPT))
    leave(page)
    assert kept_at(page, live_server) == []


def test_it_speaks_the_language_of_the_survey(live_server, new_context):
    page, _requests = leaving(new_context)
    page.goto(address(live_server, supported(language="de")))
    expect(page.locator("#start")).to_be_visible()
    link = page.get_by_role("link", name="Diese Seite verlassen")
    assert link.get_attribute("href") == "https://de.wikipedia.org/"
    expect(page.locator(".leaving")).to_contain_text("Dreimal die Umschalttaste")
    page.keyboard.press("Shift")
    expect(page.locator("#announcer")).to_contain_text("noch zweimal die Umschalttaste")


def test_what_other_surveys_keep_stays(live_server, new_context):
    page, _requests = leaving(new_context)
    page.goto(address(live_server, supported()))
    page.evaluate("localStorage.setItem('candor:sha256:other', '1')")
    leave(page)
    assert kept_at(page, live_server) == ["candor:sha256:other"]


def test_a_code_for_later_waves_and_a_personal_link_leave_nothing(live_server, new_context):
    page, _requests = leaving(new_context)
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
    page = new_context().new_page()
    page.route(f"{HARMLESS}**", lambda route: None)
    arrive(page, address(live_server, supported()))
    to_questions(page)
    left = page.evaluate("""() => {
      document.getElementById("quick-exit").click();
      return [document.documentElement.childElementCount, document.title];
    }""")
    assert left == [0, ""]


def test_it_works_where_the_page_refuses_to_ask(live_server, new_context):
    launch = supported()
    page, _requests = leaving(new_context)

    def tampered(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("116 006", "116 007"))

    page.route(address(live_server, launch), tampered)
    page.goto(address(live_server, launch))
    expect(page.locator("#welcome")).to_have_count(0)
    expect(page.locator("#respond h2")).to_have_count(1)
    by_keys(page)
    page.wait_for_url(HARMLESS)


def test_capitals_and_slow_presses_do_not_leave(live_server, new_context):
    page, _requests = leaving(new_context)
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


def test_in_a_frame_the_page_around_it_is_replaced_too(live_server, new_context, tmp_path):
    with serving(tmp_path) as outside:
        inner = address(live_server, supported(embed_origins=outside))
        (tmp_path / "index.html").write_text(f'<title>x</title><iframe src="{inner}"></iframe>')
        page, _requests = leaving(new_context)
        page.goto(outside)
        frame = page.frame_locator("iframe")
        expect(frame.locator("#start")).to_be_visible()
        frame.get_by_role("link", name="Leave this page").click()
        page.wait_for_url(HARMLESS)
