"""An author's typing is not lost without a question; respondents are never asked."""

import pytest
from django.urls import reverse
from playwright.sync_api import Dialog, Page, expect

from surveys.models import Survey
from tests.app.author_posts import page as address_of
from tests.browser.author import save_state, sign_in
from tests.browser.respondent import address, arrive, choose, spin, survey, to_questions
from tests.builders import launched, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

THE_HEADER = "document.querySelector('#site-name a').click()"


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
def page(live_server, new_context):
    return sign_in(new_context(), live_server)


def leave(page: Page, how: str) -> None:
    """The click comes from the page itself, so that nothing waits for the page that follows."""
    page.evaluate(f"setTimeout(() => {{ {how} }})")


def stay(page: Page, how: str) -> None:
    with page.expect_event("dialog", lambda dialog: dialog.type == "beforeunload"):
        leave(page, how)


def go(page: Page, how: str) -> None:
    with page.expect_navigation():
        leave(page, how)


def test_a_draft_that_cannot_be_saved_is_not_left_without_a_question(page, live_server, draft):
    """Without a connection nobody loses what was typed by going on; with one nobody is asked."""
    questions = Questions(page)
    page.goto(live_server.url + address_of(draft))
    form = page.url
    page.route("**/settings/", lambda route: route.abort())
    page.locator("#id_title").press("End")
    page.locator("#id_title").press_sequentially("!")
    expect(save_state(page)).to_contain_text("Not saved")
    stay(page, THE_HEADER)
    expect(page.locator("#id_title")).to_have_value("Health at work!")
    assert (page.url, questions) == (form, ["beforeunload"])
    page.unroute("**/settings/")
    expect(save_state(page)).to_have_text("Saved")
    go(page, THE_HEADER)
    assert questions == ["beforeunload"]
    assert Survey.objects.get(pk=draft.pk).title == "Health at work!"


def test_the_settings_of_a_launched_survey_are_typed_and_sent(page, live_server):
    survey = launched().survey
    questions = Questions(page)
    page.goto(live_server.url + address_of(survey))
    page.locator("#id_planned_n").fill("700")
    stay(page, THE_HEADER)
    assert questions == ["beforeunload"]
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist .success")).to_be_visible()
    assert questions == ["beforeunload"]
    assert Survey.objects.get().planned_n == 700


def test_the_shares_of_a_test_fill_and_of_a_search_are_typed_too(page, live_server, draft):
    questions = Questions(page)
    pages = {"trial": [draft.pk], "workbench": [draft.pk, draft.questions.first().pk]}
    for name, about in pages.items():
        page.goto(live_server.url + reverse(f"admin:survey_{name}", args=about))
        page.get_by_role("spinbutton", name="Yes").first.press_sequentially("5")
        questions.answer = "dismiss"
        stay(page, THE_HEADER)
        questions.answer = "accept"
        go(page, THE_HEADER)
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
