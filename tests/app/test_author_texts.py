"""One rule for the texts of authors, on vectors that were written by hand."""

import random
import unicodedata

import pytest
from django import forms

from surveys.author_texts import numbered_lines, one_line, paragraphs, reader_key
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.forms.fields.author_texts import LineField, ParagraphsField
from tests.app.author_posts import composed, errors_of_new
from tests.builders import make_question, make_survey
from tests.vectors.case_lines import read_vectors

VECTORS = read_vectors("author_texts.json")
# Signs around numbers and names, and of hieroglyphs: Unicode calls them formats, and they are seen.
SEEN = {
    *map(chr, (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)),
    *map(chr, range(0x13430, 0x13439)),
}
pytestmark = pytest.mark.any_database


@pytest.mark.parametrize("case", VECTORS["lines"], ids=lambda case: case["name"])
def test_a_line_is_stored_and_told_apart_as_the_vectors_say(case):
    assert one_line(case["text"]) == case["line"]
    assert reader_key(case["text"]) == case["key"]


@pytest.mark.parametrize("case", VECTORS["paragraphs"], ids=lambda case: case["name"])
def test_lines_end_where_the_vectors_say(case):
    assert paragraphs(case["text"]) == case["stored"]


def test_what_is_stored_is_not_changed_once_more():
    rng = random.Random(20261125)
    letters = [*{letter for case in VECTORS["lines"] for letter in case["text"]}, "\n", "\r", " "]
    for _ in range(3000):
        text = "".join(rng.choices(letters, k=rng.randrange(1, 9)))
        line, several = one_line(text), paragraphs(text)
        assert one_line(line) == line, ascii(text)
        assert paragraphs(several) == several, ascii(text)
        assert reader_key(line) == reader_key(text), ascii(text)
        assert bool(line) == bool(reader_key(text)), ascii(text)


def test_no_character_alone_is_stored_that_nobody_sees():
    """Over all of Unicode, what is left is a sign to be seen, or it is nothing."""
    # Those that this Python does not know, those of private use and halves of characters are boxes.
    boxes = ("Cn", "Co", "Cs")
    doubtful = [chr(code) for code in range(0x110000) if not chr(code).isprintable()]
    known = [each for each in doubtful if unicodedata.category(each) not in boxes]
    assert {each for each in known if one_line(each)} == SEEN


def test_lines_have_the_numbers_of_their_editor():
    assert numbered_lines("\nYes\r\n\r\n\u200b\rNo\u2028way") == [(2, "Yes"), (5, "No way")]


# --- wherever an author types or uploads ----------------------------------------------------------

CAFES = "Caf\u00e9\nCafe\u0301"
# Rows: what is posted of a question, the field with the error, and the error.
REFUSED = [
    ({"kind": "single_choice", "options": CAFES}, "0.options", "Line 2 repeats line 1: “Café”."),
    ({"kind": "single_choice", "options": "Yes\nye\u200bs"}, "0.options", "Line 2 repeats line 1"),
    ({"kind": "single_choice", "options": "1-2\n1–2"}, "0.options", "Line 2 repeats line 1"),
    ({"kind": "single_choice", "options": "Yes\n\u200b\n\u3164"}, "0.options", "has 1."),
    ({"text": "\u200b"}, "0.text", "This field is required."),
    ({"text": "\u2800\n\ufeff"}, "0.text", "This field is required."),
]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(("question", "field", "words"), REFUSED)
def test_what_is_one_to_a_reader_or_unseen_is_refused(client, question, field, words):
    (problem,) = errors_of_new(client, question)[field]
    assert words in problem


@pytest.mark.django_db
@pytest.mark.slow
def test_texts_are_stored_in_one_form(client):
    options = "One\u000bline\r\nTwo\u2028three\r\nMaße\r\nMasse\r\n"
    question = {"kind": "single_choice", "options": options, "text": "Cafe\u0301\u200b?\r\nReally?"}
    texts = {"title": "\u202eHealth\u202c\tat  work ", "consent": " Yes\u00ad.\r\n\r\nNo. "}
    survey, _errors = composed(client, {**question, "help_text": "\u200b"}, **texts)
    assert survey.title == "Health at work"
    assert survey.consent == "Yes.\n\nNo."
    stored = survey.questions.get()
    assert stored.options == ["One line", "Two three", "Maße", "Masse"]
    assert (stored.text, stored.help_text) == ("Café?\nReally?", "")


@pytest.mark.django_db
def test_a_draft_from_before_the_rule_is_launched_with_what_is_seen_or_not_at_all():
    alike = {"kind": "single_choice", "options": CAFES.split("\n")}
    unseen = {"text": "\u200b", "options": [], "name": "q9"}
    survey = make_survey(questions=[alike, unseen], title="Health\u200b")
    codes = {finding.code for finding in lint_survey(survey) if finding.blocks}
    assert codes == {"same_option", "no_text"}
    survey.questions.all().delete()
    make_question(survey, kind="single_choice", options=["One\u2028line", "Two"], text="Why\u200b?")
    parameters = draft_parameters(survey=survey)
    assert parameters.title == "Health"
    (question,) = parameters.questions
    assert (question.text, question.categories) == ("Why?", ("One line", "Two"))


# Fields of texts that nobody reads as a label: names for programs, and what is no text at all.
OTHER = {"bins", "embed_origins", "name", "origin", "rows", "seen", "shown"}
OTHER |= {
    "digest",
    "pasted",
    "submission",
    "slug",
    "state",
    "candidates",
    "options",
    "texts",
    "tiers",
}


def test_every_text_field_of_the_forms_for_authors_follows_the_rule():
    """Those of `OTHER` that take texts are read line by line, by the same functions."""
    forms_of_authors = [
        form for form in _subclasses(forms.BaseForm) if "surveys.forms" in str(form)
    ]
    assert len(forms_of_authors) > 20
    plain = {
        f"{form.__name__}.{name}"
        for form in forms_of_authors
        for name, field in form.base_fields.items()
        if isinstance(field, forms.CharField)
        and not isinstance(field, (LineField, ParagraphsField))
        and not isinstance(field.widget, forms.PasswordInput)
        and name not in OTHER
    }
    assert plain == set()


def _subclasses(form):
    for each in form.__subclasses__():
        yield each
        yield from _subclasses(each)
