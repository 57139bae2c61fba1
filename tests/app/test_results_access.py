"""Access to results: the same answer for the page and for every file of it."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from surveys.exports.registry import all_exports
from tests.app.test_free_texts import ASKED
from tests.builders import PASSWORD, launched, make_survey, make_user
from tests.released import released
from tests.tiers import filled, read_by

pytestmark = pytest.mark.django_db

ADDRESSES = (
    "results",
    "results-status",
    "results-figures",
    "results-json",
    "results-parameters",
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
@pytest.mark.slow
def test_access(client, role, private, public):
    launch = released(ROWS)
    sign_in(client, launch, role)
    addresses = {name: reverse(name, args=[launch.survey.slug]) for name in ADDRESSES}

    answers = {name: fetch(client, address) for name, address in addresses.items()}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(
        ADDRESSES, private
    )
    if private == 302:
        for name, address in addresses.items():
            assert answers[name]["Location"] == f"{reverse('login')}?next={address}"

    launch.survey.results_public = True
    launch.survey.save()
    answered = {name: fetch(client, address).status_code for name, address in addresses.items()}
    assert answered == dict.fromkeys(ADDRESSES, public)


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


ROW_FILES = [
    f"{export.name}-{each.ending.replace('.', '-')}"
    for export in all_exports()
    if export.of_people
    for each in export.formats
]


@pytest.mark.slow
@pytest.mark.parametrize("linkage", ["together", "apart"])
@pytest.mark.parametrize(
    ("role", "named"),
    [
        ("owner", True),
        ("researcher", True),
        ("superuser", True),
        ("other author", False),
        ("outsider", False),
        ("anonymous", False),
    ],
)
def test_rows_are_for_those_whom_the_author_names_also_where_results_are_public(
    client, role, named, linkage
):
    # Of a survey that asks for texts, too, so that it has every file of rows.
    launch = released(ROWS, results_public=True, linkage=linkage, **ASKED)
    sign_in(client, launch, role)
    addresses = [reverse(name, args=[launch.survey.slug]) for name in ROW_FILES]
    assert {fetch(client, address).status_code for address in addresses} == {200 if named else 404}
    html = client.get(reverse("results", args=[launch.survey.slug])).content.decode()
    assert [address in html for address in addresses] == [named] * len(addresses)
    assert ("They are for the author of the survey" in html) == (not named)
    # Everybody has the estimates, and made-up people who are drawn from these alone.
    for name in ("estimates-csv", "results-json", "synthetic-csv"):
        assert fetch(client, reverse(name, args=[launch.survey.slug])).status_code == 200


def test_a_reader_of_a_tier_has_the_rows_of_that_tier(client):
    launch = filled(30, results_public=True)
    reader, address = make_user("reader"), reverse("reports-csv", args=[launch.survey.slug])
    read_by(launch, reader, 1)
    assert client.get(address).status_code == 404
    client.force_login(reader)
    assert fetch(client, address).status_code == 200


def test_who_has_downloaded_rows_is_written_down_and_shown_to_the_author(client):
    launch = released(ROWS, linkage="together")
    sign_in(client, launch, "researcher")
    for name in ("reports-csv", "reports-codebook-json", "estimates-csv"):
        fetch(client, reverse(name, args=[launch.survey.slug]))
    client.head(reverse("reports-csv", args=[launch.survey.slug]))
    (entry,) = launch.survey.row_downloads.all()
    assert (entry.name, entry.file, entry.responses, entry.step) == (
        "researcher",
        "reports.csv",
        6,
        0,
    )
    User.objects.get(username="researcher").delete()
    client.force_login(launch.survey.owner)
    html = client.get(reverse("admin:survey_share", args=[launch.survey.pk])).content.decode()
    assert "<bdi>researcher</bdi>" in html
    assert "reports.csv" in html


@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("page", ["respond", "physical"])
def test_respondents_read_who_gets_what_before_they_agree(client, page, public):
    launch = launched(results_public=public, questions=[{"physical_device": "die"}])
    html = client.get(reverse(page, args=[launch.survey.slug])).content.decode()
    before_consent = html[: html.index("Taking part is voluntary.")]
    assert "The author and people they name" in before_consent
    told = "totals: anyone with the link" if public else "totals may be published"
    assert told in before_consent


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
