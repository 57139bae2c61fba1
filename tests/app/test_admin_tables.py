"""Cross-tables: declared in lines of variable names, before launch and with reasons."""

import pytest

from surveys.features.tables.reading import Line, parse_lines, problems_of
from surveys.features.tables.settings import tables_of
from surveys.models import Question, Survey
from tests.app.author_posts import errors_of, form_data, page, post_new, sign_in
from tests.builders import make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
THREE = ({"name": "drug"}, {"name": "age", "randomized": "False"}, {"name": "x"})


def post(client, tables, questions=THREE, **changes):
    values = {"linkage": "together", "cross_tables": tables, **changes}
    return post_new(client, *questions, **values)


def problems(client, tables, questions=THREE, **changes):
    response = post(client, tables, questions, **changes)
    assert response.status_code == 200
    assert not Survey.objects.exists()
    errors = errors_of(response)
    assert set(errors) == {"cross_tables"}
    return errors["cross_tables"]


@pytest.mark.parametrize(
    "line",
    ["drug by age", "drug×age", "drug × age", "drug x age", "drug,age", "  drug ,  age  "],
)
def test_a_pair_can_be_written_in_several_ways(client, line):
    assert post(client, line).status_code == 302
    assert tables_of(Survey.objects.get()) == (("drug", "age"),)


def test_a_question_may_be_called_x():
    lines, wrong = parse_lines("x x age\nage by x\nx,age")
    pairs = [(line.outcome, line.group) for line in lines]
    assert (pairs, wrong) == ([("x", "age"), ("age", "x"), ("x", "age")], [])


def test_blank_lines_count_as_lines_and_say_nothing(client):
    assert post(client, "\n\ndrug by age\n\n").status_code == 302
    assert problems_line(client, "\n\ndrug by nobody") == 3


def problems_line(client, text):
    Survey.objects.all().delete()
    (message,) = problems(client, text)
    return int(message.split()[1].rstrip(":"))


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        ("drug", "Line 1: write “outcome by group”"),
        ("drug by age by x", "Line 1: write “outcome by group”"),
        ("drug by nobody", "Line 1: there is no question called “nobody”"),
        ("drug by age\ndrug by drug", "Line 2: “drug” cannot be crossed with itself"),
        ("drug by age\n\ndrug,age", "Line 3 repeats line 1"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(client, tables, says):
    (message,) = problems(client, tables)
    assert says in message


def test_lines_that_say_no_pair_are_told_together_with_the_others(client):
    text = " ".join(problems(client, "drug\ndrug by nobody"))
    assert "Line 1: write" in text
    assert "Line 2: there is no question" in text
    text = " ".join(problems(client, "drug\ndrug by age", linkage="apart"))
    assert "Line 1: write" in text
    assert "side by side" in text


def test_all_tables_together_have_a_limit():
    """20 by 20, three times and the other way round: 2,400 cells."""
    options = [str(number) for number in range(20)]
    questions = {
        name: Question(name=name, kind="single_choice", options=options) for name in ("a", "b", "c")
    }
    pairs = [("a", "b"), ("b", "c"), ("a", "c"), ("b", "a"), ("c", "b"), ("c", "a")]
    lines = [Line(number, *pair) for number, pair in enumerate(pairs, 1)]
    assert problems_of(lines[:3], questions) == []
    (problem,) = problems_of(lines, questions)
    assert "2400 cells in all" in problem


def test_the_same_pair_the_other_way_round_is_another_table(client):
    """Its percentages go the other way."""
    assert post(client, "drug by age\nage by drug").status_code == 302


def test_answers_must_be_kept_together_and_the_way_there_is_named(client):
    (message,) = problems(client, "drug by age", linkage="apart")
    assert "Choose “Keep one person's answers together" in message


def test_multiple_choice_cannot_be_crossed(client):
    several = {"kind": "multiple_choice", "options": "A\nB", "name": "what"}
    for design in ("per_option", "whole_set"):
        (message,) = problems(client, "what by age", ({**several, "design": design}, THREE[1]))
        assert "“what” is a multiple choice" in message


def test_twenty_tables_are_the_most(client):
    questions = [{"name": f"v{index}", "epsilon": "0.1"} for index in range(6)]
    pairs = [f"v{a} by v{b}" for a in range(6) for b in range(6) if a != b]
    (message,) = problems(client, "\n".join(pairs[:21]), questions)
    assert "at most 20 tables; there are 21" in message
    assert post(client, "\n".join(pairs[:20]), questions).status_code == 302


@pytest.mark.parametrize(("size", "fits"), [(20, True), (21, False)])
def test_four_hundred_cells_are_the_most(client, size, fits):
    options = "\n".join(map(str, range(size)))
    twenty = "\n".join(map(str, range(20)))
    questions = (
        {"name": "a", "kind": "single_choice", "options": options},
        {"name": "b", "kind": "single_choice", "options": twenty},
    )
    if fits:
        assert post(client, "a by b", questions).status_code == 302
        return
    (message,) = problems(client, "a by b", questions)
    assert "420 cells" in message


def test_two_direct_questions_may_be_crossed(client):
    direct = [{"name": name, "randomized": "False"} for name in ("a", "b")]
    assert post(client, "a by b", direct).status_code == 302


@pytest.mark.parametrize("change", [{"DELETE": "on"}, {"name": "renamed"}])
def test_a_question_that_a_table_needs_cannot_go_unseen(client, change):
    survey = make_survey(linkage="together", cross_tables=[["q1", "q2"]], questions=[{}, {}])
    rows = [{"id": row.pk, "name": row.name} for row in survey.questions.all()]
    rows[1] |= change
    data = form_data(*rows, initial=2, linkage="together", cross_tables="q1 by q2")
    response = sign_in(client).post(page(survey), data)
    assert response.status_code == 200
    (message,) = errors_of(response)["cross_tables"]
    assert "no question called “q2”" in message
    assert "If it was renamed or removed, change this line too." in message
    assert sorted(survey.questions.values_list("name", flat=True)) == ["q1", "q2"]


def test_a_question_that_is_not_right_yet_is_no_second_error(client):
    questions = ({"name": "a", "epsilon": ""}, {"name": "b"})
    response = post(client, "a by b", questions)
    assert set(errors_of(response)) == {"0.epsilon"}
    assert 'cols="40"' in response.text
    assert "a by b</textarea>" in response.text


def test_the_launch_page_lists_tables_and_population_among_what_freezes(client):
    survey = make_survey(
        linkage="together", cross_tables=[["q1", "q2"]], population="fixed", questions=[{}, {}]
    )
    html = sign_in(client).get(page(survey, "launch")).text
    assert "<code>q1</code> by <code>q2</code>" in html
    assert str(Survey.Population.FIXED.label) in html
