"""Signing in and out, and the list of results that somebody may see."""

import pytest
from django.conf import settings as configured
from django.urls import reverse

from surveys.throttle import throttle
from tests.builders import PASSWORD, launched, make_survey, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


def sign_in(client, **values):
    form = {"username": "reader", "password": PASSWORD, **values}
    return client.post(reverse("login"), form)


def test_signing_in_leads_to_the_account(client):
    make_user("reader")
    response = sign_in(client)
    assert response.status_code == 302
    assert response["Location"] == reverse("account")


def test_signing_in_leads_back_to_the_page_that_asked(client):
    user = make_user("reader")
    launch = launched()
    launch.survey.researchers.add(user)
    address = reverse("results", args=[launch.survey.slug])
    response = client.get(address)
    form = client.get(response["Location"]).content.decode()
    assert f'name="next" value="{address}"' in form
    assert sign_in(client, next=address)["Location"] == address


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:x"])
def test_signing_in_never_leads_to_another_site(client, elsewhere):
    make_user("reader")
    assert sign_in(client, next=elsewhere)["Location"] == reverse("account")


def test_a_wrong_password_is_said_without_saying_which_part_was_wrong(client):
    make_user("reader")
    wrong = sign_in(client, password="wrong").content.decode()
    unknown = sign_in(client, username="nobody").content.decode()
    for html in (wrong, unknown):
        assert 'role="alert"' in html
        assert "do not belong together" in html
    assert "wrong" not in wrong.split('id="id_password"')[1].split(">")[0]


def test_the_form_helps_password_managers(client):
    html = client.get(reverse("login")).content.decode()
    assert 'autocomplete="username"' in html
    assert 'autocomplete="current-password"' in html
    assert '<label for="id_username">' in html


def test_too_many_tries_are_stopped_and_told_how_long_to_wait(client, settings):
    settings.THROTTLE_EXEMPT = []
    settings.LOGIN_RATE = "3/hour"
    throttle.cache_clear()
    make_user("reader")
    answers = [sign_in(client, password="wrong") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert "Too many tries" in answers[-1].content.decode()
    assert "from your network" in answers[-1].content.decode()
    # The right password does not get through either, and looking at the form is free.
    assert sign_in(client).status_code == 429
    assert client.get(reverse("login")).status_code == 200
    throttle.cache_clear()


def test_the_account_page_is_for_those_who_signed_in(client):
    response = client.get(reverse("account"))
    assert response.status_code == 302
    assert response["Location"].startswith(reverse(configured.LOGIN_URL))


def test_the_account_page_lists_what_this_person_may_see(client):
    reader = make_user("reader")
    shared_launch = launched(slug="given", title="Given to me")
    shared_launch.survey.researchers.add(reader)
    launched(slug="public", title="Open to all", results_public=True)
    launched(slug="private", title="Not for me")
    make_survey(slug="draft", title="A draft", results_public=True)
    client.force_login(reader)
    html = client.get(reverse("account")).content.decode()
    assert reverse("results", args=["given"]) in html
    assert "Given to me" in html
    assert "Open to all" in html
    assert "Not for me" not in html
    assert "A draft" not in html
    assert reverse("admin:index") not in html


def test_an_empty_account_page_says_what_to_do(client):
    client.force_login(make_user("reader"))
    assert "Ask the survey" in client.get(reverse("account")).content.decode()
    client.force_login(make_user("author", author=True))
    html = client.get(reverse("account")).content.decode()
    assert "No survey of yours has been launched" in html
    assert reverse("admin:index") in html


def test_signing_out_needs_a_post_and_ends_the_session(client):
    client.force_login(make_user("reader"))
    assert client.get(reverse("logout")).status_code == 405
    assert client.post(reverse("logout"))["Location"] == reverse("home")
    assert client.get(reverse("account")).status_code == 302
