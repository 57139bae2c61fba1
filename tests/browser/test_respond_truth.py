"""The true answer appears nowhere: not in what is sent, kept, shown or spoken.

The first test holds the random bytes fixed at a value for which every true answer gives the same
report. Whatever then differs between two answers would be a trace of the answer: the whole record
of requests, stores, address, console, page and accessibility tree must be the same, byte for byte.
"""

import json

import pytest
from playwright.sync_api import Page

from tests.browser.respondent import (
    address,
    answer_one,
    arrive,
    choose,
    press,
    receipt,
    spin,
    survey,
    to_questions,
)

pytestmark = pytest.mark.browser

TRUTHS = ["No", "Yes", "Prefer not to say"]
# Fixed bytes 0x10101010: a draw of 0.063, below the share of report A whatever the answer is.
FIXED_BYTES = """
window.taken = [];
Crypto.prototype.getRandomValues = function (array) {
  window.taken.push(array.byteLength);
  return array.fill(0x10);
};
"""
COUNTED_BYTES = """
window.taken = [];
const real = Crypto.prototype.getRandomValues;
Crypto.prototype.getRandomValues = function (array) {
  window.taken.push(array.byteLength);
  return real.call(this, array);
};
"""
STORES = """async () => ({
  local: {...localStorage}, session: {...sessionStorage}, cookie: document.cookie,
  databases: await indexedDB.databases(), caches: await caches.keys(),
  address: location.href, state: history.state, name: window.name,
  checked: document.querySelectorAll(':checked').length,
  fields: [...document.querySelectorAll('input')].map((x) => [x.name, x.getAttribute('value')]),
})"""


def watched(new_context, script: str) -> tuple[Page, dict]:
    """A page in a context of its own, and the record of all that happens in it."""
    context = new_context(reduced_motion="reduce")
    context.add_init_script(script)
    record: dict = {"requests": [], "console": []}

    def note(request):
        headers = {k: v for k, v in request.headers.items() if k != "user-agent"}
        record["requests"].append((request.method, request.url, request.post_data, headers))

    context.on("request", note)
    context.on("console", lambda message: record["console"].append(message.text))
    return context.new_page(), record


def observed(page: Page) -> dict:
    """Everything that the page shows, says and keeps at this moment."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    spoken = [
        (node.get("role", {}).get("value"), node.get("name", {}).get("value"))
        for node in tree["nodes"]
        if not node.get("ignored")
    ]
    return {
        "stores": page.evaluate(STORES),
        "cookies": page.context.cookies(),
        "html": page.content(),
        "spoken": spoken,
        "taken": page.evaluate("taken"),
    }


def walk_through(new_context, url: str, truth: str) -> dict:
    page, record = watched(new_context, FIXED_BYTES)
    arrive(page, url)
    to_questions(page)
    choose(page, truth)
    spin(page)
    page.wait_for_timeout(200)
    record["drawn"] = observed(page)
    press(page, "Send")
    receipt(page)
    record["sent"] = observed(page)
    page.reload()
    receipt(page)
    record["reloaded"] = observed(page)
    return record


def test_the_record_of_everything_is_the_same_for_every_answer(live_server, new_context):
    launch = survey(questions=[{"prefer_not": True}])
    records = [walk_through(new_context, address(live_server, launch), truth) for truth in TRUTHS]
    assert records[0] == records[1] == records[2]
    sent = [request for request in records[0]["requests"] if request[0] == "POST"]
    assert [json.loads(body)["reports"] for _, _, body, _ in sent] == [{"q1": 0}]


@pytest.mark.parametrize("truth", TRUTHS)
def test_requests_and_bytes_drawn_do_not_depend_on_the_answer(live_server, new_context, truth):
    launch = survey(questions=[{"prefer_not": True}])
    page, record = watched(new_context, COUNTED_BYTES)
    answer_one(page, address(live_server, launch), truth)
    receipt(page)
    # One byte to see that there is a source, one draw, one submission id; the numbers are the same
    # in the three runs of this test.
    assert page.evaluate("taken") == [1, 4, 16]
    posts = [request for request in record["requests"] if request[0] == "POST"]
    assert [(url, len(body)) for _, url, body, _ in posts] == [
        (f"{address(live_server, launch)}responses/", 155)
    ]
    body = json.loads(posts[0][2])
    assert set(body) == {"digest", "submission", "reports"}
    assert body["reports"]["q1"] in (0, 1, 2)
    assert record["console"] == []
    own = [url for _, url, _, _ in record["requests"] if url.startswith(live_server.url)]
    assert len(own) == len(record["requests"])
    assert page.evaluate(STORES)["fields"] == []


def test_controls_have_no_name_and_no_value(live_server, new_context):
    page = arrive(new_context().new_page(), address(live_server, survey()))
    to_questions(page)
    controls = page.locator("#respond input").evaluate_all(
        "(all) => all.map((x) => [x.type, x.name, x.hasAttribute('value'), x.autocomplete])"
    )
    assert controls == [["radio", "", False, "off"]] * 2
    assert page.locator("form").get_attribute("autocomplete") == "off"


def test_a_choice_does_not_outlive_leaving_the_page(live_server, new_context):
    """A page that the browser keeps for its back button shows no choice when it returns."""
    page = arrive(new_context().new_page(), address(live_server, survey()))
    to_questions(page)
    choose(page, "Yes")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    assert page.locator("#respond :checked").count() == 0
    assert page.locator(".wheel").count() == 0


def test_the_spin_takes_as_long_for_every_answer(live_server, new_context):
    """The motion is one animation of fixed length, whatever was chosen and drawn."""
    launch = survey()
    context = new_context()
    for truth in ("No", "Yes"):
        page = arrive(context.new_page(), address(live_server, launch))
        to_questions(page)
        choose(page, truth)
        press(page, "Spin")
        lengths = "document.getAnimations().map((x) => x.effect.getTiming().duration)"
        # A function, not an expression: the page's policy allows no eval.
        page.wait_for_function(f"() => {lengths}.includes(1100)")
        assert max(page.evaluate(lengths)) <= 1200
        page.evaluate("localStorage.clear()")
        page.close()
