"""Webhooks: signed messages without a number in them, to the internet only, sent until taken."""

import base64
import hashlib
import hmac
import json
import socket
import threading
from contextlib import closing
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.urls import reverse
from django.utils import timezone

from surveys import jobs
from surveys.models import ApiToken, StoredAnswer, Webhook, WebhookDelivery
from surveys.models.webhook import Event
from surveys.services import webhook_sending
from surveys.services.launches import launch_survey
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey
from surveys.services.webhook_sending import UnsentError, addresses_of, is_allowed, url_problem
from surveys.services.webhooks import (
    MOST_FAILURES,
    RETRIES,
    WEBHOOK,
    BadWebhookError,
    make_webhook,
    secrets_of,
)
from tests.app.calling import Program
from tests.builders import launched, make_survey, make_user, owner, sent, shared

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
EVERY = tuple(Event.values)


class Receiver:
    """A program on this machine that writes down what it is told, and answers as it is told to."""

    def __init__(self):
        self.told, self.status = [], 204
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.told.append((self.path, dict(self.headers), body))
                self.send_response(outer.status)
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_line):
                """Write no log."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?from=candor"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def receiver(settings):
    settings.WEBHOOK_NETWORKS = ["127.0.0.1/32"]
    receiver = Receiver()
    yield receiver
    receiver.close()


def hook(receiver, user=None, events=EVERY, survey=None):
    return make_webhook(user=user or owner(), url=receiver.url, events=events, survey=survey)


def work(webhook):
    """Send what is due, as a worker does."""
    jobs.run(WEBHOOK, webhook.pk)


def verified(secret, headers, body):
    """The check that docs/api.md has for receivers."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(expected, each) for each in given)


def test_a_message_is_signed_and_names_what_happened(receiver):
    webhook, secret = hook(receiver)
    survey = make_survey()
    launch = launch_survey(survey=survey, actor=None)
    work(webhook)
    ((path, headers, body),) = receiver.told
    assert path == "/hook?from=candor"
    assert verified(secret, headers, body)
    assert not verified(secret, headers, body + b" ")
    assert not verified("whsec_" + "0" * 64, headers, body)
    told = json.loads(body)
    assert told["type"] == "survey.launched"
    assert told["data"] == {
        **{"survey": survey.pk, "address": "health", "digest": launch.digest, "wave": 1}
    }
    delivery = WebhookDelivery.objects.get()
    assert headers["webhook-id"] == f"msg_{delivery.event_id.hex}"
    assert (delivery.status, delivery.failure, delivery.due_at) == (204, "", None)
    assert delivery.delivered_at is not None


def test_an_address_is_told_the_same_once(receiver):
    """Whoever sends the form twice, or the request, has one webhook."""
    survey = make_survey()
    hook(receiver)
    with pytest.raises(BadWebhookError, match="told the same already"):
        hook(receiver)
    body = {"url": receiver.url, "events": EVERY}
    answer = Program(owner()).post("webhooks", body)
    assert answer.status_code == 422
    assert [each["field"] for each in answer.json()["errors"]] == ["url"]
    hook(receiver, survey=survey)
    hook(receiver, events=EVERY[:1])
    assert Webhook.objects.count() == 3


def test_the_secret_is_in_no_table_and_outlives_a_new_key(receiver, settings):
    webhook, secret = hook(receiver)
    assert secret not in str(Webhook.objects.values())
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret of the site, long enough to be one as well"
    launched()
    work(webhook)
    ((_path, headers, body),) = receiver.told
    assert verified(secret, headers, body)
    assert verified(secrets_of(webhook)[0], headers, body)


@pytest.mark.slow
def test_a_release_is_told_as_a_whole_and_no_arrival_is(receiver, client):
    webhook, _secret = hook(receiver, events=["results.released"])
    launch = launched(release_threshold=20, release_batch=5)
    program, revisions = Program(owner()), set()
    for _person in range(40):
        assert sent(client, launch).status_code == 201
        refresh_results(launch_id=launch.pk)
        status = program.get(f"surveys/{launch.survey_id}/status").json()
        revisions |= {status["revision"]} if status["released"] else set()
        # As many messages as there are releases to look at: none of a single arrival.
        assert WebhookDelivery.objects.count() == len(revisions)
    assert len(revisions) == 4
    work(webhook)
    bodies = [json.loads(body) for _path, _headers, body in receiver.told]
    assert {each["type"] for each in bodies} == {"results.released"}
    assert {*bodies[0]["data"]} == {"survey", "address", "digest", "revision"}
    assert bodies[-1]["data"]["revision"] == status["revision"]


def test_only_who_may_see_it_hears_of_it(receiver):
    survey = make_survey()
    stranger = make_user("stranger", author=True)
    reader, editor = shared(survey, "read"), shared(survey, "edit")
    hooks = {user: hook(receiver, user)[0] for user in (stranger, reader, editor)}
    launch = launch_survey(survey=survey, actor=None)
    count = WebhookDelivery.objects.filter
    assert not count(webhook=hooks[stranger]).exists()
    assert count(webhook=hooks[reader]).count() == count(webhook=hooks[editor]).count() == 1
    # Who is removed after it happened and before it is sent hears nothing.
    survey.co_authors.all().delete()
    work(hooks[editor])
    assert receiver.told == []
    assert count(webhook=hooks[editor]).get().failure == "not_allowed"
    close_survey(survey=launch.survey, actor=None)
    assert count(webhook=hooks[editor]).count() == 1


def test_a_webhook_of_one_survey_and_of_some_events_hears_of_these(receiver):
    one = make_survey(slug="one")
    webhook, _secret = hook(receiver, survey=one, events=["survey.closed"])
    for survey in (one, make_survey(slug="other")):
        launch_survey(survey=survey, actor=None)
        close_survey(survey=survey, actor=None)
    assert [each.event for each in webhook.deliveries.all()] == ["survey.closed"]
    assert json.loads(webhook.deliveries.get().body)["data"]["address"] == "one"


@pytest.mark.slow
def test_a_message_that_is_not_taken_is_sent_again_then_given_up(receiver):
    webhook, _secret = hook(receiver)
    launched()
    receiver.status = 500
    for attempt, wait in enumerate((*RETRIES, None), 1):
        work(webhook)
        delivery = webhook.deliveries.get()
        assert (delivery.attempts, delivery.status, delivery.failure) == (attempt, 500, "refused")
        if wait is None:
            assert delivery.due_at is None
            continue
        left = delivery.due_at - timezone.now()
        assert timedelta(seconds=wait - 3) < left <= timedelta(seconds=wait)
        work(webhook)
        assert webhook.deliveries.get().attempts == attempt
        webhook.deliveries.update(due_at=timezone.now())
    # The same message each time, so that a receiver takes it once.
    assert len({headers["webhook-id"] for _path, headers, _body in receiver.told}) == 1
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.disabled_at) == (1, None)


@pytest.mark.slow
def test_after_several_in_a_row_nothing_is_sent_until_somebody_says_so(receiver, client):
    webhook, _secret = hook(receiver, events=["survey.launched"])
    receiver.status = 404
    for number in range(MOST_FAILURES + 1):
        launched(slug=f"s-{number}")
    for _number in range(MOST_FAILURES):
        webhook.deliveries.waiting().update(attempts=len(RETRIES), due_at=timezone.now())
        work(webhook)
    webhook.refresh_from_db()
    assert webhook.disabled_at is not None
    assert len(receiver.told) == MOST_FAILURES
    assert not webhook.deliveries.waiting().exists()
    launched(slug="later")
    assert webhook.deliveries.count() == MOST_FAILURES + 1
    client.force_login(owner())
    page = client.get(reverse("admin:survey_webhooks")).content.decode()
    assert "It is told nothing since" in page
    notice = "A webhook of yours is told nothing any more"
    desk = reverse("admin:surveys_survey_changelist")
    assert notice in client.get(desk).content.decode()
    client.post(reverse("admin:survey_webhook_enable", args=[webhook.pk]))
    assert notice not in client.get(desk).content.decode()
    receiver.status = 200
    launched(slug="last")
    work(webhook)
    assert webhook.deliveries.first().delivered_at is not None


def test_a_redirect_is_not_followed(receiver):
    webhook, _secret = hook(receiver)
    launched()
    receiver.status = 307
    work(webhook)
    assert webhook.deliveries.get().failure == "redirected"
    assert len(receiver.told) == 1


PRIVATE = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
    *("100.64.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1"),
    *("fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1"),
    *("2002:7f00:1::1", "2002:a00:1::1", "2001:db8::1", "64:ff9b::a9fe:a9fe"),
    # Other ways to write an IPv4 address as one of IPv6, and what only some registries know of.
    *(
        "::127.0.0.1",
        "::ffff:0:10.0.0.1",
        "64:ff9b:1::7f00:1",
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
    ),
    *("fec0::1", "3fff::1", "5f00::1", "192.0.0.8", "192.88.99.1", "198.18.0.1"),
)


@pytest.mark.parametrize("text", PRIVATE)
def test_no_message_goes_to_a_network_that_is_not_the_internet(text, monkeypatch):
    address = webhook_sending.ipaddress.ip_address(text)
    assert not is_allowed(address)
    host = f"[{text}]" if address.version == 6 else text
    assert url_problem(f"https://{host}/") == "private_network"
    answers = [(0, 0, 0, "", (each, 443)) for each in ("8.8.8.8", text)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_how: answers)
    with pytest.raises(UnsentError, match="private_network"):
        addresses_of("name.example", 443)


# What only the C library takes for an address; a browser and `ping` do.
WRITTEN = (
    *("2130706433", "0x7f000001", "0x7f.1", "127.1", "0177.0.0.1", "017700000001", "0"),
    *("127.0.0.1.", "0xa9fea9fe", "10.1", "[::ffff:7f00:1]", "[::ffff:169.254.169.254]"),
)


@pytest.mark.parametrize("host", WRITTEN)
def test_no_way_to_write_an_address_leads_to_a_private_network(host):
    assert url_problem(f"https://{host}/hook") == "private_network"
    with pytest.raises(UnsentError, match="private_network"):
        webhook_sending.send(f"https://{host}/hook", {}, b"{}")


def test_a_name_of_this_machine_is_looked_up_and_told_nothing():
    with pytest.raises(UnsentError, match="private_network"):
        webhook_sending.send("https://localhost/hook", {}, b"{}")


def test_all_addresses_of_a_name_share_the_time_of_one(receiver):
    """A name with a hundred addresses that answer nobody would hold up a worker for an hour."""
    port = int(receiver.url.rpartition(":")[2].partition("/")[0])
    late, used_up, in_time = (
        webhook_sending._Connection("late.example", port, ["127.0.0.1"], is_tls=False)
        for _number in range(3)
    )
    late.cut()
    used_up._until -= webhook_sending.SECONDS
    for connection in (late, used_up):
        with closing(connection), pytest.raises(TimeoutError):
            connection.connect()
    with closing(in_time):
        in_time.connect()


def test_the_internet_and_what_the_operator_allows_is_told(settings):
    for text in ("8.8.8.8", "2606:4700:4700::1111", "64:ff9b::808:808"):
        assert is_allowed(webhook_sending.ipaddress.ip_address(text))
    settings.WEBHOOK_NETWORKS = ["10.0.0.0/8", "fd00::/8"]
    for text in ("10.1.2.3", "::ffff:10.1.2.3", "fd00::5"):
        assert is_allowed(webhook_sending.ipaddress.ip_address(text))
    assert not is_allowed(webhook_sending.ipaddress.ip_address("192.168.1.1"))


def test_the_connection_is_made_to_the_address_that_was_looked_at(receiver, monkeypatch):
    """A name that has another address a moment later is not asked a second time."""
    webhook, _secret = hook(receiver)
    Webhook.objects.update(url=receiver.url.replace("127.0.0.1", "rebinding.example"))
    launched()
    asked = []
    real = socket.getaddrinfo

    def resolve(host, port, *rest, **how):
        if host == "rebinding.example":
            asked.append(host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]
        return real(host, port, *rest, **how)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    work(webhook)
    assert asked == ["rebinding.example"]
    ((_path, headers, _body),) = receiver.told
    assert headers["Host"].startswith("rebinding.example")


@pytest.mark.parametrize(
    "url",
    [
        *("", "example.org", "ftp://example.org/", "http://example.org/", "https://"),
        *("https://user:secret@example.org/", "https://example.org/#part", "https://a b/"),
        *("https://example.org:0/", "https://example.org:99999/", "https://[::1", "https://ä.de/"),
        *("https://127.0.0.1/", "https://example.org/\r\nX: y", f"https://e.org/{'a' * 600}"),
    ],
)
def test_what_is_no_address_is_refused_at_both_doors(url, client):
    answer = Program(owner()).post("webhooks", {"url": url, "events": ["survey.closed"]})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "url"
    client.force_login(owner())
    page = client.post(reverse("admin:survey_webhooks"), {"url": url, "events": ["survey.closed"]})
    assert "whsec_" not in page.content.decode()
    assert not Webhook.objects.exists()


def test_webhooks_of_programs_are_those_of_the_page(client):
    program, survey = Program(owner()), make_survey()
    order = {"url": "https://example.org/hook", "events": ["survey.closed", "fit.ready"]}
    made = program.post("webhooks", {**order, "survey": survey.pk}, Idempotency_Key="w")
    assert made.status_code == 201
    secret, number = made.json()["secret"], made.json()["webhook"]["id"]
    assert secret.startswith("whsec_")
    assert secret not in str(StoredAnswer.objects.values())
    assert secret not in program.get("webhooks").content.decode()
    assert program.get("webhooks").json()["items"][0]["events"] == order["events"]
    assert program.get(f"webhooks/{number}/deliveries").json() == {"items": [], "next": None}
    client.force_login(owner())
    page = client.get(reverse("admin:survey_webhooks")).content.decode()
    assert "https://example.org/hook" in page
    for wrong in ({"events": []}, {"events": ["everything"]}, {"survey": 999_999}):
        assert program.post("webhooks", {**order, **wrong}).status_code == 422
    other = Program(make_user("other", author=True))
    assert other.post("webhooks", {**order, "survey": survey.pk}).status_code == 422
    assert other.get(f"webhooks/{number}").status_code == 404
    assert other.call("DELETE", f"webhooks/{number}").status_code == 404
    assert program.call("DELETE", f"webhooks/{number}").status_code == 204
    assert not Webhook.objects.exists()
    assert ApiToken.objects.exists()
