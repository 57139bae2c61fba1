"""The page of the next wave, as an author meets it on a phone and at a desk."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.models import Launch
from surveys.services.results import refresh_results
from tests.browser.author import sign_in
from tests.browser.axe import assert_well
from tests.waves import coded_launch, new_code, post

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [360, 1280])
def test_an_author_prepares_the_next_wave(live_server, new_context, client, width):
    launch = coded_launch(release_threshold=5, results_public=True)
    for number in range(12):
        reports = {"drug": number % 2, "absence": number % 3, "permanent": 0}
        assert post(client, launch, new_code(), reports).status_code == 201
    refresh_results(launch_id=launch.pk)
    page = sign_in(new_context(viewport={"width": width, "height": 740}), live_server)
    page.goto(live_server.url + reverse("admin:surveys_survey_change", args=[launch.survey_id]))
    page.get_by_role("link", name="Next wave").click()
    epsilon = page.get_by_label("Have you ever used a drug at work?")
    expect(epsilon).to_have_value("1")
    assert_well(page)
    epsilon.fill("2")
    page.get_by_role("button", name="Look at what freezes").click()
    expect(page.get_by_text("ε = 2.5 of 3; so far it is 1.5")).to_be_visible()
    assert_well(page)
    page.get_by_role("button", name="Launch this wave and freeze it").click()
    expect(page.get_by_text("Wave 2 was launched.")).to_be_visible()
    assert Launch.objects.filter(survey=launch.survey).count() == 2
