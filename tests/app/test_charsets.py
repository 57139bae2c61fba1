"""A request that names another charset than UTF-8 is read as UTF-8, and never a server error."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import RequestFactory

from config.wsgi import application
from tests.builders import launched

pytestmark = pytest.mark.django_db

# No text at all, one that takes no long text, one that fails, and one that makes lone surrogates.
CHARSETS = ["rot13", "base64", "idna", "punycode", "raw_unicode_escape", "utf-7", "no-such-charset"]
ADDRESSES = [
    "/",
    "/s/health/",
    "/s/health/physical/",
    "/s/health/parameters.json",
    "/account/login/",
]
COINS = {"physical_device": "two_coins", "epsilon": 3}
# Six characters, of which some charsets make one.
SURROGATE = "\\ud800"


@pytest.fixture(autouse=True)
def kept_connection() -> Iterator[None]:
    """The connection stays open after a request, as Django's own test client keeps it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def answered(**environ: Any) -> tuple[int, bytes]:
    """Status and body from the entry point itself, past the requests of the test client."""
    statuses: list[str] = []
    parts = application(
        RequestFactory()._base_environ(**environ), lambda status, *_rest: statuses.append(status)
    )
    return int(statuses[0][:3]), b"".join(parts)


def posted(address: str, content_type: str, body: str, **headers: str) -> tuple[int, bytes]:
    content = body.encode()
    return answered(
        REQUEST_METHOD="POST",
        PATH_INFO=address,
        CONTENT_TYPE=content_type,
        CONTENT_LENGTH=str(len(content)),
        **{"wsgi.input": io.BytesIO(content), **headers},
    )


def part(name: str, value: str) -> str:
    return f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'


@pytest.mark.slow
@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("address", ADDRESSES)
def test_no_charset_is_a_server_error(charset: str, address: str) -> None:
    launched(slug="health", questions=[COINS])
    kind = f"text/plain; charset={charset}"
    query = "next=%5Cud800&browser=%5Cud800"
    status, _body = answered(PATH_INFO=address, QUERY_STRING=query, CONTENT_TYPE=kind)
    assert status == 200
    for content_type, body in [
        (f"multipart/form-data; boundary=B; charset={charset}", part("digest", SURROGATE)),
        (f"application/x-www-form-urlencoded; charset={charset}", "username=%5Cud800&digest=%00"),
        (f"application/json; charset={charset}", '{"digest": "\\ud800"}'),
    ]:
        status, _body = posted(address, content_type, body)
        assert status < 500


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_login_is_read_as_utf_8(charset: str) -> None:
    """Seen before: raw_unicode_escape made a lone surrogate of the name, and the login failed."""
    token = "a" * 32
    values = {"csrfmiddlewaretoken": token, "username": SURROGATE, "password": "Größe"}
    body = "".join(part(*pair) for pair in values.items()) + "--B--\r\n"
    kind = f"multipart/form-data; boundary=B; charset={charset}"
    status, page = posted("/account/login/", kind, body, HTTP_COOKIE=f"csrftoken={token}")
    assert status == 200
    assert f'value="{SURROGATE}"'.encode() in page
