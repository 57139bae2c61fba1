"""Sections of a survey: titles, texts, several questions on a page, pages that ask nothing."""

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Receipt
from tests.browser.axe import assert_well_in_sizes
from tests.browser.focus import walk_in_sizes
from tests.browser.joint import THREE
from tests.browser.respondent import (
    CARDS,
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

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
WORK = {"section_title": "At work", "section_text": "Two questions about your shifts."}
LEAVING = {"section_title": "About leaving", "section_text": "Almost done.", "section_apart": True}
QUESTIONS = [
    {**DIRECT, **WORK},
    SENSITIVE,
    {**SENSITIVE, "text": "Did you ever take something home?", "section_together": True},
    {**CARDS, "text": "What would make you leave?"},
    {**DIRECT, "text": "How often did you think of leaving?", **LEAVING},
]
LAST = {"last_page_title": "One moment more", "last_page_text": "Take a breath, then send."}
SIZES = [(360, 740), (1280, 800)]


def position(page: Page) -> str:
    return page.locator(".progress p").inner_text()


def bar(page: Page) -> list[int]:
    return page.locator(".progress progress").evaluate("(bar) => [bar.value, bar.max]")


def titled(page: Page, name: str) -> None:
    """The title of the page takes the focus."""
    expect(page.locator("#respond h2", has_text=name).first).to_be_focused()


def shown(page: Page, number: int) -> None:
    expect(page.locator("#respond .question")).to_have_count(number)


def two_on_a_page(page: Page) -> None:
    """Each has to be complete before the next page comes."""
    titled(page, "Questions 3 to 4 of 5")
    shown(page, 2)
    assert bar(page) == [4, 5]
    assert_well_in_sizes(page, "two questions on a page", SIZES)
    first, second = page.locator(".question").all()
    choose(first, "No")
    press(first, "Spin")
    expect(first).to_have_attribute("data-state", "drawn")
    choose(second, "Alcohol")
    press(page, "Next")
    expect(second.get_by_role("alert")).not_to_be_empty()
    assert page.title().startswith("Not complete")
    press(second, "Draw a card")
    expect(second).to_have_attribute("data-state", "drawn")
    assert not page.title().startswith("Not complete")
    press(page, "Next")


def reload_and_send(page: Page) -> None:
    """After a reload it goes on with the first question that is not answered."""
    page.reload()
    shown(page, 1)
    assert position(page) == "Question 1 of 5"
    choose(page, "None")
    press(page, "Next")
    press(page, "Next")
    press(page, "Next")
    press(page, "Next")
    choose(page, "None")
    press(page, "Next")
    press(page, "Send")
    assert receipt(page)
    assert Receipt.objects.count() == 1


def test_a_phone_is_led_through_the_sections_and_back(live_server, new_context):
    page = new_context(viewport=PHONE).new_page()
    arrive(page, address(live_server, survey(questions=QUESTIONS, **LAST)))
    to_questions(page)

    titled(page, "At work")
    expect(page.locator(".section")).to_contain_text("Two questions about your shifts.")
    assert (position(page), bar(page)) == ("Question 1 of 5", [1, 5])
    assert page.title().startswith("Question 1 of 5")
    assert_well_in_sizes(page, "the first page of a section", SIZES)
    walk_in_sizes(page, "the first page of a section")
    choose(page, "None")
    press(page, "Next")

    titled(page, "Have you ever used a drug at work?")
    expect(page.locator(".section__name")).to_have_text("At work")
    expect(page.get_by_text("Two questions about your shifts.")).to_have_count(0)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")

    two_on_a_page(page)

    # A page that asks nothing.
    titled(page, "About leaving")
    shown(page, 0)
    assert bar(page) == [4, 5]
    assert_well_in_sizes(page, "a statement", SIZES)
    press(page, "Back")
    shown(page, 2)
    press(page, "Next")
    press(page, "Next")
    titled(page, "How often did you think of leaving?")
    expect(page.locator(".section__name")).to_have_text("About leaving")
    assert (position(page), bar(page)) == ("Question 5 of 5", [5, 5])

    choose(page, "None")
    press(page, "Next")
    titled(page, "One moment more")
    expect(page.get_by_text("Take a breath, then send.")).to_be_visible()
    reload_and_send(page)


def test_what_is_left_out_is_found_from_the_last_page(live_server, new_context):
    """Whoever goes back by the browser and clears an answer is led to its page, and to it."""
    page = new_context().new_page()
    arrive(page, address(live_server, survey(questions=QUESTIONS[2:], **LAST)))
    to_questions(page)
    shown(page, 2)
    first, second = page.locator(".question").all()
    choose(first, "No")
    press(first, "Spin")
    expect(first).to_have_attribute("data-state", "drawn")
    choose(second, "Alcohol")
    press(second, "Draw a card")
    expect(second).to_have_attribute("data-state", "drawn")
    press(page, "Next")
    press(page, "Next")
    choose(page, "None")
    press(page, "Next")
    titled(page, "One moment more")
    # In the back/forward cache no choice is kept, so an earlier page is open again.
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    press(page, "Send")
    shown(page, 1)
    expect(page.locator(".question").get_by_role("alert")).not_to_be_empty()
    assert page.title().startswith("Not complete")


@pytest.mark.parametrize("layout", ["one", "all"])
def test_sections_stand_above_their_questions_on_one_page_too(live_server, new_context, layout):
    page = new_context().new_page()
    arrive(page, address(live_server, survey(questions=QUESTIONS, layout=layout, **LAST)))
    to_questions(page)
    shown(page, 1 if layout == "one" else 5)
    names = page.locator("#respond h2").all_inner_texts()
    if layout == "one":
        assert names == ["At work", DIRECT["text"]]
        return
    texts = [each["text"] for each in QUESTIONS]
    assert names == [
        "The questions",
        *("At work", *texts[:2]),
        *(*texts[2:4], "About leaving", texts[4], "One moment more"),
    ]
    assert_well_in_sizes(page, "all on one page", SIZES)


def test_the_first_page_waits_for_what_all_of_its_questions_need(live_server, new_context):
    """Beside each other questions need what shows the second of them at once."""
    page = new_context().new_page()
    questions = [{**SENSITIVE, "section_together": True}, CARDS, DIRECT]
    arrive(page, address(live_server, survey(questions=questions)))
    to_questions(page)
    titled(page, "Questions 1 to 3 of 3")
    shown(page, 3)


@pytest.mark.parametrize(
    ("together", "pages"), [((0,), [3]), ((1,), [1, 2]), ((), [1, 1, 1])], ids=str
)
def test_questions_with_one_draw_are_answered_on_whichever_pages(
    live_server, new_context, together, pages
):
    page = new_context().new_page()
    questions = [
        {**each, "section_title": f"Part {i}", "section_together": True} if i in together else each
        for i, each in enumerate(THREE)
    ]
    arrive(page, address(live_server, survey(questions=questions)))
    to_questions(page)
    for number, count in enumerate(pages):
        shown(page, count)
        for place, question in enumerate(page.locator(".question").all()):
            question.get_by_role("radio").first.check()
            labelled = question.locator("p.num")
            index = sum(pages[:number]) + place + 1
            if count > 1:
                expect(labelled).to_have_text(f"Question {index}")
            else:
                expect(labelled).to_have_count(0)
        if number < len(pages) - 1:
            press(page, "Next")
    spin(page)
    press(page, "Send")
    assert receipt(page)


DRAWS_OF = "crypto.getRandomValues = (bytes) => bytes.fill(%s);"
IN_ANY_ORDER = [
    {**SENSITIVE, "text": "A?", "section_title": "Habits", "section_random": True},
    {**CARDS, "text": "B?"},
    {**SENSITIVE, "text": "C?"},
    {**DIRECT, "text": "D?", "section_title": "About you"},
]


def test_chance_orders_questions_and_nothing_that_leaves_the_browser_tells_how(
    live_server, new_context
):
    launch = survey(questions=IN_ANY_ORDER)
    asked, sent = {}, {}
    for draw in (0, 2):
        context = new_context(fresh=True)
        context.add_init_script(DRAWS_OF % draw)
        page, requests = context.new_page(), []
        page.on("request", lambda request, to=requests: to.append(request))
        arrive(page, address(live_server, launch))
        to_questions(page)
        asked[draw] = []
        for number in range(1, 5):
            question = page.locator(".question")
            asked[draw].append(question.get_by_role("heading").first.inner_text())
            assert position(page) == f"Question {number} of 4"
            question.get_by_role("radio").first.check()
            act = question.locator(".device button")
            if number < 4:
                act.click()
                expect(question).to_have_attribute("data-state", "drawn")
            press(page, "Send" if number == 4 else "Next")
        assert receipt(page)
        (post,) = [each for each in requests if each.method == "POST"]
        reports = post.post_data_json["reports"]
        sent[draw] = (list(reports), len(post.post_data), sorted({each.url for each in requests}))
    assert asked == {0: ["B?", "C?", "A?", "D?"], 2: ["B?", "A?", "C?", "D?"]}
    assert sent[0] == sent[2]
    assert sent[0][0] == ["q1", "q2", "q3", "q4"]


HOURS = {"lower": "0", "upper": "60", "step": "1", "unit": "hours", "bins": [0, 20, 40]}
DAYS = {"lower": "0", "upper": "30", "step": "1", "unit": "days", "bins": []}
NUMBER = {"kind": "bounded_number", "scale": HOURS}
NUMBERS = [
    {**NUMBER, "text": "Hours worked?", "section_title": "Last week", "section_together": True},
    {**NUMBER, "text": "Hours paid off the books?", "prefer_not": True},
    {**NUMBER, "text": "Days ill?", "scale": DAYS, "design": "one_bit"},
    {**NUMBER, "text": "Hours on the way?", "randomized": False},
]


def test_several_numbers_on_a_page_are_each_their_own(live_server, new_context):
    """Each has its field, range, bin, complaint and device, in sizes from a phone to a desk."""
    page = new_context(viewport=PHONE).new_page()
    arrive(page, address(live_server, survey(questions=NUMBERS)))
    to_questions(page)
    shown(page, 4)
    assert_well_in_sizes(page, "several numbers", SIZES)
    questions = page.locator(".question").all()
    fields = [question.get_by_role("textbox") for question in questions]
    for field, number in zip(fields, ("38", "4", "31", "7"), strict=True):
        field.fill(number)
    assert [question.get_by_text("Counts as").inner_text() for question in questions[:2]] == [
        "Counts as “20 to 39 hours”.",
        "Counts as “0 to 19 hours”.",
    ]
    assert_well_in_sizes(page, "several numbers with their devices", SIZES)
    for question in questions[:2]:
        press(question, "Spin")
        expect(question).to_have_attribute("data-state", "drawn")
    # The third is no number of its own scale, though it is one of that of the others.
    press(page, "Send")
    expect(questions[2].get_by_role("alert")).not_to_be_empty()
    fields[2].fill("30")
    press(questions[2], "Spin")
    expect(questions[2]).to_have_attribute("data-state", "drawn")
    with page.expect_request(lambda request: request.method == "POST") as sent:
        press(page, "Send")
    assert receipt(page)
    reports = sent.value.post_data_json["reports"]
    # That of the last is its bin.
    assert (list(reports), reports["q4"]) == (["q1", "q2", "q3", "q4"], 0)


def test_help_stands_after_a_section_for_everybody(live_server, new_context):
    questions = [
        {**SENSITIVE, "section_title": "Hard times", "help_after_section": True},
        {**SENSITIVE, "text": "Were you ever hurt?", "required": False},
        {**DIRECT, "section_title": "About you"},
    ]
    page = new_context().new_page()
    launch = survey(questions=questions, help_text="Call 116 006.")
    assert launch.document["support"]["after"] == ["q2"]
    arrive(page, address(live_server, launch))
    to_questions(page)
    box = page.locator("#respond .support-box")
    expect(box).to_have_count(0)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    # Before anything is answered, and where nothing is.
    expect(box).to_be_visible()
    press(page, "Next")
    expect(box).to_have_count(0)


def test_the_form_without_scripts_has_the_sections(live_server, new_context):
    coin = {**SENSITIVE, "physical_device": "two_coins"}
    questions = [{**coin, **WORK}, {**DIRECT, **LEAVING}]
    launch = survey(questions=questions, **LAST)
    page = new_context(java_script_enabled=False, viewport=PHONE).new_page()
    page.goto(f"{live_server.url}/s/{launch.survey.slug}/physical/")
    titles = page.locator("form.physical h3").all_inner_texts()
    assert titles == [
        *("At work", SENSITIVE["text"], "About leaving", DIRECT["text"]),
        "One moment more",
    ]
