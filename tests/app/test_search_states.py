"""A search's states: who may change them, and what a worker finds that was thought dead."""

import threading
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now

from surveys import dispatch
from surveys.exceptions import SurveyError
from surveys.models import DesignSearch, Question, Survey
from surveys.services import search_runs, searches
from tests.app.searching import REQUEST, searched_question

pytestmark = pytest.mark.django_db
State = DesignSearch.State


@pytest.fixture
def question():
    return searched_question()


@pytest.fixture
def queued(monkeypatch):
    """What is handed to the broker, which these tests do without."""
    ids = []
    monkeypatch.setattr(dispatch, "queue_search", ids.append)
    return ids


def started(question, **request):
    values = {**REQUEST, **request}
    return searches.start_search(question=question, request=values, user=question.survey.owner)


def in_state(question, state, **values):
    return DesignSearch.objects.create(question=question, request=REQUEST, state=state, **values)


def silent(question, **values):
    """One that runs, whose worker was last seen 16 seconds ago."""
    search = in_state(question, State.RUNNING, **values)
    DesignSearch.objects.filter(pk=search.pk).update(seen_at=Now() - timedelta(seconds=16))
    return search


def read(search):
    search.refresh_from_db()
    return search


def test_a_search_runs_from_queue_to_end(question, queued, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        search = started(question)
    assert queued == [search.pk]
    assert (search.state, search.created_by) == (State.QUEUED, question.survey.owner)
    searches.run_search(search_id=search.pk)
    assert read(search).state == State.DONE
    assert (search.progress, search.attempt, search.message) == (1, 1, "")
    assert search.finished_at >= search.seen_at >= search.created_at
    assert len(search.content["fronts"]["certified"]["members"]) > 0


def test_a_broker_that_is_down_costs_time_only(
    question, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(dispatch, "_resting_until", 0.0)
    with django_capture_on_commit_callbacks(execute=True):
        search = started(question)
    assert read(search).state == State.QUEUED
    assert "No broker, so searches will wait" in caplog.text
    monkeypatch.setattr(dispatch, "_resting_until", 0.0)
    searches.recover_lost_searches()
    assert read(search).state == State.QUEUED


def test_running_it_twice_changes_nothing(question):
    search = started(question)
    searches.run_search(search_id=search.pk)
    first = DesignSearch.objects.values().get(pk=search.pk)
    searches.run_search(search_id=search.pk)
    searches.recover_lost_searches()
    searches.stop_search(search=search)
    assert DesignSearch.objects.values().get(pk=search.pk) == first
    searches.run_search(search_id=search.pk + 1)


def test_one_unfinished_search_a_question(question, queued):
    first = started(question)
    with pytest.raises(SurveyError, match="under way"):
        started(question)
    with pytest.raises(IntegrityError), transaction.atomic():
        in_state(question, State.RUNNING)
    searches.stop_search(search=first)
    assert started(question).state == State.QUEUED


def test_only_drafts_are_searched_for(question):
    question.survey.state = "open"
    question.survey.save()
    with pytest.raises(SurveyError, match="launched"):
        started(question)
    assert not DesignSearch.objects.exists()


def test_a_queued_search_stops_at_once_and_is_not_run(question):
    search = started(question)
    searches.stop_search(search=search)
    assert (read(search).state, search.message) == (State.CANCELLED, search_runs.STOPPED)
    searches.run_search(search_id=search.pk)
    assert read(search).content == {}


def test_a_running_search_stops_at_its_next_step_and_keeps_what_it_has(question, monkeypatch):
    search = started(question, methods=["certified", "optrr"], generations=500)
    monkeypatch.setattr(search_runs, "PROGRESS_SECONDS", 0)
    seen = []

    def steps(self, fraction, content):
        seen.append(fraction)
        if "optrr" in content["fronts"]:
            searches.stop_search(search=DesignSearch.objects.get(pk=search.pk))
        return told(self, fraction, content)

    told = search_runs.Run.progress
    monkeypatch.setattr(search_runs.Run, "progress", steps)
    searches.run_search(search_id=search.pk)
    assert read(search).state == State.CANCELLED
    assert search.message == search_runs.STOPPED
    assert 0 < search.progress < 1
    assert search.content["fronts"]["optrr"]["cancelled"]
    assert not search.content["fronts"]["certified"]["cancelled"]
    assert seen == sorted(seen)


def test_a_worker_that_comes_back_finds_itself_replaced(question, monkeypatch):
    search = started(question, levels=10)
    monkeypatch.setattr(search_runs, "PROGRESS_SECONDS", 0)

    def replaced(self, fraction, content):
        DesignSearch.objects.filter(pk=search.pk).update(attempt=2, progress=0.25, content={})
        return told(self, fraction, content)

    told = search_runs.Run.progress
    monkeypatch.setattr(search_runs.Run, "progress", replaced)
    searches.run_search(search_id=search.pk)
    assert (read(search).state, search.attempt) == (State.RUNNING, 2)
    assert (search.progress, search.content) == (0.25, {})


def test_a_search_that_lost_its_worker_is_queued_again(question, queued):
    search = silent(question, attempt=1, content={"format": 1})
    searches.recover_lost_searches()
    assert (read(search).state, search.message) == (State.QUEUED, search_runs.AGAIN)
    assert queued == [search.pk]
    searches.run_search(search_id=search.pk)
    assert (read(search).state, search.attempt) == (State.DONE, 2)
    assert search.message == search_runs.AGAIN


def test_after_three_workers_it_is_lost(question, queued):
    search = silent(question, attempt=3, progress=0.5)
    searches.recover_lost_searches()
    assert (read(search).state, search.message) == (State.LOST, search_runs.LOST)
    assert search.finished
    assert search.finished_at is not None
    assert queued == []


def test_a_lost_search_that_was_to_stop_is_not_started_again(question, queued):
    search = silent(question, attempt=1, stop_requested=True)
    searches.recover_lost_searches()
    assert read(search).state == State.CANCELLED
    assert queued == []


def test_what_was_stopped_while_it_was_queued_again_ends(question, queued):
    search = in_state(question, State.QUEUED, attempt=1, stop_requested=True)
    searches.recover_lost_searches()
    assert (read(search).state, queued) == (State.CANCELLED, [])


def test_what_was_deleted_meanwhile_is_said(question, queued):
    search = in_state(question, State.DONE)
    Question.objects.filter(pk=question.pk).delete()
    searches.stop_search(search=search)
    searches.delete_search(search=search)
    searches.run_search(search_id=search.pk)
    with pytest.raises(SurveyError, match="has been deleted"):
        started(question)
    question.survey.delete()
    with pytest.raises(SurveyError, match="has been deleted"):
        started(question)


def test_a_survey_that_is_deleted_ends_its_search(question, monkeypatch):
    monkeypatch.setattr(search_runs, "PROGRESS_SECONDS", 0)
    search, told = in_state(question, State.QUEUED), []
    progress = search_runs.Run.progress

    def deleting(run, fraction, content):
        Survey.objects.all().delete()
        told.append(progress(run, fraction, content))
        return told[-1]

    monkeypatch.setattr(search_runs.Run, "progress", deleting)
    searches.run_search(search_id=search.pk)
    assert told == [False]
    assert not DesignSearch.objects.exists()


def test_a_search_with_signs_of_life_is_left_alone(question, queued):
    search = in_state(question, State.RUNNING, attempt=1)
    DesignSearch.objects.filter(pk=search.pk).update(seen_at=Now() - timedelta(seconds=10))
    searches.recover_lost_searches()
    assert read(search).state == State.RUNNING


def test_a_queued_search_without_a_task_is_queued_again(question, queued):
    search = in_state(question, State.QUEUED)
    searches.recover_lost_searches()
    assert queued == [search.pk]
    assert read(search).state == State.QUEUED


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ({"labels": list("abcdefghijklmno"), "prior": ["0.3"] + ["0.05"] * 14}, "The limit is 14."),
        ({"delta": "0.4"}, "The limit is 0.5."),
        ({"epsilon": "-1"}, "Epsilon must be a number above 0"),
    ],
)
def test_what_the_engine_refuses_fails_and_says_what_is_feasible(question, request_, says):
    search = started(question, **request_)
    searches.run_search(search_id=search.pk)
    assert read(search).state == State.FAILED
    assert says in search.said


def test_an_unexpected_error_is_logged_and_ends_the_search(question, caplog):
    search = started(question, prior=["one", "two", "three"])
    searches.run_search(search_id=search.pk)
    assert (read(search).state, search.message) == (State.FAILED, search_runs.BROKEN)
    assert "InvalidOperation" in caplog.text


def test_a_search_ends_when_its_time_is_up(question, settings, monkeypatch):
    settings.SEARCH_SECONDS = 0
    monkeypatch.setattr(search_runs, "PROGRESS_SECONDS", 0)
    search = started(question)
    searches.run_search(search_id=search.pk)
    assert (read(search).state, search.message) == (State.DONE, search_runs.OUT_OF_TIME)
    assert search.content["family"]


def test_twenty_finished_searches_are_kept(question):
    old = [in_state(question, State.DONE).pk for _ in range(21)]
    search = started(question)
    searches.run_search(search_id=search.pk)
    kept = set(question.searches.values_list("pk", flat=True))
    assert kept == {*old[2:], search.pk}


def test_only_finished_searches_are_deleted(question):
    search = started(question)
    with pytest.raises(SurveyError, match="Stop it first"):
        searches.delete_search(search=search)
    searches.stop_search(search=search)
    searches.delete_search(search=search)
    assert not DesignSearch.objects.exists()
    searches.delete_search(search=search)


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_claims_a_search(question):
    search = in_state(question, State.QUEUED)
    gate, claims = threading.Barrier(6), []

    def claim():
        gate.wait()
        claims.append(search_runs._claim(search.pk))
        connection.close()

    workers = [threading.Thread(target=claim) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(claims) == 6
    assert [claim.attempt for claim in claims if claim] == [1]
    assert (read(search).state, search.attempt) == (State.RUNNING, 1)


@pytest.mark.django_db(transaction=True)
def test_signs_of_life_come_while_a_single_step_takes_long(question, monkeypatch):
    search = in_state(question, State.RUNNING, attempt=1)
    monkeypatch.setattr(search_runs, "SIGN_OF_LIFE_SECONDS", 0.05)
    run, seen = search_runs.Run(search.pk, 1), threading.Event()
    with run.alive():
        for _ in range(100):
            if read(search).seen_at is not None:
                seen.set()
                break
            seen.wait(0.05)
    assert seen.is_set()


@pytest.mark.parametrize(
    ("took", "rests"), [(0, 1), (0.1, 1), (0.25, 1), (1, 4), (2.5, 10), (30, 10)]
)
def test_recomputes_take_a_fifth_of_a_worker_at_most(took, rests):
    assert dispatch.pause_after(took) == rests
