"""`manage.py candor backup` and `restore`: nothing acknowledged is lost, no id is told."""

import json
import threading
from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from surveys.exports.snapshot import one_moment
from surveys.models import Launch, Receipt, Result, Submission, Survey
from surveys.responses import tallies
from surveys.services import soundness
from tests.app.backed_up import empty_the_site, lines_of, rewritten, run
from tests.app.test_aggregation import QUESTIONS, fill
from tests.builders import launched, sent
from tests.waves import ASKED, coded_launch, new_code, next_wave, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.each_database]
# 23 responses of which a batch stays back: 13 of them are counted, and then 10 wait.
SENT, BATCH = 23, 10


@pytest.fixture(autouse=True)
def no_earlier_look():
    soundness._last_look.cache_clear()
    yield
    soundness._last_look.cache_clear()


@pytest.fixture
def launch():
    launch = launched(
        questions=QUESTIONS,
        linkage="together",
        cross_tables=[["q1", "q2"]],
        release_batch=BATCH,
        results_public=True,
    )
    fill(launch, SENT)
    return launch


@pytest.fixture
def backup(tmp_path):
    return tmp_path / "site.backup"


def test_no_id_stands_beside_reports_and_what_is_due_is_counted_first(launch, backup):
    ids = {str(key) for key in Submission.objects.values_list("pk", flat=True)}
    assert f"{BATCH} of them waiting" in run("backup", backup)
    lines, table = lines_of(backup), ""
    named = Counter()
    for line in lines:
        content = json.loads(line)
        if isinstance(content, dict):
            table = content.get("table", "")
        elif ids & set(map(str, content)):
            named[table] += 1
    assert named == {Receipt._meta.db_table: SENT}
    assert Launch.objects.get(pk=launch.pk).aggregated == SENT - BATCH


def test_others_write_while_a_backup_is_made_and_it_does_not_see_them(launch):
    def send():
        fill(launch, 1)
        connection.close()

    with one_moment():
        assert Receipt.objects.count() == SENT
        thread = threading.Thread(target=send)
        thread.start()
        thread.join()
        assert Receipt.objects.count() == SENT
    assert Receipt.objects.count() == SENT + 1


def without_a_row_of(table, lines):
    at = next(i for i, line in enumerate(lines) if f'"table":"{table}"' in line)
    return [*lines[: at + 1], *lines[at + 2 :]]


def with_fewer_rows_told(table, lines):
    """As somebody does who leaves rows out and makes the end agree."""
    end = json.loads(lines[-1])
    end["end"]["rows"][table] -= 1
    return [*without_a_row_of(table, lines)[:-1], json.dumps(end)]


@pytest.mark.slow
def test_a_damaged_backup_is_refused_and_changes_nothing(launch, backup):
    run("backup", backup)
    lines = lines_of(backup)
    with pytest.raises(CommandError, match="exists already"):
        run("backup", backup)
    with pytest.raises(CommandError, match="not empty"):
        run("restore", backup)
    empty_the_site()
    cut = backup.with_name("cut.backup")
    cut.write_bytes(backup.read_bytes()[:-100])
    plain = backup.with_name("plain.backup")
    plain.write_text("CREATE TABLE surveys_survey;")
    inbox = "surveys_submission"
    for file, words in (
        (cut, "damaged|cut short"),
        (plain, "no backup"),
        (backup.with_name("none.backup"), "Cannot read"),
        (rewritten(backup, lines[:-1]), "cut short"),
        (rewritten(backup, without_a_row_of(inbox, lines), summed=False), "were written"),
        (rewritten(backup, [*lines, "[]"], summed=False), "were written"),
        (rewritten(backup, without_a_row_of(inbox, lines)), "its end lists"),
        (rewritten(backup, with_fewer_rows_told(inbox, lines)), "not as much was restored"),
        (rewritten(backup, with_fewer_rows_told("surveys_tally", lines)), "do not agree"),
        (rewritten(backup, with_fewer_rows_told("surveys_launch", lines)), "launch|key"),
        (rewritten(backup, [lines[0].replace("0002_", "0003_"), *lines[1:]]), "run `manage.py"),
    ):
        with pytest.raises(CommandError, match=words):
            run("restore", file)
        assert not Survey.objects.exists()
    assert "agree" in run("restore", backup)


def test_the_secret_is_that_of_the_backup_or_a_former_one(launch, backup, settings):
    run("backup", backup)
    empty_the_site()
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another secret, which is long enough too"
    with pytest.raises(CommandError, match="another secret"):
        run("restore", backup)
    settings.SECRET_KEY_FALLBACKS = [former]
    assert "agree" in run("restore", backup)
    empty_the_site()
    settings.SECRET_KEY_FALLBACKS = []
    assert "agree" in run("restore", backup, other_secret=True)


def test_responses_lost_by_another_kind_of_backup_are_seen(client, launch, backup):
    """The table of the inbox without its rows: all receipts are there, and 23 responses are not."""
    assert client.get(reverse("healthz")).text == "ok"
    soundness._last_look.cache_clear()
    Submission.objects.all().delete()
    answer = client.get(reverse("healthz"))
    assert (answer.status_code, answer.text[:30]) == (200, "ok, but responses are missing:")
    out = StringIO()
    with pytest.raises(CommandError, match="1 launches do not agree"):
        call_command("candor", "recount", stdout=out)
    assert f"{SENT} responses have a receipt, and their reports are not stored" in out.getvalue()
    with pytest.raises(CommandError, match="recount"):
        run("backup", backup)
    # The rest is backed up all the same, and restored as it is.
    empty_the_site()
    with pytest.raises(CommandError, match="Restored as it was"):
        run("restore", backup)
    assert Receipt.objects.count() == SENT


def test_people_with_return_codes_are_seen_to_be_lost(client):
    first = coded_launch(slug="coded", release_batch=1)
    reports = {question["name"]: 0 for question in ASKED}
    codes = [new_code(), new_code()]
    for code in codes:
        post(client, first, code, reports)
    tallies.aggregate_waiting(first.pk)
    second = next_wave(first, absence="0.7")
    assert "differ" not in run("recount", "coded")
    first.report_sets.first().delete()
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("candor", "recount", stdout=out)
    assert "coded, version 1: 2 responses" in out.getvalue()
    assert "1 responses have a receipt" in out.getvalue()
    assert second.wave == 2


def test_a_missing_table_is_seen_and_nothing_is_refused_for_good(client, launch):
    rename = "ALTER TABLE {} RENAME TO {}"
    inbox, away = Submission._meta.db_table, "left_out"
    with connection.cursor() as cursor:
        cursor.execute(rename.format(inbox, away))
    try:
        answer = client.get(reverse("healthz"))
        assert (answer.status_code, answer.text) == (503, "tables are missing")
        client.raise_request_exception = False
        # So a browser keeps what it drew and tries again.
        assert sent(client, launch).status_code == 503
        with pytest.raises(CommandError, match=inbox):
            run("recount")
    finally:
        with connection.cursor() as cursor:
            cursor.execute(rename.format(away, inbox))
    assert client.get(reverse("healthz")).text == "ok"
    assert not Result.objects.exists()
