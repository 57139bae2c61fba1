"""A thousand is written in one way on all of a page."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse

from surveys.authoring.panel.words import frequency_sentence
from tests.app.author_posts import page, sign_in
from tests.app.visible_text import visible_text
from tests.builders import make_question, make_survey
from tests.devices import devices_of
from tests.released import released

pytestmark = pytest.mark.django_db
# Four digits in a row that are no year: a thousand that nobody has grouped.
BARE = re.compile(r"(?<![\w.,:/-])(?!20\d\d\b)\d{4,}(?![\w:/-])")


def bare_numbers(response):
    return BARE.findall(visible_text(response.content.decode()))


@pytest.fixture
def large():
    return make_survey(planned_n=1553, release_threshold=1700, release_batch=1600)


@pytest.mark.parametrize("name", ["launch"])
def test_an_authors_pages_group_what_lint_finds_and_what_they_count(client, large, name):
    response = sign_in(client).get(page(large, name))
    text = visible_text(response.content.decode())
    assert "(1,700) is above the planned number of respondents (1,553)" in text
    assert "(1,600) is above the planned number of respondents (1,553)" in text
    assert bare_numbers(response) == []


def test_the_launch_page_groups_threshold_and_batch(client, large):
    text = visible_text(sign_in(client).get(page(large, "launch")).content.decode())
    assert "1,700 responses" in text
    assert "at least 1,600 responses" in text


@pytest.mark.slow
def test_results_group_the_integers_of_a_device_as_they_group_counts(client):
    launch = released([{"q1": 0}] * 1553, results_public=True)
    response = client.get(reverse("results", args=[launch.survey.slug]))
    integer = devices_of(launch)[0]["columns"][0][0]
    assert f'<td class="num mono">{integer:,}</td>' in response.content.decode()
    assert bare_numbers(response) == []


def test_crowds_in_a_sentence_are_grouped():
    question = make_question(make_survey(questions=[]), epsilon=Decimal(6))
    assert frequency_sentence(draft=question).count("Of 1,000 people") == 2
