"""The survey list."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from surveys import numbers
from surveys.models import Question, Survey
from surveys.queries import with_counts
from surveys.services.launches import launch_survey
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey
from tests.app.author_posts import page, sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, sent
from tests.released import rich

pytestmark = pytest.mark.django_db
LIST = reverse("admin:surveys_survey_changelist")


def test_an_empty_list_says_what_to_do_next(client):
    html = sign_in(client).get(LIST).text
    assert "Your first survey" in html
    assert reverse("admin:survey_start") in html
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
    assert "5 of 500 planned responses" in visible_text(html)
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


@pytest.mark.parametrize(
    ("order", "titles"),
    [
        ("", ["Gamma", "beta", "Alpha"]),
        ("title", ["Alpha", "beta", "Gamma"]),
        ("responses", ["beta", "Gamma", "Alpha"]),
        ("closing", ["Alpha", "Gamma", "beta"]),
        ("nothing", ["Gamma", "beta", "Alpha"]),
    ],
)
@pytest.mark.slow
def test_orders_as_asked(client, order, titles):
    make_survey(title="Alpha", slug="a", closes_at=timezone.now() + timedelta(days=1))
    sent(client, launched(title="beta", slug="b"))
    make_survey(title="Gamma", slug="c")
    cards = sign_in(client).get(LIST, {"order": order}).context["listed"]
    assert [card.survey.title for card in cards] == titles


@pytest.mark.slow
def test_an_archived_survey_is_in_no_list_but_that_of_the_archive(client):
    survey = make_survey(title="Old one", questions=[{}])
    archive = page(survey, "archive")
    answer = sign_in(client).post(archive, follow=True)
    assert "“Old one” is in the archive." in visible_text(answer.text)
    assert "Old one" not in visible_text(client.get(LIST, {"state": "draft"}).text)
    assert "Old one" in visible_text(client.get(LIST, {"state": "archived"}).text)
    # Nothing but the list has changed.
    assert client.get(page(survey)).status_code == 200
    assert "is back in the list." in visible_text(client.post(archive, follow=True).text)
    assert "Old one" in visible_text(client.get(LIST).text)


def test_a_launched_survey_is_archived_too(client):
    launch = launched()
    sign_in(client).post(page(launch.survey, "archive"))
    assert Survey.objects.get().archived_at is not None
    assert sent(client, launch).status_code == 201


def card(client):
    (only,) = sign_in(client).get(LIST).context["listed"]
    return only


@pytest.mark.slow
def test_a_card_says_how_far_it_is_and_what_comes_next(client):
    survey = make_survey(questions=[])
    assert (card(client).step.label, card(client).facts) == (
        "Add the first question",
        ["No question yet."],
    )
    Question.objects.create(survey=survey, name="q1", text="A?", epsilon=1)
    Question.objects.create(survey=survey, name="q2", text="B?", randomized=False)
    assert (card(client).step.label, card(client).facts) == (
        "Edit the draft",
        ["2 questions, 1 of them sensitive"],
    )
    launch = launch_survey(survey=survey, actor=None)
    assert (card(client).step.label, card(client).share) == ("Share the link", 0)
    assert card(client).facts == ["0 of 500 planned responses"]
    Survey.objects.update(planned_n=1)
    assert sent(client, launch).status_code == 201
    assert (card(client).step.label, card(client).share) == ("Read the results", 1)


@pytest.mark.slow
def test_the_accuracy_of_a_card_is_that_of_the_results_and_waits_for_the_threshold(client):
    launch = rich(40)
    launch.survey.refresh_from_db()
    results = launch.results.get()
    shares = [
        (upper - lower) / 2
        for question in results.content["questions"]
        for category in question["categories"]
        for lower, upper in [category["interval"]]
    ]
    assert results.widest_margin == pytest.approx(max(shares))
    words = f"Every share is known to {numbers.margin(max(shares))} or better."
    assert words in card(client).facts
    launch.results.update(responses=launch.survey.release_threshold - 1)
    assert words not in card(client).facts


@pytest.mark.slow
def test_more_surveys_cost_no_more_queries(client, django_assert_max_num_queries):
    for number in range(20):
        sent(client, launched(slug=f"s-{number}"))
    sign_in(client)
    with django_assert_max_num_queries(9):
        assert client.get(LIST).text.count('class="state ') == 20


def test_the_change_page_has_a_constant_number_of_queries(client, django_assert_max_num_queries):
    survey = make_survey(questions=[{} for _turn in range(30)])
    sign_in(client)
    with django_assert_max_num_queries(20):
        client.get(reverse("admin:surveys_survey_change", args=[survey.pk]))
