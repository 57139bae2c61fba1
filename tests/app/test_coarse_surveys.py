"""A survey that can find nothing is launched only with a reason, and its results say so."""

from decimal import Decimal

import pytest
from django.urls import reverse

from surveys import numbers
from surveys.authoring.checks.coarse import coarse_margins
from surveys.authoring.checks.survey import lint_survey
from surveys.exceptions import NotReadyError
from surveys.models import Survey
from surveys.results.figures.questions import question_figure
from surveys.results.release import release_of
from surveys.results_document.parts import Share
from surveys.services.launches import launch_survey
from tests.app.author_posts import page, saved, sign_in
from tests.app.test_strength import text_of
from tests.builders import make_survey
from tests.released import released

pytestmark = pytest.mark.django_db
EPSILON = Decimal("0.2")


def coarse_survey(count=30, **values):
    """The survey of the report: questions at an epsilon of .2, and 500 people."""
    questions = [{"epsilon": EPSILON}] * count
    return make_survey(**{"budget": 6, "questions": questions, "precision_reason": "", **values})


def codes(survey):
    return {finding.code: finding.blocks for finding in lint_survey(survey)}


def test_thirty_hopeless_questions_are_one_stop_with_what_would_help():
    survey = coarse_survey()
    (stop,) = [finding for finding in lint_survey(survey) if finding.blocks]
    assert stop.code == "coarse_without_reason"
    # By hand, at the planning share of 10 %: with p = e**.2 / (1 + e**.2) = .5498 "Yes" is reported
    # by .1 p + .9 (1 - p) = .46 of all; 1.96 (.46 * .54 / 500)**.5 / (2 p - 1) = .438, and
    # 500 (43.8 / 25)**2 = 1,535.
    assert "q1 (± 43.8 points)" in stop.message
    assert "and 25 more" in stop.message
    assert "about 1,600 respondents" in stop.message
    with pytest.raises(NotReadyError, match="can find nothing"):
        launch_survey(survey=survey, actor=None)
    assert not codes(coarse_survey(slug="more", planned_n=1600)).get("coarse_without_reason")


@pytest.mark.parametrize(
    ("question", "is_coarse"),
    [
        ({"epsilon": Decimal("0.36")}, False),
        ({"epsilon": Decimal("0.35")}, True),
        ({"randomized": False}, False),
        ({"kind": "bounded_number", "design": "one_bit", "epsilon": Decimal("0.1")}, True),
        ({"kind": "bounded_number", "design": "one_bit", "epsilon": Decimal("1")}, False),
        ({"kind": "short_text", "design": "rappor", "epsilon": Decimal("0.1")}, False),
    ],
)
def test_the_limit_is_25_points_of_whatever_has_a_margin(question, is_coarse):
    numeric = question.get("kind") == "bounded_number"
    scale = {"scale": {"lower": "0", "upper": "10", "step": "1", "unit": "", "bins": []}}
    survey = coarse_survey(1, questions=[{**question, **(scale if numeric else {})}])
    assert bool(coarse_margins(survey, list(survey.questions.all()))) == is_coarse


@pytest.mark.slow
def test_the_reason_is_kept_and_read(client):
    survey = coarse_survey(precision_reason="A course on why this fails.", results_public=True)
    shown = sign_in(client).get(page(survey, "launch"))
    assert "A course on why this fails." in shown.text
    assert "imprecise" in codes(survey)
    launch_survey(survey=survey, actor=None)
    with pytest.raises(Exception, match="frozen at launch"):
        Survey.objects.update(precision_reason="No reason.")


def test_an_author_writes_the_reason_on_the_page(client):
    survey = saved(client, {"epsilon": "0.2"}, precision_reason="A course.")
    assert survey.precision_reason == "A course."


ROW = {"estimate": -0.33, "interval": (-1.38, 0.91), "standard_error": 0.58}


@pytest.mark.parametrize(
    ("row", "nothing"),
    [
        ({}, True),
        # Cut at zero it says no more than before.
        ({"interval": [0.0, 0.91]}, True),
        ({"interval": [0.0, 1.0], "standard_error": None}, True),
        ({"estimate": 0.4, "interval": [0.05, 0.8], "standard_error": 0.19}, False),
        ({"interval": [None, None], "standard_error": None}, False),
    ],
)
def test_an_interval_as_wide_as_all_shares_is_words(row, nothing):
    entry = Share(**{**ROW, **row})
    assert numbers.tells_nothing(entry) == nothing
    if nothing:
        assert numbers.share_texts(entry, 0) == ("–", "Too few answers to say anything")


def test_results_of_a_hopeless_question_say_so_and_draw_nothing(client):
    """40 answers at an epsilon of .1: the interval is some 6 times as wide as all shares."""
    questions = [{"epsilon": Decimal("0.1")}]
    rows = [{"q1": number % 2} for number in range(40)]
    launch = released(rows, questions=questions, results_public=True)
    text = text_of(client.get(reverse("results", args=[launch.survey.slug])))
    assert text.count("Too few answers to say anything") >= 2
    assert "outside 0–100 %" not in text
    figure = question_figure(release_of(launch).content.questions[0], None)
    assert figure["data"][-1]["x"] == [None, None]
    assert set(figure["data"][0]["x"]) == {None}
