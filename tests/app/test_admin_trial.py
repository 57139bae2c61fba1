"""Test fill: a chosen truth, and its recovery."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from surveys.authoring.planning.coverage import simulated_coverage
from surveys.authoring.planning.recovery_rates import recovery_of
from surveys.forms.fields.shares import Answers, default_shares
from surveys.forms.planning.trial import TrialForm
from surveys.models import Launch, ReportSet, Result, Submission, Survey, Tally
from surveys.services.launches import parameters_to_serve
from tests.app.author_posts import page, sign_in
from tests.builders import launched, make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.mark.parametrize(
    ("kind", "size", "prefer_not", "shares"),
    [
        ("yes_no", 2, False, ["90", "10"]),
        ("yes_no", 3, True, ["85", "10", "5"]),
        ("single_choice", 3, False, ["33.4", "33.3", "33.3"]),
        ("single_choice", 4, True, ["31.6", "31.7", "31.7", "5"]),
        ("multiple_choice", 3, True, ["20", "20", "5"]),
    ],
)
def test_the_shares_offered_are_plausible(kind, size, prefer_not, shares):
    question = Answers(kind, ("x",) * size, prefer_not)
    assert default_shares(question) == [Decimal(share) for share in shares]


@pytest.mark.parametrize("size", range(2, 52))
def test_the_shares_offered_add_up(size):
    question = Answers("single_choice", ("x",) * size, False)
    shares = default_shares(question)
    assert sum(shares) == 100
    assert min(shares) >= 0


def fill(client, survey, **values):
    data = {"respondents": "1000", "q1-0": "90", "q1-1": "10", **values}
    return sign_in(client).post(page(survey, "trial"), data)


@pytest.mark.parametrize("build", [make_survey, lambda: launched().survey])
@pytest.mark.slow
def test_a_fill_shows_the_recovery_and_stores_nothing(client, build):
    survey = build()
    html = fill(client, survey).text
    assert "Recovered from 1,000 simulated respondents" in html
    assert "90.0\u00a0%" in html
    for model in (Submission, ReportSet, Tally, Result):
        assert not model.objects.exists()
    assert Launch.objects.count() == (0 if survey.is_draft else 1)
    assert Survey.objects.get().simulated_truth is None


@pytest.mark.parametrize(
    ("values", "field", "says"),
    [
        ({"q1-1": "20"}, "q1-0", "add up to 110\u00a0%"),
        ({"q1-0": "89.99"}, "q1-0", "add up to 99.99\u00a0%"),
        ({"q1-0": "110", "q1-1": "-10"}, "q1-1", "greater than or equal to 0"),
        ({"q1-0": ""}, "q1-0", "required"),
        ({"q1-0": "nan"}, "q1-0", "number"),
        ({"respondents": "0"}, "respondents", "greater than or equal to 10"),
        ({"respondents": "100000000"}, "respondents", "less than or equal"),
    ],
)
@pytest.mark.slow
def test_a_truth_that_cannot_be_is_refused_at_its_field(client, values, field, says):
    response = fill(client, make_survey(), **values)
    assert says in " ".join(response.context["form"].errors[field])
    assert response.context["recovery"] is None


def test_shares_of_100_in_tenths_are_exact():
    parameters = parameters_to_serve(survey=make_survey()).parameters
    form = TrialForm({"respondents": "10", "q1-0": "99.9", "q1-1": "0.1"}, parameters=parameters)
    assert form.is_valid()
    assert form.truth() == {"q1": [0.999, 0.001]}


def test_a_direct_question_recovers_what_was_counted(client):
    """With every share on one category the estimate is exact, whatever is drawn."""
    survey = make_survey(questions=[{"randomized": False}])
    recovery = fill(client, survey, **{"q1-0": "100", "q1-1": "0"}).context["recovery"]
    (block,) = recovery.blocks
    assert [row.estimate for row in block.rows] == [100, 0]
    assert recovery.covered_count == recovery.intervals == 2


def test_an_interval_covers_when_the_truth_lies_in_it():
    row = {"label": "Yes", "estimate": 0.02, "interval": (-0.04, 0.08), "reported_share": 0.3}
    asked = {
        "id": "q1",
        "text": "?",
        "randomized": True,
        "epsilon": "1",
        "texts": None,
        "ranking": None,
    }
    question = SimpleNamespace(**asked, categories=[SimpleNamespace(**row)])
    results = SimpleNamespace(responses=10, questions=[question])
    inside, outside = recovery_of(results, {"q1": [0.08]}), recovery_of(results, {"q1": [0.081]})
    assert (inside.covered_count, outside.covered_count) == (1, 0)
    assert (inside.low, inside.high) == (-4, 100)


MANY = {
    "kind": "multiple_choice",
    "options": ["Pills", "Alcohol"],
    "epsilon": Decimal(3),
}


def several(design, **values):
    return make_survey(questions=[{**MANY, "design": design, **values}])


@pytest.mark.parametrize("design", ["per_option", "whole_set"])
@pytest.mark.parametrize("prefer_not", [False, True])
@pytest.mark.slow
def test_coverage_is_shown_for_every_option(design, prefer_not):
    """Independent shares; 2,000 people. Wilson-type intervals: 95 % within 5 errors of chance."""
    parameters = parameters_to_serve(survey=several(design, prefer_not=prefer_not)).parameters
    shares = [0.3, 0.6, 0.05][: 2 + prefer_not]
    coverage = simulated_coverage(parameters, {"q1": shares}, 2_000, rng=1)
    rows = coverage.questions["q1"]
    assert [row.truth for row in rows] == pytest.approx(shares)
    for row in rows:
        assert abs(row.covered - 0.95) < 5 * (0.95 * 0.05 / coverage.repetitions) ** 0.5


def test_the_margin_of_the_simulations_is_the_panels():
    parameters = parameters_to_serve(survey=make_survey()).parameters
    (_no, yes) = simulated_coverage(parameters, {"q1": [0.9, 0.1]}, 500, rng=1).questions["q1"]
    # PRODUCT.md section 3: ± 8.8 points at epsilon 1 and n = 500.
    assert yes.margin == pytest.approx(0.088, abs=0.002)


def test_a_long_survey_is_repeated_less_often():
    questions = [{"epsilon": Decimal("0.1")} for _turn in range(20)]
    parameters = parameters_to_serve(survey=make_survey(questions=questions)).parameters
    truth = {f"q{number}": [0.9, 0.1] for number in range(1, 21)}
    assert simulated_coverage(parameters, truth, 100, rng=1).repetitions == 200


def test_the_page_shows_coverage(client):
    html = fill(client, make_survey()).text
    assert "The same survey 1,000 times" in html
    assert "Interval right in" in html


def test_shares_of_options_need_not_add_up(client):
    survey = several("whole_set")
    response = fill(client, survey, **{"q1-0": "70", "q1-1": "60"})
    assert response.context["form"].errors == {}
    assert len(response.context["coverage"].blocks[0].rows) == 2
