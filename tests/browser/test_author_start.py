"""From the list to a draft of a template, and how the pages on the way look."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.models import Survey
from surveys.survey_templates import template_in
from tests.browser.author import go_to, sign_in, troubles
from tests.browser.axe import assert_well_in_sizes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = [(1280, 800), (360, 800)]
LIST = reverse("admin:surveys_survey_changelist")


def test_a_draft_is_three_clicks_away(live_server, new_context):
    page = sign_in(new_context(), live_server)
    go_to(page, live_server.url + LIST)
    template = template_in("domestic-violence", "en")
    page.get_by_role("link", name="Create a survey").click()
    page.get_by_role("link", name=template.label).click()
    page.get_by_role("button", name="Use this template").click()
    expect(page.get_by_text("This draft is made from a template.")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=template.adapt[0]).last).to_be_visible()
    assert Survey.objects.get().title == template.definition.title
    expect(page.locator("#id_title")).to_have_value(template.definition.title)


def test_the_pages_are_accessible_and_fit(live_server, new_context):
    page = sign_in(new_context(viewport={"width": 1280, "height": 800}), live_server)
    heard = troubles(page)
    paths = [reverse("admin:survey_start"), reverse("admin:survey_import")]
    names = ("domestic-violence", "network-of-trust")
    paths += [reverse("admin:survey_template", args=[name]) for name in names]
    for path in paths:
        go_to(page, live_server.url + path)
        assert_well_in_sizes(page, path, SIZES)
    page.get_by_role("button", name="Use this template").click()
    expect(page.get_by_text("This draft is made from a template.")).to_be_visible()
    assert_well_in_sizes(page, "the draft with what to adapt", SIZES)
    assert heard == []
