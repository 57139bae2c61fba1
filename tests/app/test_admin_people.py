"""Naming researchers without a list of accounts."""

import json

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from surveys.admin.people import MOST_PEOPLE
from surveys.throttle import throttle
from tests.app.author_posts import page, sign_in, write_settings
from tests.builders import make_survey, make_user

pytestmark = pytest.mark.django_db
FIELD = {"app_label": "surveys", "model_name": "survey", "field_name": "researchers"}


def found_names(client, term, **field):
    response = client.get(reverse("admin:autocomplete"), {**FIELD, **field, "term": term})
    assert response.status_code == 200
    return [person["text"] for person in response.json()["results"]]


@pytest.fixture
def rita():
    user = make_user("rita")
    user.first_name, user.last_name, user.email = "Rita", "Reader", "secret@example.org"
    user.save()
    return user


def test_an_author_finds_a_person_by_name(client, rita):
    assert found_names(sign_in(client), "rita reader") == ["Rita Reader (rita)"]


@pytest.mark.parametrize(
    "term",
    [
        "rita",
        "RITA",
        " rita ",
        "Rita Reader",
        "rita  reader",
        "Reader Rita",
        "Reader, Rita",
        "secret@example.org",
        "Secret@Example.org",
    ],
)
def test_a_whole_name_finds_a_person(client, rita, term):
    assert found_names(sign_in(client), term) == ["Rita Reader (rita)"]


PARTS = ("", " ", "r", "ri", "rit", "ita", "Reader", "rita read", "ta rea", "secret@example")
ODD = ("@", "%", "rita%", "_ita", "\x00", "rita\x00", "x" * 5000, "a " * 1000, "ｒｉｔａ", ".")


@pytest.mark.parametrize("term", [*PARTS, *ODD])
def test_a_part_of_a_name_finds_nobody(client, rita, term):
    assert found_names(sign_in(client), term) == []


def test_names_of_several_words_are_found(client):
    user = make_user("amb")
    user.first_name, user.last_name = "Anna Maria", "van der Berg"
    user.save()
    assert found_names(sign_in(client), "Anna Maria van der Berg") == [
        "Anna Maria van der Berg (amb)"
    ]
    assert found_names(client, "anna berg") == []


@pytest.mark.slow
def test_two_letter_searches_list_nobody(client):
    for number in range(30):
        make_user(f"person{number}")
    client = sign_in(client)
    letters = "abcdefghijklmnopqrstuvwxyz"
    assert not any(found_names(client, f"p{letter}") for letter in letters)


def test_a_name_that_many_share_lists_a_few(client):
    User.objects.bulk_create(
        User(username=f"anna{n}", first_name="Anna", last_name="Berg") for n in range(20)
    )
    assert len(found_names(sign_in(client), "Anna Berg")) == MOST_PEOPLE


def test_searches_are_limited(client, rita, settings):
    settings.PEOPLE_RATE = "5/hour"
    throttle.cache_clear()
    client = sign_in(client)
    ask = {**FIELD, "term": "rita"}
    answers = [client.get(reverse("admin:autocomplete"), ask) for _ in range(7)]
    throttle.cache_clear()
    assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
    assert "rita" not in answers[-1].text
    assert answers[-1]["Retry-After"]


def test_a_number_alone_chooses_and_shows_nobody(client, rita):
    survey = make_survey()
    client = sign_in(client)
    answer = write_settings(client, survey, researchers=[rita.pk])
    assert list(answer["errors"]) == ["researchers"]
    assert not survey.researchers.exists()
    assert "Rita" not in json.dumps(answer)
    assert "Rita" not in client.get(page(survey, "settings")).text


@pytest.mark.slow
def test_whoever_was_found_can_be_chosen_and_stays_chosen(client, rita):
    survey = make_survey()
    client = sign_in(client)
    found_names(client, "rita")
    assert write_settings(client, survey, researchers=[rita.pk])["errors"] == {}
    assert list(survey.researchers.all()) == [rita]
    # In another session, where nobody was found yet.
    client.logout()
    client = sign_in(client)
    assert "Rita Reader (rita)" in client.get(page(survey, "settings")).text
    assert write_settings(client, survey, researchers=[rita.pk])["errors"] == {}
    assert list(survey.researchers.all()) == [rita]


@pytest.mark.parametrize("value", ["inf", "nan", "-1", "1e9", "9" * 40, "x", "\x00", "٣", "{}"])
@pytest.mark.slow
def test_what_is_no_person_is_an_error_of_the_form(client, rita, value):
    survey = make_survey()
    client = sign_in(client)
    answer = write_settings(client, survey, researchers=[value, rita.pk], budget="much")
    assert set(answer["errors"]) == {"researchers", "budget"}
    assert "Rita" not in client.get(page(survey, "settings")).text


def test_who_left_is_not_found(client, rita):
    rita.is_active = False
    rita.save()
    assert found_names(sign_in(client), "rita") == []


def test_other_fields_keep_their_own_permission(client, rita):
    response = sign_in(client).get(
        reverse("admin:autocomplete"), {**FIELD, "field_name": "owner", "term": "ri"}
    )
    assert response.status_code == 403
