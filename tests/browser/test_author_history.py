"""The history of a draft and the import of a definition, as their author sees them."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.definitions import definition_of, written
from surveys.models import Question, Survey
from surveys.services.revisions import note_revision
from tests.app.author_posts import page as address
from tests.browser.author import more, sign_in, step, troubles
from tests.browser.axe import assert_well_in_sizes
from tests.builders import make_survey, make_user, owner

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = [(360, 740), (1280, 900)]


@pytest.fixture
def survey():
    survey = make_survey(questions=[{"text": "Did you?"}, {"text": "Would you?"}])
    note_revision(survey=survey, actor=None)
    Survey.objects.update(title="Work and health", consent="You may stop at any time.")
    note_revision(survey=survey, actor=owner())
    Question.objects.filter(text="Did you?").update(text="Did you ever?", epsilon="0.5")
    note_revision(survey=survey, actor=make_user("other", author=True))
    return survey


def test_an_earlier_version_is_found_compared_and_brought_back(live_server, new_context, survey):
    page = sign_in(new_context(), live_server)
    heard = troubles(page)
    page.goto(live_server.url + address(survey))
    more(page)
    page.get_by_role("link", name="History", exact=True).first.click()
    expect(page.locator(".versions > li")).to_have_count(3)
    expect(page.locator(".versions > li").first).to_contain_text("Did you ever?, Epsilon")
    assert heard == []
    assert_well_in_sizes(page, "history", SIZES)
    page.locator(".versions > li > p > a").last.click()
    expect(page.locator(".versions__changes")).to_contain_text("Work and health")
    assert_well_in_sizes(page, "version", SIZES)
    page.get_by_role("button", name="Bring it back").click()
    expect(page.locator(".messagelist .success")).to_contain_text("is back.")
    expect(page.locator("#id_title")).to_have_value("Health at work")
    expect(page.locator(".line__text")).to_have_text(["Did you?", "Would you?"])


def test_a_draft_is_made_of_a_file(live_server, new_context, survey):
    page = sign_in(new_context(), live_server)
    page.goto(live_server.url + reverse("admin:surveys_survey_changelist"))
    page.get_by_role("link", name="Import a survey").click()
    assert_well_in_sizes(page, "import", SIZES)
    page.get_by_role("button", name="Make a draft of it").click()
    expect(page.locator("[data-errors]")).to_contain_text("There is no definition yet")
    content = written(definition_of(survey))
    file = {"name": "work.candor.json", "mimeType": "application/json", "buffer": content}
    page.get_by_label("File").set_input_files(file)  # type: ignore[arg-type]  # a dict is one
    page.get_by_role("button", name="Make a draft of it").click()
    expect(page.locator(".messagelist .success")).to_contain_text("made from the definition")
    step(page, "Settings")
    expect(page.locator("#id_slug")).to_have_value("health-2")
