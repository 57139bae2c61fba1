"""Scales, multiple choice in both forms, and devices with a delta, from the page to the store."""

import re
from decimal import Decimal

import pytest
from playwright.sync_api import Locator, Page, expect

from surveys.models import Submission
from tests.browser.respondent import (
    DIRECT,
    EACH,
    SCALE,
    WHOLE,
    address,
    arrive,
    choose,
    press,
    receipt,
    spin,
    survey,
    tick,
    to_questions,
    unfold_sent,
)
from tests.devices import devices_of

pytestmark = pytest.mark.browser

# For so rare a trait the best device sends B for one of a hundred who have it, and for nobody else.
RARE = {
    "design": "optimal_binary",
    "design_parameters": {"delta": "0.01", "prevalence": "0.001"},
    "text": "Have you ever sold a drug at work?",
}
# The same byte again and again: every device sends its first report.
FIRST = "Crypto.prototype.getRandomValues = function (array) { return array.fill(7); };"


def open_questions(live_server, new_context, *questions, **options) -> Page:
    context = new_context(**options)
    page = arrive(context.new_page(), address(live_server, survey(questions=[*questions])))
    if any(question.get("randomized", True) for question in questions):
        to_questions(page)
    else:
        press(page, "I agree")
    return page


def box(page: Page, label: str) -> Locator:
    return page.get_by_role("checkbox", name=label, exact=True)


def send(page: Page) -> dict[str, int]:
    press(page, "Send")
    receipt(page)
    return Submission.objects.get().content["reports"]


# --- tick all that apply ------------------------------------------------------------------------


def test_none_and_a_refusal_stand_alone_and_the_picture_depends_on_no_box(live_server, new_context):
    page = open_questions(live_server, new_context, {**EACH, "prefer_not": True})
    labels = page.locator(".question .option").all_inner_texts()
    assert labels == ["Paper", "Tools", "Food", "None of these", "Prefer not to say"]
    tick(page, "Paper", "Food")
    expect(box(page, "Paper")).to_be_checked()
    for alone in ("Prefer not to say", "None of these"):
        tick(page, alone)
        assert page.locator(".question :checked").count() == 1
    tick(page, "Tools")
    expect(box(page, "None of these")).not_to_be_checked()
    expect(box(page, "Tools")).to_be_checked()
    seen = set()
    for label in ("Paper", "Tools", "None of these", "Prefer not to say"):
        tick(page, label)
        seen.add(page.locator(".device").inner_html())
    assert len(seen) == 1


def test_none_that_the_author_listed_is_the_one_box_that_stands_alone(live_server, new_context):
    question = {**EACH, "options": ["Paper", "None of These"], "prefer_not": True}
    page = open_questions(live_server, new_context, question)
    labels = page.locator(".question .option").all_inner_texts()
    assert labels == ["Paper", "None of These", "Prefer not to say"]
    for alone in ("None of These", "Paper", "Prefer not to say", "None of These"):
        tick(page, alone)
        assert page.locator(".question :checked").count() == 1
    spin(page)
    assert set(send(page)) == {"q1_1", "q1_2", "q1_3"}


def test_an_empty_list_is_no_answer_and_none_of_these_is_one(live_server, new_context):
    page = open_questions(live_server, new_context, EACH)
    press(page, "Send")
    expect(page.get_by_text("Choose an answer before you go on.")).to_be_visible()
    assert page.evaluate("document.activeElement.type") == "checkbox"
    expect(page.get_by_role("button", name="Spin")).to_be_hidden()
    tick(page, "Paper")
    box(page, "Paper").uncheck()
    expect(page.get_by_role("button", name="Spin")).to_be_hidden()
    tick(page, "None of these")
    spin(page)
    assert set(send(page)) == {"q1_1", "q1_2", "q1_3"}


def test_one_spin_shows_a_code_for_every_option_and_tells_who_sends_it(live_server, new_context):
    page = open_questions(live_server, new_context, EACH)
    tick(page, "Paper", "Food")
    spin(page)
    # Epsilon 1 over 3 options: 1 / (1 + e**(1/3)) = 0.417 change.
    expect(
        page.get_by_text("About 6 in 10 people send the letter of their real answer.")
    ).to_be_visible()
    lines = page.locator(".codes li").all_inner_texts()
    letters = [line.rsplit(": ", 1)[1].strip() for line in lines]
    assert [line.rsplit(": ", 1)[0].split("\n")[-1] for line in lines] == EACH["options"]
    told = page.locator(".result__code").inner_text()
    assert told == f"This is what will be sent: {' '.join(letters)}."
    assert page.locator("#announcer").inner_text() == told
    reports = send(page)
    assert ["AB"[reports[f"q1_{i}"]] for i in (1, 2, 3)] == letters
    # Field by field on the last page.
    unfold_sent(page)
    names = page.locator(".fields dt").all_inner_texts()[:3]
    assert names == [f"reports.q1_{i}: {reports[f'q1_{i}']}" for i in (1, 2, 3)]


def test_the_whole_set_turns_its_own_wheel(live_server, new_context):
    """The one wide sector belongs to the code of the subset: the sum of the powers of two."""
    page = open_questions(
        live_server, new_context, {**WHOLE, "epsilon": Decimal("5"), "prefer_not": True}
    )
    for labels, truth in [
        (["Paper"], 1),
        (["None of these"], 0),
        (["Food"], 4),
        (["Paper", "Tools"], 7),
        (["Prefer not to say"], 8),
    ]:
        tick(page, *labels)
        assert page.locator(".device .letter").all_text_contents() == ["ABCDEFGHI"[truth]]
    spin(page)
    assert set(send(page)) == {"q1"}


def test_the_whole_set_names_a_subset_in_words(at_questions):
    launch = survey(questions=[{**WHOLE, "options": ["Paper", "Tools"]}])
    page = at_questions(launch, script=FIRST)
    page.get_by_text("The exact numbers").click()
    rows = page.locator("table.outcomes tbody tr").all_inner_texts()
    assert rows == ["None of these\tA", "Paper\tB", "Tools\tC", "Paper and Tools\tD"]
    tick(page, "Paper", "Tools")
    spin(page)
    expect(page.get_by_text("people who mean “None of these”, ")).to_be_visible()


def test_boxes_that_are_sent_as_they_are(live_server, new_context):
    page = open_questions(
        live_server, new_context, {**EACH, "randomized": False, "prefer_not": True}
    )
    expect(page.get_by_text("This one is sent as it is.")).to_be_visible()
    tick(page, "Paper", "Food")
    assert send(page) == {"q1_1": 1, "q1_2": 0, "q1_3": 1, "q1_4": 0}
    unfold_sent(page)
    told = page.locator(".fields__code").all_inner_texts()
    assert told == [f"Sent as it is: {x}" for x in ("Ticked", "Not ticked", "Ticked", "Not ticked")]


def test_none_of_the_boxes_is_sent_as_none(live_server, new_context):
    page = open_questions(
        live_server, new_context, {**EACH, "randomized": False, "required": False}, DIRECT
    )
    tick(page, "None of these")
    press(page, "Next")
    choose(page, "None")
    assert send(page) == {"q1_1": 0, "q1_2": 0, "q1_3": 0, "q2": 0}


@pytest.mark.parametrize("randomized", [True, False])
def test_boxes_can_be_left_out_as_a_whole(live_server, new_context, randomized):
    optional = {**EACH, "required": False, "randomized": randomized}
    page = open_questions(live_server, new_context, optional, DIRECT)
    tick(page, "Paper", "Food")
    press(page, "Clear my choice")
    assert page.locator(":checked").count() == 0
    press(page, "Next")
    choose(page, "None")
    assert send(page) == {"q2": 0}
    unfold_sent(page)
    expect(page.get_by_text("Nothing was sent for this question.").first).to_be_visible()


def test_practice_is_yes_or_no_before_boxes_of_a_device_each(arrived):
    launch = survey(questions=[{**EACH, "prefer_not": True}])
    page = arrived(launch)
    press(page, "I agree")
    choose(page, "Yes")
    spin(page)
    expect(page.locator(".result__code")).to_have_text(re.compile("would be sent: [AB][.]"))
    assert page.evaluate("localStorage.length") == 0
    press(page, "Start")
    expect(page.get_by_text("Chance treats each box separately.")).to_be_visible()


def test_fifty_boxes(live_server, new_context):
    options = [f"Region number {number}" for number in range(1, 51)]
    question = {**EACH, "options": options, "epsilon": Decimal("5")}
    page = open_questions(live_server, new_context, question)
    tick(page, "Region number 7", "Region number 50")
    spin(page)
    assert len(send(page)) == 50


def test_what_all_options_tell_together_is_in_the_total(arrived):
    """Three options share an epsilon of 0.9: 2.46 to 1 is 71.1 of 100."""
    launch = survey(questions=[{**EACH, "epsilon": Decimal("0.9")}])
    page = arrived(launch)
    page.get_by_text("More about this").click()
    expect(page.locator("#budget")).to_contain_text("use 0.9 of a privacy budget (epsilon) of 6.")
    expect(page.locator("#budget")).to_contain_text("right at most 72 times in 100")


# --- scales -------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [320, 1280])
def test_a_scale_is_a_row_of_radios_with_its_ends_in_sight(live_server, new_context, width):
    viewport = {"width": width, "height": 700}
    page = open_questions(
        live_server, new_context, {**SCALE, "prefer_not": True}, viewport=viewport
    )
    places = [one.bounding_box() for one in page.locator(".question .option").all()]
    *scale, refusal = places
    axis = "y" if width < 560 else "x"
    assert [place[axis] for place in scale] == sorted(place[axis] for place in scale)
    assert len({round(place["x" if axis == "y" else "y"]) for place in scale}) == 1
    assert refusal["y"] >= max(place["y"] + place["height"] for place in scale)
    assert min(place["height"] for place in places) >= 44
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    weight = "(all) => all.map((x) => getComputedStyle(x).fontWeight)"
    weights = page.locator(".question .option").evaluate_all(weight)
    assert weights == ["650", "400", "400", "400", "650", "400"]


# --- a device with a delta ----------------------------------------------------------------------

ALONE = "Of 1,000 people who mean “Yes”, 10 send a letter that only they can send."


def test_codes_that_prove_an_answer_are_counted_before_it_is_given(arrived):
    page = arrived(survey(questions=[RARE]))
    expect(page.get_by_text("Only you, except where a rare letter shows it")).to_be_visible()
    press(page, "I agree")
    practise(page)
    assert page.get_by_text("No letter proves an answer").count() == 0
    choose(page.locator(".quiz").first, "Yes")
    press(page, "Check")
    expect(page.get_by_text("Right. Where only one answer can send a letter,")).to_be_visible()
    press(page, "Start")
    expect(page.get_by_text(ALONE)).to_be_visible()
    choose(page, "Yes")
    spin(page)
    # 1 of 100 sends B, all others A.
    shown = page.locator(".result").inner_text()
    assert "Of 100 people who mean “Yes”, " in shown


YES_NO = {"text": "Do you smoke?"}
SEEN = "Can we see your real answer to a scrambled question?"


def practise(page: Page) -> None:
    """Answer the practice, and unfold the two quick questions."""
    choose(page.locator(".practice"), "Yes")
    spin(page)
    page.get_by_text("Two quick questions").click()


def seeing(page: Page, question: str) -> Locator:
    """The second of the two quick questions, with this text, as it helps after a right answer."""
    quiz = page.locator(".quiz").nth(1)
    expect(quiz.get_by_role("heading", name=question, exact=True)).to_be_visible()
    choose(quiz, "No")
    press(page, "Check")
    return quiz.locator(".quiz__help")


def test_no_sentence_forgets_a_rare_code_of_another_question(arrived):
    """The example is the first question; the second one has the code that proves."""
    launch = survey(questions=[YES_NO, RARE, DIRECT])
    page = arrived(launch)
    label = "Only you, except where a question is marked “Not scrambled” or a rare letter shows it"
    expect(page.get_by_text(label, exact=True)).to_be_visible()
    press(page, "I agree")
    practise(page)
    expect(page.get_by_text("No letter proves an answer, unless its question says")).to_be_visible()
    told = seeing(page, SEEN)
    right = "Right, except where a rare letter shows it. The question says so."
    expect(told).to_have_text(right)
    choose(page.locator(".quiz").nth(1), "Yes")
    press(page, "Check")
    expect(told).to_contain_text("Only where a rare letter shows it:")


def test_the_quick_question_is_about_scrambled_ones_beside_a_direct_one(arrived):
    page = arrived(survey(questions=[YES_NO, DIRECT]))
    label = "Only you, unless a question is marked “Not scrambled”"
    expect(page.get_by_text(label, exact=True)).to_be_visible()
    press(page, "I agree")
    practise(page)
    expect(page.get_by_text("No letter proves an answer. From many")).to_be_visible()
    expect(seeing(page, SEEN)).to_have_text("Right, it never leaves your device.")


def test_the_quick_question_needs_no_condition_where_everything_is_scrambled(arrived):
    page = arrived(survey(questions=[YES_NO]))
    press(page, "I agree")
    practise(page)
    told = seeing(page, "Can we see your real answer?")
    expect(told).to_have_text("Right, it never leaves your device.")


def test_the_total_claims_no_limit_where_a_code_can_prove_an_answer(arrived):
    page = arrived(survey(questions=[RARE, {}]))
    page.get_by_text("More about this").click()
    budget = page.locator("#budget").inner_text()
    assert "a letter that only one answer can send" in budget
    assert "at most" not in budget


def test_a_delta_without_such_codes_raises_the_factor_to_the_tables_own(arrived):
    """At a prevalence of 0.4 the best device is Warner's with (e + 0.1) / (e + 1) kept."""
    given = {"delta": "0.1", "prevalence": "0.4"}
    launch = survey(questions=[{**RARE, "design_parameters": given}])
    (device,) = devices_of(launch)
    kept, changed = device["columns"][0]
    assert kept / changed > 2.72
    page = arrived(launch)
    page.get_by_text("More about this").click()
    # (e + 0.1) to 0.9 where epsilon 1 allows e to 1: 74 times in 100 would be too few.
    assert 75 < 100 * kept / (kept + changed) < 76
    expect(page.locator("#budget")).to_contain_text("right at most 76 times in 100")
    press(page, "I agree")
    practise(page)
    expect(page.get_by_text("No letter proves an answer")).to_be_visible()
    assert page.get_by_text("only they can send").count() == 0


# --- other strata --------------------------------------------------------------------------------


def test_beside_a_physical_randomizer_the_page_uses_its_own_device(arrived):
    question = {"epsilon": Decimal("1.5"), "physical_device": "two_coins"}
    launch = survey(questions=[question, {**SCALE, "epsilon": Decimal("1")}])
    assert [device["stratum"] for device in devices_of(launch)][:2] == ["page", "physical"]
    page = arrived(launch)
    page.get_by_text("More about this").click()
    # The larger of the two, once.
    expect(page.locator("#budget")).to_contain_text("use 2.5 of a privacy budget (epsilon) of 6.")
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    choose(page, "Often")
    spin(page)
    assert set(send(page)) == {"q1", "q2"}
    assert Submission.objects.get().content["strata"] == {"q1": "page", "q2": "page"}
    assert page.locator(".fields dt").count() == 4
