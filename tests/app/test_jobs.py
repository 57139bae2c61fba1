"""Jobs in the database: who runs one, who takes it over, when it is given up.

What the broker has to do with it: tests/system/test_jobs.py.
"""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from surveys import jobs, tasks
from surveys.jobs import ending, kinds, lease, lost_jobs, queue, running
from surveys.models import Job
from tests.app.leased import LEASED
from tests.builders import make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]
State = Job.State
SUBJECT = 7


def _work(_run: jobs.Run) -> None:
    """Nothing."""


ASKED = jobs.JobKind(
    name="asked", run=_work, queue="nobody", cancelled="Cancelled.", out_of_time="Late.",
    gave_up="Given up.",
)  # fmt: skip
STANDING = jobs.JobKind(
    name="standing", run=_work, queue="nobody", lagging=lambda: [SUBJECT], about=None
)
BOTH = pytest.mark.parametrize("kind", [ASKED, STANDING], ids=["asked", "standing"])


@pytest.fixture(autouse=True)
def register_kinds(monkeypatch):
    for kind in (ASKED, STANDING):
        monkeypatch.setitem(kinds._kinds, kind.name, kind)


@pytest.fixture
def wake_ups(monkeypatch):
    """The wake-ups that would be sent to the broker: kind, subject and delay."""
    calls = []
    queue._asked.clear()
    monkeypatch.setattr(
        queue, "wake", lambda kind, subject, delay=0.0: calls.append((kind.name, subject, delay))
    )
    return calls


def the_job(kind=ASKED):
    return Job.objects.get(kind=kind.name, subject=SUBJECT)


def ask(kind=ASKED, **values):
    """Queue a job and return it."""
    usual = {"state": kind.waiting_state, **values}
    return Job.objects.create(kind=kind.name, subject=SUBJECT, **usual)


def let_lease_end(kind=ASKED):
    """Expire the lease, as if its worker had sent no heartbeat for too long."""
    past = Now() - timedelta(seconds=1)
    assert Job.objects.filter(kind=kind.name, subject=SUBJECT).update(leased_until=past) == 1


def running_job(kind=ASKED, **values):
    return Job.objects.create(
        kind=kind.name, subject=SUBJECT, state=State.RUNNING, **{"attempt": 1, **LEASED, **values}
    )


def kind_with_work(work, kind=ASKED, **values):
    return replace(kind, run=work, **values)


# --- asked for, once ----------------------------------------------------------------------------


def test_a_job_is_queued_once(wake_ups, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        jobs.ask(ASKED, SUBJECT)
    jobs.ask(ASKED, SUBJECT)
    assert the_job().state == State.QUEUED
    claimed = lease.claim(ASKED, SUBJECT)
    jobs.ask(ASKED, SUBJECT)
    assert the_job().holder == claimed
    assert ("asked", SUBJECT, 0.0) in wake_ups


@pytest.mark.parametrize("state", [State.IDLE, State.QUEUED])
def test_the_database_refuses_a_second_unfinished_job(state):
    running_job()
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="asked", subject=SUBJECT, state=state)
    Job.objects.create(kind="asked", subject=SUBJECT + 1)
    Job.objects.create(kind="standing", subject=SUBJECT, state=state)


@pytest.mark.django_db(transaction=True)
@BOTH
def test_of_many_who_ask_at_once_one_queues_and_one_runs(kind, wake_ups):
    gate, claims = threading.Barrier(6), []

    def ask_and_claim():
        gate.wait()
        if not kind.standing:
            jobs.ask(kind, SUBJECT)
        claims.append(lease.claim(kind, SUBJECT))
        connection.close()

    threads = [threading.Thread(target=ask_and_claim) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (holder,) = [claim for claim in claims if claim is not None]
    assert len(claims) == 6
    assert (the_job(kind).holder, the_job(kind).attempt) == (holder, 1)


def test_a_finished_job_may_be_asked_for_again():
    jobs.ask(ASKED, SUBJECT)
    jobs.run(ASKED, SUBJECT)
    jobs.ask(ASKED, SUBJECT)
    states = Job.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [State.DONE, State.QUEUED]


# --- run, and delivered twice -------------------------------------------------------------------


def test_a_job_runs_from_queue_to_end():
    states = []
    jobs.ask(ASKED, SUBJECT)

    def work(run):
        states.append(the_job())
        assert run.report(0.5)
        states.append(the_job())

    jobs.run(kind_with_work(work), SUBJECT)
    assert [(job.state, job.progress) for job in states] == [("running", 0), ("running", 0.5)]
    assert states[0].leased_until > timezone.now()
    job = the_job()
    assert (job.state, job.progress, job.attempt, job.message) == (State.DONE, 1, 1, "")
    assert (job.holder, job.leased_until) == (None, None)
    assert job.is_finished
    assert job.finished_at is not None


def test_what_is_delivered_twice_runs_once(wake_ups):
    runs = []
    jobs.ask(ASKED, SUBJECT)

    def work(run):
        runs.append(run.holder)
        jobs.run(kind_with_work(work), SUBJECT)

    jobs.run(kind_with_work(work), SUBJECT)
    jobs.run(kind_with_work(work), SUBJECT)
    assert len(runs) == 1
    assert wake_ups == []
    assert the_job().state == State.DONE


def test_a_standing_job_that_runs_is_asked_for_again_in_a_moment(wake_ups):
    running_job(STANDING)
    jobs.run(STANDING, SUBJECT)
    assert wake_ups == [("standing", SUBJECT, running.POLL_SECONDS)]
    assert the_job(STANDING).state == State.RUNNING


def test_a_standing_job_runs_again_and_again_in_one_row_and_keeps_no_times(wake_ups):
    for _ in range(3):
        jobs.run(STANDING, SUBJECT)
        job = the_job(STANDING)
        assert (job.state, job.attempt) == (State.IDLE, 0)
        assert (job.holder, job.leased_until, job.finished_at) == (None, None, None)
    assert wake_ups == []


def test_a_standing_job_with_more_to_do_comes_back(wake_ups):
    jobs.run(kind_with_work(lambda _run: jobs.Outcome(more=True), STANDING), SUBJECT)
    assert wake_ups == [("standing", SUBJECT, 0.0)]


def test_where_nothing_is_to_do_nothing_is_written(wake_ups, django_assert_num_queries):
    kind = replace(STANDING, is_lagging=lambda _subject: False)
    with django_assert_num_queries(0):
        jobs.run(kind, SUBJECT)
    assert not Job.objects.exists()


# --- leases -------------------------------------------------------------------------------------


@BOTH
def test_a_live_lease_is_left_alone(kind, wake_ups):
    holder = running_job(kind).holder
    assert lease.claim(kind, SUBJECT) is None
    lost_jobs.recover(kind)
    assert (the_job(kind).holder, the_job(kind).state) == (holder, State.RUNNING)


@BOTH
def test_a_lease_that_has_ended_is_taken_over_and_counted(kind):
    old = running_job(kind).holder
    let_lease_end(kind)
    new = lease.claim(kind, SUBJECT)
    assert new not in (None, old)
    assert (the_job(kind).attempt, the_job(kind).holder) == (2, new)


def test_a_clock_of_the_database_that_was_set_back_holds_no_job_up(wake_ups):
    running_job(leased_until=Now() + timedelta(hours=1))
    lost_jobs.recover(ASKED)
    assert the_job().state == State.QUEUED


@BOTH
def test_who_has_lost_the_lease_stops_before_it_writes(kind, caplog):
    """The worker was thought dead; it comes back while another runs the job."""
    reports, wrote = [], []

    def work(run):
        let_lease_end(kind)
        new.append(lease.claim(kind, SUBJECT))
        reports.append(run.report(0.9))
        with run.holding():
            wrote.append("what another has written by now")

    new = []
    ask(kind)
    jobs.run(kind_with_work(work, kind), SUBJECT)
    assert reports == [False]
    assert wrote == []
    job = the_job(kind)
    assert (job.holder, job.attempt, job.progress) == (new[0], 2, 0)
    assert "has lost its lease" in caplog.text


def test_a_job_that_was_deleted_stops_its_run():
    reports = []

    def work(run):
        Job.objects.all().delete()
        reports.append(run.report(0.9))

    jobs.ask(ASKED, SUBJECT)
    jobs.run(kind_with_work(work), SUBJECT)
    assert reports == [False]
    assert not Job.objects.exists()


def test_what_is_written_under_the_lease_is_written_whole_or_not_at_all():
    survey = make_survey()

    def work(run):
        with run.holding():
            survey.save(update_fields=["title"])
            raise ValueError("halfway")

    survey.title = "changed"
    jobs.ask(ASKED, SUBJECT)
    jobs.run(kind_with_work(work), SUBJECT)
    survey.refresh_from_db()
    assert survey.title != "changed"
    assert the_job().state == State.FAILED


@pytest.mark.django_db(transaction=True)
def test_signs_of_life_come_while_a_single_step_takes_long():
    kind = replace(ASKED, lease=0.25)
    jobs.ask(kind, SUBJECT)
    renewed = []

    def work(_run):
        first = the_job().leased_until
        for _ in range(400):
            if the_job().leased_until > first:
                renewed.append(True)
                return
            threading.Event().wait(0.05)

    jobs.run(replace(kind, run=work), SUBJECT)
    assert renewed == [True]
    assert the_job().state == State.DONE


def test_the_database_refuses_a_lease_without_a_run_and_a_run_without_a_lease():
    for values in ({"state": State.RUNNING}, {"state": State.IDLE, **LEASED}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Job.objects.create(kind="asked", subject=SUBJECT, **values)


# --- attempts -----------------------------------------------------------------------------------


def test_a_job_that_lost_its_worker_is_queued_again(wake_ups):
    running_job(progress=0.5)
    let_lease_end()
    lost_jobs.recover(ASKED)
    job = the_job()
    assert (job.state, job.message, job.holder) == (State.QUEUED, jobs.STARTED_AGAIN, None)
    assert wake_ups == [("asked", SUBJECT, 0.0)]
    jobs.run(ASKED, SUBJECT)
    assert (the_job().state, the_job().attempt) == (State.DONE, 2)
    assert the_job().message == jobs.STARTED_AGAIN


def test_after_the_most_attempts_it_is_given_up(wake_ups):
    ask()
    for attempt in (1, 2, 3):
        lost_jobs.recover(ASKED)
        assert lease.claim(ASKED, SUBJECT)
        assert the_job().attempt == attempt
        let_lease_end()
    lost_jobs.recover(ASKED)
    job = the_job()
    assert (job.state, job.message, job.is_finished) == (State.LOST, "Given up.", True)
    assert job.finished_at is not None
    assert lease.claim(ASKED, SUBJECT) is None


def test_each_lost_job_is_judged_by_its_own_attempts(wake_ups):
    running_job(attempt=3)
    Job.objects.create(
        kind="asked", subject=SUBJECT + 1, state=State.RUNNING, attempt=1, **{**LEASED, "holder": 2}
    )
    Job.objects.update(leased_until=Now() - timedelta(seconds=1))
    lost_jobs.recover(ASKED)
    states = Job.objects.order_by("subject").values_list("state", flat=True)
    assert list(states) == [State.LOST, State.QUEUED]


def test_a_standing_job_is_never_given_up(wake_ups):
    for attempt in range(1, 6):
        assert lease.claim(STANDING, SUBJECT)
        assert the_job(STANDING).attempt == attempt
        let_lease_end(STANDING)
        lost_jobs.recover(STANDING)
        assert the_job(STANDING).state == State.IDLE


def test_what_may_pass_is_tried_again_later_and_later(wake_ups, monkeypatch):
    pauses = []
    monkeypatch.setattr(queue, "pause", lambda _kind, _subject, seconds: pauses.append(seconds))

    def work(_run):
        raise DatabaseError("away")

    jobs.ask(ASKED, SUBJECT)
    for _ in range(4):
        jobs.run(kind_with_work(work), SUBJECT)
    assert pauses == [1, 2]
    assert (the_job().state, the_job().attempt, the_job().message) == (State.LOST, 3, "Given up.")
    assert list(map(kinds.back_off, (1, 2, 3, 7, 5000))) == [1, 2, 4, 60, 60]


def test_a_mistake_is_logged_and_ends_a_job_that_was_asked_for(caplog):
    def work(_run):
        raise KeyError("mistake")

    jobs.ask(ASKED, SUBJECT)
    jobs.run(kind_with_work(work), SUBJECT)
    assert (the_job().state, the_job().message) == (State.FAILED, jobs.BROKEN)
    assert "KeyError" in caplog.text


def test_a_mistake_does_not_end_a_standing_job(wake_ups, caplog):
    def work(_run):
        raise KeyError("mistake")

    jobs.run(kind_with_work(work, STANDING), SUBJECT)
    assert (the_job(STANDING).state, the_job(STANDING).attempt) == (State.IDLE, 1)
    assert wake_ups == [("standing", SUBJECT, 0.0)]
    assert "KeyError" in caplog.text
    jobs.run(STANDING, SUBJECT)
    assert the_job(STANDING).attempt == 0


def test_what_needs_too_much_memory_is_tried_three_times_and_says_so(wake_ups, monkeypatch, caplog):
    def work(_run):
        raise MemoryError

    monkeypatch.setattr(queue, "pause", lambda *_: None)
    jobs.ask(ASKED, SUBJECT)
    states = []
    for _ in range(3):
        jobs.run(kind_with_work(work), SUBJECT)
        states.append((the_job().state, the_job().attempt, the_job().message))
    again = [(State.QUEUED, attempt, jobs.TOO_LARGE) for attempt in (1, 2)]
    assert states == [*again, (State.FAILED, 3, jobs.TOO_LARGE)]
    assert "CANDOR_TASK_MEMORY_MB" in caplog.text
    # What is counted for everybody is never given up.
    for attempt in range(1, 6):
        jobs.run(kind_with_work(work, STANDING), SUBJECT)
        assert (the_job(STANDING).state, the_job(STANDING).attempt) == (State.IDLE, attempt)


# --- a worker that is ending --------------------------------------------------------------------


@pytest.fixture
def ending_worker():
    """A worker that was told to end, and whose moment for what is nearly done is over."""
    ending.begin()
    yield lambda: ending._MOMENT.pack_into(ending._ends_at, 0, 1e-9)
    ending.begin()


@BOTH
def test_a_worker_that_ends_gives_its_job_back_and_no_attempt_is_counted(
    kind, wake_ups, ending_worker
):
    seen = []

    def work(run):
        seen.append(run.report(0.1))
        ending_worker()
        run._report_due = 0.0
        seen.append(run.report(0.2))

    if not kind.standing:
        ask(kind)
    jobs.run(kind_with_work(work, kind), SUBJECT)
    assert seen == [True, False]
    job = the_job(kind)
    assert (job.state, job.attempt, job.progress) == (kind.waiting_state, 0, 0)
    assert (job.holder, job.leased_until, job.message) == (None, None, "")
    assert wake_ups == [(kind.name, SUBJECT, 0.0)]


def test_a_worker_that_ends_has_a_moment_for_what_is_nearly_done(wake_ups, ending_worker):
    ask()
    jobs.run(kind_with_work(lambda run: ending.end() or (run.report(0.5) and None)), SUBJECT)
    assert the_job().state == State.DONE
    assert not ending.is_near()


def test_what_ends_by_itself_or_was_cancelled_is_not_given_back(wake_ups, ending_worker):
    ask()
    ending_worker()

    def work(run):
        run.note(0.5)
        return jobs.Outcome(message="All of it.")

    jobs.run(kind_with_work(work), SUBJECT)
    assert (the_job().state, the_job().message) == (State.DONE, "All of it.")
    Job.objects.all().delete()
    ask()

    def cancelled(run):
        jobs.cancel(the_job())
        assert not run.report(0.5)

    jobs.run(kind_with_work(cancelled), SUBJECT)
    assert the_job().state == State.CANCELLED
    assert wake_ups == []


# --- cancelled, out of time ---------------------------------------------------------------------


def test_a_queued_job_is_cancelled_at_once_and_does_not_start():
    jobs.ask(ASKED, SUBJECT)
    jobs.cancel(the_job())
    assert (the_job().state, the_job().message) == (State.CANCELLED, "Cancelled.")
    jobs.run(ASKED, SUBJECT)
    assert the_job().attempt == 0


def test_a_running_job_is_cancelled_at_its_next_report():
    reports = []

    def work(run):
        jobs.cancel(the_job())
        reports.append(run.report(0.25))

    jobs.ask(ASKED, SUBJECT)
    jobs.run(kind_with_work(work), SUBJECT)
    assert reports == [False]
    job = the_job()
    assert (job.state, job.message, job.progress) == (State.CANCELLED, "Cancelled.", 0.25)


def test_a_lost_job_that_was_to_stop_is_not_started_again(wake_ups):
    running_job(stop_requested=True)
    let_lease_end()
    lost_jobs.recover(ASKED)
    assert (the_job().state, wake_ups) == (State.CANCELLED, [])


def test_what_was_cancelled_while_it_was_put_back_ends(wake_ups):
    ask(stop_requested=True, attempt=1)
    assert lease.claim(ASKED, SUBJECT) is None
    lost_jobs.recover(ASKED)
    assert (the_job().state, wake_ups) == (State.CANCELLED, [])


def test_cancelling_a_finished_job_changes_nothing():
    jobs.ask(ASKED, SUBJECT)
    jobs.run(ASKED, SUBJECT)
    before = Job.objects.values().get()
    jobs.cancel(the_job())
    assert Job.objects.values().get() == before


def test_a_cancelled_standing_job_waits_for_the_next_request():
    def work(run):
        jobs.cancel(the_job(STANDING))
        assert not run.report(0.5)

    jobs.run(kind_with_work(work, STANDING), SUBJECT)
    assert (the_job(STANDING).state, the_job(STANDING).stop_requested) == (State.IDLE, False)


def test_a_job_whose_time_is_up_ends_with_what_it_has():
    kind = kind_with_work(lambda run: run.report(0.5) and None, longest=0)
    jobs.ask(kind, SUBJECT)
    jobs.run(kind, SUBJECT)
    assert (the_job().state, the_job().message) == (State.DONE, "Late.")


# --- recovery and the list of kinds -------------------------------------------------------------


def test_a_queued_job_without_a_wake_up_is_woken(wake_ups):
    ask()
    lost_jobs.recover(ASKED)
    assert wake_ups == [("asked", SUBJECT, 0.0)]
    assert the_job().state == State.QUEUED


def test_recovery_wakes_a_standing_job_without_a_row(wake_ups):
    lost_jobs.recover(STANDING)
    assert wake_ups == [("standing", SUBJECT, 0.0)]


def test_a_job_goes_with_what_it_is_about(wake_ups):
    survey = make_survey()
    kind = replace(ASKED, about=type(survey))
    for subject in (survey.pk, survey.pk + 1):
        Job.objects.create(kind="asked", subject=subject)
    lost_jobs.recover(kind)
    assert list(Job.objects.values_list("subject", flat=True)) == [survey.pk]
    survey.delete()
    lost_jobs.recover(kind)
    assert not Job.objects.exists()


def test_one_kind_that_fails_is_in_no_other_ones_way(wake_ups, monkeypatch, caplog):
    def broken():
        raise KeyError("mistake")

    monkeypatch.setitem(kinds._kinds, "asked", replace(ASKED, lagging=broken))
    lost_jobs.recover_all()
    assert ("standing", SUBJECT, 0.0) in wake_ups
    assert "asked are not recovered" in caplog.text


def test_a_broker_that_is_down_costs_time_only(monkeypatch, caplog):
    monkeypatch.setattr(queue, "_backing_off_until", 0.0)
    ask()
    queue.wake(ASKED, SUBJECT)
    assert "No broker, so jobs will wait" in caplog.text
    jobs.run(ASKED, SUBJECT)
    assert the_job().state == State.DONE


def test_a_name_is_registered_once_and_an_unknown_one_is_refused():
    with pytest.raises(ValueError, match="'asked' already"):
        jobs.register(ASKED)
    with pytest.raises(ValueError, match="no kind of job is named 'nothing'"):
        jobs.kind_named("nothing")


def test_the_task_that_is_sent_is_the_one_that_workers_have():
    assert tasks.run_job.name == queue.TASK
    assert {"recompute", "search"} <= {kind.name for kind in kinds.all_kinds()}


def test_a_pause_that_another_run_left_meanwhile_is_kept(wake_ups, monkeypatch):
    """It was not there when this worker looked, and the other's lease was gone when it asked."""
    seconds, ran = iter([0.0, 0.7]), []
    monkeypatch.setattr(queue, "pause_left", lambda _kind, _subject: next(seconds))
    jobs.run(replace(STANDING, run=lambda run: ran.append(run.subject)), SUBJECT)
    assert ran == []
    assert (the_job(STANDING).state, the_job(STANDING).attempt) == (State.IDLE, 0)
    assert wake_ups == [("standing", SUBJECT, 0.0)]


def test_the_pause_is_there_before_the_job_is_idle(wake_ups, monkeypatch):
    states = []

    def pause(kind, _subject, _seconds):
        states.append(the_job(kind).state)

    monkeypatch.setattr(queue, "pause", pause)
    jobs.run(STANDING, SUBJECT)
    assert states == [State.RUNNING]
    assert the_job(STANDING).state == State.IDLE
