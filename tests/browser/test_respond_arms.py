"""Chance, on the server, decides how somebody is asked; the page says so and keeps to it."""

import json

import pytest
from playwright.sync_api import expect

from surveys.models import Submission
from tests.arms import id_in
from tests.browser.armed import (
    DRUG,
    MOOD,
    NOTICE,
    REGION,
    armed_survey,
    drawing,
    kept,
    open_questions,
    page_in,
    question,
)
from tests.browser.axe import LAYOUT, assert_well
from tests.browser.respondent import (
    address,
    choose,
    press,
    receipt,
    stored,
    unfold_sent,
)
from tests.browser.support import BOTH_SCHEMES

pytestmark = pytest.mark.browser

DIRECTLY = "among those who are asked this question directly."
OTHERWISE = "scrambled with another strength."
STRATA = {
    "page": {},
    "split": {"drug": ("split", OTHERWISE), "mood": ("split", OTHERWISE)},
    "direct": {"drug": ("direct", DIRECTLY)},
}


@pytest.mark.parametrize("arm", STRATA)
def test_an_answer_from_the_question_about_the_arm_to_the_receipt(live_server, new_context, arm):
    launch = armed_survey()
    page, posts = page_in(new_context, launch, arm)
    page.goto(address(live_server, launch))
    expect(page.get_by_role("button", name="I agree")).to_be_visible()
    # Nobody has agreed to anything yet.
    assert posts == []
    assert page.evaluate("localStorage.length") == 0
    strength = page.locator("#strength").text_content().strip()
    open_questions(page, live_server, launch)
    submission = id_in(launch, arm)
    assert posts == [("arm", {"digest": launch.digest, "submission": submission})]
    assert kept(page) == {"reports": {}, "submission": submission, "stratum": arm}
    for asked, label in ((DRUG, "Yes"), (MOOD, "Good"), (REGION, "S")):
        choose(question(page, asked), label)
        told = question(page, asked).get_by_text(NOTICE)
        assert told.count() == int(arm == "direct" and asked is DRUG)
        if asked is not REGION and not told.count():
            press(question(page, asked), "Spin")
            expect(question(page, asked)).to_have_attribute("data-state", "drawn")
    drawn = {"drug", "mood"} - ({"drug"} if arm == "direct" else set())
    assert set(kept(page)["reports"]) == drawn
    press(page, "Send")
    assert receipt(page)
    (_, sent) = posts[-1]
    assert [name for name, _ in posts] == ["arm", "responses"]
    assert sent["submission"] == submission
    assert sent.get("strata", {}) == {name: stratum for name, (stratum, _) in STRATA[arm].items()}
    content = Submission.objects.get().content
    assert content["reports"] == sent["reports"]
    assert content["strata"] == {"drug": "page", "mood": "page", "region": "page"} | sent.get(
        "strata", {}
    )
    if arm == "direct":
        assert sent["reports"]["drug"] == 1
        expect(page.locator(".fields > div", has_text="reports.drug")).to_contain_text("as it is")
    assert strength in page.locator("#respond").text_content()
    unfold_sent(page)
    expect(page.get_by_text("by it chance decided how you are asked.")).to_be_visible()
    rows = page.locator(".fields > div", has_text="strata.")
    expect(rows).to_have_count(len(STRATA[arm]))
    for name, (stratum, meaning) in STRATA[arm].items():
        row = rows.filter(has_text=f"strata.{name}")
        expect(row).to_contain_text(f'"{stratum}"')
        expect(row).to_contain_text(meaning)
    assert set(kept(page)) == {"reports", "submission", "receipt"}


def test_a_direct_question_may_be_left_out_though_others_must_answer_it(
    live_server, new_context_in_each
):
    launch = armed_survey([DRUG, REGION])
    page, _posts = page_in(new_context_in_each, launch, "direct")
    page.goto(address(live_server, launch))
    strength = page.locator("#strength").text_content().strip()
    press(page, "I agree")
    # Nothing is scrambled here, so there is nothing to explain or to say of codes.
    choose(question(page, DRUG), "Yes")
    assert kept(page)["reports"] == {}
    question(page, DRUG).get_by_role("button", name="Clear my choice").click()
    choose(question(page, REGION), "N")
    press(page, "Send")
    assert receipt(page)
    sent = json.loads(page.locator("pre.body").text_content())
    assert sent["reports"] == Submission.objects.get().content["reports"] == {"region": 0}
    assert "strata" not in sent
    assert strength not in page.locator("#respond").text_content()
    assert stored() == 1


def test_a_reload_and_a_second_tab_keep_the_arm(live_server, new_context):
    launch = armed_survey()
    page, posts = page_in(new_context, launch, "direct")
    open_questions(page, live_server, launch)
    page.reload()
    open_questions(page, live_server, launch)
    expect(page.get_by_text(NOTICE)).to_be_visible()
    second = page.context.new_page()
    # Left to itself it would be in another arm.
    second.add_init_script(drawing(id_in(launch, "split")))
    open_questions(second, live_server, launch)
    expect(second.get_by_text(NOTICE)).to_be_visible()
    assert kept(second)["submission"] == id_in(launch, "direct")
    assert [name for name, _ in posts] == ["arm"]


def test_two_tabs_that_ask_at_once_are_in_one_arm(live_server, new_context):
    launch = armed_survey()
    page, posts = page_in(new_context, launch, "direct")
    held = []
    page.route("**/arm/", lambda route: held.append(route) if not held else route.continue_())
    page.goto(address(live_server, launch))
    second = page.context.new_page()
    second.add_init_script(drawing(id_in(launch, "split")))
    second.goto(address(live_server, launch))
    press(page, "I agree")
    expect(page.get_by_role("heading", name="Chance decides how you are asked")).to_be_visible()
    open_questions(second, live_server, launch)
    held[0].continue_()
    press(page, "Start")
    for tab in (page, second):
        expect(tab.get_by_text(NOTICE)).to_be_visible()
    assert kept(page)["submission"] == posts[0][1]["submission"] == id_in(launch, "direct")


def test_a_reload_before_the_answer_asks_about_the_same_id(live_server, new_context):
    launch = armed_survey()
    page, posts = page_in(new_context, launch, "split")
    page.route("**/arm/", lambda route: route.abort())
    page.goto(address(live_server, launch))
    press(page, "I agree")
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    assert kept(page) == {"reports": {}, "submission": posts[0][1]["submission"]}
    page.unroute("**/arm/")
    page.add_init_script(drawing(id_in(launch, "direct")))
    open_questions(page, live_server, launch)
    assert posts[-1] == posts[0]
    assert kept(page)["stratum"] == "split"


def test_whoever_forgets_is_asked_anew_in_every_tab(live_server, new_context):
    launch = armed_survey()
    page, _posts = page_in(new_context, launch, "direct")
    open_questions(page, live_server, launch)
    expect(page.get_by_text(NOTICE)).to_be_visible()
    page.evaluate("localStorage.clear()")
    second = page.context.new_page()
    second.add_init_script(drawing(id_in(launch, "page")))
    open_questions(second, live_server, launch)
    # The first tab has loaded itself anew.
    expect(page.get_by_role("button", name="I agree")).to_be_visible()
    press(page, "I agree")
    press(page, "Start")
    expect(question(page, DRUG)).to_be_visible()
    assert page.get_by_text(NOTICE).count() == 0


WAITING = "([key, value]) => localStorage.setItem(key, JSON.stringify(value))"


@pytest.mark.parametrize(("arm", "waiting"), [("page", False), ("direct", True)])
def test_a_page_whose_browser_forgets_keeps_to_its_id_and_arm(
    live_server, new_context, arm, waiting
):
    """Also where another tab waits for its own arm by then."""
    launch = armed_survey([DRUG, REGION])
    page, posts = page_in(new_context, launch, arm)
    page.goto(address(live_server, launch))
    press(page, "I agree")
    if arm == "page":
        press(page, "Start")
    expect(question(page, DRUG)).to_be_visible()
    # No other tab does it, so that nothing tells this one.
    page.evaluate("localStorage.clear()")
    page.evaluate(f"() => {{ {drawing(id_in(launch, 'split'))} }}")
    if waiting:
        record = {"reports": {}, "submission": id_in(launch, "split")}
        page.evaluate(WAITING, [f"candor:{launch.digest}", record])
    choose(question(page, DRUG), "Yes")
    if arm == "page":
        press(question(page, DRUG), "Spin")
        expect(question(page, DRUG)).to_have_attribute("data-state", "drawn")
    choose(question(page, REGION), "N")
    press(page, "Send")
    assert receipt(page)
    assert [name for name, _ in posts] == ["arm", "responses"]
    assert posts[-1][1]["submission"] == id_in(launch, arm)


PROBLEMS = {
    "offline": (None, "There is no connection just now."),
    "busy": ((429, {"Retry-After": "40"}), "The next try is in 41 seconds."),
    "outage": ((503, {}), "The server has a problem of its own."),
    "portal": ((200, {}), "There is no connection just now."),
}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_request_for_the_arm_is_tried_again(live_server, new_context, problem):
    failure, words = PROBLEMS[problem]
    launch = armed_survey()
    page, posts = page_in(new_context, launch, "direct")
    fail = True

    def handle(route):
        if not fail:
            return route.continue_()
        if failure is None:
            return route.abort()
        status, headers = failure
        body = json.dumps({"arm": "another"})
        return route.fulfill(
            status=status, headers=headers, body=body, content_type="application/json"
        )

    page.route("**/arm/", handle)
    page.goto(address(live_server, launch))
    press(page, "I agree")
    expect(page.get_by_text(words)).to_be_visible()
    expect(page.get_by_text("Nothing is lost: this page tries again by itself.")).to_be_visible()
    assert page.locator(".question").count() == 0
    fail = False
    press(page, "Try now")
    press(page, "Start")
    expect(page.get_by_text(NOTICE)).to_be_visible()
    assert posts[-1] == posts[0]


def test_a_survey_that_was_changed_is_not_asked(live_server, new_context):
    launch = armed_survey()
    page, posts = page_in(new_context, launch, "direct")
    body = json.dumps({"errors": [{"field": "", "code": "stale_digest", "message": "Old."}]})
    page.route("**/arm/", lambda route: route.fulfill(status=409, body=body))
    page.goto(address(live_server, launch))
    press(page, "I agree")
    expect(page.get_by_role("heading", name="Nothing is asked here")).to_be_visible()
    expect(page.get_by_text("The survey was changed after you opened it.")).to_be_visible()
    expect(page.get_by_role("button", name="Try now")).to_be_hidden()
    assert len(posts) == 1


@pytest.mark.parametrize("arm", ["page", "direct"])
def test_a_preview_is_in_the_arm_that_its_page_names(live_server, new_context, arm):
    launch = armed_survey()
    page, posts = page_in(new_context, launch, "split")
    url = address(live_server, launch)

    def as_preview(route):
        html = route.fetch().text().replace('data-preview="false"', 'data-preview="true"')
        named = html.replace('id="respond"', f'id="respond" data-arm="{arm}"')
        route.fulfill(body=named if arm != "page" else html, content_type="text/html")

    page.route(url, as_preview)
    open_questions(page, live_server, launch)
    assert page.get_by_text(NOTICE).count() == int(arm == "direct")
    assert posts == []
    assert page.evaluate("localStorage.length") == 0


@pytest.mark.parametrize(
    ("width", "schemes", "rules"), [(360, BOTH_SCHEMES, ()), (1280, ["light"], LAYOUT)]
)
def test_the_direct_question_and_the_wait_are_well(live_server, new_context, width, schemes, rules):
    launch = armed_survey()
    page, _posts = page_in(new_context, launch, "direct")
    page.set_viewport_size({"width": width, "height": 800})
    page.route("**/arm/", lambda route: route.abort())
    page.goto(address(live_server, launch))
    press(page, "I agree")
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    assert_well(page, f"the wait for the arm at {width}", schemes=schemes, rules=rules)
    page.unroute("**/arm/")
    press(page, "Try now")
    press(page, "Start")
    expect(page.get_by_text(NOTICE)).to_be_visible()
    described = question(page, DRUG).get_by_role("radiogroup").get_attribute("aria-describedby")
    hints = page.locator(f"#{described.split()[0]}")
    expect(hints).to_contain_text(NOTICE)
    assert_well(page, f"a direct question at {width}", schemes=schemes, rules=rules)


def test_in_german(live_server, new_context):
    launch = armed_survey(language="de")
    page, _posts = page_in(new_context, launch, "direct")
    page.goto(address(live_server, launch))
    page.locator("#start").click()
    press(page, "Beginnen")
    expect(page.get_by_text("Ihre Antwort wird hier nicht verwürfelt.")).to_be_visible()
