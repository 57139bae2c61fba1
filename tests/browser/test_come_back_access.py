"""Return codes and later waves by keyboard and screen reader, in German and in a preview."""

import json

import msgspec
import pytest
from django.test import RequestFactory
from playwright.sync_api import Page, expect

from surveys.models import Launch
from surveys.parameters import ServedParameters
from surveys.views.respond import render_form
from tests.browser import comer, comer_states
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import arrive, choose, press, press_by_key, spin
from tests.browser.test_german import RUNS_OUT
from tests.german import english_in
from tests.waves import coded_launch, new_code, next_wave, post

pytestmark = pytest.mark.browser

ONE = {"slug": "work", "questions": [{"name": "drug"}]}
# English of the survey itself, which is not translated.
OWN = {"Health at work", "A short survey.", "Taking part is voluntary.", "Sleeping pills"}


@pytest.mark.slow
def test_every_screen_is_german_and_axe_finds_nothing(live_server, new_context):
    """In German, whose words are the longest."""
    sizes = {"viewport": {"width": 360, "height": 740}}
    page, other = (new_context(**sizes).new_page() for _ in range(2))
    shown = page
    for state in comer_states.states(page, other, live_server, language="de"):
        shown = other if "later" in state else shown
        found = english_in(shown.locator("body").inner_text())
        assert [text for text in found if text not in OWN] == [], state
        assert shown.evaluate(RUNS_OUT) == [], state
        assert_well_in_sizes(shown, state, [(360, 740), (1280, 900)])


def test_the_keyboard_is_enough_to_come_back(live_server, new_context, client):
    launch, code = coded_launch(**ONE), new_code()
    post(client, launch, code, {"drug": 1})
    launch = next_wave(launch, drug="2")
    page = comer.to_asking(new_context().new_page(), live_server, launch)
    expect(page.get_by_role("heading", name=comer.ASKS)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Your return code")).to_be_focused()
    page.keyboard.type(code)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Have you ever used a drug at work?")).to_be_focused()
    assert page.title().startswith("Question 1 of 1")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    press_by_key(page, "Spin")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    press_by_key(page, "Next")
    expect(page.get_by_role("heading", name="Your return code")).to_be_focused()
    press_by_key(page, "Send")
    expect(page.locator(".receipt__code")).to_be_visible()


def test_the_field_of_the_code_is_left_alone_by_the_browser(live_server, new_context):
    launch = next_wave(coded_launch(**ONE), drug="2")
    page = comer.to_asking(new_context().new_page(), live_server, launch)
    field = page.get_by_label("Your return code")
    names = ["autocomplete", "spellcheck", "inputmode", "name", "type"]
    found = [field.get_attribute(name) for name in names]
    assert found == ["off", "false", "text", None, "text"]


def preview_of(launch: Launch, page: Page, live_server) -> Page:
    """Serve what the author's admin shows, under an address of the live server."""
    survey, parameters = launch.survey, launch.parameters
    served = ServedParameters(parameters, launch.digest)
    request = RequestFactory().get("/")
    html = render_form(request, survey=survey, served_parameters=served, preview=True)
    body = html.content.decode()
    page.route("**/preview/", lambda route: route.fulfill(body=body, content_type="text/html"))
    return arrive(page, f"{live_server.url}/preview/")


def test_a_later_wave_can_be_previewed(live_server, new_context):
    launch = next_wave(coded_launch(**ONE), drug="2")
    page = new_context().new_page()
    posts: list[str] = []
    page.on("request", lambda request: request.method == "POST" and posts.append(request.url))
    preview_of(launch, page, live_server)
    press(page, "I agree")
    expect(page.get_by_label("Your return code")).to_have_count(0)
    press(page, "Go on as somebody who comes for the first time")
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    code = comer.shown_code(page)
    comer.keep_and_send(page)
    expect(page.get_by_role("heading", name="End of the preview")).to_be_visible()
    assert json.loads(page.locator("pre.body").text_content())["code"] == code
    assert posts == []
    assert page.evaluate("localStorage.length") == 0


def test_all_questions_on_one_page_come_before_the_code(live_server, new_context, client):
    launch, code = coded_launch(**ONE, layout="all"), new_code()
    post(client, launch, code, {"drug": 1})
    launch = next_wave(launch, drug="2")
    page = new_context().new_page()
    comer.come_back(page, live_server, launch, code)
    press(page, "Next")
    expect(page.get_by_text("Choose an answer before you go on.")).to_be_visible()
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    assert comer.shown_code(page) == code
    press(page, "Send")
    expect(page.locator(".receipt__code")).to_be_visible()


def test_an_honest_page_refuses_a_table_that_relaxes_nothing(live_server, new_context):
    """The browser checks the degradation before it asks for a code."""
    launch = next_wave(coded_launch(**ONE), drug="2")
    document = json.loads(json.dumps(launch.document))
    document["devices"][0]["earlier"][0]["degradation"] = {"form": "same"}
    page = new_context().new_page()
    place = f"/s/{ONE['slug']}/"
    html = page.goto(f"{live_server.url}{place}").text()
    served = msgspec.json.encode(document).decode()
    start = html.index('type="application/json">') + len('type="application/json">')
    body = html[:start] + served.replace("<", "\\u003C") + html[html.index("</script>", start) :]
    page.route(f"**{place}", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.reload()
    expect(page.get_by_text("not_relaxed")).to_be_visible()
