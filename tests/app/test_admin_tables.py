"""Cross-tables: an outcome and a group are picked before launch, or refused with reasons."""

import pytest

from surveys.authoring.checks.survey import lint_survey
from surveys.features.tables.reading import problems_of
from surveys.features.tables.settings import tables_of
from surveys.models import Question, Survey
from surveys.services.launches import launch_survey
from tests.app.author_posts import page, question_page, sign_in, write_question
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey

pytestmark = pytest.mark.django_db
THREE = ({"name": "drug"}, {"name": "age", "randomized": False}, {"name": "x"})


def survey_of(questions=THREE, **values):
    return make_survey(**{"linkage": "together", "questions": questions, **values})


def pick(client, survey, outcome, group, **options):
    pair = {"outcome": outcome, "group": group}
    return sign_in(client).post(page(survey, "tables"), pair, **options)


def problems(client, survey, outcome, group):
    """Why a table is refused, as its page says it."""
    before = tables_of(survey)
    answer = pick(client, survey, outcome, group)
    assert answer.status_code == 200
    survey.refresh_from_db()
    assert tables_of(survey) == before
    found = [text for texts in answer.context["form"].errors.values() for text in texts]
    assert all(text in visible_text(answer.text) for text in found)
    return found


def stored(survey):
    return tables_of(Survey.objects.get(pk=survey.pk))


def test_a_table_is_picked_from_the_questions_and_taken_away_again(client):
    survey = survey_of(({"name": "drug", "text": "Drugs?"}, {"name": "age", "text": "Age?"}))
    form = sign_in(client).get(page(survey, "tables")).context["form"]
    choices = [("drug", "1. Drugs?"), ("age", "2. Age?")]
    for name in ("outcome", "group"):
        assert form.fields[name].choices[1:] == choices
    answer = pick(client, survey, "drug", "age", follow=True)
    assert "The cross-table is declared." in visible_text(answer.text)
    assert "Drugs? for each answer to Age?" in visible_text(answer.text)
    assert stored(survey) == (("drug", "age"),)
    pair = {"outcome": "drug", "group": "age"}
    # The other way round there is none to be taken away.
    client.post(page(survey, "table_remove"), {"outcome": "age", "group": "drug"})
    assert stored(survey) == (("drug", "age"),)
    answer = client.post(page(survey, "table_remove"), pair, follow=True)
    assert "The cross-table is removed." in visible_text(answer.text)
    assert stored(survey) == ()


@pytest.mark.parametrize(
    ("outcome", "group", "says"),
    [
        ("drug", "", "This field is required."),
        ("", "age", "This field is required."),
        ("drug", "nobody", "Select a valid choice"),
        ("drug", "drug", "“drug” cannot be crossed with itself"),
    ],
)
@pytest.mark.slow
def test_what_is_no_table_is_refused(client, outcome, group, says):
    (message,) = problems(client, survey_of(), outcome, group)
    assert says in message


def test_a_table_that_is_there_is_not_added_once_more(client):
    survey = survey_of(cross_tables=[["drug", "age"]])
    (message,) = problems(client, survey, "drug", "age")
    assert "is there already" in message


def test_only_what_another_table_adds_is_said_of_it(client):
    """What is wrong with those that are declared does not stop another one."""
    survey = survey_of(cross_tables=[["drug", "gone"]])
    assert pick(client, survey, "drug", "age").status_code == 302
    assert stored(survey) == (("drug", "gone"), ("drug", "age"))


def test_all_tables_together_have_a_limit():
    """20 by 20, three times and the other way round: 2,400 cells."""
    options = [str(number) for number in range(20)]
    questions = {
        name: Question(name=name, kind="single_choice", options=options) for name in ("a", "b", "c")
    }
    pairs = [("a", "b"), ("b", "c"), ("a", "c"), ("b", "a"), ("c", "b"), ("c", "a")]
    assert problems_of(pairs[:3], questions) == []
    (problem,) = problems_of(pairs, questions)
    assert "2400 cells in all" in problem


def test_the_same_pair_the_other_way_round_is_another_table(client):
    """Its percentages go the other way."""
    survey = survey_of()
    for outcome, group in (("drug", "age"), ("age", "drug")):
        assert pick(client, survey, outcome, group).status_code == 302
    assert stored(survey) == (("drug", "age"), ("age", "drug"))


def test_a_table_keeps_the_answers_of_one_person_together_and_says_so(client):
    survey = survey_of(linkage="apart")
    before = visible_text(sign_in(client).get(page(survey, "tables")).text)
    assert "Adding one also keeps the answers of one person together" in before
    answer = pick(client, survey, "drug", "age", follow=True)
    shown = visible_text(answer.text)
    assert "The answers of one person are kept together from now on" in shown
    assert "Adding one also keeps" not in shown
    survey.refresh_from_db()
    assert survey.linkage == "together"
    # Whoever sets them apart again is told before the launch.
    Survey.objects.update(linkage="apart")
    findings = {each.code: each.blocks for each in lint_survey(Survey.objects.get())}
    assert findings["tables_apart"]


def test_multiple_choice_cannot_be_crossed(client):
    several = {"kind": "multiple_choice", "options": ["A", "B"], "name": "what"}
    for design in ("per_option", "whole_set"):
        survey = survey_of(({**several, "design": design}, THREE[1]), slug=design.replace("_", "-"))
        (message,) = problems(client, survey, "what", "age")
        assert "“what” is a multiple choice" in message


@pytest.mark.slow
def test_twenty_tables_are_the_most(client):
    questions = [{"name": f"v{index}", "epsilon": "0.1"} for index in range(6)]
    pairs = [[f"v{a}", f"v{b}"] for a in range(6) for b in range(6) if a != b]
    survey = survey_of(questions, cross_tables=pairs[:19])
    assert pick(client, survey, *pairs[19]).status_code == 302
    survey.refresh_from_db()
    (message,) = problems(client, survey, *pairs[20])
    assert "at most 20 tables; there are 21" in message


@pytest.mark.parametrize(("size", "fits"), [(20, True), (21, False)])
def test_four_hundred_cells_are_the_most(client, size, fits):
    survey = survey_of(
        (
            {"name": "a", "kind": "single_choice", "options": [*map(str, range(size))]},
            {"name": "b", "kind": "single_choice", "options": [*map(str, range(20))]},
        )
    )
    if fits:
        assert pick(client, survey, "a", "b").status_code == 302
        return
    (message,) = problems(client, survey, "a", "b")
    assert "420 cells" in message


def test_two_direct_questions_may_be_crossed(client):
    survey = survey_of([{"name": name, "randomized": False} for name in ("a", "b")])
    assert pick(client, survey, "a", "b").status_code == 302


@pytest.mark.parametrize("removes", [True, False])
@pytest.mark.slow
def test_a_question_that_a_table_needs_cannot_go_unseen(client, removes):
    """Its table stays and stops the launch, until the question is back or the table is gone."""
    survey = make_survey(linkage="together", cross_tables=[["q1", "q2"]], questions=[{}, {}])
    second = survey.questions.last()
    sign_in(client)
    if removes:
        client.post(question_page(second, "question_remove"))
    else:
        write_question(client, second, name="renamed")
    (finding,) = [each for each in lint_survey(survey) if each.code == "bad_table"]
    assert finding.blocks
    assert "no question called “q2” any more. Remove its cross-table." in finding.message
    shown = visible_text(client.get(page(survey, "tables")).text)
    assert "for each answer to q2" in shown
    client.post(page(survey, "table_remove"), {"outcome": "q1", "group": "q2"})
    assert "bad_table" not in {each.code for each in lint_survey(Survey.objects.get())}


def test_a_question_that_is_not_right_yet_can_be_crossed(client):
    survey = survey_of(({"name": "a"}, {"name": "b"}))
    write_question(sign_in(client), survey.questions.first(), epsilon="")
    assert pick(client, survey, "a", "b").status_code == 302


def test_the_page_says_what_stands_in_the_way(client):
    survey = survey_of(questions=[{}, {}, {}], pilot=True)
    launch_codes = {each.code for each in lint_survey(survey)}
    assert "paired_tables" not in launch_codes
    pick(client, survey, "q1", "q2")
    assert "paired_tables" in {each.code for each in lint_survey(Survey.objects.get())}


def test_a_launched_survey_takes_no_table(client):
    survey = launched(linkage="together", questions=[{}, {}]).survey
    assert sign_in(client).get(page(survey, "tables")).url == page(survey)
    pick(client, survey, "q1", "q2")
    client.post(page(survey, "table_remove"), {"outcome": "q1", "group": "q2"})
    assert stored(survey) == ()


def test_a_launch_meanwhile_is_said(client):
    survey = survey_of(cross_tables=[["drug", "age"]])
    launch_survey(survey=survey, actor=None)
    client = sign_in(client)
    client.post(page(survey, "table_remove"), {"outcome": "drug", "group": "age"})
    assert stored(survey) == (("drug", "age"),)


def test_the_launch_page_lists_tables_and_population_among_what_freezes(client):
    survey = make_survey(
        linkage="together", cross_tables=[["q1", "q2"]], population="fixed", questions=[{}, {}]
    )
    html = sign_in(client).get(page(survey, "launch")).text
    assert "<code>q1</code> by <code>q2</code>" in html
    assert str(Survey.Population.FIXED.label) in html
