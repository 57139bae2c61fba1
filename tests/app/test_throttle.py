"""Limits per address: they hold, they forget, and they need no broker."""

import json

import pytest
from django.urls import reverse

from surveys import throttle as module
from surveys.throttle import Throttle, client_address
from tests.builders import launched, response


@pytest.fixture
def strict(settings):
    settings.THROTTLE_EXEMPT = []
    settings.SUBMIT_RATE = "3/minute"
    settings.LOGIN_RATE = "3/minute"
    module.throttle.cache_clear()
    yield settings
    module.throttle.cache_clear()


def post(client, launch):
    return client.post(
        reverse("responses", args=[launch.survey.slug]),
        json.dumps(response(launch)),
        content_type="application/json",
    )


@pytest.mark.django_db
def test_too_many_responses_from_one_address_have_to_wait(client, strict):
    launch = launched()
    answers = [post(client, launch) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
    assert 1 <= int(answers[-1]["Retry-After"]) <= 60
    assert answers[-1].json()["errors"][0]["code"] == "too_many"


@pytest.mark.django_db
def test_another_address_is_not_affected(client, strict):
    launch = launched()
    for _ in range(4):
        post(client, launch)
    client.defaults["REMOTE_ADDR"] = "192.0.2.7"
    assert post(client, launch).status_code == 201


@pytest.mark.django_db
def test_logins_are_limited(client, strict):
    for _ in range(3):
        assert client.post(reverse("login"), {"username": "x", "password": "y"}).status_code == 200
    answer = client.post(reverse("login"), {"username": "x", "password": "y"})
    assert answer.status_code == 429
    assert answer["Retry-After"]
    assert client.get(reverse("login")).status_code == 200


def test_no_address_is_kept_and_the_key_changes_with_the_window():
    throttle = Throttle("submit", "3/minute")
    keys = {throttle._key("192.0.2.7", window) for window in range(3)}
    assert len(keys) == 3
    assert not any("192" in key for key in keys)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "198.51.100.1", "127.0.0.1"),
        (1, "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        (2, "203.0.113.9, 198.51.100.1", "203.0.113.9"),
        (2, "198.51.100.1", "127.0.0.1"),
        (1, "", "127.0.0.1"),
    ],
)
def test_only_trusted_proxies_are_believed(rf, settings, proxies, forwarded, expected):
    settings.TRUSTED_PROXIES = proxies
    request = rf.post("/", HTTP_X_FORWARDED_FOR=forwarded)
    assert client_address(request) == expected
