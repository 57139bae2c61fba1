"""A later wave: a code leads to what was sent before, and the new reports are drawn from that."""

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, Route, expect

from surveys.features.return_codes.assignment import chain_of
from surveys.features.return_codes.models import Participation, Respondent
from surveys.models import Launch, Submission
from surveys.parameters import digest_of
from surveys.services.transitions import close_survey
from tests.browser import comer
from tests.browser.respondent import (
    CARDS,
    DIRECT,
    EACH,
    HELD_MOTIONS,
    address,
    arrive,
    choose,
    draw_card,
    press,
    receipt,
    spin,
    tick,
)
from tests.browser.support import come_to_rest
from tests.browser.test_respond_truth import LATE, STORES, observe, watch
from tests.devices import columns_of
from tests.waves import coded_launch, new_code, next_wave, post

pytestmark = pytest.mark.browser

ONE = {"slug": "work", "questions": [{"name": "drug"}]}
DRAWN = ".question[data-state=drawn] .result__code"
# Every random byte is 0: the first report that can follow the earlier one, whatever the answer is.
ZEROS = """
window.taken = [];
Crypto.prototype.getRandomValues = function (array) {
  window.taken.push(array.byteLength);
  return array.fill(0);
};
"""


def waves(client, *, report: int = 1, **values: Any) -> tuple[Launch, str]:
    """The second wave of a survey of one question, and the code of somebody of the first."""
    launch, code = coded_launch(**{**ONE, **values}), new_code()
    reports = {device.id: report for device in launch.parameters.devices}
    assert post(client, launch, code, reports).status_code == 201
    return next_wave(launch, drug="2"), code


def quiet(new_context, **options: Any) -> Page:
    return new_context(**options).new_page()


def answer(page: Page, truth: str = "Yes") -> str:
    """From the first question to the letter of this wave's report, drawn."""
    choose(page, truth)
    spin(page)
    return page.locator(DRAWN).inner_text()


def send(page: Page) -> None:
    press(page, "Next")
    expect(page.locator(".return-code")).to_be_visible()
    press(page, "Send")


def kept(page: Page, launch: Launch) -> dict[str, Any]:
    return json.loads(page.evaluate("(key) => localStorage[key]", f"candor:{launch.digest}"))


def test_with_the_code_on_another_device_one_chain_is_stored(live_server, new_context_in_each):
    first = coded_launch(**ONE)
    code = comer.answer_first(quiet(new_context_in_each), live_server, first)
    before = chain_of(launch_id=first.pk, code=code).reports["drug"]
    later = next_wave(first, drug="2")
    page = comer.come_back(quiet(new_context_in_each), live_server, later, code)
    expect(page.locator(".fields dd")).to_contain_text(f"You sent: {'AB'[before]}")
    expect(page.locator(".fields dd")).to_contain_text("right at most 74 times in 100.")
    expect(page.locator(".fields dd")).to_contain_text("After this wave: at most 89 times in 100.")
    told = answer(page)
    assert f"({'AB'[before]})" in page.locator(".result").inner_text()
    send(page)
    receipt(page)
    chain = chain_of(launch_id=later.pk, code=code)
    assert told == f"This is what will be sent: {'AB'[chain.reports['drug']]}."
    assert [(entry.wave, entry.epsilon) for entry in chain.ledger] == [(1, "1"), (2, "2")]
    assert page.locator("table.outcomes tbody tr").all_inner_texts() == [
        "Wave 1\t1\t1",
        "Wave 2\t1\t2",
    ]
    assert Respondent.objects.count() == Submission.objects.count() == 1
    assert code not in json.dumps(page.evaluate(STORES))


FOUND = {"receipt": "AAAA-BBBB-CCCC-DDDD", "stored": True}


def walk_through(new_context, url: str, code: str, truth: str) -> dict:
    page, record = watch(new_context, ZEROS)
    # The response goes nowhere, so that several people can use one code.
    page.route("**/responses/", lambda route: route.fulfill(status=201, json=FOUND))
    arrive(page, url)
    press(page, "I agree")
    comer.enter(page, code)
    comer.unfold_before(page)
    page.wait_for_function(LATE)
    come_to_rest(page)
    record["requests"].sort(key=repr)
    choose(page, truth)
    spin(page)
    come_to_rest(page)
    record["drawn"] = observe(page)
    send(page)
    # The server is asked once only, so that the next person finds the same wave.
    expect(page.get_by_role("heading", name="Thank you. It is stored.")).to_be_visible()
    record["sent"] = observe(page)
    return record


@pytest.mark.slow
def test_the_record_of_everything_is_the_same_for_every_answer(live_server, new_context, client):
    """With fixed bytes: requests, stores, page and what is spoken, and the bytes that are drawn."""
    questions = [{"name": "drug", "prefer_not": True}]
    launch, code = waves(client, questions=questions)
    url = address(live_server, launch)
    truths = ("No", "Yes", "Prefer not to say")
    records = [walk_through(new_context, url, code, truth) for truth in truths]
    assert records[1] == records[0]
    assert records[2] == records[0]
    bodies = [json.loads(body) for method, _, body, _ in records[0]["requests"] if method == "POST"]
    assert bodies[0] == {"code": code}
    assert [list(body) for body in bodies[1:]] == [["digest", "submission", "reports", "code"]]


def test_the_wheel_is_that_of_the_draw_that_is_made(live_server, new_context, client):
    """Sectors as wide as Pr(next | previous, truth), and a stop where the draw fell."""
    launch, code = waves(client)
    context = new_context(reduced_motion="no-preference")
    context.add_init_script(HELD_MOTIONS)
    page = comer.come_back(context.new_page(), live_server, launch, code)
    choose(page, "Yes")
    path = page.locator(".device .disc .sector").first.get_attribute("d")
    x, y = (float(number) for number in path.split("1 ")[-1].rstrip("Z").split())
    share = page.evaluate("([x, y]) => Math.atan2(x, -y) / (2 * Math.PI)", [x, y]) % 1
    device = launch.document["devices"][0]
    now, (earlier,) = columns_of(device["table"]), device["earlier"]
    degradation = {key: int(x) for key, x in earlier["degradation"].items() if key != "form"}
    # From B, of those whose answer is Yes, to A: C[B, A] P[A, Yes] / P1[B, Yes].
    expected = Fraction(degradation["other"], degradation["denominator"])
    expected *= Fraction(now[1][0], device["table"]["denominator"])
    before = columns_of(earlier["table"])[1][1]
    expected /= Fraction(before, earlier["table"]["denominator"])
    assert share == pytest.approx(float(expected), abs=1e-4)
    press(page, "Spin")
    page.wait_for_function("() => lengths.length > 0")
    end = "document.getAnimations().map((x) => x.effect.getKeyframes?.().at(-1).transform)"
    (turned,) = [x for x in page.evaluate(end) if x and x.startswith("rotate")]
    spot = -float(turned.removeprefix("rotate(").removesuffix("deg)")) / 360 % 1
    press(page, "Skip")
    letter = page.locator(DRAWN).inner_text()[-2]
    assert letter == ("A" if spot < expected else "B")


def test_a_question_that_is_not_asked_more_exactly_sends_its_code_again(
    live_server, new_context, client
):
    questions = [{"name": "drug"}, {"name": "absence", "text": "Did you stay away?"}]
    launch, code = waves(client, questions=questions)
    page = comer.come_back(quiet(new_context), live_server, launch, code)
    expect(page.locator(".fields dd").last).to_contain_text("The same is sent again.")
    answer(page)
    press(page, "Next")
    expect(page.get_by_text("what you sent then is sent again")).to_be_visible()
    assert page.get_by_role("radio").count() == 0
    send(page)
    receipt(page)
    assert chain_of(launch_id=launch.pk, code=code).reports["absence"] == 1


@pytest.mark.slow
def test_boxes_cards_and_direct_questions_come_back_too(live_server, new_context):
    questions = [{**EACH, "name": "took"}, {**CARDS, "name": "first"}, {**DIRECT, "name": "days"}]
    first = coded_launch(slug="work", questions=questions, budget=Decimal(9))
    page = quiet(new_context)
    arrive(page, address(live_server, first))
    for name in ("I agree", "Start"):
        press(page, name)
    code = answer_all(page)
    comer.keep_and_send(page)
    receipt(page)
    later = next_wave(first, took="1.5", first="2")
    page = comer.come_back(quiet(new_context), live_server, later, code)
    assert answer_all(page) == code
    press(page, "Send")
    receipt(page)
    drawn = chain_of(launch_id=later.pk, code=code).reports
    assert list(drawn) == ["took_1", "took_2", "took_3", "first"]


def answer_all(page: Page) -> str:
    tick(page, "Paper")
    spin(page)
    press(page, "Next")
    choose(page, "Cannabis")
    draw_card(page)
    press(page, "Next")
    choose(page, "None")
    press(page, "Next")
    return comer.shown_code(page)


# --- the code ------------------------------------------------------------------------------------


def test_a_mistyped_code_is_noticed_before_anything_is_sent_and_an_unknown_one_said(
    live_server, new_context, client
):
    """Small letters without hyphens will do."""
    launch, code = waves(client)
    page = comer.to_asking(quiet(new_context), live_server, launch)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    wrong = code[:-1] + ("0" if code[-1] != "0" else "1")
    for text in ("", "hello", code[:-1], wrong):
        comer.enter(page, text)
        field = page.get_by_label("Your return code")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_be_focused()
        expect(page.get_by_role("alert")).to_contain_text("one character may be wrong")
    assert requests == []
    comer.enter(page, new_code())
    expect(page.get_by_text("This survey does not know this return code.")).to_be_visible()
    assert page.evaluate("localStorage.length") == 0
    comer.enter(page, f" {code.lower().replace('-', '').replace('0', 'o').replace('1', 'l')} ")
    comer.unfold_before(page)


PROBLEMS: list[tuple[Callable[[Route], None], str]] = [
    (lambda route: route.abort(), "There is no connection just now. Nothing is lost"),
    (
        lambda route: route.fulfill(status=429, headers={"Retry-After": "7"}, json={"errors": []}),
        "try again in 7 seconds",
    ),
    (lambda route: route.fulfill(status=500, body="oh"), "The server has a problem of its own."),
    (lambda route: route.fulfill(status=200, body="<html>"), "There is no connection just now."),
    (lambda route: route.fulfill(status=200, json={}), "does not fit this survey"),
    (
        lambda route: route.fulfill(
            status=200,
            json={
                "wave": 1,
                "answered": False,
                "reports": {"drug": 2},
                "ledger": [{"wave": 1, "epsilon": "1"}],
                "total": "1",
            },
        ),
        "does not fit this survey",
    ),
]


WAVE_PROBLEMS: list[tuple[Callable[[Route], None], str]] = [
    (lambda route: route.abort(), "There is no connection just now. Nothing is lost"),
    (lambda route: route.fulfill(status=500, body="oh"), "The server has a problem of its own."),
    (lambda route: route.fulfill(status=404, json={"errors": []}), "does not fit this survey"),
    (lambda route: route.fulfill(status=200, json={"wave": 1.5}), "does not fit this survey"),
    (lambda route: altered(route, title="Another"), "does not fit this survey"),
]


def altered(route: Route, **values: Any) -> None:
    route.fulfill(json=route.fetch().json() | values)


@pytest.mark.parametrize(
    ("asked", "problems"),
    [("return/", PROBLEMS), ("waves/1/parameters.json", WAVE_PROBLEMS)],
    ids=["the look-up", "the document of its wave"],
)
def test_whatever_goes_wrong_with_the_code_it_can_be_tried_again(
    live_server, new_context, client, asked, problems
):
    launch, code = waves(client)
    page = comer.to_asking(quiet(new_context), live_server, launch)
    page.get_by_label("Your return code").fill(code)
    for problem, words in problems:
        page.route(f"**/{asked}", problem)
        press(page, "Continue with my return code")
        expect(page.get_by_text(words)).to_be_visible()
        assert page.evaluate("localStorage.length") == 0
        page.unroute(f"**/{asked}")
    press(page, "Continue with my return code")
    comer.unfold_before(page)


def test_nothing_is_drawn_from_a_report_of_another_table_than_the_wave_says(
    live_server, new_context, client
):
    first, code = coded_launch(**ONE), new_code()
    assert post(client, first, code, {"drug": 1}).status_code == 201
    weaker = {"name": "drug", "epsilon": Decimal("0.5")}
    other = next_wave(coded_launch(slug="other", questions=[weaker]), drug="2")
    parameters = replace(other.parameters, survey="work", previous=first.digest)
    second = Launch.objects.create(
        survey=first.survey, wave=2, parameters=parameters, digest=digest_of(parameters)
    )
    page = comer.to_asking(quiet(new_context), live_server, second)
    comer.enter(page, code)
    expect(page.get_by_text("does not fit this survey")).to_be_visible()
    assert page.evaluate("localStorage.length") == 0


def test_who_has_answered_this_wave_sees_what_was_sent_and_can_send_nothing(
    live_server, new_context, client
):
    launch, code = waves(client)
    page = comer.come_back(quiet(new_context), live_server, launch, code)
    told = answer(page)
    send(page)
    receipt(page)
    page = comer.come_back(quiet(new_context), live_server, launch, code)
    expect(page.get_by_text("You have answered this wave with this return code.")).to_be_visible()
    expect(page.locator(".fields dd")).to_contain_text(f"You sent: {told[-2]}")
    page.get_by_text("What it adds up to").click()
    assert page.locator("table.outcomes tbody tr").count() == 2
    expect(page.get_by_role("button", name="Continue", exact=True)).to_have_count(0)
    assert page.evaluate("localStorage.length") == 0


def test_somebody_new_gets_a_code_and_a_first_draw(live_server, new_context, client):
    launch, _code = waves(client)
    page = comer.to_asking(quiet(new_context), live_server, launch)
    expect(page.get_by_text("old and new answers add up")).to_be_visible()
    press(page, "I answer for the first time")
    press(page, "Back")
    expect(page.get_by_role("heading", name=comer.ASKS)).to_be_visible()
    press(page, "I answer for the first time")
    choose(page, "Yes")
    expect(page.get_by_text("drawn from what you sent before")).to_have_count(0)
    spin(page)
    press(page, "Next")
    code = comer.shown_code(page)
    comer.keep_and_send(page)
    receipt(page)
    assert [entry.wave for entry in chain_of(launch_id=launch.pk, code=code).ledger] == [2]
    assert Respondent.objects.count() == 2


@pytest.mark.slow
def test_somebody_who_began_anew_here_cannot_bring_a_code_any_more(
    live_server, new_context, client
):
    launch, code = waves(client)
    context = new_context()
    late = comer.to_asking(context.new_page(), live_server, launch)
    page = comer.to_asking(context.new_page(), live_server, launch)
    press(page, "I answer for the first time")
    choose(page, "Yes")
    spin(page)
    before = page.locator(DRAWN).inner_text()
    comer.enter(late, code)
    expect(late.get_by_text("somebody has begun to answer for the first time")).to_be_visible()
    press(late, "Continue")
    assert late.locator(DRAWN).inner_text() == before
    assert "earlier" not in kept(page, launch)


# --- tabs, reloads and other devices -------------------------------------------------------------


@pytest.mark.slow
def test_a_reload_goes_on_where_it_was(live_server, new_context, client):
    launch, code = waves(client)
    page = comer.come_back(quiet(new_context), live_server, launch, code)
    page.reload()
    comer.unfold_before(page)
    told = answer(page)
    page.reload()
    assert page.locator(DRAWN).inner_text() == told
    expect(page.locator(".result")).to_contain_text("drawn from what you sent before (B)")
    send(page)
    receipt(page)
    page.reload()
    expect(page.get_by_role("heading", name="You have answered this survey")).to_be_visible()
    assert Participation.objects.count() == 2


def test_what_is_kept_here_is_what_was_sent_and_no_answer(live_server, new_context, client):
    launch, code = waves(client)
    page = comer.come_back(quiet(new_context), live_server, launch, code)
    answer(page)
    stored = kept(page, launch)
    assert set(stored) == {"submission", "code", "earlier", "reports"}
    assert stored["code"] == code
    assert stored["earlier"] == {
        "wave": 1,
        "answered": False,
        "reports": {"drug": 1},
        "ledger": [{"wave": 1, "epsilon": "1"}],
        "total": "1",
        "epsilons": {"drug": "1"},
    }
    assert list(stored["reports"]) == ["drug"]
    send(page)
    receipt(page)
    assert set(kept(page, launch)) == {"submission", "reports", "receipt"}


@pytest.mark.slow
def test_two_tabs_draw_once_from_the_same_report(live_server, new_context, client):
    launch, code = waves(client)
    context = new_context()
    tabs = [comer.to_asking(context.new_page(), live_server, launch) for _ in range(2)]
    comer.enter(tabs[0], code)
    comer.unfold_before(tabs[0])
    comer.enter(tabs[1], code)
    comer.unfold_before(tabs[1])
    for page in tabs:
        choose(page, "Yes")
    for page in tabs:
        page.evaluate(
            "setTimeout(() => document.querySelector('.question .button--chance')?.click(), 300)"
        )
    for page in tabs:
        expect(page.locator(DRAWN)).to_be_visible()
    assert tabs[0].locator(DRAWN).inner_text() == tabs[1].locator(DRAWN).inner_text()
    send(tabs[0])
    receipt(tabs[0])
    # It has sent the same once more, or has seen that it is stored.
    receipt(tabs[1])
    assert Participation.objects.count() == 2


@pytest.mark.slow
def test_another_code_can_be_used_until_something_is_drawn(live_server, new_context, client):
    launch, code = waves(client)
    context = new_context()
    other = comer.to_asking(context.new_page(), live_server, launch)
    page = comer.come_back(context.new_page(), live_server, launch, code)
    press(page, "Back")
    press(page, "Use another return code")
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()
    assert code not in json.dumps(page.evaluate(STORES))
    # The other tab starts again too: what it rested on is gone.
    expect(other.get_by_role("button", name="I agree", exact=True)).to_be_visible()
    comer.come_back(page, live_server, launch, code)
    answer(page)
    press(page, "Back")
    expect(page.get_by_role("heading", name=comer.ASKS)).to_be_visible()
    expect(page.get_by_role("button", name="Use another return code")).to_have_count(0)


@pytest.mark.slow
def test_another_device_was_faster(live_server, new_context, client):
    launch, code = waves(client)
    pages = [comer.come_back(quiet(new_context), live_server, launch, code) for _ in range(2)]
    for page in pages:
        answer(page)
    send(pages[0])
    receipt(pages[0])
    send(pages[1])
    expect(pages[1].get_by_role("heading", name="Not stored")).to_be_visible()
    words = "perhaps on another phone or computer"
    expect(pages[1].get_by_text(words)).to_be_visible()
    assert code not in json.dumps(pages[1].evaluate(STORES))
    pages[1].reload()
    expect(pages[1].get_by_text(words)).to_be_visible()
    assert Respondent.objects.count() == 1
    assert Participation.objects.count() == 2


@pytest.mark.slow
def test_a_new_wave_begins_meanwhile(live_server, new_context, client):
    launch, code = waves(client)
    page = comer.come_back(quiet(new_context), live_server, launch, code)
    answer(page)
    third = next_wave(launch, drug="2.5")
    send(page)
    expect(page.get_by_text("A new wave began before your answers arrived.")).to_be_visible()
    assert code not in json.dumps(page.evaluate(STORES))
    comer.come_back(page, live_server, third, code)
    expect(page.get_by_text("This is what arrived in wave 1.")).to_be_visible()
    answer(page)
    send(page)
    receipt(page)
    assert [entry.wave for entry in chain_of(launch_id=third.pk, code=code).ledger] == [1, 3]


def test_the_survey_closes_meanwhile(live_server, new_context, client):
    launch, code = waves(client)
    page = comer.come_back(quiet(new_context), live_server, launch, code)
    answer(page)
    close_survey(survey=launch.survey, actor=None)
    send(page)
    expect(page.get_by_text("The survey closed before your answers arrived.")).to_be_visible()
    assert Participation.objects.count() == 1


def test_a_budget_that_would_be_exceeded_is_said(live_server, new_context, client):
    launch, code = waves(client)
    page = comer.come_back(quiet(new_context), live_server, launch, code)
    answer(page)
    errors = [{"field": "", "code": "over_budget", "message": "All waves would add up to 4."}]
    page.route("**/responses/", lambda route: route.fulfill(status=409, json={"errors": errors}))
    send(page)
    expect(page.get_by_text("more than the survey’s budget")).to_be_visible()
    assert code not in json.dumps(page.evaluate(STORES))


EARLIER = {
    "wave": 1,
    "answered": False,
    "reports": {"drug": 1},
    "ledger": [{"wave": 1, "epsilon": "1"}],
    "total": "1",
    "epsilons": {"drug": "1"},
}


GARBAGE = [
    {"code": "0000-0000-0000-0000-0001"},
    {"code": None},
    {"earlier": EARLIER | {"reports": {"drug": 2}}},
    {"earlier": EARLIER | {"reports": {"drink": 1}}},
    {"earlier": EARLIER | {"wave": 0}},
    {"earlier": EARLIER | {"wave": 3}},
    {"earlier": EARLIER | {"wave": 2, "answered": True}},
    {"earlier": EARLIER | {"answered": True}},
    {"earlier": EARLIER | {"ledger": []}},
    {"earlier": EARLIER | {"total": "much"}},
    {"earlier": EARLIER | {"total": "2"}},
    {"earlier": EARLIER | {"ledger": [{"wave": 2, "epsilon": "1"}]}},
    {"earlier": EARLIER | {"epsilons": {}}},
    {"earlier": EARLIER | {"epsilons": {"drug": None}}},
    {"earlier": "B"},
    {"refused": 7},
]


def test_garbage_in_the_storage_is_no_earlier_report(live_server, new_context, client):
    launch, code = waves(client)
    page = comer.come_back(quiet(new_context), live_server, launch, code)
    stored = kept(page, launch)
    assert stored["earlier"] == EARLIER
    for changes in [{}, *GARBAGE]:
        page.evaluate(
            "([key, kept]) => localStorage.setItem(key, kept)",
            [f"candor:{launch.digest}", json.dumps(stored | changes)],
        )
        page.reload()
        name = "I agree" if changes else "Next"
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
