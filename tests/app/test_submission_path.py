"""The short way of responses: whatever holds for every answer of the site holds there too."""

import json
import re

import pytest
from django.conf import settings
from django.urls import resolve, reverse

from surveys.middleware import OF_PAGES
from surveys.models import Receipt, Submission
from surveys.models.insert import insert_response
from surveys.responses.envelope import parse_submission
from surveys.services.responses import record_at, record_response
from surveys.services.transitions import close_survey
from surveys.submission_path import ADDRESS
from surveys.views import wire
from tests.builders import launched, response

SHORT_WAY = "surveys.submission_path.direct_responses"
# Middleware that a response does not need. New middleware belongs before the short path, or here.
FOR_PAGES = {
    "whitenoise.middleware.WhiteNoiseMiddleware": "static files",
    "surveys.middleware.CompressedPages": "pages",
    "csp.middleware.CSPMiddleware": "a policy for each page; responses have one of their own",
    "django.contrib.sessions.middleware.SessionMiddleware": "accounts",
    "django.middleware.locale.LocaleMiddleware": "the answers are codes, in English",
    "django.middleware.common.CommonMiddleware": "missing slashes, and the length, set there",
    "django.middleware.csrf.CsrfViewMiddleware": "surveys.views.origin stands in for it",
    "django.contrib.auth.middleware.AuthenticationMiddleware": "accounts",
    "surveys.session_limits.session_limits": "accounts",
    "django.contrib.messages.middleware.MessageMiddleware": "accounts",
}


def test_only_what_responses_have_no_use_for_is_passed_by():
    passed = settings.MIDDLEWARE[settings.MIDDLEWARE.index(SHORT_WAY) + 1 :]
    assert set(passed) == FOR_PAGES.keys()


@pytest.mark.parametrize("slug", ["a", "workplace-health", "A_b-9"])
def test_the_short_way_is_the_address_of_responses(slug):
    address = reverse("responses", args=[slug])
    assert ADDRESS.fullmatch(address)[1] == slug
    match = resolve(address)
    assert (match.func, match.kwargs) == (wire.responses, {"slug": slug})


@pytest.mark.parametrize(
    "path", ["/s/a/responses", "/s/a/responses//", "/s/ä/responses/", "/s/a/b/"]
)
def test_other_addresses_go_the_long_way(path):
    assert not ADDRESS.fullmatch(path)


def _raise_error(**_):
    raise RuntimeError("a mistake of ours")


@pytest.mark.django_db
def test_its_answers_carry_the_headers_of_everything(client, monkeypatch):
    launch = launched()
    address = reverse("responses", args=[launch.survey.slug])
    page = client.get(reverse("home"))
    body = json.dumps(response(launch))
    answers = {
        201: client.post(address, body, content_type="application/json"),
        405: client.get(address),
        415: client.post(address, body, content_type="text/plain"),
        422: client.post(address, "{", content_type="application/json"),
        403: client.post(
            address, body, content_type="application/json", HTTP_SEC_FETCH_SITE="cross-site"
        ),
        404: client.post("/s/nothing/responses/", body, content_type="application/json"),
    }
    monkeypatch.setattr(wire, "record_at", _raise_error)
    client.raise_request_exception = False
    answers[500] = client.post(address, body, content_type="application/json")
    own = {"Content-Type", "Content-Length", "Content-Language", "Vary"}
    expected = set(page.headers) - own - set(OF_PAGES) - {"Content-Security-Policy"}
    assert {"X-Content-Type-Options", "Cross-Origin-Resource-Policy"} <= expected
    for status, answer in answers.items():
        assert answer.status_code == status
        assert {name: answer.headers.get(name) for name in expected} == {
            name: page.headers[name] for name in expected
        }
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; ")
        assert re.search(r"frame-ancestors 'none'$", answer.headers["Content-Security-Policy"])
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Content-Length"] == str(len(answer.content))
        assert not answer.cookies


@pytest.mark.django_db
def test_the_direct_and_the_long_way_store_the_same():
    """One is SQL that is written out, the other asks the models for their columns."""
    launch = launched()
    direct, long = response(launch), response(launch)
    assert record_at(slug=launch.survey.slug, body=json.dumps(direct).encode()).created
    assert record_response(launch=launch, body=json.dumps(long).encode()).created

    def stored(payload):
        (row,) = Submission.objects.filter(pk=payload["submission"]).values()
        (receipt,) = Receipt.objects.filter(submission=payload["submission"]).values()
        assert receipt.pop("id") >= 0
        del row["id"], receipt["submission"]
        return row, receipt

    assert stored(direct) == stored(long)


@pytest.mark.django_db
def test_closing_takes_effect_with_the_statement_that_stores():
    """Everything else that storing needs is known to the process by then."""
    launch = launched()
    slug = launch.survey.slug
    assert record_at(slug=slug, body=json.dumps(response(launch)).encode()).created
    close_survey(survey=launch.survey, actor=None)

    parsed = parse_submission(json.dumps(response(launch)).encode())
    content = {"reports": dict(parsed.reports), "strata": {}}
    assert insert_response(slug, launch.digest, parsed.submission, content) is None
    assert Receipt.objects.count() == Submission.objects.count() == 1


@pytest.mark.django_db
def test_a_digest_of_another_survey_stores_nothing():
    first, second = launched(), launched(slug="second")

    parsed = parse_submission(json.dumps(response(second)).encode())
    content = {"reports": dict(parsed.reports), "strata": {}}
    assert insert_response(first.survey.slug, second.digest, parsed.submission, content) is None
    assert not Receipt.objects.exists()
