"""What the form without JavaScript still lacks, beside the randomizers of an open question."""

import re
from decimal import Decimal
from typing import Any

import pytest

from surveys.authoring.checks.survey import lint_survey
from surveys.models import Question
from tests.app.author_posts import question_page, sign_in, write_question
from tests.app.visible_text import visible_text
from tests.builders import make_survey

pytestmark = pytest.mark.django_db

NONE = "No question has a randomizer of their own, so whoever has no JavaScript cannot answer."


def physical_part(client: Any, question: Question) -> str:
    """The part of the page of an open question that its script replaces after each save."""
    fetched = {"X-Requested-With": "fetch"}
    html = sign_in(client).get(question_page(question), headers=fetched).text
    (start,) = [match.start() for match in re.finditer('<div data-part="physical">', html)]
    return visible_text(html[start : html.index("</details>", html.index("</div>", start))])


@pytest.mark.slow
def test_it_is_said_where_no_question_has_a_randomizer(client):
    survey = make_survey(questions=[{"name": "a"}, {"name": "b", "randomized": False}])
    for question in survey.questions.all():
        assert NONE in physical_part(client, question)
    # That is no finding of the launch: most surveys are asked in a browser only.
    assert "no_physical_form" not in {finding.code for finding in lint_survey(survey)}


@pytest.mark.slow
def test_it_follows_each_save(client):
    survey = make_survey(questions=[{"name": "a", "epsilon": Decimal(2)}, {"name": "b"}])
    first, second = survey.questions.all()
    write_question(sign_in(client), first, physical_device="die")
    for question in (first, second):
        assert "b must be answered and have none." in physical_part(client, question)
    write_question(client, second, required=None)
    text = physical_part(client, first)
    assert "respondents are asked 1 of the 2 sensitive questions; b are left out" in text
    write_question(client, second, physical_device="die", epsilon="2")
    text = physical_part(client, second)
    assert not re.search("JavaScript|left out|must be answered", text)
