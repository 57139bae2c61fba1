"""A draft saves itself: while it is typed, without a connection, and after a sign-out."""

import re
from decimal import Decimal

import pytest
from playwright.sync_api import Dialog, Page, expect

from surveys.models import Question, Survey
from tests.app.author_posts import question_page
from tests.browser.author import (
    add_question,
    field,
    go_to,
    line,
    open_question,
    opened,
    option,
    put,
    save,
    save_state,
    settings_of,
    sign_in,
    step,
    troubles,
)
from tests.browser.support import come_to_rest
from tests.builders import PASSWORD, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
UNFINISHED = "Kept as typed, not finished yet"
OFFLINE = "Not saved: no connection. It is tried again."


@pytest.fixture
def survey():
    return make_survey(questions=[{"text": "A?"}, {"text": "B?"}, {"text": "C?"}])


@pytest.fixture
def page(open_draft, survey):
    return open_draft(survey)


def dialogs(page: Page) -> list[str]:
    """Return a list that fills with what the browser has asked; each is answered with yes."""
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    return asked


def stored(survey: Survey, number: int) -> Question:
    return survey.questions.get(position=number)


def sign_in_again(page: Page) -> None:
    page.get_by_role("button", name="Sign in again").click()
    page.get_by_label("User name").fill("owner")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_what_is_typed_is_saved_after_a_pause_and_when_its_field_is_left(page, survey):
    heard = troubles(page)
    expect(save_state(page)).to_have_text("Saved")
    form = open_question(page, 2)
    field(form, "text").press("End")
    field(form, "text").press_sequentially(" And then?")
    # Nobody leaves the field.
    expect(line(page, 2).locator(".line__text")).to_have_text("B? And then?")
    expect(save_state(page)).to_have_text("Saved")
    expect(field(form, "text")).to_be_focused()
    assert stored(survey, 2).text == "B? And then?"
    field(form, "kind").select_option("single_choice")
    expect(save_state(page)).to_have_text(UNFINISHED)
    field(form, "options").fill("Never\n Once \n\nOften")
    save(page)
    expect(save_state(page)).to_have_text("Saved")
    assert stored(survey, 2).options == ["Never", "Once", "Often"]
    page.locator("#id_title").fill("Work")
    save(page)
    assert Survey.objects.get().title == "Work"
    assert heard == []


def test_whoever_leaves_the_page_while_typing_loses_nothing_and_is_not_asked(page, survey):
    """By a link, which waits for the save; by closing another question; and by going back."""
    asked = dialogs(page)
    form = open_question(page, 1)
    field(form, "text").fill("Left by a link?")
    step(page, "Settings")
    assert stored(survey, 1).text == "Left by a link?"
    page.locator("#id_consent").fill("You may stop.")
    step(page, "Check and launch")
    assert Survey.objects.get().consent == "You may stop."
    step(page, "Questions")
    field(open_question(page, 2), "text").fill("Left by another question?")
    open_question(page, 3)
    assert stored(survey, 2).text == "Left by another question?"
    assert asked == []


def test_without_a_connection_it_is_kept_and_saved_once_there_is_one(page, survey):
    form = open_question(page, 1)
    page.context.set_offline(True)
    field(form, "text").fill("Typed in a train?")
    expect(save_state(page)).to_have_text(OFFLINE)
    field(form, "text").press("End")
    field(form, "text").press_sequentially(" And on?")
    assert stored(survey, 1).text == "A?"
    page.context.set_offline(False)
    expect(save_state(page)).to_have_text("Saved")
    expect(field(form, "text")).to_have_value("Typed in a train? And on?")
    assert stored(survey, 1).text == "Typed in a train? And on?"


def test_a_question_stays_open_as_long_as_it_cannot_be_saved(page, survey):
    form = open_question(page, 1)
    page.context.set_offline(True)
    field(form, "text").fill("Typed in a tunnel?")
    expect(save_state(page)).to_have_text(OFFLINE)
    page.locator("[data-open]").nth(1).click()
    page.get_by_role("button", name="Yes or no", exact=True).click()
    page.locator("[data-grip]").first.press("ArrowDown")
    expect(field(opened(page, 2), "text")).to_have_value("Typed in a tunnel?")
    page.context.set_offline(False)
    expect(page.get_by_text("Question 1 is now number 2 of 3.")).to_be_visible()
    expect(save_state(page)).to_have_text("Saved")
    assert stored(survey, 2).text == "Typed in a tunnel?"
    assert survey.questions.count() == 3


def test_nothing_is_called_saved_while_a_move_is_under_way(page, survey):
    held = []
    page.route("**/move/", lambda route: held.append(route))
    with page.expect_request("**/move/"):
        page.locator("[data-grip]").first.press("ArrowDown")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator("#id_title").fill("Moved?")
    expect(save_state(page)).to_have_text("Saving")
    (move,) = held
    move.continue_()
    expect(save_state(page)).to_have_text("Saved")
    assert Survey.objects.get().title == "Moved?"
    assert stored(survey, 2).text == "A?"


def test_what_is_typed_before_the_script_is_there_is_saved_too(page, survey):
    held = []
    page.route("**/js/pages/admin_editor.js", lambda route: held.append(route))
    with page.expect_request("**/js/pages/admin_editor.js"):
        page.goto(page.url, wait_until="commit")
    page.locator("#id_title").fill("Typed early")
    (script,) = held
    script.continue_()
    expect(save_state(page)).to_have_attribute("data-state", "saved")
    assert Survey.objects.get().title == "Typed early"


def test_a_step_pressed_before_the_script_is_there_loses_nothing(page, survey):
    held = []
    page.route("**/js/pages/admin_editor.js", lambda route: held.append(route))
    with page.expect_request("**/js/pages/admin_editor.js"):
        page.goto(page.url, wait_until="commit")
    page.locator("#id_title").fill("Typed early")
    page.locator(".steps a").nth(1).click(no_wait_after=True)
    (script,) = held
    script.continue_()
    expect(page.locator(".steps [aria-current=step]")).to_contain_text("Settings")
    assert Survey.objects.get().title == "Typed early"


def test_a_server_that_fails_is_tried_again(page, survey):
    form = open_question(page, 1)
    address = f"**{question_page(stored(survey, 1))}"
    page.route(address, lambda route: route.fulfill(status=502))
    field(form, "text").fill("Again?")
    expect(save_state(page)).to_have_text(OFFLINE)
    page.unroute(address)
    expect(save_state(page)).to_have_text("Saved")
    assert stored(survey, 1).text == "Again?"


def test_what_is_not_right_is_said_in_its_place_and_is_there_after_a_reload(page, survey):
    form = open_question(page, 1)
    epsilon = field(form, "epsilon")
    epsilon.fill("")
    # Whoever is still typing is not told.
    expect(save_state(page)).to_have_text(UNFINISHED)
    come_to_rest(page)
    expect(form.locator(".errorlist")).to_have_count(0)
    save(page)
    wrong = form.locator(".entry-epsilon .errorlist")
    expect(wrong).to_contain_text("needs an epsilon above 0")
    expect(epsilon).to_have_attribute("aria-invalid", "true")
    expect(epsilon).to_have_accessible_description(re.compile("needs an epsilon above 0"))
    expect(line(page, 1).locator(".line__mark")).to_have_text("Not finished")
    assert stored(survey, 1).epsilon == 1
    field(option(form, "Name it in the downloads"), "name").fill("2 fast")
    save(page)
    page.reload()
    form = opened(page, 1)
    expect(field(form, "name")).to_have_value("2 fast")
    expect(field(form, "epsilon")).to_have_value("")
    expect(form.locator(".errorlist")).to_have_count(2)
    field(form, "epsilon").fill("0.5")
    field(form, "name").fill("fast")
    save(page)
    expect(form.locator(".errorlist")).to_have_count(0)
    expect(save_state(page)).to_have_text("Saved")
    assert (stored(survey, 1).epsilon, stored(survey, 1).name) == (Decimal("0.5"), "fast")


def test_signed_out_while_typing_and_everything_is_there_again(page, survey):
    asked = dialogs(page)
    form = open_question(page, 2)
    page.context.clear_cookies(name="sessionid")
    field(form, "text").fill("Typed without a session?")
    expect(save_state(page)).to_have_text("Not saved: you are signed out.")
    field(option(form, "Say more under the question"), "help_text").fill("More.")
    sign_in_again(page)
    form = opened(page, 2)
    expect(form.locator(".note--warning")).to_contain_text("is here again")
    expect(field(form, "text")).to_have_value("Typed without a session?")
    expect(field(form, "help_text")).to_have_value("More.")
    assert stored(survey, 2).text == "B?"
    assert asked == []
    field(form, "text").press("End")
    field(form, "text").press_sequentially(" Yes?")
    save(page)
    assert stored(survey, 2).text == "Typed without a session? Yes?"
    assert stored(survey, 2).help_text == "More."


def test_signed_out_in_the_settings_and_everything_is_there_again(live_server, new_context, survey):
    page = sign_in(new_context(), live_server)
    asked = dialogs(page)
    page.goto(settings_of(live_server, survey))
    page.context.clear_cookies(name="sessionid")
    page.locator("#id_consent").fill("You may stop.")
    expect(save_state(page)).to_have_text("Not saved: you are signed out.")
    sign_in_again(page)
    expect(page.locator("#id_consent")).to_have_value("You may stop.")
    expect(page.locator(".settings > .note--warning")).to_contain_text("is here again")
    assert asked == []
    page.locator("#id_consent").press("End")
    page.locator("#id_consent").press_sequentially(" Any time.")
    save(page)
    assert Survey.objects.get().consent.endswith("You may stop. Any time.")


def test_two_pages_that_change_one_field_keep_both_until_one_is_chosen(page, survey):
    other = page.context.new_page()
    go_to(other, page.url)
    mine, theirs = open_question(page, 1), open_question(other, 1)
    field(theirs, "text").fill("Theirs?")
    save(other)
    field(mine, "text").fill("Mine?")
    field(mine, "kind").focus()
    conflict = mine.get_by_role("group", name="Question")
    expect(conflict).to_contain_text("Theirs?")
    expect(conflict).to_contain_text("Mine?")
    conflict.get_by_role("button", name="What owner typed").click()
    expect(page.get_by_role("group", name="Question").locator("button")).to_have_count(0)
    expect(field(opened(page, 1), "text")).to_have_value("Mine?")
    assert stored(survey, 1).text == "Mine?"


def test_what_another_page_has_changed_is_taken_over_and_said(page, survey):
    other = page.context.new_page()
    go_to(other, page.url)
    mine, theirs = open_question(page, 1), open_question(other, 1)
    field(theirs, "epsilon").fill("0.5")
    save(other)
    field(mine, "text").fill("Mine?")
    save(page)
    expect(mine.locator("[data-notes]")).to_contain_text("taken over: Epsilon")
    expect(field(mine, "epsilon")).to_have_value("0.5")
    assert (stored(survey, 1).text, stored(survey, 1).epsilon) == ("Mine?", Decimal("0.5"))


def test_a_question_that_was_removed_meanwhile_keeps_what_is_typed(page, survey):
    form = open_question(page, 2)
    other = page.context.new_page()
    go_to(other, page.url)
    put(other, 2, "Remove")
    expect(line(other, 2)).to_contain_text("C?")
    field(form, "text").fill("Typed too late?")
    page.keyboard.press("Tab")
    expect(form.locator("[data-notes]")).to_contain_text("removed meanwhile")
    page.get_by_role("button", name="Put it back").click()
    expect(field(opened(page, 2), "text")).to_have_value("Typed too late?")
    assert stored(survey, 2).text == "Typed too late?"


def test_the_strength_and_the_epsilon_follow_each_other(page, survey):
    form = open_question(page, 1)
    slider, epsilon = form.locator("[data-strength]"), field(form, "epsilon")
    label = form.locator("[data-strength-label]")
    expect(label).to_have_text("Strong")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(epsilon).to_have_value("0.5")
    expect(label).to_have_text("Very strong")
    page.keyboard.press("Home")
    expect(epsilon).to_have_value("4")
    epsilon.fill("1.5")
    expect(label).to_have_text("Medium")
    expect(slider).to_have_attribute("aria-valuetext", "Medium")
    save(page)
    assert stored(survey, 1).epsilon == Decimal("1.5")
    expect(line(page, 1).locator(".line__protection")).to_have_text("Medium")


def test_the_preview_shows_what_is_typed_and_can_be_answered(page):
    heard = troubles(page)
    form = open_question(page, 1)
    preview = page.frame_locator("[data-preview-frame]")
    expect(preview.get_by_role("heading", name="A?")).to_be_visible()
    steps = page.evaluate("history.length")
    field(form, "text").fill("Really?")
    expect(preview.get_by_role("heading", name="Really?")).to_be_visible()
    # It takes the focus from nobody who is typing, and no place in the way back.
    expect(field(form, "text")).to_be_focused()
    assert page.evaluate("history.length") == steps
    preview.get_by_role("radio", name="Yes").check()
    preview.get_by_role("button", name="Spin").click()
    expect(preview.locator(".question[data-state=drawn]")).to_be_visible()
    # Of a question without answers there is none yet.
    new = add_question(page, "Single choice")
    expect(preview.get_by_text("once the question is complete")).to_be_visible()
    field(new, "text").fill("How often?")
    field(new, "options").fill("Never\nOften")
    expect(preview.get_by_role("radio", name="Often")).to_be_visible()
    page.locator(".preview > summary").click()
    expect(page.locator("[data-preview-frame]")).to_be_hidden()
    assert heard == []
