"""What Prometheus gets: of respondents by batches and never sooner, of the desk each request."""

import socket
import time
import uuid
from itertools import pairwise

import pytest
import redis
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.urls import URLPattern, URLResolver, get_resolver
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from surveys import tasks  # noqa: F401  # every kind of job is known
from surveys.models import Job, Launch, Submission, Survey
from surveys.observation import audience, counting, exporter, exposition, probes, site
from surveys.observation.counting import WINDOW_SECONDS, Counts
from tests.builders import PASSWORD, launched, make_user

START = 6_000_000 * WINDOW_SECONDS


class Pipeline(list):
    def __init__(self, broker):
        super().__init__()
        self.broker = broker

    def __enter__(self):
        return self

    def __exit__(self, *error):
        """Nothing is left over."""

    def hincrby(self, key, field, number):
        self.append((key, field, number))

    def execute(self):
        for key, field, number in self:
            held = self.broker.kept.setdefault(key, {})
            held[field] = str(int(held.get(field, 0)) + number).encode()


class Broker:
    """As much of a broker as metrics need, in this process."""

    def __init__(self):
        self.kept = {}
        self.is_away = False

    def __getattribute__(self, name):
        if name not in ("kept", "is_away") and self.is_away:
            raise redis.ConnectionError
        return super().__getattribute__(name)

    def ping(self):
        return True

    def get(self, key):
        return self.kept.get(key)

    def set(self, key, value, nx=False, ex=None):
        if nx and key in self.kept:
            return None
        self.kept[key] = str(value).encode()
        return True

    def hgetall(self, key):
        return dict(self.kept.get(key, {}))

    def llen(self, key):
        return self.kept.get(key, 0)

    def pipeline(self, transaction=True):
        return Pipeline(self)


@pytest.fixture
def broker(monkeypatch):
    one = Broker()
    monkeypatch.setattr(exporter, "LIVE_SECONDS", 0)
    for module in (counting, exporter, probes, site):
        monkeypatch.setattr(module, "broker", lambda: one)
    return one


@pytest.fixture
def counts(monkeypatch, settings):
    """The counts of this process, which hands over when it is told to."""
    settings.METRICS_PORT = 9464
    one = Counts()
    monkeypatch.setattr(one, "_start", lambda: None)
    monkeypatch.setattr("surveys.observation.requests.COUNTS", one)
    return one


def exposed(process):
    """Every sample of the exposition, by name and labels."""
    text = generate_latest(exporter.registry_of(process)).decode()
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def of_respondents(process):
    names = (*exposition.SNAPSHOT, *exposition.LASTING)
    return {key: value for key, value in exposed(process).items() if key[0].startswith(names)}


def arrive(launch, number):
    Submission.objects.bulk_create(
        Submission(id=uuid.uuid4(), launch=launch, content={}) for _ in range(number)
    )


@pytest.mark.django_db
def test_each_response_is_told_with_its_batch_at_the_end_of_a_window(broker):
    """Scraped at any moment, with responses between any two of them."""
    launch = launched(release_batch=25)
    process, seen = exporter.Exporter(), []
    for second in range(0, 12 * WINDOW_SECONDS, 30):
        process.look(START + second)
        if second % 60 == 30:
            arrive(launch, 1)
        before = of_respondents(process)
        arrive(launch, 1)
        assert of_respondents(process) == before
        seen.append((second // WINDOW_SECONDS, before.get(("candor_responses",))))
    # 15 responses come in a window, of which two make a batch; the first window is not looked at,
    # and the end of the second is where counting begins.
    steps = [seen[0], *(new for old, new in pairwise(seen) if new[1] != old[1])]
    assert steps == [(0, None), (3, 45.0), (5, 75.0), (7, 105.0), (9, 135.0), (11, 165.0)]


@pytest.mark.django_db
def test_another_process_goes_on_from_what_was_told(broker):
    launch = launched(release_batch=20)
    first = exporter.Exporter()
    for window in range(3):
        first.look(START + window * WINDOW_SECONDS)
        arrive(launch, 20)
    told = of_respondents(first)
    assert told["candor_responses",] == 40
    second = exporter.Exporter()
    second.look(START + 2 * WINDOW_SECONDS + 150)
    assert of_respondents(second) == told
    # One that was stopped for a while does not look in the middle of a window.
    arrive(launch, 100)
    second.look(START + 5 * WINDOW_SECONDS + 60)
    assert of_respondents(second) == told
    # Of two one looks, and the other one takes that over.
    for process in (second, first):
        process.look(START + 6 * WINDOW_SECONDS)
    assert of_respondents(first) == of_respondents(second)
    assert of_respondents(first)["candor_responses",] == 160


@pytest.mark.django_db
def test_without_a_broker_what_was_told_stands(broker):
    launch = launched(release_batch=20)
    process = exporter.Exporter()
    for window in range(3):
        process.look(START + window * WINDOW_SECONDS)
        arrive(launch, 20)
    told = of_respondents(process)
    broker.is_away = True
    process.look(START + 3 * WINDOW_SECONDS)
    samples = exposed(process)
    assert of_respondents(process) == told
    assert samples["candor_broker_up",] == 0
    assert samples["candor_database_up",] == 1


@pytest.mark.django_db
def test_the_largest_batch_is_that_of_open_surveys():
    assert site.largest_batch() == 0
    launched(slug="small", release_batch=5)
    assert site.largest_batch() == 5
    launch = launched(slug="large", release_batch=70)
    assert site.largest_batch() == 70
    Survey.objects.filter(pk=launch.survey_id).update(state="closed")
    assert site.largest_batch() == 5


@pytest.mark.django_db
def test_no_metric_names_a_survey_and_standing_jobs_are_told_when_they_fail(broker):
    launch = launched(slug="workplace-health", title="Health at work")
    process = exporter.Exporter()
    Job.objects.create(kind="recompute", subject=launch.pk, state="idle", attempt=2)
    Job.objects.create(kind="search", subject=launch.pk, state="queued")
    process.look(START)
    process.look(START + WINDOW_SECONDS)
    samples = exposed(process)
    assert samples["candor_jobs", ("kind", "search"), ("state", "queued")] == 1
    assert not [key for key in samples if key[0] == "candor_jobs" and ("kind", "recompute") in key]
    assert samples["candor_jobs_retrying", ("kind", "recompute")] == 0
    Job.objects.filter(kind="recompute").update(attempt=site.RETRYING)
    process.look(START + 2 * WINDOW_SECONDS)
    assert exposed(process)["candor_jobs_retrying", ("kind", "recompute")] == 1
    assert "workplace-health" not in str(samples)
    assert not [key for key in samples if key[0].startswith(("process_", "python_"))]


@pytest.mark.django_db
def test_responses_that_no_worker_takes_are_late(broker):
    launch = launched(release_batch=5)
    arrive(launch, 10)
    process = exporter.Exporter()
    late = []
    for window in range(4):
        process.look(START + window * WINDOW_SECONDS)
        late.append(exposed(process).get(("candor_recompute_late_seconds",)))
    assert late == [None, 0, 300, 600]
    Launch.objects.filter(pk=launch.pk).update(revision=5)
    process.look(START + 4 * WINDOW_SECONDS)
    assert exposed(process)["candor_recompute_late_seconds",] == 0


# --- requests -----------------------------------------------------------------------------------


@pytest.mark.django_db
def test_requests_of_respondents_leave_the_process_when_their_window_has_ended(
    broker, counts, client, monkeypatch
):
    launch = launched()
    monkeypatch.setattr(counting.time, "time", lambda: START + 10.0)
    addresses = (f"/s/{launch.survey.slug}/", "/check/", "/nowhere/", "/", "/static/css/no.css")
    for address in addresses:
        client.get(address)
    counts.hand_over(START + WINDOW_SECONDS - 1)
    assert broker.kept == {}
    counts.hand_over(START + WINDOW_SECONDS)
    assert set(broker.kept) == {counting.RESPONDENTS}
    held = counting.handed_over(counting.RESPONDENTS)
    assert sum(number for field, number in held.items() if field[0] == "requests") == len(addresses)
    # No route and no address.
    assert {field[2] for field in held if field[0] == "requests"} == {""}


@pytest.mark.django_db
def test_requests_of_the_desk_are_counted_by_their_route(broker, counts, client):
    make_user("author", author=True)
    client.login(username="author", password=PASSWORD)
    assert client.get("/admin/surveys/survey/").status_code == 200
    client.get("/livez")
    counts.hand_over(time.time())
    samples = exposed(exporter.Exporter())
    labels = (("group", "admin"), ("route", "admin:surveys_survey_changelist"), ("status", "2xx"))
    assert samples["candor_requests_total", *labels] == 1
    assert samples["candor_request_seconds_count", ("group", "admin")] == 1
    assert set(broker.kept) == {counting.DESK}


@pytest.mark.django_db
def test_what_no_broker_takes_is_handed_over_later(broker, counts, client):
    client.get("/account/login/")
    client.get("/check/")
    later = time.time() + WINDOW_SECONDS
    broker.is_away = True
    counts.hand_over(later)
    broker.is_away = False
    assert broker.kept == {}
    counts.hand_over(later)
    assert set(broker.kept) == {counting.DESK, counting.RESPONDENTS}


@pytest.mark.django_db
def test_of_respondents_requests_shares_and_quantiles_are_told(broker, counts):
    launch = launched(release_batch=20)
    process = exporter.Exporter()
    process.look(START)
    process.look(START + WINDOW_SECONDS)
    for index in range(200):
        status = 500 if index < 20 else 429 if index < 30 else 201
        counts.count_respondents(audience.SUBMISSION, status, 0.02 if index % 100 else 4.0)
    counts.hand_over(time.time() + WINDOW_SECONDS)
    arrive(launch, 19)
    process.look(START + 2 * WINDOW_SECONDS)
    assert ("candor_respondents_failed_ratio",) not in exposed(process)
    arrive(launch, 1)
    process.look(START + 3 * WINDOW_SECONDS)
    samples = exposed(process)
    assert samples["candor_respondents_failed_ratio",] == 0.1
    assert samples["candor_respondents_throttled_ratio",] == 0.05
    assert samples["candor_respondents_requests_per_second",] == 0.3
    by_quantile = {
        quantile: samples[
            "candor_respondents_seconds", ("quantile", quantile), ("sort", "submission")
        ]
        for quantile in ("0.5", "0.95", "0.99")
    }
    assert by_quantile == {"0.5": 0.025, "0.95": 0.025, "0.99": 0.025}


# --- whose request it is --------------------------------------------------------------------------

DESK = {"admin", "account", "review", "api"}


def routes(patterns, before=""):
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, before + str(pattern.pattern))
        elif isinstance(pattern, URLPattern):
            yield before + str(pattern.pattern)


@pytest.mark.parametrize("is_signed_in", [False, True])
def test_every_route_that_is_not_known_to_be_the_desks_is_a_respondents(rf, settings, is_signed_in):
    found = list(routes(get_resolver().url_patterns))
    assert len(found) > 100
    for route in found:
        request = rf.get("/" + route.replace("<slug:slug>", "health"))
        if is_signed_in:
            request.COOKIES[settings.SESSION_COOKIE_NAME] = "x"
        is_results = route.startswith("s/<slug:slug>/results/")
        expected = route.split("/")[0] in DESK or (is_results and is_signed_in)
        assert audience.is_of_the_desk(request) == expected, route


@pytest.mark.django_db
def test_the_site_itself_has_no_metrics(client):
    client.force_login(User.objects.create_superuser("root"))
    for path in ("/metrics", "/metrics/", "/admin/metrics"):
        assert client.get(path, follow=True).status_code == 404
    assert not [route for route in routes(get_resolver().url_patterns) if "metrics" in route]


def test_a_port_that_is_not_set_or_taken_is_one_line(settings):
    with pytest.raises(CommandError, match="CANDOR_METRICS_PORT is not set; it must be a port"):
        call_command("candor", "metrics")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings.METRICS_PORT = taken.getsockname()[1]
        with pytest.raises(
            CommandError, match=f"Cannot listen on 127.0.0.1:{settings.METRICS_PORT}"
        ):
            call_command("candor", "metrics")
