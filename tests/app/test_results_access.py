"""Who may see results: the same answer for the page and for every file of it."""

import pytest
from django.urls import reverse

from tests.builders import PASSWORD, launched, make_survey, make_user
from tests.released import released

pytestmark = pytest.mark.django_db

ADDRESSES = (
    "results",
    "results-status",
    "results-figures",
    "results-json",
    "results-parameters",
    "reports-csv",
    "results-crowd",
    "summary-html",
    "synthetic-csv",
)
ROWS = [{"q1": number % 2} for number in range(6)]


def fetch(client, address):
    """The complete content of an answer; an unread stream would keep its database cursor."""
    answer = client.get(address)
    if answer.streaming:
        answer.getvalue()
    return answer


def sign_in(client, launch, role):
    if role == "anonymous":
        return
    people = {
        "owner": launch.survey.owner,
        "other author": lambda: make_user("other", author=True),
        "researcher": lambda: make_user("researcher"),
        "outsider": lambda: make_user("outsider"),
        "superuser": lambda: make_user("root", superuser=True),
    }
    person = people[role]() if callable(people[role]) else people[role]
    if role == "researcher":
        launch.survey.researchers.add(person)
    assert client.login(username=person.username, password=PASSWORD)


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize(
    ("role", "private", "public"),
    [
        ("owner", 200, 200),
        ("researcher", 200, 200),
        ("superuser", 200, 200),
        ("other author", 404, 200),
        ("outsider", 404, 200),
        ("anonymous", 302, 200),
    ],
)
def test_access(client, name, role, private, public):
    launch = released(ROWS)
    sign_in(client, launch, role)
    address = reverse(name, args=[launch.survey.slug])

    answer = fetch(client, address)
    assert answer.status_code == private
    if private == 302:
        assert answer["Location"] == f"{reverse('login')}?next={address}"

    launch.survey.results_public = True
    launch.survey.save()
    assert fetch(client, address).status_code == public


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_draft_and_an_unknown_survey_are_not_here(client, name):
    survey = make_survey(slug="draft")
    client.force_login(survey.owner)
    assert client.get(reverse(name, args=["draft"])).status_code == 404
    client.logout()
    assert client.get(reverse(name, args=["draft"])).status_code == 404
    assert client.get(reverse(name, args=["unknown"])).status_code == 404


@pytest.mark.parametrize("name", ADDRESSES)
def test_results_are_read_only_and_kept_by_no_cache(client, name):
    launch = released(ROWS, results_public=True)
    address = reverse(name, args=[launch.survey.slug])
    assert client.post(address).status_code == 405
    caching = fetch(client, address)["Cache-Control"]
    assert "private" in caching
    assert "no-cache" in caching


def test_a_researcher_who_is_taken_off_sees_nothing_more(client):
    launch = released(ROWS)
    sign_in(client, launch, "researcher")
    address = reverse("reports-csv", args=[launch.survey.slug])
    assert fetch(client, address).status_code == 200
    launch.survey.researchers.clear()
    assert fetch(client, address).status_code == 404


def test_a_survey_without_responses_has_a_page(client):
    launch = launched(results_public=True)
    address = reverse("results", args=[launch.survey.slug])
    html = client.get(address).content.decode()
    assert "Too few responses to show results" in html
    assert reverse("respond", args=[launch.survey.slug]) in html
    client.force_login(launch.survey.owner)
    assert "No responses yet" in client.get(address).content.decode()
