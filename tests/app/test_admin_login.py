"""The admin has no sign-in of its own: one page, one throttle."""

import pytest
from django.urls import reverse

from tests.app.author_posts import sign_in
from tests.builders import make_user

pytestmark = pytest.mark.django_db


def test_sends_a_stranger_to_the_sites_own_sign_in(client):
    response = client.get(reverse("admin:index"), follow=True)
    assert response.redirect_chain[-1][0] == f"{reverse('login')}?next={reverse('admin:index')}"


def test_keeps_the_page_that_was_wanted(client):
    address = reverse("admin:surveys_survey_add")
    response = client.get(reverse("admin:login"), {"next": address})
    assert response.url == f"{reverse('login')}?next={address}"


def test_does_not_forward_to_another_site(client):
    response = client.get(reverse("admin:login"), {"next": "https://evil.example/"})
    assert response.url == f"{reverse('login')}?next={reverse('admin:index')}"
    sign_in(client)
    response = client.get(reverse("admin:login"), {"next": "//evil.example/"})
    assert response.url == reverse("admin:index")


def test_a_password_posted_to_the_admin_signs_nobody_in(client):
    make_user("someone", author=True)
    client.post(reverse("admin:login"), {"username": "someone", "password": "whatever"})
    assert "_auth_user_id" not in client.session


def test_tells_a_researcher_that_this_is_for_authors(client):
    sign_in(client, make_user("reader"))
    response = client.get(reverse("admin:index"), follow=True)
    assert response.redirect_chain[-1][0] == reverse("account")
    (message,) = response.context["messages"]
    assert "reader" in str(message)
