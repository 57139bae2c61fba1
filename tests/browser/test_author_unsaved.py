"""An author's typing is not lost without a question; respondents are never asked."""

import pytest
from django.urls import reverse
from playwright.sync_api import Dialog, Page, expect

from surveys.models import Survey
from tests.app.author_posts import page as address_of
from tests.browser.author import card, field, save, sign_in
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import address, arrive, choose, spin, survey, to_questions
from tests.builders import PASSWORD, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WAYS = {
    "a link of the page": "document.querySelector('.ribbon a[href$=\"test-fill/\"]').click()",
    "the header": "document.querySelector('#site-name a').click()",
    "the path above": "document.querySelector('.breadcrumbs a').click()",
    "back": "history.back()",
    "a button that sends something else": (
        "document.querySelector('.ribbon__tools form[action$=\"clone/\"] button').click()"
    ),
}


class Questions(list[str]):
    """The questions that a page has asked; `answer` is said to all of them: "dismiss" stays."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.answer = "dismiss"
        page.on("dialog", self._answered)

    def _answered(self, dialog: Dialog) -> None:
        self.append(dialog.type)
        getattr(dialog, self.answer)()


@pytest.fixture
def draft():
    return make_survey(questions=[{}, {}])


@pytest.fixture
def page(live_server, new_context, draft):
    page = sign_in(new_context(), live_server)
    page.goto(live_server.url + reverse("admin:surveys_survey_changelist"))
    page.goto(live_server.url + address_of(draft))
    expect(page.locator("[data-budget-text]")).to_contain_text("used")
    return page


def leave(page: Page, how: str) -> None:
    """The click comes from the page itself, so that nothing waits for the page that follows."""
    page.evaluate(f"setTimeout(() => {{ {how} }})")


def stay(page: Page, how: str) -> None:
    with page.expect_event("dialog", lambda dialog: dialog.type == "beforeunload"):
        leave(page, how)


def go(page: Page, how: str) -> None:
    with page.expect_navigation():
        leave(page, how)


def test_typed_words_are_not_lost_without_a_question(page, draft):
    form, questions = page.url, Questions(page)
    for way, how in WAYS.items():
        if page.url != form:
            page.goto(form)
        page.locator("#id_title").press("End")
        page.locator("#id_title").press_sequentially("!")
        questions.answer = "dismiss"
        stay(page, how)
        expect(page.locator("#id_title")).to_have_value("Health at work!")
        assert page.url == form, way
        # Whoever stayed can leave by the same way later, and is asked again.
        questions.answer = "accept"
        go(page, how)
        assert questions == ["beforeunload"] * 2, way
        assert Survey.objects.get(pk=draft.pk).title == "Health at work", way
        questions.clear()


def test_a_question_that_was_added_or_moved_counts_too_and_what_was_refused(page):
    questions = Questions(page)
    card(page, 1).get_by_role("button", name="Move down").click()
    stay(page, WAYS["the header"])
    card(page, 2).get_by_role("button", name="Move up").click()
    page.get_by_role("button", name="Add a question").click()
    stay(page, WAYS["the header"])
    assert questions == ["beforeunload"] * 2
    field(card(page, 2), "epsilon").fill("")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-errors]")).to_be_visible()
    assert questions == ["beforeunload"] * 2
    # A refused page is not saved. A browser asks nobody who has not touched the page.
    page.locator("h1").click()
    stay(page, WAYS["the header"])


def test_nothing_is_asked_after_save_or_where_nothing_changed(page):
    questions = Questions(page)
    page.locator("#id_title").press_sequentially("!")
    page.locator("#id_title").press("Backspace")
    go(page, WAYS["a link of the page"])
    page.go_back()
    page.locator("#id_title").press_sequentially("!")
    save(page)
    go(page, WAYS["the header"])
    assert questions == []


def test_what_was_typed_survives_another_tab_and_a_session_that_ended(page, draft):
    """Typed here, saved there, signed out before the save: all of it is on the page again."""
    questions = Questions(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("#id_title").fill("Theirs")
    save(other)
    page.locator("#id_title").fill("Mine")
    page.get_by_role("button", name="Add a question").click()
    field(card(page, 3), "text").fill("A third question?")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Save and continue editing").click()
    page.get_by_label("User name").fill("owner")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("[data-errors]")).to_contain_text("signed out before this was saved")
    expect(page.locator("#id_title")).to_have_value("Mine")
    expect(field(card(page, 3), "text")).to_have_value("A third question?")
    conflict = page.get_by_role("group", name="Title")
    expect(conflict).to_contain_text("Theirs")
    sizes = ((1280, 800), (360, 740))
    assert_well_in_sizes(page, "a conflict", sizes, colours_of=".conflicts, [data-errors]")
    conflict.get_by_label("What you have here").check()
    save(page)
    assert Survey.objects.get(pk=draft.pk).title == "Mine"
    assert draft.questions.count() == 3
    assert questions == []


def test_the_shares_of_a_test_fill_and_of_a_search_are_typed_too(page, live_server, draft):
    questions = Questions(page)
    pages = {"trial": [draft.pk], "workbench": [draft.pk, draft.questions.first().pk]}
    for name, about in pages.items():
        page.goto(live_server.url + reverse(f"admin:survey_{name}", args=about))
        page.get_by_role("spinbutton", name="Yes").first.press_sequentially("5")
        questions.answer = "dismiss"
        stay(page, WAYS["the header"])
        questions.answer = "accept"
        go(page, WAYS["the header"])
        assert questions == ["beforeunload"] * 2, name
        questions.clear()


def test_a_respondent_is_not_asked(live_server, new_context):
    page = new_context().new_page()
    questions = Questions(page)
    for layout in ("one", "all"):
        launch = survey(slug=layout, questions=[{}, {}], layout=layout)
        arrive(page, address(live_server, launch))
        to_questions(page)
        choose(page.locator(".question").first, "Yes")
        page.goto(f"{live_server.url}/check/")
        arrive(page, address(live_server, launch))
        to_questions(page)
        choose(page.locator(".question").first, "Yes")
        spin(page.locator("#respond"))
        page.goto(f"{live_server.url}/check/")
        assert questions == [], layout
