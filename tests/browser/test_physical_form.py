"""A physical randomizer in a real browser with scripts off: from the link to the tally."""

from collections.abc import Iterator
from decimal import Decimal
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Launch, Submission
from surveys.responses import tallies
from surveys.services.transitions import close_survey
from tests import german
from tests.browser.axe import assert_well, assert_well_in_sizes
from tests.browser.respondent import (
    DIRECT,
    SENSITIVE,
    address,
    arrive,
    press,
    stored,
    survey,
    unfold_sent,
)
from tests.browser.support import serving

pytestmark = pytest.mark.browser

COINS = {**SENSITIVE, "physical_device": "two_coins"}
SCALE = {
    "text": "How often did you feel unsafe?",
    "kind": "scale",
    "options": ["Never", "Rarely", "Often"],
    "prefer_not": True,
    "epsilon": Decimal("1.5"),
    "physical_device": "two_dice",
}
BIRTHDAY = {
    "text": "Did you take something home?",
    "epsilon": Decimal("1.2"),
    "physical_device": "crosswise_birthday",
    "required": False,
}
TOOLS = {
    "text": "Which of these do you use?",
    "kind": "multiple_choice",
    "options": ["Saw", "Drill"],
    "randomized": False,
    "required": False,
}
PAGE_ONLY = {"text": "Ill without being ill?", "required": False}
FILTERED = [
    {"name": "work", "text": "Are you in paid work?", "randomized": False, "epsilon": None},
    {
        "name": "nights",
        "text": "Do you work at night?",
        "randomized": False,
        "epsilon": None,
        "features": {"filters": {"only_if": "work = Yes"}},
    },
    {**COINS, "name": "drug"},
    {
        **SCALE,
        "name": "often",
        "prefer_not": False,
        "features": {"filters": {"only_if": "drug = Yes"}},
    },
]
ALL = [COINS, SCALE, BIRTHDAY, DIRECT, TOOLS, PAGE_ONLY]
TRUTHS = ("Yes", "No", "Never", "Rarely", "Often", "Prefer")


@pytest.fixture
def silent(new_context) -> Page:
    """A page in a browser with JavaScript switched off."""
    return new_context(java_script_enabled=False).new_page()


def walk_to_form(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("link", name="Answer with a device of your own").click()
    expect(page.get_by_role("heading", name="Chance in your own hands")).to_be_visible()


def pick(page: Page, question: str, label: str) -> None:
    group = page.get_by_role("group", name=question)
    group.get_by_label(label, exact=True).check()


def answer_all(page: Page) -> None:
    pick(page, COINS["text"], "B")
    pick(page, SCALE["text"], "D")
    pick(page, BIRTHDAY["text"], "A")
    pick(page, DIRECT["text"], "One to three")
    pick(page, TOOLS["text"], "Drill")


def receipt_on(page: Page) -> str:
    return page.locator(".receipt__code").inner_text()


def test_from_the_link_to_the_tally_without_a_script(live_server, silent):
    launch = survey(questions=ALL, budget=Decimal(9))
    walk_to_form(silent, address(live_server, launch))
    answer_all(silent)
    press(silent, "Send")

    expect(silent.get_by_role("heading", name="Thank you. It is stored.")).to_be_visible()
    assert len(receipt_on(silent)) == 19
    unfold_sent(silent)
    told = silent.locator("dl.fields > div").all_inner_texts()
    assert told == [
        f"{COINS['text']}\nThe letter B",
        f"{SCALE['text']}\nThe letter D",
        f"{BIRTHDAY['text']}\nThe letter A",
        f"{DIRECT['text']}\nSent as it is: One to three",
        f"{TOOLS['text']}\nSent as it is: Drill",
        f"{PAGE_ONLY['text']}\nNothing was sent for this question.",
    ]
    tallies.aggregate_waiting(launch.pk)
    _, counts = tallies.snapshot(launch.pk)
    assert counts == {
        ("q1", "physical"): [0, 1],
        ("q2", "physical"): [0, 0, 0, 1],
        ("q3", "physical"): [1, 0],
        ("q4", "page"): [0, 1, 0],
        ("q5_1", "page"): [1, 0],
        ("q5_2", "page"): [0, 1],
    }
    assert tallies.recount(launch) == counts


def test_only_letters_leave_the_browser(live_server, silent):
    launch = survey(questions=[COINS, SCALE, BIRTHDAY], budget=Decimal(9))
    requests = []
    silent.on("request", lambda request: requests.append(request))
    walk_to_form(silent, address(live_server, launch))
    requests.clear()
    pick(silent, COINS["text"], "B")
    pick(silent, SCALE["text"], "C")
    press(silent, "Send")
    receipt_on(silent)

    posts = [request for request in requests if request.method == "POST"]
    assert [request.url for request in posts] == [f"{address(live_server, launch)}physical/?sent"]
    body = parse_qs(posts[0].post_data, keep_blank_values=True)
    assert set(body) == {"digest", "submission", "report-q1", "report-q2", "report-q3"}
    assert (body["report-q1"], body["report-q2"], body["report-q3"]) == (["B"], ["C"], ["."])
    assert not {"script", "fetch", "xhr", "ping"} & {each.resource_type for each in requests}
    assert not [r.url for r in requests if any(truth in r.url for truth in TRUTHS)]


def test_with_scripts_on_there_is_still_none(live_server, new_context):
    page = new_context().new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.resource_type))
    page.goto(f"{address(live_server, survey(questions=[COINS]))}physical/")
    assert page.evaluate("document.scripts.length") == 0
    assert page.evaluate("document.cookie + localStorage.length + sessionStorage.length") == "00"
    assert "script" not in requests


def test_the_page_with_scripts_offers_it_under_its_welcome(live_server, new_context_in_each):
    """It has checked the parameters by then: denominators of 4, 36 and 1461 beside its own."""
    launch = survey(questions=ALL, budget=Decimal(9))
    page = arrive(new_context_in_each().new_page(), address(live_server, launch))
    link = page.get_by_role("link", name="Rather use a coin or a die of your own?")
    expect(link).to_be_visible()
    link.click()
    expect(page.get_by_role("heading", name="Chance in your own hands")).to_be_visible()
    answer_all(page)
    press(page, "Send")
    expect(page.get_by_role("heading", name="Thank you. It is stored.")).to_be_visible()
    assert stored() == 1


def test_without_a_physical_randomizer_it_says_that_javascript_is_needed(live_server, silent):
    silent.goto(address(live_server, survey()))
    expect(silent.get_by_role("heading", name="This survey needs JavaScript")).to_be_visible()
    assert silent.get_by_role("link", name="Answer with a device").count() == 0


def test_pressing_twice_going_back_and_reloading_store_one_response(live_server, silent):
    launch = survey(questions=[COINS])
    walk_to_form(silent, address(live_server, launch))
    pick(silent, COINS["text"], "A")
    silent.get_by_role("button", name="Send").dblclick()
    first = receipt_on(silent)

    silent.reload()
    assert receipt_on(silent) == first
    expect(silent.get_by_role("heading", name="This form had arrived before")).to_be_visible()

    silent.go_back()
    expect(silent.get_by_role("heading", name="Chance in your own hands")).to_be_visible()
    pick(silent, COINS["text"], "B")
    press(silent, "Send")
    assert receipt_on(silent) == first
    assert stored() == 1
    assert Submission.objects.get().content["reports"] == {"q1": 0}


def test_a_missing_letter_is_named_and_the_others_stay(live_server, silent):
    launch = survey(questions=[COINS, SCALE], budget=Decimal(9))
    walk_to_form(silent, address(live_server, launch))
    pick(silent, COINS["text"], "B")
    press(silent, "Send")

    summary = silent.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(summary.get_by_role("link")).to_have_text(SCALE["text"])
    assert silent.title().startswith("Not sent yet: ")
    summary.get_by_role("link").click()
    silent.keyboard.press("Space")
    expect(silent.locator(":focus")).to_be_checked()
    press(silent, "Send")
    receipt_on(silent)
    assert Submission.objects.get().content["reports"]["q1"] == 1
    assert stored() == 1


def test_the_keyboard_is_enough(live_server, silent):
    silent.goto(f"{address(live_server, survey(questions=[COINS]))}physical/")
    for _ in range(10):
        silent.keyboard.press("Tab")
        if silent.locator("input:focus").count():
            break
    silent.keyboard.press("Space")
    silent.keyboard.press("ArrowDown")
    silent.keyboard.press("Tab")
    expect(silent.get_by_role("button", name="Send")).to_be_focused()
    silent.keyboard.press("Enter")
    receipt_on(silent)
    assert Submission.objects.get().content["reports"] == {"q1": 1}


def test_it_works_without_its_styles(live_server, silent):
    launch = survey(questions=ALL, budget=Decimal(9))
    silent.route("**/*.css", lambda route: route.abort())
    silent.goto(f"{address(live_server, launch)}physical/")
    answer_all(silent)
    press(silent, "Send")
    assert len(receipt_on(silent)) == 19


def test_it_works_in_a_frame_of_a_site_that_the_author_named(live_server, new_context, tmp_path):
    """The frame's own post is same-origin, though the page around it is another site."""
    with serving(tmp_path) as outside:
        launch = survey(questions=[COINS], embed_origins=outside)
        inner = f"{address(live_server, launch)}physical/"
        (tmp_path / "index.html").write_text(f'<title>x</title><iframe src="{inner}"></iframe>')
        page = new_context().new_page()
        page.goto(outside)
        frame = page.frame_locator("iframe")
        frame.get_by_label("A", exact=True).check()
        frame.get_by_role("button", name="Send").click()
        expect(frame.locator(".receipt__code")).to_be_visible()
    assert stored() == 1


# --- how it looks and speaks ---------------------------------------------------------------------


def send(page: Page) -> None:
    """Send, and stay until the answer is there: a click does not wait for the page that it asks
    for, and to look at once would be to look at the old one, or between the two.
    """
    with page.expect_navigation():
        press(page, "Send")


def states(page: Page, live_server, launch: Launch) -> Iterator[str]:
    """Every page of this path; scripts are on for axe, the pages have none."""
    url = f"{address(live_server, launch)}physical/"
    page.goto(url)
    yield "form"
    page.get_by_text("More about this").click()
    yield "more"
    send(page)
    yield "errors"
    answer_all(page)
    send(page)
    yield "sent"
    page.reload()
    yield "sent before"
    page.goto(url)
    page.locator("[name=digest]").evaluate("node => { node.value = 'sha256:0' }")
    send(page)
    yield "stale"
    page.goto(url)
    close_survey(survey=launch.survey, actor=None)
    send(page)
    yield "closed meanwhile"
    page.goto(url)
    yield "closed"
    page.goto(f"{address(live_server, survey(slug='page-only'))}physical/")
    yield "not offered"


def test_axe_finds_nothing_in_any_state(live_server, new_context):
    page = new_context(viewport={"width": 320, "height": 800}, bypass_csp=True).new_page()
    behind = {"features": {"filters": {"only_if": "q4 = One to three"}}}
    of_some = {**DIRECT, "text": "Which ones?", "required": False, **behind}
    questions = [*ALL, of_some]
    for state in states(page, live_server, survey(questions=questions, budget=Decimal(9))):
        assert_well_in_sizes(page, state, [(320, 800), (360, 800), (1280, 800)])


def test_axe_finds_nothing_without_styles(live_server, new_context):
    page = new_context(bypass_csp=True).new_page()
    page.route("**/*.css", lambda route: route.abort())
    page.goto(f"{address(live_server, survey(questions=ALL, budget=Decimal(9)))}physical/")
    # A bare radio is 13 px; the label beside it is the target that the sheet makes larger.
    assert_well(page, without=["target-size"])


def test_letters_are_easy_to_hit(live_server, new_context):
    page = new_context(viewport={"width": 320, "height": 800}).new_page()
    page.goto(
        f"{address(live_server, survey(questions=[COINS, SCALE], budget=Decimal(9)))}physical/"
    )
    boxes = [option.bounding_box() for option in page.locator("label.option").all()]
    assert len(boxes) == 6
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44


def test_in_german_no_english_shows(live_server, silent):
    questions = [
        {"text": "Haben Sie gefehlt?", "epsilon": Decimal("1.1"), "physical_device": device}
        for device in ("two_coins", "crosswise_digit", "crosswise_birthday", "phone_digit")
    ]
    questions += [
        {**questions[0], "epsilon": Decimal(2), "prefer_not": True, "physical_device": "two_dice"},
        {"text": "Leiten Sie andere an?", "randomized": False, "required": False},
        {"text": "Und krank?", "required": False},
    ]
    values = {**german.SURVEY, "slug": "de", "questions": questions, "budget": Decimal(9)}
    launch = survey(**values)
    silent.goto(f"{address(live_server, launch)}physical/")
    assert german.english_in(silent.locator("body").inner_text()) == []
    with silent.expect_navigation():
        press(silent, "Senden")
    assert german.english_in(silent.locator("body").inner_text()) == []
    for question in range(1, 6):
        silent.locator(f"#report-q{question}_0").check()
    press(silent, "Senden")
    assert len(receipt_on(silent)) == 19
    assert german.english_in(silent.locator("body").inner_text()) == []


def test_whoever_a_question_is_not_for_sends_a_letter_and_no_blank_leaves_the_browser(
    live_server, silent
):
    """The browser stops a blank that would say whom a scrambled question is for."""
    launch = survey(questions=FILTERED, budget=Decimal(9))
    posted: list[str] = []
    silent.on("request", lambda request: posted.append(request.method))
    walk_to_form(silent, address(live_server, launch))
    work, nights, drug, often = (each["text"] for each in FILTERED)
    pick(silent, work, "No")
    pick(silent, nights, "Yes")
    pick(silent, drug, "A")
    press(silent, "Send")
    assert silent.get_by_role("group", name=often).locator(":invalid").count() == 4
    assert "POST" not in posted
    pick(silent, often, "D")
    press(silent, "Send")

    expect(silent.get_by_role("alert")).to_contain_text("Your other answers say it is not")
    expect(silent.get_by_role("group", name=often).get_by_label("D", exact=True)).to_be_checked()
    pick(silent, nights, "It is not for me")
    press(silent, "Send")
    expect(silent.get_by_role("heading", name="Thank you. It is stored.")).to_be_visible()
    reports = Submission.objects.get().content["reports"]
    assert reports == {"work": 0, "drug": 0, "often": 3}
