"""Questions that are for some people only: what is written, frozen, refused, taken and shown."""

import csv
import io
from decimal import Decimal
from itertools import product

import msgspec
import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from msgspec.structs import replace

import rr_engine
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.authoring.features import feature_notices
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.exceptions import InvalidSubmissionError
from surveys.features.filters.draft import takes_not_applicable
from surveys.features.filters.reading import UnreadableFilterError, read_filter, written_answer
from surveys.features.filters.section import filters_of
from surveys.features.filters.settings import QuestionFilter, filter_of_question
from surveys.features.filters.words import menus_of
from surveys.kinds import KINDS
from surveys.parameters import ParametersError, to_freeze
from surveys.services.definitions import import_definition
from surveys.services.results import refresh_results
from tests.app.author_posts import QUESTION, opened, page, saved, write_question
from tests.app.kept import kept_once
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner
from tests.filtered import AGE, CONTRACT, DRUG, OFTEN, SURVEY, asked_of, question
from tests.released import answer, download, released

pytestmark = pytest.mark.django_db


# A launch of SURVEY.
kept = kept_once(lambda: launched(slug="kept", **SURVEY))


@pytest.fixture(scope="module")
def parameters(kept):
    return kept.parameters


# --- what an author writes ----------------------------------------------------------------------


def read(text, *values):
    return read_filter(text, list(make_survey(questions=list(values)).questions.all()))


def test_what_is_written_becomes_comparisons():
    alternatives = read(
        'drug = Yes and age > 17 or contract ≠ "For a time" | None', CONTRACT, AGE, DRUG
    )

    assert [[each.question for each in every] for every in alternatives] == [
        ["drug", "age"],
        ["contract"],
    ]
    (drug, age), (contract,) = alternatives
    assert (drug.answers, drug.negated) == ((1,), False)
    assert (age.answers, age.above, age.below) == ((), "17", None)
    assert (contract.answers, contract.negated) == ((1, 2), True)


@pytest.mark.parametrize(
    "label",
    ["Yes", "and", "Oder so", 'the "good" one', "a = b", "“x”", "more than 3 | less", "  a "],
)
def test_an_answer_is_written_so_that_it_is_read_again(label):
    labels = [label, "Something else"]
    (asked,) = make_survey(
        questions=[question("q", kind="single_choice", options=labels)]
    ).questions.all()
    ((comparison,),) = read_filter(f"q = {written_answer(label)}", [asked])
    assert comparison.answers == (0,)


def test_the_menus_have_what_can_be_compared_and_say_whom_it_is_for(client: Client):
    text = {"kind": "short_text", "text": "Which?", "name": "which"}
    survey = make_survey(questions=[CONTRACT, AGE, text, OFTEN | {"name": "last"}])
    asked = list(survey.questions.order_by("position"))
    menus = menus_of(asked[-1], asked)
    assert [each.name for each in menus.questions] == ["contract", "age"]
    assert [len(each.answers) for each in menus.questions] == [3, 0]
    # It rests on a question that is not there.
    assert menus.words == ""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("drug", "no comparison"),
        ("drug =", "no comparison"),
        ("= Yes", "no comparison"),
        ("drug = Yes and", "no comparison"),
        ("money = Yes", "“money” is no question before this one"),
        ("drug = Maybe", "“Maybe” is no answer to “drug”. Its answers are: No | Yes"),
        ("drug = Yes | ", "“” is no answer"),
        ("drug > 1", "cannot be compared so"),
        ("age = 18", "by > or <"),
        ("age > many", "“many” is no number"),
        (" or ".join(["drug = Yes"] * 11), "10 comparisons at most"),
    ],
)
def test_what_cannot_be_read_is_named(text, named):
    with pytest.raises(
        UnreadableFilterError, match="(?s)" + named.replace("|", r"\|").replace("?", r"\?")
    ):
        read(text, CONTRACT, AGE, DRUG)


@pytest.mark.parametrize(
    ("questions", "code"),
    [
        # A question behind itself, or behind a later one.
        ([question("first", only_if="first = Yes"), DRUG], "unreadable_filter"),
        ([question("first", only_if="drug = Yes"), DRUG], "unreadable_filter"),
        ([DRUG, {**CONTRACT, "features": {"filters": {"only_if": "drug = Yes"}}}], "filter_leaks"),
        (
            [DRUG, {**OFTEN, "features": {"filters": {"only_if": "drug = Yes", "unasked": True}}}],
            "filter_leaks",
        ),
        (
            [
                DRUG,
                question("took", kind="multiple_choice", options=["A", "B"], only_if="drug = Yes"),
            ],
            "filter_without_category",
        ),
        (
            [DRUG, question("word", kind="short_text", only_if="drug = Yes")],
            "filter_without_category",
        ),
        ([DRUG, OFTEN | {"required": False}], "filter_optional"),
    ],
)
def test_what_would_give_a_filter_away_is_refused_before_launch(questions, code):
    survey = make_survey(questions=questions, budget=9)

    assert code in {finding.code for finding in lint_survey(survey) if finding.blocks}


@pytest.mark.slow
def test_an_author_writes_a_filter_and_reads_it_before_the_launch(client: Client):
    often = {"name": "often", "only_if": "  drug =  Yes ", "required": None}
    survey = saved(client, {"name": "drug", "required": None}, often)

    parameters = draft_parameters(survey=survey)
    (each,) = filters_of(parameters)
    assert (each.question, each.unasked) == ("often", False)
    # Nobody is asked whether to, because a blank would tell who was asked.
    assert [each.required for each in parameters.questions] == [False, True]
    launch_page = visible_text(client.get(page(survey, "launch")).text)
    assert "Questions that are for some people only often: drug = Yes" in launch_page


def test_what_cannot_be_read_is_kept_and_said(client: Client):
    survey = saved(client, {"name": "drug"}, {"only_if": "drug = Perhaps"})

    questions = list(survey.questions.order_by("position"))
    assert filter_of_question(questions[1]).only_if == "drug = Perhaps"
    (words,) = feature_notices(questions, questions[1])
    assert "“Perhaps” is no answer to “drug”. Its answers are: No | Yes" in words


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_a_filter_of_any_kind_is_shown_and_judged(client: Client, name):
    asked = {"name": "asked", "text": "What?", "kind": name, "only_if": "drug = Yes"}
    survey = saved(client, {"name": "drug"}, {"name": "asked"})
    row = survey.questions.get(name="asked")
    write_question(client, row, **{**QUESTION, **asked, "options": "A\nB\nC"})

    opened(client, row)
    codes = {each.code for each in lint_survey(survey) if each.blocks}
    takes = takes_not_applicable(survey.questions.get(name="asked"))
    assert ("filter_without_category" in codes) != takes
    assert client.get(page(survey, "launch")).status_code == 200


def test_leaving_unasked_is_nothing_without_a_filter(client: Client):
    survey = saved(client, {"name": "drug"}, {"leave_unasked": "on"})

    assert filter_of_question(survey.questions.order_by("position")[1]) == QuestionFilter()


def test_a_copy_and_a_file_of_a_survey_have_its_filters():
    survey = make_survey(questions=[DRUG, OFTEN], budget=9)

    definition = read_definition(written(definition_of(survey)))
    copied = import_definition(definition=definition, owner=owner()).survey
    assert filters_of(draft_parameters(survey=copied)) == filters_of(
        draft_parameters(survey=survey)
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"section_title": "A", "section_random": True}, {}),
        (
            {"section_title": "A", "section_moves": True},
            {"section_title": "B", "section_moves": True},
        ),
    ],
)
def test_a_question_that_chance_may_ask_first_has_no_filter(first, second):
    survey = make_survey(questions=[{**DRUG, **first}, {**OFTEN, **second}], budget=9)

    (finding,) = [each for each in lint_survey(survey) if each.code == "filter_order"]
    assert finding.blocks
    assert "“drug”" in finding.message


def test_a_filter_may_rest_on_a_question_of_another_section():
    first, second = {"section_title": "A", "section_random": True}, {"section_title": "B"}
    launched(questions=[{**DRUG, **first}, {**OFTEN, **second}], budget=9)


def test_all_questions_on_one_page_do_not_go_with_filters_and_the_author_is_told():
    survey = make_survey(questions=[DRUG, OFTEN], layout="all", budget=9)

    (finding,) = [each for each in lint_survey(survey) if each.code == "filters_one_by_one"]
    assert not finding.blocks


# --- what is frozen -----------------------------------------------------------------------------


def test_does_not_apply_is_a_category_before_a_refusal(parameters):
    assert parameters.question("often").categories[-2:] == ("Does not apply", "Prefer not to say")
    assert parameters.question("stolen").categories == ("No", "Yes", "Does not apply")
    assert parameters.question("hours").categories == ("Few", "Usual", "Many")
    assert [each.unasked for each in filters_of(parameters)] == [False, False, True, False]


def test_a_survey_without_filters_has_the_document_that_it_had():
    document = launched(questions=[DRUG]).document

    assert "filters" not in document
    assert all("not_applicable" not in each for each in document["questions"])


def without_filters(parameters, _each, _comparison):
    return replace(parameters, filters=())


def without_category(parameters, _each, _comparison):
    questions = (replace(each, not_applicable=msgspec.UNSET) for each in parameters.questions)
    return replace(parameters, questions=tuple(questions))


def of_filter(**changes):
    return lambda parameters, each, _: replace(parameters, filters=(replace(each, **changes),))


def compared(**changes):
    def changed(parameters, each, comparison):
        other = replace(each, any=((replace(comparison, **changes),),))
        return replace(parameters, filters=(other,))

    return changed


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (without_filters, "shape"),
        (without_category, "bad_filter"),
        (of_filter(unasked=True), "bad_filter"),
        (of_filter(question="nobody"), "unknown_question"),
        (of_filter(question="drug"), "bad_filter"),
        (of_filter(any=()), "shape"),
        (compared(answers=(9,)), "bad_filter"),
        (compared(answers=(1, 0)), "bad_filter"),
        (compared(answers=()), "bad_filter"),
        (compared(above="3"), "bad_filter"),
        (compared(above="03"), "shape"),
        (compared(question="often"), "bad_filter"),
        (compared(question="nobody"), "bad_filter"),
    ],
)
def test_a_document_that_breaks_a_rule_is_refused(change, code):
    parameters = launched(questions=[DRUG, OFTEN]).parameters
    (each,) = filters_of(parameters)
    ((comparison,),) = each.any
    changed = change(parameters, each, comparison)

    with pytest.raises(ParametersError) as error:
        to_freeze(changed)
    assert error.value.code == code


# --- what is taken ------------------------------------------------------------------------------

WHOLE = {"age": 0, "drug": 0, "often": 0, "caught": 0, "stolen": 0}


@pytest.mark.parametrize(
    ("reports", "code"),
    [
        ({"contract": 0, "hours": 1}, None),
        ({"contract": 2}, None),
        ({"contract": 2, "hours": 1}, "not_asked"),
        ({"contract": 0}, "missing"),
    ],
)
def test_of_a_question_that_is_not_asked_nothing_is_taken(launch, reports, code):
    if code is None:
        answer(launch, [WHOLE | reports])
        return
    with pytest.raises(InvalidSubmissionError) as error:
        answer(launch, [WHOLE | reports])
    assert [(each.field, each.code) for each in error.value.fields] == [("reports.hours", code)]


@pytest.mark.parametrize(
    ("contract", "age", "drug", "often"),
    list(product([0, 1, 2, None], [17, 18, None], [0, 1, 2, None], [0, 1, 2, 3, None])),
)
def test_whom_a_question_is_for_follows_from_the_answers(parameters, contract, age, drug, often):
    filters = {each.question: each for each in filters_of(parameters)}
    answers = {"contract": contract, "age": age, "drug": drug, "often": often}
    given = {name: value for name, value in answers.items() if value is not None}
    real = {name: Decimal(value) if name == "age" else value for name, value in given.items()}

    found = {name: each.holds(real) for name, each in filters.items()}

    assert found == asked_of(given)


# --- what is shown ------------------------------------------------------------------------------


@pytest.mark.slow
def test_results_have_shares_of_everybody_and_of_those_whom_it_is_for(client: Client):
    rng = np.random.default_rng(30)
    questions = [{**DRUG, "prefer_not": False}, question("caught", only_if="drug = Yes", epsilon=2)]
    launch = launched(questions=questions, release_threshold=5, results_public=True)
    design = rr_engine.k_rr(3, 2.0)
    truths = rng.choice(3, size=400, p=[0.3, 0.2, 0.5])
    reports = [int(rng.choice(3, p=design.matrix[:, truth])) for truth in truths]
    answer(launch, [{"drug": number % 2, "caught": code} for number, code in enumerate(reports)])
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()

    file = csv.DictReader(io.StringIO(download(client, launch, "estimates-csv")))
    rows = [row for row in file if row["share_of"] == "asked"]
    counts = np.bincount(reports, minlength=3)
    expected = rr_engine.association.subgroup_shares(rr_engine.estimate(design, counts), outside=2)

    assert [(row["question"], row["answer"]) for row in rows] == [
        ("caught", "No"),
        ("caught", "Yes"),
    ]
    for row, value, error, (low, high) in zip(
        rows, expected.values, expected.standard_errors, expected.interval(), strict=True
    ):
        numbers = [float(row[name]) for name in ("estimate", "standard_error", "low", "high")]
        # The device is rounded to integers.
        assert numbers == pytest.approx([value, error, low, high], rel=1e-6)

    page = client.get(reverse("results", args=[launch.survey.slug])).content.decode()
    assert "Of those whom it is for, about" in page
    assert 'id="asked-caught"' in page


def test_a_survey_without_filters_has_no_such_rows(client: Client):
    rows = [{"drug": number % 3} for number in range(20)]
    launch = released(rows, questions=[DRUG], results_public=True)

    assert "asked" not in download(client, launch, "estimates-csv")
