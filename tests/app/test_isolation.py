"""The headers of every answer: pages, files, errors, downloads, redirects."""

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.urls import reverse

from surveys.middleware import DENIED, FILES, OF_PAGES
from tests.app.author_posts import sign_in
from tests.builders import launched

pytestmark = pytest.mark.django_db


def send_request(client, path, method="get", **extra):
    client.raise_request_exception = False
    return getattr(client, method)(path, **extra)


def assert_isolated(answer):
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    if answer.get("Content-Type", "").startswith(FILES):
        # What is no page has none of the headers for pages.
        assert not answer.headers.keys() & set(OF_PAGES)
        assert answer["X-Content-Type-Options"] == "nosniff"
        return
    rules = answer["Permissions-Policy"].split(", ")
    assert "clipboard-write=(self)" in rules
    assert {f"{name}=()" for name in DENIED} == set(rules) - {"clipboard-write=(self)"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/healthz",
        "/livez",
        "/readyz",
        "/check/",
        "/account/login/",
        "/jsi18n/de/",
        "/admin/",
        "/s/health/",
        "/s/health",
        "/s/health/physical/",
        "/s/health/parameters.json",
        "/s/health/results/",
        "/s/health/results/status.json",
        "/s/health/results/figures.json",
        "/s/health/results/results.json",
        "/s/health/results/reports.csv",
        "/s/health/results/summary.html",
        "/s/health/results/codebook.csv",
        "/s/health/results/questions.csv",
        "/s/none/",
        "/s/none/responses/",
        "/nowhere",
        "/%ff%fe",
    ],
)
@pytest.mark.parametrize("method", ["get", "head", "post", "options", "delete"])
def test_every_answer_keeps_itself_to_this_site(client, path, method):
    launched(results_public=True)
    assert_isolated(send_request(client, path, method))


def test_errors_and_refusals_too(client, monkeypatch):
    launched()
    bad_host = send_request(client, "/", headers={"Host": "elsewhere.example"})
    cross_site = send_request(
        client, "/s/health/responses/", "post", headers={"Origin": "https://x.y"}
    )
    monkeypatch.setattr("surveys.views.home.render", lambda *_: 1 / 0)
    broken = send_request(client, "/")
    assert [bad_host.status_code, cross_site.status_code, broken.status_code] == [400, 403, 500]
    for answer in (bad_host, cross_site, broken):
        assert_isolated(answer)


def test_a_redirect_to_https_too(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    answer = send_request(client, "/")
    assert answer.status_code == 301
    assert_isolated(answer)


def test_static_files_too(rf, settings, tmp_path):
    """As they are served in production: by WhiteNoise, before any view."""

    (tmp_path / "a.js").write_text("1")
    settings.STATIC_ROOT = tmp_path
    response = WSGIHandler().get_response(rf.get("/static/a.js"))
    assert response.getvalue() == b"1"
    response.close()
    assert_isolated(response)


def test_pages_of_authors_too(client):
    launch = launched()
    client = sign_in(client)
    for name in ("change", "delete", "history"):
        address = reverse(f"admin:surveys_survey_{name}", args=[launch.survey.pk])
        assert_isolated(send_request(client, address))
