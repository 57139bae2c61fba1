"""The respondent's page of a survey by personal link, as the server writes it."""

import html
import json
import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from surveys.models import Survey
from tests.builders import launched, owner
from tests.rosters import SMOKES, launched_network, network_survey, roster_rows

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NAME = "Member 3"
ADVICE = {
    "name": "advice",
    "kind": "roster_ties",
    "text": "Whom do you ask for advice?",
    "design": "tie_bits",
    "epsilon": Decimal("1"),
}


def page_of(client: Client, survey: Survey) -> Any:
    return client.get(reverse("respond", args=[survey.slug]))


def text_of(page: Any) -> str:
    """Return what is read on a page, without the spaces of its source."""
    body = page.content.decode().partition('<script id="parameters"')[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_it_says_who_knows_what_before_the_consent(client: Client) -> None:
    launch = launched_network(questions=(ADVICE,))
    page = page_of(client, launch.survey)
    text = text_of(page)
    known = text.index("Who knows that you answered The survey’s author, and whoever may download")
    assert known < text.index("Taking part is voluntary.")
    assert "the survey’s author knows that you answered, and can see who has not" in text
    assert "Which names you tick is never sent" in text
    source = page.content.decode()
    assert f'data-person="{reverse("person", args=[launch.survey.slug])}"' in source
    assert "Only the page can scramble every name on the list by itself" in text
    # Nothing here is said of surveys in which nobody is known.
    assert "without a name" not in text
    assert "no names" not in text
    assert "somebody could answer twice" not in text


def test_no_name_is_in_the_page_of_a_respondent_and_all_are_in_the_authors_preview(
    client: Client,
) -> None:
    launch = launched_network(questions=(ADVICE,))
    assert NAME not in page_of(client, launch.survey).content.decode()
    draft = network_survey(slug="draft", questions=(ADVICE,))
    client.force_login(owner())
    source = client.get(f"/admin/surveys/survey/{draft.pk}/preview/").content.decode()
    assert "data-person" not in source
    found = re.search(r'<script id="roster-names"[^>]*>(.*?)</script>', source)
    assert found
    assert json.loads(found[1]) == [row.name for row in roster_rows(12)]


def test_one_name_and_all_ticks_are_promised_apart(client: Client) -> None:
    """At epsilon 1 a guess is right 1/(1 + 1/e) = 73.1 % of the times; 11 names add up to 11."""
    text = text_of(page_of(client, launched_network(questions=(ADVICE,)).survey))
    one = text.index("Any one of the 11 names Suppose a guess whether you ticked it")
    assert "right at most 74 times in 100." in text[one:]
    assert "two lists that differ in every name can be right 99,999 times in 100,000." in text
    assert "The scrambled questions use 1 of a privacy budget (epsilon) of 4" in text
    assert "All ticks of a person together are 11." in text
    assert "is asked about you too" not in text


def test_a_tie_that_both_report_is_said_to_be_reported_twice(client: Client) -> None:
    """Two reports of epsilon 1: 1/(1 + 1/e^2) = 88.1 %."""
    questions = ({**ADVICE, "directed": False}, SMOKES)
    text = text_of(page_of(client, launched_network(questions=questions).survey))
    assert "With both answers the guess is right at most 89 times in 100" in text
    assert "The other questions: Suppose a guess at a real answer" in text


def test_an_epsilon_beyond_guessing_is_said_in_words(client: Client) -> None:
    strong = {**ADVICE, "epsilon": Decimal(4), "directed": False}
    text = text_of(page_of(client, launched_network(questions=(strong,)).survey))
    assert "right at most 99 times in 100." in text
    assert "two lists that differ in every name can be practically always right." in text


def test_it_speaks_the_language_of_the_survey(client: Client) -> None:
    launch = launched_network(questions=(ADVICE, SMOKES), language="de")
    text = text_of(page_of(client, launch.survey))
    for words in (
        "Wer antwortet, ist bekannt; was geantwortet wird, ist verwürfelt",
        "Jeder einzelne der 11 Namen",
        "Alle Ihre Kreuze zusammen",
        "Die anderen Fragen: Angenommen, die Vermutung über eine wahre Antwort",
        "Alle Kreuze einer Person zusammen sind 11.",
    ):
        assert words in text


def test_other_surveys_have_nothing_of_it(client: Client) -> None:
    page = page_of(client, launched(slug="plain").survey)
    source = page.content.decode()
    for word in ("data-person", "features/roster/"):
        assert word not in source
    assert '"roster":null' in source
