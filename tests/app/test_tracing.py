"""Traces: what arrives at a collector, and that nothing of a respondent does."""

import re

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import logs
from config.environment import observation
from config.environment.environment import Environment
from surveys import jobs, tasks
from surveys.observation import tracing
from tests.builders import PASSWORD, launched, make_user, sent
from tests.collector import collecting, spans_of

ALLOWED = {
    "http.request.method",
    "http.response.status_code",
    "candor.request_id",
    "candor.job.kind",
    "service.name",
}
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def collector(settings):
    tracing.current_tracer.cache_clear()
    with collecting() as (address, got):
        settings.OTLP_ENDPOINT = address
        yield got
        tracing.current_tracer().close()
    tracing.current_tracer.cache_clear()


def spans(got):
    tracing.current_tracer().flush()
    return spans_of(got)


@pytest.mark.django_db
@pytest.mark.slow
def test_the_desk_is_traced_and_no_respondent(client, collector):
    launch = launched(results_public=True)
    slug = launch.survey.slug
    assert sent(client, launch, headers={"traceparent": PARENT}).status_code == 201
    for path in (f"/s/{slug}/", f"/s/{slug}/parameters.json", f"/s/{slug}/results/", "/check/"):
        answer = client.get(path, headers={"traceparent": PARENT, "X-Request-ID": "a-name-of-mine"})
        assert answer.status_code == 200
        assert not {"x-request-id", "traceparent", "tracestate"} & {
            each.lower() for each in answer.headers
        }
    assert spans(collector) == []

    make_user("author", author=True)
    client.login(username="author", password=PASSWORD)
    answer = client.get("/admin/surveys/survey/?q=secret", headers={"traceparent": PARENT})
    assert client.get("/account/nowhere/").status_code == 404
    first, second = spans(collector)
    assert first.name == "admin:surveys_survey_changelist"
    assert second.name == "no such page"
    values = {each.key: each.value for each in first.attributes}
    assert values["candor.request_id"].string_value == answer["X-Request-ID"]
    assert values["http.response.status_code"].int_value == 200
    # Each is the only one of its trace: nothing is taken from a request.
    assert first.parent_span_id == b""
    assert PARENT.split("-")[1] not in (first.trace_id.hex(), second.trace_id.hex())
    assert_nothing_else(collector, slug)


@pytest.mark.django_db
def test_jobs_that_somebody_asked_for_are_traced_and_none_that_follows_from_responses(
    collector, monkeypatch
):
    seen = []
    monkeypatch.setattr(jobs, "run", lambda kind, subject: seen.append(logs._under_way.get()))
    for kind in ("recompute", "search", "webhook", "table"):
        tasks.run_job(kind, 17)
    assert seen == [("job", f"{kind} 17") for kind in ("recompute", "search", "webhook", "table")]
    assert [span.name for span in spans(collector)] == ["job search", "job table"]

    def fails(kind, subject):
        raise ValueError("a text of a respondent")

    monkeypatch.setattr(jobs, "run", fails)
    with pytest.raises(ValueError, match="respondent"):
        tasks.run_job("search", 17)
    failed = spans(collector)[-1]
    assert (failed.status.code, failed.status.message, list(failed.events)) == (2, "", [])
    assert_nothing_else(collector, "respondent")


def assert_nothing_else(got, word):
    for path, message in got:
        assert path == "/v1/traces"
        text = str(message)
        assert set(re.findall(r'key: "([^"]+)"', text)) <= ALLOWED
        assert word not in text
        assert "127.0.0.1" not in text


def test_without_an_endpoint_nothing_is_loaded(settings):
    tracing.current_tracer.cache_clear()
    settings.OTLP_ENDPOINT = ""
    assert tracing.current_tracer() is None
    tracing.current_tracer.cache_clear()


def test_a_setting_that_cannot_be_followed_stops_the_start(monkeypatch):
    read = {"CANDOR_OTLP_ENDPOINT": "http://collector:4318"}
    assert Environment(read).CANDOR_OTLP_ENDPOINT == "http://collector:4318"
    for module in ("nowhere", "nowhere.at.all"):
        monkeypatch.setattr(observation, "_TRACING", module)
        with pytest.raises(ImproperlyConfigured, match=r"install requirements-tracing\.txt, or le"):
            _ = Environment(read).CANDOR_OTLP_ENDPOINT
    assert Environment({}).CANDOR_OTLP_ENDPOINT == ""
