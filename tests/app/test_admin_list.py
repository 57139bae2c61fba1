"""The survey list."""

import pytest
from django.urls import reverse

from surveys.models import Survey
from surveys.queries import with_counts
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey
from tests.app.author_posts import sign_in
from tests.builders import launched, make_survey, sent

pytestmark = pytest.mark.django_db
LIST = reverse("admin:surveys_survey_changelist")


def test_an_empty_list_says_what_to_do_next(client):
    html = sign_in(client).get(LIST).text
    assert "Your first survey" in html
    assert reverse("admin:surveys_survey_add") in html
    assert "No survey fits." in client.get(LIST, {"q": "nothing"}).text


def test_counts_what_is_aggregated_and_what_waits(client):
    launch = launched()
    for _turn in range(3):
        assert sent(client, launch).status_code == 201
    refresh_results(launch_id=launch.pk)
    for _turn in range(2):
        assert sent(client, launch).status_code == 201
    survey = with_counts(Survey.objects).get()
    assert (survey.received, survey.digest) == (5, launch.digest)
    assert survey.updated_at == launch.results.get().computed_at
    html = sign_in(client).get(LIST).text
    assert '<td class="field-responses">5</td>' in html
    assert reverse("results", args=["health"]) in html


def test_shows_state_and_filters_by_it(client):
    make_survey(title="A draft", slug="a")
    launched(title="An open one", slug="b")
    close_survey(survey=launched(title="A closed one", slug="c").survey, actor=None)
    html = sign_in(client).get(LIST).text
    assert all(f"state--{state}" in html for state in ("draft", "open", "closed"))
    html = client.get(LIST, {"state": "closed"}).text
    assert "A closed one" in html
    assert "An open one" not in html


def test_searches_title_and_address(client):
    make_survey(title="Alpha", slug="first")
    make_survey(title="Beta", slug="second")
    sign_in(client)
    assert "Beta" not in client.get(LIST, {"q": "alph"}).text
    assert "Alpha" in client.get(LIST, {"q": "first"}).text


@pytest.mark.parametrize("order", ["1", "-3", "-4", "5"])
def test_sorts_by_its_columns(client, order):
    launched()
    make_survey(slug="other")
    assert sign_in(client).get(LIST, {"o": order}).status_code == 200


def test_more_surveys_cost_no_more_queries(client, django_assert_max_num_queries):
    for number in range(20):
        sent(client, launched(slug=f"s-{number}"))
    sign_in(client)
    with django_assert_max_num_queries(8):
        assert client.get(LIST).text.count('class="state ') == 20


def test_the_change_page_has_a_constant_number_of_queries(client, django_assert_max_num_queries):
    survey = make_survey(questions=[{} for _turn in range(30)])
    sign_in(client)
    with django_assert_max_num_queries(20):
        client.get(reverse("admin:surveys_survey_change", args=[survey.pk]))
