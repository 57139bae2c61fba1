"""A backup of surveys of every sort, restored into an empty site of either database."""

import json

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse

from surveys.models import ApiToken, Launch, Result, Submission, Webhook, WebhookDelivery
from surveys.models.api_token import Scope
from surveys.services import soundness
from surveys.services.api_tokens import make_token, token_with
from surveys.services.backups import make_backup
from surveys.services.restores import restore_backup
from surveys.services.results import refresh_results
from surveys.services.temporary_site import temporary_site
from surveys.services.transitions import close_survey
from surveys.services.webhooks import make_webhook
from tests.app.backed_up import (  # noqa: F401
    empty_the_site,
    everything,
    lines_of,
    run,
    tables_once,
)
from tests.app.test_aggregation import QUESTIONS, fill
from tests.builders import launched, make_user, owner, response, sent
from tests.rosters import launched_network, links_of
from tests.unchanged import listed
from tests.waves import ASKED, coded_launch, look_up, new_code, next_wave, post

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.each_database,
    pytest.mark.slow,
    pytest.mark.usefixtures("tables_once"),
]
FILES = ("results-json", "results-parameters", "reports-csv", "results-certificate")


@pytest.fixture(autouse=True)
def no_earlier_look():
    soundness._last_look.cache_clear()
    yield
    soundness._last_look.cache_clear()


def silently(_line):
    """Say nothing."""


def published(client):
    """The digest of every launch, its results, and the files of researchers, byte for byte."""
    client.force_login(owner())
    found = {}
    for launch in Launch.objects.select_related("survey"):
        name = f"{launch.survey.slug} {launch.wave}"
        found[name] = (
            launch.digest,
            [(row.step, row.content, row.digest) for row in launch.results.order_by("step")],
        )
        for file in FILES:
            answer = client.get(reverse(file, args=[launch.survey.slug]))
            body = answer.getvalue() if answer.streaming else answer.content
            found[f"{name} {file}"] = answer.status_code, body
    return found


def computed_anew():
    """Let workers compute all results again, of the same tallies."""
    moments = dict(Result.objects.values_list("pk", "computed_at"))
    Result.objects.update(revision=0)
    for key in Launch.objects.values_list("pk", flat=True):
        refresh_results(launch_id=key)
    for key, moment in moments.items():
        Result.objects.filter(pk=key).update(computed_at=moment)


def through_the_other_database(first, second):
    """On PostgreSQL this is the way to SQLite and back."""
    with temporary_site():
        restore_backup(path=first, other_secret=False, live=True, say=silently)
        make_backup(path=second, say=silently)


def test_surveys_of_every_sort_publish_the_same_after_a_restore(client, tmp_path):
    for make in (listed._tiers, listed._arms, listed._waves, listed._texts):
        make(slug=make.__name__.strip("_"))
    listed._network(24, slug="network")
    first, second = tmp_path / "first.backup", tmp_path / "second.backup"
    run("backup", first)
    rows, before = everything(), published(client)
    assert sum(status == 200 for status, _ in before.values()) >= 15
    verified = run("verify", first, against_site=True)
    assert verified.count("results the same when computed anew") >= 5
    assert "This site has the same responses" in verified

    through_the_other_database(first, second)
    empty_the_site()
    assert "agree as they did" in run("restore", second, live=True)

    assert everything() == rows
    assert published(client) == before
    computed_anew()
    assert published(client) == before
    assert "differ" not in run("recount")


def test_people_go_on_where_they_were_and_copies_tell_nobody(client, tmp_path):
    launch = launched(slug="open", questions=QUESTIONS, release_batch=10)
    fill(launch, 23)
    codes = [new_code() for _ in range(3)]
    first = coded_launch(slug="coded", release_batch=1)
    reports = {question["name"]: 0 for question in ASKED}
    for code in codes:
        assert post(client, first, code, reports).status_code == 201
    refresh_results(launch_id=first.pk)
    second = next_wave(first, absence="0.7")
    link = links_of(launched_network(slug="network").survey).popitem()[1]
    kept = response(launch)
    sent(client, launch, kept)
    _, token = make_token(user=owner(), name="R", scopes=Scope.values, days=30)
    url = "https://example.org/hook"
    make_webhook(user=owner(), url=url, events=["survey.closed"], survey=None)
    client.force_login(owner())
    backup = tmp_path / "site.backup"
    run("backup", backup)
    key_hash = ApiToken.objects.get().key_hash
    assert not any(key_hash in line for line in lines_of(backup))
    waiting = set(Submission.objects.values_list("pk", flat=True))
    assert waiting

    empty_the_site()
    assert "1 webhooks are off" in run("restore", backup)

    assert not waiting & set(Submission.objects.values_list("pk", flat=True))
    assert not Session.objects.exists()
    assert token_with(token) is None
    assert sent(client, launch, kept).status_code == 200
    assert look_up(client, second, codes[0]).json()["reports"]
    person = "/s/network/person/"
    found = client.post(person, json.dumps({"link": link}), content_type="application/json")
    assert found.status_code == 200
    # What happens to the copy is told to nobody; it takes responses, which are counted.
    close_survey(survey=Launch.objects.get(pk=first.pk).survey, actor=None)
    assert not WebhookDelivery.objects.exists()
    make_user("newcomer")
    fill(Launch.objects.get(pk=launch.pk), 20)
    refresh_results(launch_id=launch.pk)
    assert Launch.objects.get(pk=launch.pk).received_count() == 44
    assert "differ" not in run("recount")
    assert client.get(reverse("healthz")).text == "ok"


def test_a_site_in_the_place_of_the_lost_one_goes_on_telling(tmp_path):
    make_webhook(
        user=owner(), url="https://example.org/hook", events=["survey.closed"], survey=None
    )
    backup = tmp_path / "site.backup"
    run("backup", backup)
    empty_the_site()
    assert "webhooks" not in run("restore", backup, live=True)
    assert Webhook.objects.get().disabled_at is None
