"""A short text on the author's pages and in the results: accessible, and inside a phone's width."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.services.candidates import change_candidates
from surveys.services.results import refresh_results
from tests.app.author_posts import page as address
from tests.app.test_short_text import DRUGS, TEXT, answered, text_launch
from tests.browser.author import (
    all_options,
    field,
    figure,
    go_to,
    open_question,
    save,
    sign_in,
    troubles,
)
from tests.browser.axe import assert_well_in_sizes
from tests.builders import make_survey, owner

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def with_results():
    launch = answered(text_launch())
    change_candidates(survey=launch.survey, question="drug", texts=DRUGS, actor=owner())
    refresh_results(launch_id=launch.pk)
    return launch.survey


def test_every_page_is_accessible_and_fits(live_server, new_context):
    survey = with_results()
    draft = make_survey(slug="draft", questions=[{**TEXT, "candidates": DRUGS}], budget=8)
    paths = [
        *(address(draft, name) for name in ("change", "launch", "trial")),
        *(address(survey, name) for name in ("change", "share")),
        reverse("admin:survey_candidates_of", args=[survey.pk, "drug"]),
        reverse("results", args=[survey.slug]),
    ]
    page = sign_in(new_context(viewport={"width": 360, "height": 900}), live_server)
    noted = troubles(page)
    for path in paths:
        go_to(page, live_server.url + path)
        assert noted == [], path
        assert_well_in_sizes(page, path, [(360, 900), (1280, 900)])
        # Axe brings styles of its own, which the policy blocks; it does without them.
        noted.clear()


def test_an_author_asks_for_a_text_and_reads_what_is_found(live_server, new_context):
    draft = make_survey(questions=[TEXT | {"epsilon": 2}], planned_n=20_000, budget=8)
    page = sign_in(new_context(), live_server)
    page.goto(live_server.url + address(draft, "change"))
    question = all_options(open_question(page, 1))
    expect(figure(question, "number")).to_contain_text("2.9")
    expect(field(question, "options")).to_be_hidden()
    field(question, "expected_candidates").fill("1000")
    expect(figure(question, "number")).to_contain_text("1,000 candidates")
    field(question, "candidates").fill("Tea\nCoffee")
    field(question, "kind").select_option("yes_no")
    expect(field(question, "candidates")).to_be_hidden()
    field(question, "kind").select_option("short_text")
    expect(field(question, "candidates")).to_be_visible()
    # The device follows the kind once the figures have come in.
    expect(question.get_by_role("radio", name="RAPPOR: noisy Bloom filter")).to_be_checked()
    save(page)
    assert draft.questions.get().candidates == ["Tea", "Coffee"]
    assert draft.questions.get().design_parameters == {"expected_candidates": 1000}
