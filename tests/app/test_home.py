"""The front door, and the pages for when something is wrong."""

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from tests.builders import launched, make_user
from tests.rosters import launched_network

pytestmark = pytest.mark.django_db


def home(client):
    response = client.get(reverse("home"))
    assert response.status_code == 200
    return response.content.decode()


def demo():
    launch = launched(slug="demo", results_public=True)
    launch.survey.simulated_truth = {"q1": [0.7, 0.3]}
    launch.survey.save()
    return launch


def test_home_leads_to_the_demo_its_results_and_the_sign_in(client):
    demo()
    html = home(client)
    for address in (
        reverse("respond", args=["demo"]),
        reverse("results", args=["demo"]),
        reverse("login"),
        reverse("check"),
    ):
        assert f'href="{address}"' in html
    assert "plotly" not in html


def test_home_leads_to_the_results_of_a_network_which_nobody_can_answer_without_a_link(client):
    launch = launched_network(slug="network", results_public=True)
    launch.survey.simulated_truth = {"smokes": [0.7, 0.3]}
    launch.survey.save()
    assert "make run" in home(client)
    demo()
    html = home(client)
    assert f'href="{reverse("results", args=["network"])}"' in html
    assert f'href="{reverse("respond", args=["network"])}"' not in html
    assert f'href="{reverse("respond", args=["demo"])}"' in html


def test_home_without_a_demo_says_how_to_get_one(client):
    launched()
    html = home(client)
    assert "make run" in html
    assert reverse("respond", args=["health"]) not in html


def test_home_knows_who_is_signed_in(client):
    client.force_login(make_user("author", author=True))
    html = home(client)
    assert reverse("account") in html
    assert reverse("admin:index") in html
    assert f'href="{reverse("login")}"' not in html


def test_health_is_one_word(client):
    assert client.get(reverse("healthz")).content == b"ok"


def test_an_unknown_address_gets_a_page_in_this_look(client):
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert "This page is not here" in response.content.decode()
    assert "/nowhere/" not in response.content.decode()


def test_a_form_without_its_token_gets_a_page_that_says_what_to_do():
    strict = Client(enforce_csrf_checks=True)
    response = strict.post(reverse("login"), {"username": "a", "password": "b"})
    assert response.status_code == 403
    assert "load it again" in response.content.decode()


@pytest.mark.parametrize("name", ["400.html", "403.html", "403_csrf.html", "404.html", "500.html"])
def test_error_pages_render_without_any_context(name):
    assert "<h1>" in render_to_string(name)


def test_the_page_for_our_own_faults_stands_on_nothing(client):
    html = render_to_string("500.html")
    assert "<link" not in html
    assert "<script" not in html
    assert "<style" not in html
