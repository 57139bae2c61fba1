"""What the authors' pages say before a launch."""

from dataclasses import replace
from decimal import Decimal

import pytest

import rr_engine
from surveys.engine_bridge import designs
from surveys.lint import lint_survey
from tests.app.author_posts import page, signed_in
from tests.builders import make_survey

pytestmark = pytest.mark.django_db


def codes(survey, *, blocking):
    return {finding.code for finding in lint_survey(survey) if finding.blocks == blocking}


def test_a_device_with_infinite_epsilon_stops_the_launch(monkeypatch):
    """A constructor that sends the answer itself, as a future kind of device might by mistake."""
    reveals = replace(designs.DESIGNS["k_rr"], build=lambda labels, *_: rr_engine.direct(labels))
    monkeypatch.setitem(designs.DESIGNS, "k_rr", reveals)
    assert codes(make_survey(), blocking=True) == {"infinite_epsilon"}


def test_a_survey_without_a_sensitive_question_is_questioned():
    survey = make_survey(questions=[{"randomized": False}])
    assert codes(survey, blocking=False) == {"nothing_sensitive"}
    assert not codes(survey, blocking=True)


def test_labels_are_compared_in_the_respondents_language():
    """“Lieber nicht angeben” or not: the refusal is a category in the language of the survey."""
    from django.utils import translation
    from django.utils.translation import gettext

    with translation.override("de"):
        refusal = gettext("Prefer not to say")
    question = {"kind": "single_choice", "options": ["A", refusal], "prefer_not": True}
    survey = make_survey(language="de", questions=[question])
    assert codes(survey, blocking=True) == {"same_option"}


def test_the_page_names_the_question_and_says_what_stops(client):
    survey = make_survey(budget=Decimal(1), questions=[{}, {"text": " ", "epsilon": Decimal("7")}])
    html = signed_in(client).get(page(survey)).text
    assert html.count("Stops the launch") == 2
    assert "q2: The question has no text." in html
    assert "above the budget" in html


def test_a_draft_that_is_fine_says_so(client):
    html = signed_in(client).get(page(make_survey())).text
    assert "Nothing stands in the way of a launch." in html
