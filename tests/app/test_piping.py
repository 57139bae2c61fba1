"""Answers in later texts: what is frozen, refused and translated, and the form without scripts."""

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters, questions_of
from surveys.exceptions import NotReadyError
from surveys.features.languages.changes import publish_language, write_texts
from surveys.features.languages.reading import State, complete_languages
from surveys.features.languages.settings import Translated
from surveys.features.piping.section import NAME, UnreadableTextError, at_rest, parts_of_text
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey
from tests.filtered import question
from tests.translations import HEBREW, rows, translate

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

REGION = question(
    "region",
    kind="single_choice",
    options=["North", "South"],
    randomized=False,
    required=True,
    epsilon=None,
)
DRUG = question("drug", text="Did you use a drug in {region|your region}?")
HOURS = question("hours", only_if="region = North", randomized=False, epsilon=None)
IN_SECTION = {"section_title": "Life in {region|your region}", "section_random": True}


def problems(*questions, **values):
    survey = make_survey(questions=questions, budget=9, **values)
    return [(each.message, each.blocks) for each in lint_survey(survey) if "pipe" in each.code]


def test_a_text_is_read_in_parts():
    assert parts_of_text("In {region}, {{so}}: {{{drug| some words }}}") == [
        *("In ", ("region", "…"), ", ", "{", "so", "}", ": ", "{", "", ("drug", "some words"), ""),
        *("}", ""),
    ]
    assert at_rest("In {region|a region} {{x}}") == "In a region {x}"
    for odd in ("{", "}", "{ region }", "{Region}", "{a{b}}", "{a}}"):
        with pytest.raises(UnreadableTextError):
            parts_of_text(odd)


def test_a_launch_freezes_which_texts_have_whose_answers():
    last = question("last", text="And?", help_text="In {region}, {{or}} {region}.", **IN_SECTION)
    parameters = launched(questions=[REGION, DRUG, last], budget=9).parameters

    assert [(each.text, each.answers) for each in parameters.section(NAME)] == [
        ("questions.drug.text", ("region",)),
        ("questions.last.help", ("region",)),
        ("sections.1.title", ("region",)),
    ]
    # A document without braces says nothing of it.
    assert not launched(slug="plain", questions=[REGION]).parameters.section(NAME)


@pytest.mark.parametrize(
    ("questions", "words"),
    [
        ([REGION, question("x", text="In {town}?")], "“town” is no question before this text"),
        ([question("x", text="In {region}?"), REGION], "“region” is no question before this text"),
        ([question("region", text="In {region}?")], "“region” is no question before this text"),
        ([question("drug"), question("x", text="{drug}?")], "show an onlooker the real answer"),
        ([REGION, HOURS, question("x", text="{hours}?")], "“hours” is not asked of everybody"),
        ([REGION, question("x", text="In { region }?")], "A brace stands alone"),
        (
            [
                {**REGION, "section_random": True, "section_title": "A"},
                question("x", text="{region}"),
            ],
            "Chance may ask “region” after this text",
        ),
        ([REGION, question("x", kind="single_choice", options=["{region}", "B"])], "Take {region}"),
        ([{**REGION, **IN_SECTION}], "“region” is no question before this text"),
    ],
)
def test_an_answer_that_cannot_stand_in_a_text_is_refused(questions, words):
    found = problems(*questions)
    assert [blocks for message, blocks in found if words in message] == [True], found


@pytest.mark.parametrize("text", ["Choose {a, b}", "{", "1}", "{a|", "{{y} or }", "{ Regions }"])
def test_braces_that_name_no_question_are_read_as_they_are(text):
    last = question("x", text=text)
    ((message, blocks),) = problems(REGION, last)
    assert not blocks
    assert "read them as they are" in message
    parameters = launched(slug="as-written", questions=[REGION, last], budget=9).parameters
    assert not parameters.section(NAME)
    assert parameters.questions[1].text == text


@pytest.mark.parametrize("text", ["{ Region }", "{region", "In region}", "{a|b}, {c", "{region} {"])
def test_a_brace_that_stands_alone_beside_a_name_is_refused(text):
    found = problems(REGION, question("x", text=text))
    assert [blocks for message, blocks in found if "A brace stands alone" in message] == [True]


def test_words_for_an_answer_that_is_left_out_are_asked_for():
    optional = {**REGION, "required": False}
    ((message, blocks),) = problems(optional, question("x", text="In {region}?"))
    assert not blocks
    assert "{region|some words}" in message
    assert problems(optional, DRUG, slug="with-words") == []


def test_a_name_in_the_introduction_is_refused():
    ((message, blocks),) = problems(REGION, introduction="Welcome to {region}.")
    assert blocks
    assert "Welcome to {region}." in message


def test_a_translation_has_the_same_answers_in_it():
    survey = make_survey(questions=[REGION, DRUG], budget=9)
    path = "questions.drug.text"
    translate(survey, **{path: "האם השתמשתם בסם?"})
    parameters = draft_parameters(survey=survey)
    (row,) = [row for row in rows(survey) if row.path == path]
    assert row.state is State.UNFIT
    assert row.is_open
    assert complete_languages(survey, questions_of(survey), parameters) == {}

    right = {path: Translated("סם ב{region|אזור}?", row.source)}
    write_texts(survey=survey, parameters=parameters, language=HEBREW, texts=right)
    survey.refresh_from_db()
    (texts,) = complete_languages(survey, questions_of(survey), parameters).values()
    assert texts[path] == "סם ב{region|אזור}?"


def test_a_language_that_is_added_later_has_the_same_answers_in_it():
    launch = launched(questions=[REGION, DRUG], budget=9)
    texts = {
        row.path: Translated(row.source.replace("{region|your region}", "?"), row.source)
        for row in rows(launch.survey)
    }
    with pytest.raises(NotReadyError, match=r"questions\.drug\.text"):
        publish_language(launch=launch, language=HEBREW, texts=texts)


def test_without_a_script_a_text_has_the_words_for_an_answer_that_is_not_known(client: Client):
    launched(questions=[REGION, {**DRUG, "physical_device": "die"}], budget=9)

    form = visible_text(client.get(reverse("physical", args=["health"])).text)
    assert "Did you use a drug in your region?" in form
    assert "{" not in form
