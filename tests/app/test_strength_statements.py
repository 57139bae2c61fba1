"""One statement for each strength in every place; nothing that comforts stands beside a warning."""

import re
from decimal import Decimal
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import translation

from surveys import strength_statements as statements
from surveys.authoring.checks.survey import lint_survey
from surveys.strength import Strength, question_level, strength_of
from surveys.strength_words import question_words, strength_words
from tests.app.author_posts import page, sign_in
from tests.app.test_strength import text_of
from tests.builders import launched, make_survey

SCRIPTS = Path(__file__).parents[2] / "static" / "js" / "ui"
# The strengths at both sides of each limit, and the ends of what authors may choose.
LEVELS = {"0.1": 0, "1.99": 0, "2": 1, "4": 1, "4.01": 2, "6.99": 2, "7": 3, "8": 3}
# Statements that may be made at level 0 alone, on any page or in any script.
COMFORTS = (
    "proves anything",
    "proves an answer",
    "prove none",
    "prove nothing",
    "never the answer of one person",
    "shows whether you ticked it",
    "nobody can tell which of them",
    "it never leaves your device",
    "what they answer is not",
)


def texts(table):
    return [statement() for statement in table]


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_strength_has_one_statement_of_its_own_in_every_place(language):
    with translation.override(language):
        for table in (statements.QUESTION, statements.LABEL_WHO):
            said = texts(table)
            assert len(said) == len(set(said)) == 4
            assert not said[0]
        assert len(set(texts(statements.READER_QUESTION))) == 4
        assert len(set(texts(statements.PERSON)) | set(texts(statements.READER_PERSON))) == 5


def test_scripts_and_server_have_the_same_statements():
    """In the order of the levels, from the source that is served."""
    source = (SCRIPTS / "weak.js").read_text()
    table = source[source.index("const WARNINGS") : source.index("];")]
    assert re.findall(r'gettext\(\s*"([^"]+)"', table) == texts(statements.QUESTION)[1:]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("epsilon", LEVELS)
def test_every_place_says_the_statement_of_its_strength_and_no_other(client, epsilon):
    level = LEVELS[epsilon]
    assert question_level(round(100 * Decimal(epsilon))) == level
    device = {} if Decimal(epsilon) < 1 else {"physical_device": "phone_digits"}
    question = {"epsilon": Decimal(epsilon), "epsilon_reason": "Nobody minds.", **device}
    draft = make_survey(slug="draft", budget=Decimal(8), questions=[question])
    launch = launched(slug="asked", budget=Decimal(8), questions=[question], results_public=True)
    strength = strength_of(launch.parameters.devices)
    respondents = [text_of(client.get("/s/asked/"))]
    if device:
        respondents.append(text_of(client.get(reverse("physical", args=["asked"]))))
    for text in respondents:
        shown_level = statements.survey_level(
            strength
            if text is respondents[0]
            else strength_of(launch.parameters.devices, stratum="physical")
        )
        for table in (statements.QUESTION, statements.LABEL_WHO):
            said = texts(table)
            assert [s for s in said[1:] if f"{s} " in f"{text} "] == list(
                filter(None, [said[shown_level]])
            )
        assert (shown_level < 1) or not [words for words in COMFORTS if words in text]
    said = texts(statements.READER_QUESTION)
    author = sign_in(client)
    readers = [
        strength_words(strength),
        text_of(author.get(page(launch.survey, "share"))),
        text_of(author.get(reverse("results", args=["asked"]))),
        question_words(strength.question),
        *(
            []
            if level < 1
            else [
                str(finding.message)
                for finding in lint_survey(draft)
                if finding.code == "weak_question"
            ]
        ),
    ]
    for text in readers:
        assert [s for s in said[1:] if s in text] == list(filter(None, [said[level]])), text


@pytest.mark.parametrize(
    ("question", "person", "level"),
    [(0, 0, 0), (199, 499, 0), (100, 500, 2), (200, 499, 1), (401, 500, 2), (100, 1001, 3)],
)
def test_the_label_follows_the_weakest_question_and_all_of_them(question, person, level):
    strength = Strength(questions=2, question=question, person=person, identifying=False)
    assert statements.survey_level(strength) == level


def test_scripts_comfort_nobody_whose_answer_can_be_told():
    """Each sentence that comforts is said under a condition on the level, or is taken only where
    that condition is checked.
    """
    conditional = {
        "parts.js": "noProof:",
        "text.js": "noProof:",
        "bits.js": "noProof:",
        "ties.js": "noProof",
        "ranking.js": "noProof:",
        "cards.js": "noProof:",
        "joint_blocks.js": "noProof:",
        "rare.js": "level < 1",
        "joint_words.js": "every",
        "practised.js": "help",
    }
    for path in SCRIPTS.glob("*.js"):
        found = [words for words in COMFORTS if words in path.read_text()]
        assert not found or path.name in conditional, (path.name, found)
        assert not found or conditional[path.name] in path.read_text()
