"""A recompute as a job: what it costs, what it leaves in the database, and who may aggregate."""

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from surveys import jobs
from surveys.jobs import lease, lost_jobs
from surveys.models import Job, Launch, Result, Submission, Tally
from surveys.responses import tallies
from surveys.services import results
from surveys.services.results import RECOMPUTE
from surveys.services.transitions import close_survey, delete_survey
from tests.app.test_aggregation import QUESTIONS, fill
from tests.builders import launched

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


def statements(launch):
    """The statements of one recompute, without the savepoints of a test's transaction."""
    with CaptureQueriesContext(connection) as captured:
        jobs.run(RECOMPUTE, launch.pk)
    verbs = [query["sql"].split()[0] for query in captured]
    return [verb for verb in verbs if verb not in ("SAVEPOINT", "RELEASE")]


def test_a_recompute_leaves_a_result_and_no_time():
    launch = launched(questions=QUESTIONS, release_batch=5)
    fill(launch, 12)
    jobs.run(RECOMPUTE, launch.pk)
    assert Result.objects.get().responses == Launch.objects.get().aggregated == 7
    job = Job.objects.get()
    assert (job.kind, job.subject, job.state, job.attempt) == ("recompute", launch.pk, "idle", 0)
    assert (job.holder, job.leased_until, job.finished_at) == (None, None, None)


@pytest.mark.slow
def test_its_statements_follow_what_is_new():
    launch = launched(questions=QUESTIONS)
    counts = []
    for count in (20, 20, 300, 20):
        fill(launch, count)
        counts.append(len(statements(launch)))
    # The first one makes the rows of the job, the tallies and the result.
    assert counts[1] == counts[3] < counts[0]
    assert counts[3] <= 18


def test_the_inbox_is_counted_without_being_joined_to_parameters():
    """A join would sort each waiting row with all that was frozen: gigabytes after an outage."""
    due, waiting = (
        launched(questions=QUESTIONS, release_batch=5, slug=slug) for slug in ("due", "waiting")
    )
    fill(due, 12)
    fill(waiting, 12)
    misfits = Submission.objects.filter(launch=waiting)[:3]
    Submission.objects.filter(pk__in=[row.pk for row in misfits]).update(quarantined=True)
    with CaptureQueriesContext(connection) as captured:
        assert list(results.lagging_launches()) == [due.pk]
    assert "GROUP BY" not in captured[0]["sql"]
    assert "surveys_submission" in captured[0]["sql"]


def test_where_no_batch_is_due_nothing_is_written():
    launch = launched(questions=QUESTIONS, release_batch=5)
    fill(launch, 9)
    assert set(statements(launch)) == {"SELECT"}
    assert not Job.objects.exists()


def test_a_worker_that_has_lost_its_lease_aggregates_nothing():
    launch = launched(questions=QUESTIONS)
    fill(launch, 10)
    old = lease.claim(RECOMPUTE, launch.pk)
    Job.objects.update(leased_until="2001-01-01T00:00:00Z")
    new = lease.claim(RECOMPUTE, launch.pk)
    with pytest.raises(jobs.LeaseLostError):
        RECOMPUTE.run(jobs.Run(RECOMPUTE, launch.pk, old))
    assert (Launch.objects.get().aggregated, Submission.objects.count()) == (0, 10)
    assert not Tally.objects.exists()
    RECOMPUTE.run(jobs.Run(RECOMPUTE, launch.pk, new))
    assert (Launch.objects.get().aggregated, Submission.objects.count()) == (10, 0)


def test_aggregation_is_a_sign_of_life():
    launch = launched(questions=QUESTIONS)
    fill(launch, 10)
    run = jobs.Run(RECOMPUTE, launch.pk, lease.claim(RECOMPUTE, launch.pk))
    Job.objects.update(leased_until=Now())
    before = Job.objects.get().leased_until
    assert tallies.aggregate_waiting(launch.pk, writing=run.holding) == 10
    assert Job.objects.get().leased_until > before


def test_its_end_is_written_with_the_result_or_not_at_all(monkeypatch):
    launch = launched(questions=QUESTIONS)
    fill(launch, 10)
    run = jobs.Run(RECOMPUTE, launch.pk, lease.claim(RECOMPUTE, launch.pk))
    honest = results._save

    def save_and_fail(*computed):
        honest(*computed)
        raise ValueError("halfway")

    monkeypatch.setattr(results, "_save", save_and_fail)
    with pytest.raises(ValueError, match="halfway"):
        RECOMPUTE.run(run)
    assert not Result.objects.exists()
    assert Job.objects.get().holder == run.holder
    monkeypatch.setattr(results, "_save", honest)
    RECOMPUTE.run(run)
    assert Result.objects.get().responses == 10
    assert (Job.objects.get().state, Job.objects.get().holder) == (Job.State.IDLE, None)


def test_the_job_goes_with_the_survey():
    launch = launched(questions=QUESTIONS)
    fill(launch, 10)
    jobs.run(RECOMPUTE, launch.pk)
    close_survey(survey=launch.survey, actor=None)
    delete_survey(survey=launch.survey, actor=None)
    jobs.run(RECOMPUTE, launch.pk)
    lost_jobs.recover(RECOMPUTE)
    assert not Job.objects.exists()
