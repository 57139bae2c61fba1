"""Direct answers that can single a respondent out: the rule, and who is told of it."""

import re
from decimal import Decimal
from itertools import product

import pytest
from django.urls import reverse
from scipy.stats import poisson

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.disclosure_risk import LEAST_PER_COMBINATION, risk_of_document, risk_of_draft
from surveys.services.launches import parameters_to_serve
from tests.app.author_posts import page, sign_in
from tests.builders import launched, make_survey

pytestmark = pytest.mark.django_db

ROLE = {
    "name": "role",
    "kind": "single_choice",
    "options": ["Nurse", "Doctor", "Porter", "Other"],
    "randomized": False,
}
AGE = {
    "name": "age",
    "kind": "scale",
    "options": [f"{age} to {age + 4}" for age in range(15, 75, 5)],
    "randomized": False,
}
TOOLS = {
    "name": "tools",
    "kind": "multiple_choice",
    "options": ["Saw", "Drill", "Lathe"],
    "randomized": False,
}
SCRAMBLED = {"name": "drug", "prefer_not": True, "required": False}
TOGETHER = {"linkage": "together", "slug": "work", "budget": Decimal(9)}
PHYSICAL = {"physical_device": "die", "epsilon": Decimal(2)}


def rows_of(question) -> int:
    """The number of possible rows of one person, by enumeration."""
    labels = question.get("options") or ["No", "Yes"]
    if question.get("kind") == "multiple_choice":
        rows = set(product([False, True], repeat=len(labels)))
    else:
        rows = set(labels)
    if question.get("prefer_not"):
        rows.add("prefers not to say")
    if not question.get("required", True):
        rows.add("left out")
    return len(rows)


def risk_of(survey):
    """The risk of the draft, checked to equal that of the frozen parameters."""
    risk = risk_of_draft(survey, list(survey.questions.all()))
    parameters = parameters_to_serve(survey=survey).parameters
    assert risk == risk_of_document(parameters, planned_n=survey.planned_n)
    return risk


@pytest.mark.parametrize(
    "direct",
    [
        [ROLE, AGE],
        [{"name": "lead", "randomized": False}],
        [{**ROLE, "required": False}, {**AGE, "prefer_not": True}],
        [TOOLS],
        [{**TOOLS, "prefer_not": True, "required": False}, ROLE],
    ],
)
def test_combinations_of_answers_that_are_kept_together_are_counted(direct):
    rows = 1
    for question in direct:
        rows *= rows_of(question)
    enough = LEAST_PER_COMBINATION * rows
    survey = make_survey(**TOGETHER, planned_n=enough, questions=[SCRAMBLED, *direct])
    assert risk_of(survey) is None
    survey.planned_n = enough - 1
    risk = risk_of(survey)
    assert risk.combinations == rows
    assert risk.names == tuple(question["name"] for question in direct)


@pytest.mark.parametrize(
    ("direct", "name", "rows"),
    [([ROLE, AGE], "age", 12), ([{**AGE, "required": False}], "age", 12), ([TOOLS], "tools", 2)],
)
def test_answers_that_are_stored_apart_count_one_by_one(direct, name, rows):
    """Each tick of a set is a row of its own, and what is left out leaves none."""
    survey = make_survey(planned_n=10 * rows, questions=[SCRAMBLED, *direct])
    assert risk_of(survey) is None
    survey.planned_n -= 1
    assert (risk_of(survey).names, risk_of(survey).combinations) == ((name,), rows)


def test_randomized_answers_are_no_key_to_anybody():
    randomized_age = {**AGE, "randomized": True, "epsilon": Decimal(1)}
    assert (
        risk_of(make_survey(**TOGETHER, planned_n=1, questions=[SCRAMBLED, randomized_age])) is None
    )


def test_with_ten_to_a_combination_nearly_everybody_shares_it_with_four_others():
    """The others in somebody's combination are about Poisson; a k of 5 needs four of them."""
    assert 1 - poisson.cdf(3, LEAST_PER_COMBINATION) > 0.989
    assert 1 - poisson.cdf(3, LEAST_PER_COMBINATION / 2) < 0.75


def message(survey) -> str:
    (finding,) = [each for each in lint_survey(survey) if each.code == "singled_out"]
    assert not finding.blocks
    return finding.message


def test_lint_warns_with_the_numbers(client):
    survey = make_survey(**TOGETHER, planned_n=400, questions=[SCRAMBLED, ROLE, AGE])
    text = message(survey)
    assert "role, age are kept together" in text
    assert "48 combinations, for 400 planned respondents: fewer than 10 people" in text
    assert "48 combinations, for 400 planned" in sign_in(client).get(page(survey, "launch")).text
    enough = make_survey(**TOGETHER | {"slug": "b"}, planned_n=480, questions=[ROLE, AGE])
    assert "singled_out" not in {each.code for each in lint_survey(enough)}


def test_lint_warns_of_one_question_with_many_answers():
    text = message(make_survey(planned_n=119, questions=[AGE, SCRAMBLED]))
    assert "age has 12 possible answers, for 119 planned respondents" in text


def test_lint_says_nothing_of_a_kind_that_is_not_known():
    broken = {"kind": "no such kind", "randomized": False}
    assert "unknown_kind" in {each.code for each in lint_survey(make_survey(questions=[broken]))}


def text_of(answer) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


@pytest.fixture(params=["respond", "physical"])
def label(client, request):
    """The label on the respondent's first page, with and without JavaScript."""

    def read(launch) -> str:
        answer = client.get(reverse(request.param, args=[launch.survey.slug]))
        assert answer.status_code == 200
        return text_of(answer)

    return read


ASKED = [SCRAMBLED | PHYSICAL, ROLE, AGE]


def test_the_label_tells_respondents(label):
    text = label(launched(**TOGETHER, planned_n=400, questions=ASKED))
    assert (
        "The same, without names. Still, whoever knows you may recognise you. Questions marked "
        "“Not scrambled” have 48 combinations of answers, for about 400 people."
    ) in text
    assert "finds your scrambled ones beside them." in text


def test_the_label_says_nothing_where_many_share_a_combination(label):
    text = label(launched(**TOGETHER, planned_n=480, questions=ASKED))
    assert "The same, without names" in text
    assert "recognise you" not in text
    assert "beside them" not in text


def test_the_label_tells_of_one_question_where_answers_are_apart(label):
    text = label(launched(slug="work", planned_n=100, questions=ASKED))
    assert (
        "A question marked “Not scrambled” has 12 possible answers, for about 100 people."
    ) in text
    assert "beside them" not in text


def test_numbers_that_nobody_reads_are_only_called_large(label):
    ticks = {**TOOLS, "options": [str(number) for number in range(40)]}
    text = label(launched(**TOGETHER, planned_n=2500, questions=[SCRAMBLED | PHYSICAL, ticks]))
    assert "has more than 1,000,000 possible answers, for about 2,500 people." in text


def test_respondents_of_a_german_survey_read_it_in_german(label):
    questions = [*ASKED, TOOLS, {"name": "lead", "randomized": False}, {**ROLE, "name": "was"}]
    text = label(launched(**TOGETHER, language="de", planned_n=1400, questions=questions))
    assert (
        "Dasselbe, ohne Namen. Wer Sie kennt, kann Sie dennoch erkennen. Fragen mit dem Zeichen "
        "„Nicht verwürfelt“ haben 3.072 Kombinationen von Antworten, für etwa 1.400 Befragte."
    ) in text


def test_a_survey_of_direct_questions_alone_tells_it_too(client):
    launch = launched(**TOGETHER, planned_n=400, questions=[ROLE, AGE])
    text = text_of(client.get(reverse("respond", args=[launch.survey.slug])))
    assert "Answers without names. Still, whoever knows you may recognise you." in text
    assert "scrambled ones beside them" not in text


def test_the_form_without_javascript_marks_direct_questions_as_its_label_says(client):
    launch = launched(**TOGETHER, questions=ASKED)
    html = client.get(reverse("physical", args=[launch.survey.slug])).text
    (mark,) = set(re.findall("marked “(.+?)”", html))
    marks = re.findall(r'<span class="tag tag--known">(.+?)</span>', html)
    assert marks == [mark] * 2
