"""Responses come in while others are being counted."""

import threading
import uuid
from types import SimpleNamespace

import pytest
from django.db import connection, transaction

from surveys.features.return_codes import assignment
from surveys.models import ReportSet
from surveys.models.insert import insert_response
from surveys.responses import only_writer, tallies
from surveys.services.transitions import close_survey
from tests.app.test_aggregation import fill
from tests.builders import launched
from tests.system.stack import wait_for
from tests.waves import coded_launch, new_code, next_wave, post


def store(launch, receipts):
    """Store a response in another thread, and therefore over another connection."""
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET lock_timeout = '20s'")
        content = {"reports": {"q1": 0}, "strata": {"q1": "page"}}
        receipts.append(
            insert_response(launch.survey.slug, launch.digest, uuid.uuid4(), content=content)
        )
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_an_aggregation_that_is_under_way_holds_up_no_response():
    """SQLite has one writer at a time, so there the response comes in after the aggregation."""
    launch, receipts = launched(), []
    thread = threading.Thread(target=store, args=(launch, receipts))
    with transaction.atomic():
        tallies._lock(launch.pk)
        if connection.vendor == "postgresql":
            thread.start()
            thread.join()
            assert receipts == [launch.pk]
    if not receipts:
        thread.start()
        thread.join()
    assert receipts == [launch.pk]
    assert launch.waiting() == 1


@pytest.mark.each_database
@pytest.mark.django_db(transaction=True)
def test_responses_come_in_between_two_batches_of_a_backlog_on_sqlite(monkeypatch):
    """Others wait there for the only writer, and look once in 0.1 seconds whether it is free."""
    launch, receipts, pauses = launched(), [], []
    fill(launch, 11, reports={"q1": 0})

    def pause(seconds):
        pauses.append(seconds)
        thread = threading.Thread(target=store, args=(launch, receipts))
        thread.start()
        thread.join()

    monkeypatch.setattr(tallies, "CHUNK", 4)
    monkeypatch.setattr(only_writer, "time", SimpleNamespace(sleep=pause))
    aggregated = tallies.aggregate_waiting(launch.pk)
    if connection.vendor == "postgresql":
        assert (aggregated, pauses) == (11, [])
    else:
        assert (aggregated, pauses) == (11 + 2, [0.1, 0.1])
        assert receipts == [launch.pk] * 2


def aggregate(launch, outcomes):
    """Aggregate over another connection."""
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET lock_timeout = '20s'")
        outcomes.append(tallies.aggregate_waiting(launch.pk))
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_somebody_who_comes_back_holds_up_no_aggregation(client):
    """Both would wait for each other: one for the reports in the inbox, one for their person."""
    launch = coded_launch(release_batch=1)
    code, outcomes = new_code(), []
    assert post(client, launch, code, {"drug": 0, "absence": 0, "permanent": 0}).status_code == 201
    close_survey(survey=launch.survey, actor=None)
    thread = threading.Thread(target=aggregate, args=(launch, outcomes))
    with transaction.atomic():
        assert assignment._known_respondent(launch.survey_id, code)
        if connection.vendor == "postgresql":
            thread.start()
            thread.join()
            assert outcomes == [1]
    if not outcomes:
        thread.start()
        thread.join()
    assert outcomes == [1]


def holds_up_somebody():
    """Whether another connection waits for a lock of this one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks "
            "WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return cursor.fetchone()[0]


@pytest.mark.each_database
@pytest.mark.django_db(transaction=True)
def test_who_comes_back_while_earlier_reports_are_moved_is_counted_once(client):
    """Of a person both waves' reports would be stored, and nothing of the later wave counted."""
    launch = coded_launch(release_batch=1)
    codes, outcomes = [new_code(), new_code(), new_code()], []
    reports = {"drug": 0, "absence": 0, "permanent": 0}
    for code in codes:
        assert post(client, launch, code, reports).status_code == 201
    later = next_wave(launch, drug="2")
    thread = threading.Thread(target=aggregate, args=(launch, outcomes))
    with transaction.atomic():
        assert post(client, later, codes[0], reports).status_code == 201
        if connection.vendor == "postgresql":
            thread.start()
            wait_for(holds_up_somebody)
    if connection.vendor != "postgresql":
        thread.start()
    thread.join()
    assert tallies.aggregate_waiting(later.pk) == 1
    launch.refresh_from_db()
    later.refresh_from_db()
    assert (outcomes, launch.aggregated, later.aggregated) == ([2], 2, 1)
    assert tallies.audit(launch.pk)[1] == tallies.audit(later.pk)[1] == []
    assert ReportSet.objects.values("respondent").distinct().count() == len(codes)
