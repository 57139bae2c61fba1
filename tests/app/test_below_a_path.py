"""A site below a path of its name: every address that it writes begins there, in both arrangements
of a proxy. tests/system/test_behind_nginx.py walks it in a browser.
"""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from babel.messages.jslexer import tokenize
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client, RequestFactory
from django.test.utils import override_script_prefix
from django.urls import reverse

from config import wsgi
from config.stack import intake, profile, web
from surveys.api import openapi
from surveys.middleware import HEALTH
from surveys.views import errors, releases, scripts
from tests.app.test_charsets import kept_connection  # noqa: F401  # a fixture
from tests.app.test_environment import settings_under
from tests.app.test_routes import (
    FILES_OF_TABLES,
    REVIEWED,
    RULES,
    address_of,
    cast,  # noqa: F401  # a fixture
    signed_in_client,
    survey,  # noqa: F401  # a fixture
)
from tests.builders import launched, make_user

PATH = "/survey"
SCRIPTS = Path(__file__).resolve().parents[2] / "static" / "js"
# What begins with one slash in a document, or in an attribute of a page.
ATTRIBUTE = re.compile(r"""\s([a-z-]+)=(?:"(/[^"]*)"|'(/[^']*)')""")
CACHED = (
    openapi.openapi,
    scripts._cached_scripts,
    scripts._cached_catalog,
    releases._cached_release,
)


@pytest.fixture
def below(settings) -> Iterator[None]:
    """The site below a path, in this process; what it remembers of addresses is forgotten."""
    for each in CACHED:
        each.cache_clear()
    settings.SITE_PATH = settings.FORCE_SCRIPT_NAME = PATH
    settings.SITE_PATH_STRIPPED = False
    settings.STATIC_URL = f"{PATH}/static/"
    with override_script_prefix(f"{PATH}/"):
        yield
    for each in CACHED:
        each.cache_clear()


# --- the setting ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    ["/", "survey", "/survey/", "//survey", "/a//b", "/.", "/a/../b", "/a b", "/%73", "/ü", "/a?b"],
)
def test_a_path_that_is_none_stops_the_start(monkeypatch, tmp_path, value):
    with pytest.raises(ImproperlyConfigured) as error:
        settings_under(monkeypatch, tmp_path, CANDOR_PATH=value)
    (line,) = str(error.value).splitlines()
    assert line.startswith(f"CANDOR_PATH is '{value}'; it must be a path such as /survey")


@pytest.mark.parametrize("value", ["/survey", "/a/b.c/d_e~f-9", "/s"])
def test_cookies_and_files_are_below_it_under_names_of_their_own(monkeypatch, tmp_path, value):
    read = settings_under(monkeypatch, tmp_path, CANDOR_PATH=value)
    assert read["STATIC_URL"] == f"{value}/static/"
    for cookie in ("SESSION", "CSRF", "LANGUAGE"):
        assert read[f"{cookie}_COOKIE_PATH"] == value
        assert read[f"{cookie}_COOKIE_NAME"].endswith(value.replace("/", "_"))
    (exempt,) = read["SECURE_REDIRECT_EXEMPT"]
    assert re.search(exempt, f"{value}/healthz".lstrip("/"))
    assert not re.search(exempt, "healthz")


def test_at_the_root_names_are_as_they_were(monkeypatch, tmp_path):
    read = settings_under(monkeypatch, tmp_path)
    assert (read["SESSION_COOKIE_NAME"], read["CSRF_COOKIE_NAME"]) == ("sessionid", "csrftoken")
    assert read["SESSION_COOKIE_PATH"] == read["CSRF_COOKIE_PATH"] == "/"
    assert read["FORCE_SCRIPT_NAME"] is None
    assert re.search(read["SECURE_REDIRECT_EXEMPT"][0], "healthz")


@pytest.mark.parametrize(
    ("environment", "site"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"CANDOR_PATH": PATH}, f"http://127.0.0.1:8000{PATH}"),
        ({"CANDOR_PATH": PATH, "CANDOR_PATH_STRIPPED": "1"}, "http://127.0.0.1:8000"),
    ],
)
def test_make_run_prints_addresses_that_its_server_knows(tmp_path, environment, site):
    local = profile.local_environment({**environment, "CANDOR_DATA_DIR": str(tmp_path)})
    assert profile.site(local) == site


# --- what the server takes ------------------------------------------------------------------------


def asked(path: str, **values: Any) -> tuple[int, str]:
    """Status and text of an answer of the whole application, as a web server asks it."""
    said: list[str] = []
    environ = RequestFactory().get(path, **values).environ
    parts = wsgi.Application()(environ, lambda status, _headers, *_: said.append(status))
    return int(said[0][:3]), b"".join(parts).decode(errors="replace")


@pytest.mark.django_db
def test_a_path_that_is_passed_on_is_the_only_way_in(below, kept_connection):  # noqa: F811
    status, page = asked(f"{PATH}/account/login/")
    assert status == 200
    assert f'href="{PATH}/static/css' in page
    assert asked(PATH)[0] == asked(f"{PATH}/")[0] == 200
    for outside in ("/", "/account/login/", "/surveyor/", f"/x{PATH}/"):
        status, words = asked(outside)
        assert status == 404
        assert words.startswith(f"Nothing is here: the site begins at {PATH}/.")
    assert asked(f"{PATH}{PATH}/account/login/")[0] == 404
    # Past the proxy nobody need know of the path.
    assert [asked(each)[0] for probe in HEALTH for each in (probe, PATH + probe)] == [200] * 6


@pytest.mark.django_db
def test_where_it_is_stripped_nothing_has_a_second_address(
    below,
    settings,
    kept_connection,  # noqa: F811
):
    settings.SITE_PATH_STRIPPED = True
    status, page = asked("/account/login/")
    assert status == 200
    assert f'href="{PATH}/static/css' in page
    assert [asked(probe)[0] for probe in HEALTH] == [200] * 3
    # What has been asked for as /survey/survey/..., past the rules of a proxy.
    assert asked(f"{PATH}/account/login/")[0] == 404


@pytest.mark.parametrize(("stripped", "begins"), [(False, "survey/s/"), (True, "s/")])
def test_large_bodies_are_cut_short_where_respondents_send(monkeypatch, stripped, begins):
    monkeypatch.setattr(web.settings, "SITE_PATH", PATH)
    monkeypatch.setattr(web.settings, "SITE_PATH_STRIPPED", stripped)
    intake.Request.limits = web.limits()
    try:
        for address, is_cut in ((f"/{begins}x/responses/", True), ("/other/s/x/", False)):
            request = intake.Request(web.adjustments())
            head = f"POST {address} HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n\r\n"
            request.received(head.encode())
            assert request.cut_short is is_cut
    finally:
        del intake.Request.limits


@pytest.mark.django_db
def test_another_name_leads_to_the_same_address(below, settings):
    settings.CANONICAL_HOST, settings.ALLOWED_HOSTS = "first.example", ["*"]
    browser = Client()
    moved = browser.get("/account/login/?next=/survey/account/", headers={"Host": "b.example"})
    assert moved.status_code == 308
    assert moved["Location"] == ("http://first.example/survey/account/login/?next=/survey/account/")
    refused = browser.post("/account/login/", headers={"Host": "b.example"})
    assert refused.status_code == 421
    assert 'href="http://first.example/survey"' in refused.text


# --- what it writes -------------------------------------------------------------------------------


def addresses_in(answer: Any) -> Iterator[str]:
    """What begins with a slash where addresses stand: in headers, attributes and documents."""
    yield from (answer[name] for name in ("Location", "Link") if answer.has_header(name))
    media = answer.get("Content-Type", "").partition(";")[0]
    if media == "text/html":
        yield from (unescape(a or b) for _, a, b in ATTRIBUTE.findall(_text(answer)))
    elif media.endswith("json"):
        yield from _texts(json.loads(_text(answer)))


def _text(answer: Any) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode(errors="replace")


def _texts(value: Any) -> Iterator[str]:
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from _texts(each)
        elif isinstance(each, str):
            yield each


def is_outside(text: str) -> bool:
    local = re.sub(r"^<?(http://testserver)?(?=/)", "", text)
    return local.startswith("/") and not f"{local}/".startswith(f"{PATH}/")


@pytest.mark.django_db
@pytest.mark.parametrize("survey", ["draft", "open"], indirect=True)
@pytest.mark.slow
def test_no_page_of_any_route_leads_outside(below, survey, cast):  # noqa: F811
    """As whoever may see most, and as a stranger. Tables are files, which lead nowhere."""
    seen, outside = set[str](), list[str]()
    for user in (cast["superuser"], None):
        browser = signed_in_client(user)
        for route in RULES.keys() - FILES_OF_TABLES.keys():
            address = address_of(route, survey)
            answer = browser.get(address)
            found = list(addresses_in(answer))
            seen |= {each for each in found if each.startswith(PATH)}
            outside += [f"{each} on {address}" for each in found if is_outside(each)]
    assert outside == []
    assert len(seen) > 30
    assert reverse("review", args=[REVIEWED]).startswith(f"{PATH}/review/")


@pytest.mark.django_db
def test_programs_are_told_where_the_site_is(below):
    document = json.loads(Client().get("/api/v1/openapi.json").content)
    assert document["servers"] == [{"url": PATH}]
    assert all(each.startswith("/api/v1/") for each in document["paths"])
    assert "<strong>GET</strong> /survey/api/v1/surveys</code>" in Client().get("/api/v1/").text


def test_the_page_of_a_failure_leads_home(below):
    page = errors.server_error(RequestFactory().get("/x/"))
    assert f'href="{PATH}/"' in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["https://a.example", f"https://a.example{PATH}/"])
def test_a_link_to_sign_in_has_the_path_once(below, capsys, url):
    make_user("ada")
    call_command("candor", "sign-in-link", "ada", url=url)
    assert capsys.readouterr().out.startswith(f"https://a.example{PATH}/account/login/?browser=")


@pytest.mark.django_db
def test_the_digest_of_a_survey_knows_nothing_of_the_path(below, settings):
    launch = launched()
    served = Client().get(f"/s/{launch.survey.slug}/parameters.json").content
    assert PATH.encode() not in served


# --- what scripts write ---------------------------------------------------------------------------


def test_no_script_builds_an_address_from_the_root():
    """Addresses come from the page. A slash alone is what they are split at."""
    found = [
        f"{path.relative_to(SCRIPTS)}:{token.lineno}: {token.value[:40]}"
        for path in sorted(SCRIPTS.rglob("*.js"))
        for token in tokenize(path.read_text(), jsx=False)
        if token.type in ("string", "template_string") and token.value[1:2] == "/"
    ]
    assert found == ['features/closing_page/rules.js:58: "/"']
