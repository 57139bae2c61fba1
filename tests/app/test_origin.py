"""Where a response comes from: this scheme, this host, this port."""

import pytest

from tests.builders import launched, sent

pytestmark = pytest.mark.django_db


def post(client, origin, **extra):
    return sent(client, launched(), **{"headers": {"Origin": origin}, **extra}).status_code


@pytest.mark.parametrize(
    ("origin", "secure", "status"),
    [
        ("http://testserver", False, 201),
        ("https://testserver", True, 201),
        ("http://testserver", True, 403),
        ("https://testserver", False, 403),
        ("testserver", False, 403),
        ("://testserver", False, 403),
        ("null", False, 403),
        ("", False, 403),
        ("http://testserver:8000", False, 403),
        ("http://testserver.example", False, 403),
        ("http://[", False, 403),
    ],
)
def test_scheme_and_host_are_compared(client, origin, secure, status):
    assert post(client, origin, secure=secure) == status


@pytest.mark.parametrize(
    ("origin", "host", "secure"),
    [
        ("http://testserver", "TESTSERVER:80", False),
        ("https://testserver", "testserver:443", True),
        ("http://testserver:8000", "testserver:8000", False),
    ],
)
def test_a_browser_leaves_the_usual_port_out(client, origin, host, secure):
    assert post(client, origin, headers={"Origin": origin, "Host": host}, secure=secure) == 201


@pytest.mark.parametrize(("scheme", "status"), [("https", 201), ("http", 403)])
def test_behind_a_trusted_proxy_the_scheme_is_what_the_proxy_says(client, settings, scheme, status):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    headers = {"Origin": "https://testserver", "Host": "testserver", "X-Forwarded-Proto": scheme}
    assert post(client, "", headers=headers) == status


def test_without_one_nobody_says_it_for_the_proxy(client):
    headers = {"Origin": "https://testserver", "X-Forwarded-Proto": "https"}
    assert post(client, "", headers=headers) == 403


def test_an_origin_that_the_operator_trusts_passes(client, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://survey.example"]
    assert post(client, "https://survey.example") == 201
