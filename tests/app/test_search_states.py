"""A search as a job: what an author may do with it, and what a worker leaves behind."""

from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction

from surveys import jobs
from surveys.exceptions import SurveyError
from surveys.jobs import lost_jobs, queue, running
from surveys.models import DesignSearch, Job, Question, Survey
from surveys.services import results, search_runs, searches
from surveys.services.search_runs import SEARCH
from tests.app.leased import LEASED
from tests.app.searching import REQUEST, searched_question

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.each_database]
State = DesignSearch.State


@pytest.fixture
def question():
    return searched_question()


@pytest.fixture
def queued(monkeypatch):
    """The tasks sent to the broker, which these tests replace."""
    subjects = []
    queue._asked.clear()
    monkeypatch.setattr(queue, "wake", lambda _kind, subject, **_: subjects.append(subject))
    return subjects


@pytest.fixture
def every_step(monkeypatch):
    """Write progress, and read the request to stop, at every step of the search."""
    monkeypatch.setattr(running, "REPORT_SECONDS", 0)


@pytest.fixture
def at_each_step(monkeypatch, every_step):
    """Call a function before each report of a running search, with its progress and content."""

    def let(happen):
        usual = search_runs.Finds.progress

        def progress(finds, fraction, content):
            happen(fraction, content)
            steps.append(usual(finds, fraction, content))
            return steps[-1]

        monkeypatch.setattr(search_runs.Finds, "progress", progress)
        return steps

    steps = []
    return let


def started(question, **request):
    values = {**REQUEST, **request}
    return searches.start_search(question=question, request=values, user=question.survey.owner)


def in_state(question, state, **values):
    return DesignSearch.objects.create(question=question, request=REQUEST, state=state, **values)


def run(search):
    jobs.run(SEARCH, search.question_id)


def read(search):
    search.refresh_from_db()
    return search


def test_a_search_runs_from_queue_to_end(question, queued, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        search = started(question)
    assert queued == [question.pk]
    assert (search.state, search.created_by) == (State.QUEUED, question.survey.owner)
    run(search)
    assert read(search).state == State.DONE
    assert (search.progress, search.attempt, search.message) == (1, 1, "")
    assert search.finished_at >= search.created_at
    assert len(search.content["fronts"]["certified"]["members"]) > 0


def test_a_broker_that_is_down_costs_time_only(
    question, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    queue._asked.clear()
    monkeypatch.setattr(queue, "_backing_off_until", 0.0)
    with django_capture_on_commit_callbacks(execute=True):
        search = started(question)
    assert read(search).state == State.QUEUED
    assert "No broker, so searches will wait" in caplog.text
    monkeypatch.setattr(queue, "_backing_off_until", 0.0)
    lost_jobs.recover(SEARCH)
    assert read(search).state == State.QUEUED


def test_running_it_twice_changes_nothing(question):
    search = started(question)
    run(search)
    first = DesignSearch.objects.values().get(pk=search.pk)
    run(search)
    lost_jobs.recover(SEARCH)
    searches.stop_search(search=search)
    assert DesignSearch.objects.values().get(pk=search.pk) == first
    jobs.run(SEARCH, question.pk + 1)


def test_one_unfinished_search_a_question(question, queued):
    first = started(question)
    with pytest.raises(SurveyError, match="under way"):
        started(question)
    with pytest.raises(IntegrityError), transaction.atomic():
        in_state(question, State.RUNNING, **LEASED)
    searches.stop_search(search=first)
    assert started(question).state == State.QUEUED


def test_stopping_an_earlier_search_leaves_the_next_one_alone(question):
    first = started(question)
    searches.stop_search(search=first)
    second = started(question)
    searches.stop_search(search=first)
    assert (read(second).state, second.stop_requested) == (State.QUEUED, False)


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
    run(search)
    assert read(search).content == {}


def test_a_running_search_stops_at_its_next_step_and_keeps_what_it_has(question, at_each_step):
    search = started(question, methods=["certified", "optrr"], generations=500)
    fractions = []

    def stop_in_the_second_method(fraction, content):
        fractions.append(fraction)
        if "optrr" in content["fronts"]:
            searches.stop_search(search=DesignSearch.objects.get(pk=search.pk))

    at_each_step(stop_in_the_second_method)
    run(search)
    assert read(search).state == State.CANCELLED
    assert search.message == search_runs.STOPPED
    assert 0 < search.progress < 1
    assert search.content["fronts"]["optrr"]["cancelled"]
    assert not search.content["fronts"]["certified"]["cancelled"]
    assert fractions == sorted(fractions)


def test_a_worker_that_comes_back_finds_itself_replaced(question, at_each_step):
    search = started(question, levels=10)

    def replace_it(_fraction, _content):
        DesignSearch.objects.filter(pk=search.pk).update(holder=2, attempt=2, progress=0.25)
        DesignSearch.objects.filter(pk=search.pk).update(content={})

    at_each_step(replace_it)
    run(search)
    assert (read(search).state, search.attempt) == (State.RUNNING, 2)
    assert (search.progress, search.content) == (0.25, {})


def test_a_search_that_lost_its_worker_starts_again_and_says_so(question, queued):
    search = in_state(question, State.RUNNING, attempt=1, content={"format": 1}, **LEASED)
    Job.objects.update(leased_until="2001-01-01T00:00:00Z")
    lost_jobs.recover(SEARCH)
    assert (read(search).state, search.message) == (State.QUEUED, jobs.STARTED_AGAIN)
    assert queued == [question.pk]
    run(search)
    assert (read(search).state, search.attempt) == (State.DONE, 2)
    assert search.message == jobs.STARTED_AGAIN


def test_after_three_workers_it_is_lost(question, queued):
    search = in_state(question, State.RUNNING, attempt=3, progress=0.5, **LEASED)
    Job.objects.update(leased_until="2001-01-01T00:00:00Z")
    lost_jobs.recover(SEARCH)
    assert (read(search).state, search.message) == (State.LOST, search_runs.LOST)
    assert queued == []


def test_what_was_deleted_meanwhile_is_said(question, queued):
    search = in_state(question, State.DONE)
    Question.objects.filter(pk=question.pk).delete()
    searches.stop_search(search=search)
    searches.delete_search(search=search)
    run(search)
    with pytest.raises(SurveyError, match="has been deleted"):
        started(question)
    question.survey.delete()
    with pytest.raises(SurveyError, match="has been deleted"):
        started(question)


def test_a_survey_that_is_deleted_ends_its_search_and_leaves_no_job(question, at_each_step, caplog):
    search = in_state(question, State.QUEUED)
    steps = at_each_step(lambda _fraction, _content: Survey.objects.all().delete())
    run(search)
    # Its first step wrote what was found, and met nothing to write to.
    assert steps == []
    assert "has lost its lease" in caplog.text
    assert not DesignSearch.objects.exists()
    assert not Job.objects.exists()


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
    run(search)
    assert read(search).state == State.FAILED
    assert says in search.message_text


def test_an_unexpected_error_is_logged_and_ends_the_search(question, caplog):
    search = started(question, prior=["one", "two", "three"])
    run(search)
    assert (read(search).state, search.message) == (State.FAILED, jobs.BROKEN)
    assert "InvalidOperation" in caplog.text


def test_a_search_ends_when_its_time_is_up(question, every_step):
    search = started(question)
    jobs.run(replace(SEARCH, longest=0), question.pk)
    assert (read(search).state, search.message) == (State.DONE, search_runs.OUT_OF_TIME)
    assert search.content["family"]


def test_twenty_searches_are_kept(question):
    old = [in_state(question, State.DONE).pk for _ in range(21)]
    search = started(question)
    rows = set(question.searches.values_list("pk", flat=True))
    assert rows == {*old[2:], search.pk}
    assert Job.objects.count() == 20


def test_only_finished_searches_are_deleted(question):
    search = started(question)
    with pytest.raises(SurveyError, match="Stop it first"):
        searches.delete_search(search=search)
    searches.stop_search(search=search)
    searches.delete_search(search=search)
    assert not DesignSearch.objects.exists()
    assert not Job.objects.exists()
    searches.delete_search(search=search)


@pytest.mark.parametrize(
    ("took", "rests"), [(0, 1), (0.1, 1), (0.25, 1), (1, 4), (2.5, 10), (30, 10)]
)
def test_recomputes_take_a_fifth_of_a_worker_at_most(took, rests):
    assert results.pause_after(took) == rests
