"""Adopting: one matrix becomes the question's device, or the message says what would."""

from decimal import Decimal

import pytest

from surveys.authoring.draft_parameters import draft_parameters
from surveys.devices import draft_design
from surveys.exceptions import SurveyError
from surveys.features.arms.settings import (
    QuestionArms,
    arms_of_question,
    set_arms_of_question,
)
from surveys.features.arms.words import with_sentence
from surveys.models import DesignSearch
from surveys.services import searches
from surveys.services.launches import launch_survey
from tests.app.leased import LEASED
from tests.app.search_cases import made
from tests.app.searching import REQUEST, searched_question
from tests.builders import make_survey
from tests.devices import devices_of

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


@pytest.fixture
def question():
    return searched_question()


def make_search(question, **request):
    return made(question, request={**REQUEST, **request})


@pytest.mark.slow
def test_the_adopted_table_is_the_questions_device(question):
    search = make_search(question)
    adopted = searches.adopt(search=search, method="certified", index=0)
    question.refresh_from_db()
    assert question.design == adopted.design == "searched"
    assert question.randomized
    parameters = question.design_parameters
    assert (parameters["run"], parameters["method"], parameters["labels"]) == (
        search.pk,
        "certified",
        ["a", "b", "c"],
    )
    assert 0 < question.epsilon <= 1
    design = draft_design(question)
    assert design.integers.tolist() == parameters["table"]
    assert design.epsilon <= float(question.epsilon)


def test_a_launch_freezes_what_it_was_searched_for(question):
    searches.adopt(search=make_search(question), method="certified", index=1)
    survey = question.survey
    parameters = draft_parameters(survey=survey)
    launch = launch_survey(survey=survey, actor=None)
    (device,) = devices_of(launch)
    assert launch.parameters == parameters
    assert device["family"] == "searched"
    assert device["search"]["respondents"] == 1000
    assert [list(row) for row in zip(*device["columns"], strict=True)] == (
        survey.questions.get().design_parameters["table"]
    )


def test_an_answer_more_asks_for_another_search(question):
    search = make_search(question)
    question.options = ["a", "b", "c", "d"]
    question.save()
    search.refresh_from_db()
    with pytest.raises(SurveyError, match="has 4 answers now, the search was for 3"):
        searches.adopt(search=search, method="certified", index=0)
    question.options = ["x", "y", "z"]
    question.save()
    search.refresh_from_db()
    assert searches.adopt(search=search, method="certified", index=0).options == ["x", "y", "z"]


def test_a_launched_survey_keeps_its_devices(question):
    search = make_search(question)
    launch_survey(survey=question.survey, actor=None)
    with pytest.raises(SurveyError, match="launched"):
        searches.adopt(search=search, method="certified", index=0)


def test_an_epsilon_above_the_cap_or_infinite_is_refused(question, settings):
    search = make_search(question, epsilon=None)
    with pytest.raises(SurveyError, match="Search with an epsilon"):
        searches.adopt(search=search, method="certified", index=0)
    settings.EPSILON_CAP = "0.5"
    search = make_search(question)
    with pytest.raises(SurveyError, match=r"epsilon of .* at most 0\.5 is allowed"):
        searches.adopt(search=search, method="certified", index=0)
    question.refresh_from_db()
    assert question.design == "k_rr"


@pytest.mark.parametrize(("method", "index"), [("certified", 99), ("certified", -1), ("optrr", 0)])
def test_what_is_not_there_cannot_be_adopted(question, method, index):
    with pytest.raises(SurveyError, match="no such table"):
        searches.adopt(search=make_search(question), method=method, index=index)


def test_a_search_that_still_changes_cannot_be_adopted_from(question):
    search = make_search(question)
    DesignSearch.objects.filter(pk=search.pk).update(state="running", **LEASED)
    search.refresh_from_db()
    with pytest.raises(SurveyError, match="Wait until the search has ended"):
        searches.adopt(search=search, method="certified", index=0)


def test_a_question_of_several_answers_has_no_searched_device(question):
    search = make_search(question)
    question.kind = "multiple_choice"
    question.save()
    with pytest.raises(SurveyError, match="kind"):
        searches.adopt(search=DesignSearch.objects.get(), method="certified", index=0)
    question.refresh_from_db()
    assert (question.design, question.epsilon) == ("k_rr", Decimal("1"))
    assert search.is_finished


def test_a_direct_question_becomes_a_sensitive_one():
    direct = {"kind": "single_choice", "options": ["a", "b", "c"], "randomized": False}
    question = make_survey(questions=[direct]).questions.get()
    adopted = searches.adopt(search=make_search(question), method="certified", index=0)
    assert adopted.randomized
    assert adopted.epsilon > 0


def test_arms_follow_the_adopted_epsilon(question):
    set_arms_of_question(question, QuestionArms(question.epsilon, True))
    question.save()
    adopted = searches.adopt(search=make_search(question), method="certified", index=0)
    question.refresh_from_db()
    arms = arms_of_question(question)
    assert arms.split_epsilon == (adopted.epsilon / 2).quantize(Decimal("0.0001"))
    assert arms.asked_directly
    question.survey.consent = with_sentence(question.survey)
    question.survey.save()
    launch = launch_survey(survey=question.survey, actor=None)
    page, split, direct = devices_of(launch)
    assert page["family"] == "searched"
    assert (split["stratum"], split["family"], split["search"]) == ("split", "k_rr", None)
    assert 0 < Decimal(split["epsilon"]) <= arms.split_epsilon
    assert direct["epsilon"] is None
