"""Naming researchers without a list of accounts."""

import pytest
from django.urls import reverse

from tests.app.author_posts import signed_in
from tests.builders import make_user

pytestmark = pytest.mark.django_db
FIELD = {"app_label": "surveys", "model_name": "survey", "field_name": "researchers"}


def found(client, term, **field):
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
    assert found(signed_in(client), "rita reader") == ["Rita Reader (rita)"]


def test_one_letter_lists_nobody(client, rita):
    assert found(signed_in(client), "r") == found(client, "") == []


def test_addresses_are_not_searched(client, rita):
    assert found(signed_in(client), "secret@example") == []


def test_who_left_is_not_found(client, rita):
    rita.is_active = False
    rita.save()
    assert found(signed_in(client), "rita") == []


def test_other_fields_keep_their_own_permission(client, rita):
    response = signed_in(client).get(
        reverse("admin:autocomplete"), {**FIELD, "field_name": "owner", "term": "ri"}
    )
    assert response.status_code == 403
