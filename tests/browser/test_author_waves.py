"""The page of the next wave, as an author meets it on a phone and at a desk."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.models import Launch
from surveys.services.results import refresh_results
from tests.browser.author import sign_in
from tests.browser.axe import assert_well_in_sizes
from tests.waves import coded_launch, new_code, post

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = [(360, 740), (1280, 740)]


def test_an_author_prepares_the_next_wave(live_server, new_context, client):
    launch = coded_launch(release_threshold=5, results_public=True)
    for number in range(12):
        reports = {"drug": number % 2, "absence": number % 3, "permanent": 0}
        assert post(client, launch, new_code(), reports).status_code == 201
    refresh_results(launch_id=launch.pk)
    page = sign_in(new_context(viewport={"width": 360, "height": 740}), live_server)
    page.goto(live_server.url + reverse("admin:surveys_survey_change", args=[launch.survey_id]))
    page.get_by_role("link", name="Next wave").click()
    epsilon = page.get_by_label("Have you ever used a drug at work?")
    expect(epsilon).to_have_value("1")
    assert_well_in_sizes(page, "the next wave", SIZES)
    epsilon.fill("2")
    page.get_by_role("button", name="Look at what freezes").click()
    expect(page.get_by_text("ε = 2.5 of 3; so far it is 1.5")).to_be_visible()
    assert_well_in_sizes(page, "what freezes", SIZES)
    page.get_by_role("button", name="Launch this wave and freeze it").click()
    expect(page.get_by_text("Wave 2 was launched.")).to_be_visible()
    assert Launch.objects.filter(survey=launch.survey).count() == 2
