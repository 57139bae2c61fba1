"""An author's pages of languages: texts side by side, in both directions of writing."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.features.languages.changes import add_language
from surveys.models import Survey
from tests.browser.author import go_to, sign_in
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import DIRECT, SENSITIVE
from tests.builders import make_survey
from tests.translations import HEBREW, rows, translate

pytestmark = pytest.mark.browser
SIZES = [(360, 800), (1280, 800)]


def test_the_pages_are_accessible_with_stale_and_missing_texts(live_server, new_context):
    survey = translate(make_survey(questions=[SENSITIVE, DIRECT]))
    survey.questions.filter(name="q2").update(text="How many days now?")
    add_language(survey=survey, language="ar")
    page = sign_in(new_context(), live_server)
    for name, rest in (("languages", []), ("language", [HEBREW]), ("language", ["ar"])):
        address = reverse(f"admin:survey_{name}", args=[survey.pk, *rest])
        go_to(page, live_server.url + address)
        assert_well_in_sizes(page, address, SIZES)


def test_an_author_writes_what_is_missing_and_sees_it_in_the_preview(live_server, new_context):
    survey = make_survey(questions=[SENSITIVE])
    add_language(survey=survey, language=HEBREW)
    page = sign_in(new_context(), live_server)
    go_to(page, live_server.url + reverse("admin:survey_language", args=[survey.pk, HEBREW]))
    page.get_by_label(SENSITIVE["text"]).fill("האם השתמשתם בסם?")
    page.get_by_role("button", name="Store the texts").click()
    expect(page.get_by_text("4 of 7 texts are missing or stale.")).to_be_visible()
    stored = {row.source: row.text for row in rows(Survey.objects.get())}
    assert stored[SENSITIVE["text"]] == "האם השתמשתם בסם?"
    page.locator("#content-main").get_by_role("link", name="Preview").last.click()
    expect(page.get_by_role("button", name="מוסכם עליי", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.dir") == "rtl"
