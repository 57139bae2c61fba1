"""The true answer appears nowhere: not in what is sent, kept, shown or spoken.

The first test holds the random bytes fixed at a value for which every true answer gives the same
report. Whatever then differs between two answers would be a trace of the answer: the whole record
of requests, stores, address, console, page and accessibility tree must be the same, byte for byte.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.respondent import (
    CARDS,
    EACH,
    HELD_MOTIONS,
    SCALE,
    WHOLE,
    address,
    answer_one,
    arrive,
    choose,
    draw_card,
    press,
    receipt,
    spin,
    survey,
    tick,
    to_questions,
)
from tests.browser.support import come_to_rest
from tests.devices import devices_of

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
# Two groups of scripts, each as bytes and then to be used: no request for files comes after these.
LATE = """() => performance.getEntriesByType('resource').filter(
  (x) => /groups.en.(end|looking_up)/.test(x.name)).length >= 4"""
STORES = """async () => ({
  local: {...localStorage}, session: {...sessionStorage}, cookie: document.cookie,
  databases: await indexedDB.databases(), caches: await caches.keys(),
  address: location.href, state: history.state, name: window.name,
  checked: document.querySelectorAll(':checked').length,
  fields: [...document.querySelectorAll('input')].map((x) => [x.name, x.getAttribute('value')]),
})"""


def watch(new_context, script: str) -> tuple[Page, dict]:
    """A page in a context of its own, and the record of all that happens in it."""
    context = new_context()
    context.add_init_script(script)
    page = context.new_page()
    record: dict = {"requests": [], "console": []}

    def note(request):
        headers = {k: v for k, v in request.headers.items() if k != "user-agent"}
        record["requests"].append((request.method, request.url, request.post_data, headers))

    page.on("request", note)
    page.on("console", lambda message: record["console"].append(message.text))
    return page, record


def observe(page: Page) -> dict:
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


Answer = Callable[[Page], Any]


def walk_through(
    new_context, url: str, answer: Answer, draw: Answer = spin, script: str = FIXED_BYTES
) -> dict:
    page, record = watch(new_context, script)
    arrive(page, url)
    to_questions(page)
    # What comes while somebody reads comes before or after "I agree".
    page.wait_for_function(LATE)
    record["loaded"] = requests_so_far(record)
    answer(page)
    record["chosen"] = page.locator(".device__picture").inner_html() if draw is draw_card else ""
    draw(page)
    come_to_rest(page)
    record["drawn"] = observe(page)
    press(page, "Send")
    receipt(page)
    record["sent"] = observe(page)
    posted = list(record["requests"])
    page.reload()
    receipt(page)
    record["reloaded"] = observe(page)
    del record["requests"][: len(posted)]
    # A request that the browser's cache answers is a request or none, as it happens.
    known = [request[:3] for request in record["loaded"]]
    news = [request for request in record["requests"] if request[:3] not in known]
    return record | {"requests": posted, "new after the reload": news}


def requests_so_far(record: dict) -> list:
    """Requests so far; files that load side by side come in no order, so they are sorted."""
    requests = sorted(record["requests"], key=repr)
    record["requests"].clear()
    return requests


def chosen(label: str) -> Answer:
    return lambda page: choose(page, label)


def ticking(*labels: str) -> Answer:
    return lambda page: tick(page, *labels)


def tick_and_correct(page: Page) -> None:
    """Somebody who ticks, thinks better of it, and ticks something else."""
    tick(page, "Paper", "Tools", "None of these", "Food")
    page.get_by_role("checkbox", name="Food").uncheck()
    tick(page, "Prefer not to say")


SETS = [
    ticking("None of these"),
    ticking("Paper"),
    ticking("Tools", "Food"),
    ticking("Paper", "Tools", "Food"),
    ticking("Prefer not to say"),
    tick_and_correct,
]
# Each of the ten cards shows three of the six answers; card A has the first of these, no other.
DECK = {**CARDS, "epsilon": "0.3"}
NUMBER = {
    "kind": "bounded_number",
    "scale": {"lower": "0", "upper": "60", "step": "0.5", "unit": "hours", "bins": []},
    "design": "one_bit",
    "prefer_not": False,
}
BINS = {**NUMBER, "scale": {**NUMBER["scale"], "bins": [0, 40, 80]}, "design": "k_rr"}


def typing(text: str) -> Answer:
    return lambda page: page.locator(".number__field").fill(text)


def sliding(page: Page) -> None:
    page.get_by_role("slider").press("End")
    page.get_by_role("slider").press("ArrowLeft")


# A question, and ways to answer it.
KINDS = {
    "a number": (NUMBER, [typing("0"), typing("41.5"), sliding]),
    "a number in bins": (BINS, [typing("0"), typing("41.5"), sliding]),
    "yes/no": ({}, [chosen(truth) for truth in TRUTHS]),
    "scale": (SCALE, [chosen(truth) for truth in ("Never", "Often", "Prefer not to say")]),
    "a device for each option": (EACH, SETS),
    "one device over the whole set": ({**WHOLE, "epsilon": "0.5"}, SETS),
    "cards": (DECK, [chosen(truth) for truth in ("Nothing", "Cocaine", "Prefer not to say")]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_record_of_everything_is_the_same_for_every_answer(live_server, new_context, kind):
    question, answers = KINDS[kind]
    launch = survey(questions=[{"prefer_not": True, **question}])
    url = address(live_server, launch)
    draw = draw_card if kind == "cards" else spin
    records = [walk_through(new_context, url, answer, draw) for answer in answers]
    for record in records[1:]:
        assert record == records[0]
    assert_nothing_beside_the_draws(records[0], len(devices_of(launch)), live_server)
    sent = [request for request in records[0]["requests"] if request[0] == "POST"]
    devices = {device["id"]: 0 for device in devices_of(launch)}
    assert [json.loads(body)["reports"] for _, _, body, _ in sent] == [devices]


def assert_nothing_beside_the_draws(record, draws, live_server):
    """A byte to see that there is a source, those of each draw, and an id; no request elsewhere."""
    assert record["drawn"]["taken"][-1] == 16
    assert record["drawn"]["taken"][0] == 1
    assert record["drawn"]["taken"][-1 - draws : -1] == [4] * draws
    assert record["console"] == []
    assert record["sent"]["stores"]["fields"] == []
    asked = [*record["loaded"], *record["requests"]]
    assert [url for _, url, *_ in asked if not url.startswith(live_server.url)] == []


@pytest.mark.parametrize("kind", ["yes/no", "a number"])
def test_the_record_of_every_tier_is_the_same_for_every_answer(live_server, new_context, kind):
    question, answers = KINDS[kind]
    tiers = (("The public", "0.25"), ("Partners", "0.5"), ("Our own team", "1"))
    launch = survey(questions=[{"prefer_not": True, **question}], tiers=tiers)
    url = address(live_server, launch)
    records = [walk_through(new_context, url, answer, spin) for answer in answers]
    for record in records[1:]:
        assert record == records[0]
    sent = [request for request in records[0]["requests"] if request[0] == "POST"]
    assert [json.loads(body)["reports"] for _, _, body, _ in sent] == [{"q1": [0, 0, 0]}]


@pytest.mark.parametrize(("question", "draws"), [(EACH, 4), (WHOLE, 1)], ids=["each", "whole"])
def test_a_set_takes_a_draw_for_each_device_and_one_request(
    live_server, new_context, question, draws
):
    """With bytes of the generator; that every set takes the same ones is in the records above."""
    launch = survey(questions=[{**question, "prefer_not": True}])
    page, record = watch(new_context, COUNTED_BYTES)
    arrive(page, address(live_server, launch))
    to_questions(page)
    tick(page, "Paper", "Food")
    spin(page)
    assert page.evaluate("taken") == [1, *[4] * draws, 16]
    press(page, "Send")
    receipt(page)
    posts = [body for method, _, body, _ in record["requests"] if method == "POST"]
    assert len(posts) == 1
    reports = json.loads(posts[0])["reports"]
    assert list(reports) == [device["id"] for device in devices_of(launch)]
    assert page.evaluate(STORES)["fields"] == []


def test_requests_and_bytes_drawn_are_few_and_of_a_known_size(live_server, new_context):
    """With bytes of the generator; that they do not depend on the answer is in the records above,
    of a draw over every sequence of bytes in `test_device_draw.py`.
    """
    launch = survey(questions=[{"prefer_not": True}])
    page, record = watch(new_context, COUNTED_BYTES)
    answer_one(page, address(live_server, launch), "Yes")
    receipt(page)
    # One byte to see that there is a source, one draw, one submission id.
    assert page.evaluate("taken") == [1, 4, 16]
    posts = [request for request in record["requests"] if request[0] == "POST"]
    assert [(url, len(body)) for _, url, body, _ in posts] == [
        # 200 and the longest report, "q1":0 and a comma (docs/protocol.md, section 5).
        (f"{address(live_server, launch)}responses/", 207)
    ]
    body = json.loads(posts[0][2])
    assert set(body) == {"digest", "submission", "reports"}
    assert body["reports"]["q1"] in (0, 1, 2)
    assert record["console"] == []
    own = [url for _, url, _, _ in record["requests"] if url.startswith(live_server.url)]
    assert len(own) == len(record["requests"])
    assert page.evaluate(STORES)["fields"] == []


@pytest.mark.parametrize(("question", "kind", "count"), [({}, "radio", 2), (EACH, "checkbox", 4)])
def test_controls_have_no_name_and_no_value(at_questions, question, kind, count):
    page = at_questions(survey(questions=[question]))
    controls = page.locator("#respond input").evaluate_all(
        "(all) => all.map((x) => [x.type, x.name, x.hasAttribute('value'), x.autocomplete])"
    )
    assert controls == [[kind, "", False, "off"]] * count
    assert page.locator("form").get_attribute("autocomplete") == "off"


@pytest.mark.parametrize(
    ("question", "answer", "wheels"),
    # The picture beside boxes does not depend on them.
    [({}, chosen("Yes"), 0), (EACH, ticking("Paper", "Food"), 2)],
    ids=["radio", "checkbox"],
)
def test_an_answer_does_not_outlive_leaving_the_page(at_questions, question, answer, wheels):
    """A page that the browser keeps for its back button shows no choice when it returns."""
    page = at_questions(survey(questions=[question]))
    answer(page)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    assert page.locator("#respond :checked").count() == 0
    assert page.locator(".device .wheel").count() == wheels
    expect(page.get_by_role("button", name="Spin")).to_be_hidden()


def test_the_spin_takes_as_long_for_every_answer(live_server, new_context):
    """The motion is one animation of fixed length, whatever was chosen and drawn."""
    launch = survey()
    context = new_context(reduced_motion="no-preference")
    context.add_init_script(HELD_MOTIONS)
    for truth in ("No", "Yes"):
        page = arrive(context.new_page(), address(live_server, launch))
        to_questions(page)
        choose(page, truth)
        press(page, "Spin")
        page.wait_for_function("() => lengths.length > 0")
        assert page.evaluate("lengths") == [1100]
        moving = "document.getAnimations().map((x) => x.effect.getTiming().duration)"
        assert max(set(page.evaluate(moving)) - {600_000}, default=0) <= 1200
        page.evaluate("localStorage.clear()")
        page.close()
