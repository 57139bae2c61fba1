"""Sections: what is set, frozen, advised and refused, and what results and files say of them."""

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.exceptions import NotReadyError
from surveys.exports.tables import questions as questions_table
from surveys.features.sections.changes import move_section, put_section_back, remove_section
from surveys.features.sections.settings import start_of
from surveys.models import Question, Survey
from surveys.parameters import ParametersError, check, digest_of, read, to_json
from surveys.services.definitions import import_definition
from tests.app.author_posts import page, saved, sign_in, write_question
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner
from tests.unchanged.people import fill
from tests.vectors.broken_documents import signed
from tests.waves import coded_launch, next_wave

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

WORK = {"section_title": "At work", "section_text": "About shifts.", "section_together": True}
LEAVING = {"section_title": "Leaving", "section_text": "Almost done.", "section_apart": True}
QUESTIONS = [{"text": "A?"}, {"text": "B?", **WORK}, {"text": "C?"}, {"text": "D?", **LEAVING}]
FIXED = {"together": False, "random": False, "moves": False}
LAST = {"last_page_title": "The end"}
FROZEN = [
    {"title": "", "text": "", "questions": ["q1"], **FIXED},
    {
        "title": "At work",
        "text": "About shifts.",
        "questions": ["q2", "q3"],
        **FIXED,
        "together": True,
    },
    {"title": "Leaving", "text": "Almost done.", "questions": [], **FIXED},
    {"title": "Leaving", "text": "", "questions": ["q4"], **FIXED},
    {"title": "The end", "text": "", "questions": [], **FIXED},
]


def section(survey):
    return to_json(draft_parameters(survey=survey)).get("sections")


def findings(survey):
    return {finding.code: (finding.question, finding.blocks) for finding in lint_survey(survey)}


def divided(**values):
    return make_survey(**{"questions": QUESTIONS, "budget": 9, **LAST, **values})


# --- the document ---------------------------------------------------------------------------------


def test_a_survey_without_sections_has_no_key_of_them():
    assert "sections" not in launched().document


def test_what_is_frozen_is_read_back_under_the_same_digest():
    launch = launched(questions=QUESTIONS, budget=9, **LAST)
    assert launch.document["sections"] == FROZEN
    assert digest_of(check(read(launch.document))) == launch.digest


def test_a_statement_at_the_end_alone_leaves_the_questions_in_one_section():
    document = launched(last_page_text="Thank you.").document
    assert [each["questions"] for each in document["sections"]] == [["q1"], []]


def test_a_definition_has_all_of_it_and_waves_keep_it():
    definition = read_definition(written(definition_of(divided())))
    assert section(import_definition(definition=definition, owner=owner()).survey) == FROZEN
    second = next_wave(coded_launch(slug="coded", questions=QUESTIONS, budget=9, **LAST), q1="1.5")
    assert second.document["sections"] == FROZEN


# --- the launch -----------------------------------------------------------------------------------


def test_a_page_that_says_nothing_stands_in_the_way_and_a_missing_title_is_advice():
    empty = make_survey(questions=[{"section_apart": True}])
    assert findings(empty)["empty_page"] == ("q1", True)
    untitled = make_survey(slug="untitled", questions=[{}, {"text": "B?", "section_text": "Now."}])
    assert findings(untitled)["untitled_section"] == ("q2", False)
    assert findings(untitled)["before_sections"] == ("q1", False)
    assert findings(make_survey(slug="none")).keys().isdisjoint({"before_sections", "empty_page"})


def test_what_a_template_leaves_open_in_a_section_is_named():
    survey = make_survey(questions=[{"section_title": "About [your firm]"}])
    (finding,) = [each for each in lint_survey(survey) if each.code == "placeholder"]
    assert "[your firm]" in finding.message


def test_what_an_order_by_chance_would_break_stands_in_the_way():
    alone = make_survey(questions=[{"section_title": "A", "section_moves": True}])
    assert findings(alone)["moves_alone"] == ("q1", False)
    group = {"group": 1, "epsilon": "0.6", "required": True}
    parted = [{**group, "section_random": True}, {**group, "text": "B?", "section_title": "B"}]
    assert findings(make_survey(slug="parted", questions=parted))["draw_in_two_sections"] == (
        "q1",
        True,
    )
    helped = [{"section_random": True, "help_after_section": True}, {"text": "B?"}]
    survey = make_survey(slug="helped", questions=helped, help_text="Call 116 006.")
    assert findings(survey)["help_after_chance"] == ("q1", True)


def test_a_document_in_which_chance_parts_a_draw_is_refused():
    group = {"group": 1, "epsilon": "0.6", "required": True}
    questions = [{**group, "section_title": "A"}, {**group, "text": "B?", "section_title": "B"}]
    document = to_json(draft_parameters(survey=make_survey(questions=questions)))
    document["sections"][1]["moves"] = True
    with pytest.raises(ParametersError) as refused:
        check(read(signed(document)))
    assert (refused.value.code, refused.value.field) == ("bad_section", "sections.1")


def test_help_after_a_section_stands_below_whichever_question_is_its_last():
    questions = [{**QUESTIONS[0], "help_after_section": True}, *QUESTIONS[1:]]
    questions[1] = {**questions[1], "help_after_section": True}
    survey = divided(questions=questions, help_text="Call 116 006.")
    assert to_json(draft_parameters(survey=survey))["support"]["after"] == ["q1", "q3"]
    remove_section(survey=survey, question_id=survey.questions.get(name="q2").pk)
    assert to_json(draft_parameters(survey=survey))["support"]["after"] == ["q3"]


# --- the author's pages ---------------------------------------------------------------------------


@pytest.mark.slow
def test_an_author_types_a_section_and_reads_it_again(client):
    survey = saved(client, {}, {"section_title": "At work", "section_together": "on"})
    assert section(survey) == [
        {"title": "", "text": "", "questions": ["q1"], **FIXED},
        {"title": "At work", "text": "", "questions": ["q2"], **FIXED, "together": True},
    ]
    shown = visible_text(client.get(page(survey)).text)
    assert "At work" in shown
    assert "All questions on one page." in shown
    launch_page = visible_text(client.get(page(survey, "launch")).text)
    assert "At work. All questions on one page." in launch_page


def test_a_section_moves_to_the_next_question_but_leaves_none_without_questions():
    survey = divided()
    second, third, fourth = survey.questions.order_by("position")[1:]
    assert move_section(survey=survey, question_id=second.pk, step=1) == third
    assert [each["questions"] for each in section(survey)][:2] == [["q1", "q2"], ["q3"]]
    with pytest.raises(NotReadyError):
        move_section(survey=survey, question_id=third.pk, step=1)
    with pytest.raises(NotReadyError):
        move_section(survey=survey, question_id=fourth.pk, step=1)
    with pytest.raises(Question.DoesNotExist):
        move_section(survey=survey, question_id=second.pk, step=1)


def test_a_removed_section_is_put_back_as_it_was_also_after_a_save(client):
    survey = divided()
    sign_in(client)
    question = survey.questions.get(name="q2")
    remove_section(survey=survey, question_id=question.pk)
    assert section(survey)[0]["questions"] == ["q1", "q2", "q3"]
    assert (
        write_question(client, Question.objects.get(pk=question.pk), text="B, then?")["errors"]
        == {}
    )
    put_section_back(survey=survey, question_id=question.pk)
    assert section(Survey.objects.get()) == FROZEN
    remove_section(survey=survey, question_id=question.pk)
    write_question(client, Question.objects.get(pk=question.pk), section_title="Anew")
    start = start_of(Question.objects.get(pk=question.pk))
    assert (start.title, start.text, start.removed) == ("Anew", "", False)


def test_the_page_for_review_has_every_text(client):
    sign_in(client)
    survey = divided()
    shown = visible_text(client.get(page(survey, "launch")).text)
    for words in ("At work", "About shifts.", "Leaving", "Almost done.", "The end"):
        assert words in shown, words


# --- results and files ----------------------------------------------------------------------------


@pytest.fixture
def answered():
    launch = launched(questions=QUESTIONS, budget=9, **LAST)
    fill(launch, 30)
    return launch


def test_questions_stand_under_their_sections_in_the_results(answered):
    client = Client()
    client.force_login(owner())
    html = client.get(reverse("results", args=[answered.survey.slug])).text
    assert html.count("data-part-begins") == 4
    places = [html.rindex(words) for words in (">At work<", 'id="question-q2"', ">Leaving<")]
    assert places == sorted(places)


def test_the_table_of_questions_names_their_sections(answered):
    rows = questions_table.rows_of(answered.parameters)
    assert {(row[0], row[2]) for row in rows} == {
        ("q1", ""),
        ("q2", "At work"),
        ("q3", "At work"),
        ("q4", "Leaving"),
    }
