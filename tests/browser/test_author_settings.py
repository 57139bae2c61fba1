"""A setting of a device beside epsilon, as an author meets it: of a family that only tests have."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.app.contract.cases import register_for_cases
from tests.browser.author import field, open_question, opened, option, save, sign_in, troubles
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EIGHT = {"kind": "single_choice", "options": list("abcdefgh"), "epsilon": "2"}


@pytest.fixture(autouse=True)
def family_of_the_contract():
    with register_for_cases():
        yield


def test_a_setting_is_asked_for_once_its_device_is_chosen(live_server, new_context):
    survey = make_survey(questions=[EIGHT])
    page = sign_in(new_context(viewport={"width": 360, "height": 740}), live_server)
    heard = troubles(page)
    page.goto(live_server.url + reverse("admin:surveys_survey_change", args=[survey.pk]))
    first = open_question(page, 1)
    setting = field(first, "answers_on_card")
    option(first, "Choose another device")
    expect(first.locator("[data-row=subset_selection]")).to_contain_text("points")
    expect(setting).to_be_hidden()
    first.get_by_label("Every card with some of 8 answers").check()
    expect(setting).to_be_visible()
    setting.select_option("4")
    save(page)
    expect(first.locator("[data-part=devices] .quiet", has_text="70")).to_be_visible()
    question = survey.questions.get()
    assert (question.design, question.design_parameters) == (
        "subset_selection",
        {"answers_on_card": 4},
    )
    page.reload()
    expect(field(opened(page, 1), "answers_on_card")).to_have_value("4")
    expect(field(opened(page, 1), "answers_on_card")).to_be_visible()
    assert heard == []
