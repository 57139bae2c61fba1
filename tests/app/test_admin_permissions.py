"""Authors reach their own surveys, a superuser all, a researcher none."""

import pytest
from django.urls import reverse

from surveys.models import Survey
from tests.app.author_posts import page, sign_in
from tests.builders import launched, make_survey, make_user

pytestmark = pytest.mark.django_db
PAGES = [
    *("preview", "trial", "launch", "share", "qr", "close", "reopen", "delete"),
    *("people", "comments", "read"),
]


@pytest.fixture
def survey():
    return make_survey()


@pytest.mark.parametrize("name", [*PAGES, "clone"])
def test_another_author_gets_404(client, survey, name):
    sign_in(client, make_user("colleague", author=True))
    assert client.get(page(survey, name)).status_code == (405 if name == "clone" else 404)
    if name not in ("preview", "share", "qr", "read"):
        assert client.post(page(survey, name)).status_code == 404
    assert Survey.objects.count() == 1


def test_another_author_cannot_open_or_save_the_change_page(client, survey):
    sign_in(client, make_user("colleague", author=True))
    assert client.get(page(survey)).status_code == 404
    assert client.post(page(survey, "settings"), {"title": "Mine now"}).status_code == 404
    survey.refresh_from_db()
    assert survey.title == "Health at work"


def test_another_author_does_not_see_it_in_the_list(client, survey):
    sign_in(client, make_user("colleague", author=True))
    assert survey.title not in client.get(reverse("admin:surveys_survey_changelist")).text


def test_a_superuser_sees_and_changes_all(client, survey):
    sign_in(client, make_user("root", superuser=True))
    assert survey.title in client.get(reverse("admin:surveys_survey_changelist")).text
    assert client.get(page(survey)).status_code == 200


@pytest.mark.parametrize("name", [*PAGES, "clone", "change"])
def test_a_researcher_has_no_way_in(client, name):
    survey = launched().survey
    reader = make_user("reader")
    survey.researchers.add(reader)
    sign_in(client, reader)
    response = client.post(page(survey, name))
    assert response.status_code == 302
    assert response.url.startswith(reverse("admin:login"))
    assert Survey.objects.get().state == "open"


def test_staff_outside_the_authors_group_is_refused(client, survey):
    staff = make_user("clerk")
    staff.is_staff = True
    staff.save()
    sign_in(client, staff)
    assert client.get(page(survey, "launch")).status_code == 403


def test_accounts_are_for_superusers(client):
    address = reverse("admin:auth_user_changelist")
    assert sign_in(client).get(address).status_code == 403
    assert sign_in(client, make_user("root", superuser=True)).get(address).status_code == 200
