"""One name for the site: another one would keep, and draw, a second report."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment.environment import Environment
from config.stack import profile
from surveys.models import Submission
from tests.builders import launched, sent

OTHER = "www.survey.example"


@pytest.fixture(autouse=True)
def named(settings):
    settings.ALLOWED_HOSTS = ["survey.example", OTHER, "[::1]", "testserver"]
    settings.CANONICAL_HOST = "survey.example"


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("path", ["/s/health/?a=b&c=%C3%A9", "/", "/account/login/?next=/x"])
def test_another_name_leads_to_the_canonical_one(client, method, path):
    answer = getattr(client, method)(path, headers={"Host": OTHER})
    assert answer.status_code == 308
    assert answer["Location"] == f"http://survey.example{path}"
    assert "no-cache" in answer["Cache-Control"]


def test_the_port_and_the_scheme_stay(client):
    answer = client.get("/check/", headers={"Host": f"{OTHER}:8443"}, secure=True)
    assert answer["Location"] == "https://survey.example:8443/check/"


def test_an_address_of_version_six_leads_there_too(client):
    answer = client.get("/check/", headers={"Host": "[::1]:8000"})
    assert answer["Location"] == "http://survey.example:8000/check/"


@pytest.mark.django_db
def test_what_is_posted_to_another_name_is_refused_and_not_stored(client):
    answer = sent(client, launched(), headers={"Host": OTHER})
    assert answer.status_code == 421
    (error,) = answer.json()["errors"]
    assert error["code"] == "wrong_host"
    assert "http://survey.example" in error["message"]
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("language", "words"), [("en", "This site is at"), ("de", "Diese Website hat die Adresse")]
)
def test_a_form_posted_to_another_name_gets_a_page(client, language, words):
    answer = client.post("/account/login/", headers={"Host": OTHER, "Accept-Language": language})
    assert answer.status_code == 421
    assert words in answer.text
    assert "http://survey.example" in answer.text


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["survey.example", "SURVEY.example:8000", "survey.example."])
def test_the_canonical_name_is_served(client, host):
    assert client.get("/account/login/", headers={"Host": host}).status_code == 200


@pytest.mark.django_db
def test_a_port_that_is_named_belongs_to_the_name(client, settings):
    settings.CANONICAL_HOST = "survey.example:8443"
    answer = client.get("/account/login/", headers={"Host": "survey.example:9000"})
    assert answer["Location"] == "http://survey.example:8443/account/login/"
    right = {"Host": "survey.example:8443"}
    assert client.get("/account/login/", headers=right).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("host", [OTHER, "192.0.2.7", "192.0.2.7:8000", "[2001:db8::7]", "node-3"])
@pytest.mark.parametrize("redirects", [False, True])
def test_the_health_of_the_process_is_told_under_every_name_and_address(
    client, settings, host, redirects
):
    """A balancer asks by address, over plain http, and follows no redirect."""
    settings.SECURE_SSL_REDIRECT = redirects
    answer = client.get("/healthz", headers={"Host": host})
    assert (answer.status_code, answer.text) == (200, "ok")
    assert answer["Content-Length"] == "2"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert client.post("/healthz", headers={"Host": host}).status_code == 405


def test_a_name_that_is_nobodys_is_refused(client):
    assert client.get("/check/", headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.parametrize(
    ("allowed", "host", "expected"),
    [
        (["a.example", "b.example"], "", "a.example"),
        (["a.example", "b.example"], "B.example", "b.example"),
        (["a.example"], "a.example:8443", "a.example:8443"),
        (["[::1]"], "", "[::1]"),
        (["*"], "", ""),
        ([".example"], "", ""),
        ([".example"], "a.example", "a.example"),
        ([], "", ""),
    ],
)
def test_the_first_allowed_name_is_the_one_unless_another_is_named(allowed, host, expected):
    assert expected == environment(allowed or [","], host).CANDOR_CANONICAL_HOST


def environment(allowed: list[str], host: str) -> Environment:
    return Environment({"CANDOR_ALLOWED_HOSTS": ",".join(allowed), "CANDOR_CANONICAL_HOST": host})


@pytest.mark.parametrize("host", ["c.example", "https://a.example", "a.example/", "a b"])
def test_a_name_that_is_not_allowed_stops_the_start(host):
    with pytest.raises(ImproperlyConfigured, match="CANDOR_CANONICAL_HOST is"):
        _ = environment(["a.example"], host).CANDOR_CANONICAL_HOST


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("localhost", "http://localhost:8000"),
        ("::1", "http://[::1]:8000"),
        ("192.168.1.5", "http://192.168.1.5:8000"),
    ],
)
def test_make_run_prints_the_canonical_name(tmp_path, host, url):
    environment = profile.local_environment({"HOST": host, "CANDOR_DATA_DIR": str(tmp_path)})
    assert profile.site(environment) == url
    assert profile.canonical_host(environment) == url.removeprefix("http://").removesuffix(":8000")
