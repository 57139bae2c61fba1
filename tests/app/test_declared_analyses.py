"""Declared analyses and margins beyond their page: services, launch checks, copies, waves."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from surveys.authoring.analyses.declarations import may_be_analysed, takes_scores
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.exceptions import UnfitDeclarationError, WrongStateError
from surveys.features import weighting_of
from surveys.features.analyses.changes import (
    declare_analysis,
    remove_analysis,
    remove_margin,
    set_margin,
    set_margins,
)
from surveys.features.analyses.settings import declared
from surveys.features.return_codes.changes import launchable_wave
from surveys.parameters import (
    Analysis,
    Margin,
    ParametersError,
    Predictor,
    analyses_of_json,
    has_scores,
    is_listed,
    to_freeze,
)
from surveys.services.definitions import clone_survey
from surveys.services.launches import launch_survey
from tests.analyses import ANALYSIS, QUESTIONS, regional, stored_weighting
from tests.builders import make_question, make_survey

pytestmark = pytest.mark.django_db
(DECLARED,) = analyses_of_json([ANALYSIS])
HALVES = Margin(question="size", shares=("0.5", "0.5"))


def draft(**values):
    known = {"linkage": "together", "questions": QUESTIONS, "budget": 9, "planned_n": 5_000}
    declared = {"analyses": [ANALYSIS | {"answers": ["No", "Yes"]}], "weighting": regional()}
    return make_survey(**{**known, **declared, **values})


def codes(survey):
    return {finding.code for finding in lint_survey(survey) if finding.blocks}


def messages(survey, code):
    return [finding.message for finding in lint_survey(survey) if finding.code == code]


def test_what_is_declared_is_launched():
    parameters = launch_survey(survey=draft(), actor=None).parameters
    assert parameters.analyses == (DECLARED,)
    assert weighting_of(parameters).margins == (Margin(question="region", shares=("0.7", "0.3")),)


def test_authors_and_documents_agree_on_what_can_be_analysed():
    """Every kind, with and without a refusal."""
    bins = {"lower": "0", "upper": "60", "step": "1", "unit": "", "bins": [0, 10, 30]}
    survey = make_survey(questions=QUESTIONS, budget=9)
    make_question(survey, name="binned", kind="bounded_number", scale=bins)
    make_question(survey, name="words", kind="short_text", design="rappor")
    for row in list(survey.questions.exclude(name__in=("hours", "words"))):
        row.pk, row.name, row.prefer_not = None, f"{row.name}_or_not", True
        row.save()
    rows = {row.name: row for row in survey.questions.all()}
    frozen = draft_parameters(survey=survey).questions
    assert len(frozen) == 14
    for question in frozen:
        assert may_be_analysed(rows[question.id]) == is_listed(question), question.id
        assert takes_scores(rows[question.id]) == has_scores(question), question.id


def test_a_question_that_is_renamed_or_removed_is_named():
    survey = draft()
    survey.questions.filter(name="region").update(name="area")
    (message,) = messages(survey, "analysis_question")
    assert message.startswith("Analysis “Who takes drugs”: There is no question called “region”.")
    assert "There are: drug, mood, area, size, took, hours." in message
    assert codes(survey) == {"analysis_question", "margin_question"}


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("drug", {"kind": "multiple_choice", "options": ["A", "B"]}, {"analysis_kind"}),
        ("region", {"options": ["South", "North"]}, {"margin_changed"}),
        ("region", {"options": ["N", "S", "E"]}, {"margin_answers", "margin_changed"}),
        ("region", {"randomized": True, "epsilon": Decimal(1)}, {"margin_scrambled"}),
        ("drug", {"kind": "single_choice", "options": ["Yes", "No"]}, {"analysis_answers"}),
        ("drug", {"prefer_not": True}, {"analysis_answers"}),
        ("drug", {"randomized": False, "epsilon": None}, set()),
    ],
)
def test_a_change_of_a_question_that_matters_is_told_before_the_launch(name, changes, expected):
    survey = draft()
    survey.questions.filter(name=name).update(**changes)
    assert {code for code in codes(survey) if code.startswith(("analysis", "margin"))} == expected


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"linkage": "apart"}, "analyses_apart"), ({"pilot": True}, "clash")],
)
def test_a_survey_that_can_have_none_is_told_before_the_launch(changes, code):
    assert code in codes(draft(**changes))


def test_weights_that_are_missing_are_told_before_the_launch():
    assert codes(draft(weighting=None)) == {"analysis_weights"}


def test_few_respondents_for_many_coefficients_are_a_warning():
    survey = draft(planned_n=20, release_threshold=1)
    (message,) = messages(survey, "thin_analysis")
    assert "It has 2 coefficients, and the answers of 20 respondents are worth about" in message
    assert codes(survey) == set()


def test_questions_that_are_sent_together_are_in_no_analysis_of_their_own():
    grouped = [{"name": name, "group": 1, "epsilon": Decimal("0.9")} for name in ("one", "two")]
    both = ANALYSIS | {
        "outcome": "one",
        "predictors": [{"question": "two", "scored": True}],
        "weighted": False,
    }
    survey = draft(questions=grouped, analyses=[both], weighting=None)
    (message,) = messages(survey, "analysis_group")
    assert "“one” and “two” are sent together, by one draw." in message
    with pytest.raises(ParametersError, match="at most one question of those"):
        to_freeze(draft_parameters(survey=survey))


@pytest.mark.parametrize(
    ("other", "code"),
    [
        ({"link": "cloglog"}, "analysis_scrambled"),
        ({"link": "identity"}, "analysis_scrambled"),
        ({"link": "probit"}, ""),
        ({"outcome": "region", "predictors": [{"question": "mood", "scored": True}]}, ""),
        ({"outcome": "mood", "event": [0, 2]}, ""),
        (
            {"outcome": "mood", "event": [], "predictors": [{"question": "drug", "scored": True}]},
            "analysis_scrambled",
        ),
    ],
)
def test_what_could_not_be_fitted_is_told_before_it_freezes(other, code):
    """As in surveys/results/regression."""
    row = ANALYSIS | {"predictors": [{"question": "mood", "scored": False}], "weighted": False}
    if other.get("outcome") == "mood":
        row["predictors"] = [{"question": "region", "scored": False}]
    survey = draft(analyses=[row | other], weighting=None)
    assert codes(survey) == ({code} if code else set())


@pytest.mark.parametrize(("design", "fits"), [("k_rr", True), ("laplace", False)])
def test_answers_are_put_together_where_their_device_allows_it(design, fits):
    moods = [each | ({"design": design} if each["name"] == "mood" else {}) for each in QUESTIONS]
    row = ANALYSIS | {"outcome": "mood", "event": [1, 2], "weighted": False}
    survey = draft(questions=moods, analyses=[row], weighting=None)
    assert codes(survey) == (set() if fits else {"analysis_device"})


def test_what_lint_lets_pass_the_document_takes():
    """Each sort of problem of an analysis is one that the frozen document would refuse as well."""
    survey = draft()
    assert codes(survey) == set()
    to_freeze(draft_parameters(survey=survey))


# --- services ------------------------------------------------------------------------------------


BAD = {
    "the same name": DECLARED,
    "an unknown question": replace(DECLARED, name="b", outcome="poll"),
    "an event that there is not": replace(DECLARED, name="b", event=(2,)),
    "no predictors": replace(DECLARED, name="b", predictors=()),
    "the outcome as a predictor": replace(
        DECLARED, name="b", predictors=(Predictor(question="drug", scored=True),)
    ),
    "nine predictors": replace(DECLARED, name="b", predictors=DECLARED.predictors * 9),
    "another link, all apart": replace(
        DECLARED, name="b", outcome="mood", event=(), link="cloglog"
    ),
    "scores without an order": replace(
        DECLARED, name="b", predictors=(Predictor(question="size", scored=True),)
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_analysis_is_refused(case):
    survey = draft()
    with pytest.raises(UnfitDeclarationError) as error:
        declare_analysis(survey=survey, analysis=BAD[case])
    assert error.value.problems
    survey.refresh_from_db()
    assert len(declared(survey).analyses) == 1


def test_ten_analyses_are_the_most():
    survey = draft()
    for number in range(9):
        declare_analysis(survey=survey, analysis=replace(DECLARED, name=f"Analysis {number}"))
    with pytest.raises(UnfitDeclarationError, match="10 analyses at most"):
        declare_analysis(survey=survey, analysis=replace(DECLARED, name="One more"))
    assert remove_analysis(survey=survey, name="Analysis 0")
    assert not remove_analysis(survey=survey, name="Analysis 0")
    declare_analysis(survey=survey, analysis=replace(DECLARED, name="One more"))
    survey.refresh_from_db()
    to_freeze(draft_parameters(survey=survey))


@pytest.mark.parametrize(
    "margins",
    [
        [replace(HALVES, shares=("0.5", "0.4"))],
        [replace(HALVES, shares=("1", "0"))],
        [replace(HALVES, shares=("0.5", "0.3", "0.2"))],
        [replace(HALVES, question="mood")],
        [HALVES, HALVES],
        [],
    ],
)
def test_bad_margins_are_refused(margins):
    survey = draft()
    with pytest.raises(UnfitDeclarationError):
        set_margins(survey=survey, margins=margins)
    survey.refresh_from_db()
    assert stored_weighting(survey) == regional()


def test_a_margin_takes_its_place_and_leaves_the_others_as_they_are():
    survey = draft()
    survey.questions.filter(name="region").update(options=["South", "North"])
    set_margin(survey=survey, margin=HALVES)
    assert codes(survey) == {"margin_changed"}
    assert remove_margin(survey=survey, question="region")
    assert not remove_margin(survey=survey, question="region")
    survey.refresh_from_db()
    assert codes(survey) == set()
    with pytest.raises(UnfitDeclarationError, match="These analyses are weighted"):
        remove_margin(survey=survey, question="size")


def test_a_launched_survey_takes_none():
    survey = draft()
    launch_survey(survey=survey, actor=None)
    for change in (
        lambda: declare_analysis(survey=survey, analysis=replace(DECLARED, name="b")),
        lambda: remove_analysis(survey=survey, name=DECLARED.name),
        lambda: set_margins(survey=survey, margins=[HALVES]),
        lambda: set_margin(survey=survey, margin=HALVES),
        lambda: remove_margin(survey=survey, question="region"),
    ):
        with pytest.raises(WrongStateError):
            change()


def test_a_copy_has_them_and_may_change_them():
    survey = draft()
    launch_survey(survey=survey, actor=None)
    copy = clone_survey(survey=survey, owner=survey.owner)
    assert declared(copy) == declared(survey)
    remove_analysis(survey=copy, name=DECLARED.name)
    survey.refresh_from_db()
    assert len(declared(survey).analyses) == 1


def test_the_next_wave_has_them():
    launch = launch_survey(survey=draft(mode="pseudonymous"), actor=None)
    wave = launchable_wave(launch=launch, epsilons={"drug": Decimal(2)})
    assert wave.analyses == launch.parameters.analyses == (DECLARED,)
    assert weighting_of(wave) == weighting_of(launch.parameters)


def test_a_stored_analysis_without_its_answers_is_read():
    """As surveys are made that no author typed."""
    survey = draft(analyses=[ANALYSIS])
    assert codes(survey) == set()
    assert isinstance(draft_parameters(survey=survey).analyses[0], Analysis)
