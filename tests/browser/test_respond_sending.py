"""A response gets through once, and whatever keeps it from that is said in words."""

import json

import pytest
from candor import respondent
from playwright.sync_api import Page, expect

from surveys.models import Submission, Survey
from surveys.services.transitions import close_survey
from tests.browser.respondent import (
    address,
    answer_one,
    arrive,
    choose,
    press,
    receipt,
    spin,
    stored,
    survey,
    to_questions,
)

pytestmark = pytest.mark.browser


def ready_to_send(new_context, url: str) -> Page:
    return answer_to_send(new_context().new_page(), url)


def answer_to_send(page: Page, url: str) -> Page:
    arrive(page, url)
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    return page


def fail_once(page: Page, status: int, headers: dict | None = None, body: object = None) -> list:
    """The first POST is answered so on its way; later ones reach the server. Returns the bodies."""
    sent: list[str] = []

    def handle(route):
        sent.append(route.request.post_data)
        if len(sent) > 1:
            return route.continue_()
        text = json.dumps(body or {"errors": []})
        return route.fulfill(
            status=status, headers=headers or {}, body=text, content_type="application/json"
        )

    page.route("**/responses/", handle)
    return sent


def test_what_is_shown_as_sent_is_the_body_byte_for_byte(live_server, new_context):
    launch = survey()
    page = ready_to_send(new_context, address(live_server, launch))
    with page.expect_request("**/responses/") as caught:
        press(page, "Send")
    receipt(page)
    body = caught.value.post_data
    assert page.locator("pre.body").text_content() == body
    assert len(body) == respondent.body_length(launch.document)
    assert json.loads(body)["digest"] == launch.digest
    row = Submission.objects.get()
    assert str(row.pk) == json.loads(body)["submission"]
    assert row.content["reports"] == json.loads(body)["reports"]


def test_the_request_carries_no_cookie_even_of_somebody_signed_in(live_server, new_context):
    context = new_context()
    context.add_cookies([{"name": "sessionid", "value": "x" * 32, "url": live_server.url}])
    page = context.new_page()
    with page.expect_request("**/responses/") as caught:
        answer_one(page, address(live_server, survey()), "No")
    receipt(page)
    assert "cookie" not in caught.value.all_headers()


def test_a_lost_connection_keeps_the_report_and_returns_by_itself(live_server, new_context):
    page = ready_to_send(new_context, address(live_server, survey()))
    page.context.set_offline(True)
    press(page, "Send")
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    assert stored() == 0
    page.context.set_offline(False)
    receipt(page)
    assert stored() == 1


def test_a_response_waits_over_a_reload(live_server, new_context):
    launch = survey()
    page = ready_to_send(new_context, address(live_server, launch))
    page.route("**/responses/", lambda route: route.abort())
    press(page, "Send")
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    kept = json.loads(page.evaluate(f"localStorage.getItem('candor:{launch.digest}')"))
    page.unroute("**/responses/")
    with page.expect_request("**/responses/") as caught:
        page.reload()
    receipt(page)
    assert caught.value.post_data.rstrip() == kept["body"]
    assert stored() == 1


@pytest.mark.parametrize("status", [500, 503])
def test_a_failing_server_is_asked_again_with_the_same_bytes(live_server, new_context, status):
    page = ready_to_send(new_context, address(live_server, survey()))
    sent = fail_once(page, status)
    press(page, "Send")
    expect(page.get_by_text("The server has a problem of its own.")).to_be_visible()
    press(page, "Try now")
    receipt(page)
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert stored() == 1


def test_a_busy_network_waits_as_long_as_the_server_says(live_server, new_context):
    page = ready_to_send(new_context, address(live_server, survey()))
    fail_once(page, 429, {"Retry-After": "40"})
    press(page, "Send")
    expect(page.get_by_text("The next try is in 41 seconds.")).to_be_visible()
    press(page, "Try now")
    receipt(page)


def test_an_answer_that_got_lost_on_its_way_back_is_stored_once(live_server, new_context):
    """The server stored it, the browser never heard: the retry gets the same receipt."""
    page = ready_to_send(new_context, address(live_server, survey()))
    tries = []

    def swallow(route):
        tries.append(route.fetch())
        return route.abort() if len(tries) == 1 else route.fulfill(response=tries[-1])

    page.route("**/responses/", swallow)
    press(page, "Send")
    press(page, "Try now")
    assert receipt(page) == tries[0].json()["receipt"]
    assert [answer.status for answer in tries] == [201, 200]
    assert stored() == 1


def test_a_survey_that_closed_meanwhile_says_so(live_server, new_context):
    launch = survey()
    page = ready_to_send(new_context, address(live_server, launch))
    close_survey(survey=Survey.objects.get(), actor=None)
    press(page, "Send")
    expect(page.get_by_text("The survey closed before your answers arrived.")).to_be_visible()
    assert stored() == 0


REFUSALS = [
    (409, "stale_digest", "The survey was changed after you opened it"),
    (413, "too_large", "larger than the server takes"),
    (422, "out_of_range", "The server did not accept the answers"),
    (403, "cross_site", "inside another site"),
    (404, "no_such_survey", "The server did not accept the answers"),
]


def test_each_refusal_has_its_words(live_server, new_context):
    url = address(live_server, survey())
    page = new_context().new_page()
    for status, code, words in REFUSALS:
        answer_to_send(page, url)
        error = {"field": "reports.q1", "code": code, "message": "What the rule is."}
        fail_once(page, status, body={"errors": [error]})
        press(page, "Send")
        expect(page.get_by_role("heading", name="Not stored")).to_be_visible()
        expect(page.get_by_text(words)).to_be_visible()
        page.get_by_text("What the server says").click()
        expect(page.get_by_text("What the rule is.")).to_be_visible()
        # Somebody else.
        page.evaluate("localStorage.clear()")
        page.unroute("**/responses/")
    assert stored() == 0
