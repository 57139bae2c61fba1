"""Receipts of surveys that were closed long ago: deleted, counted, and the survey stays closed."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Max
from django.urls import reverse
from django.utils import timezone

from surveys import jobs
from surveys.exceptions import WrongStateError
from surveys.models import DroppedReceipts, Job, Receipt, Submission, Survey, Transition
from surveys.responses.acknowledged import unaccounted
from surveys.services import receipts
from surveys.services.transitions import close_survey, delete_survey, reopen_until
from tests.app.test_aggregation import QUESTIONS, fill
from tests.builders import launched, response, sent

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]
SENT = 7


def closed_for(days, slug, number=SENT):
    launch = launched(slug=slug, questions=QUESTIONS)
    fill(launch, number)
    close_survey(survey=launch.survey, actor=None)
    Transition.objects.filter(survey=launch.survey, target="closed").update(
        at=timezone.now() - timedelta(days=days)
    )
    return launch


def run():
    jobs.run(receipts.RECEIPTS, receipts.SITE)
    job = Job.objects.filter(kind="receipts").first()
    assert job is None or (job.state, job.attempt) == ("idle", 0)


def numbers():
    rows = DroppedReceipts.objects.values_list("launch__survey__slug", "number", "complete")
    return {slug: rest for slug, *rest in rows}


@pytest.fixture
def small_parts(monkeypatch, pauses):
    monkeypatch.setattr(receipts, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(receipts, "PAGES_AT_ONCE", 1)


@pytest.mark.usefixtures("small_parts")
def test_only_what_was_closed_long_enough_ago_goes_and_is_counted(settings):
    settings.RECEIPT_DAYS = 30
    old, recent, empty = closed_for(31, "old"), closed_for(29, "recent"), closed_for(31, "empty", 0)
    fill(launched(slug="open", questions=QUESTIONS), 3)
    assert [*receipts.RECEIPTS.lagging()] == [receipts.SITE]
    run()
    assert numbers() == {"old": [SENT, True], "empty": [0, True]}
    assert not Receipt.objects.filter(launch__in=[old, empty]).exists()
    assert Receipt.objects.count() == SENT + 3
    assert unaccounted() == {}
    assert [*receipts.RECEIPTS.lagging()] == []
    assert recent.receipts.count() == SENT


def test_a_response_that_is_lost_afterwards_is_noticed_as_before():
    launch = closed_for(91, "old")
    run()
    Submission.objects.filter(launch=launch).first().delete()
    assert unaccounted() == {launch.pk: 1}


def test_zero_days_keep_them_for_ever(settings):
    settings.RECEIPT_DAYS = 0
    closed_for(10_000, "old")
    assert [*receipts.RECEIPTS.lagging()] == []
    run()
    assert Receipt.objects.count() == SENT


@pytest.mark.usefixtures("small_parts")
def test_others_write_between_two_slices_on_sqlite(settings, pauses):
    settings.RECEIPT_DAYS = 30
    closed_for(31, "old")
    run()
    if connection.vendor == "postgresql":
        assert pauses == []
    else:
        assert set(pauses) == {0.1}
        assert len(pauses) >= SENT // 2


@pytest.mark.usefixtures("small_parts")
def test_a_survey_that_is_reopened_meanwhile_keeps_what_it_still_has(monkeypatch):
    """The first part of the table is looked at before the reopening, the rest after it."""
    kept = closed_for(91, "kept")
    other = closed_for(91, "other")
    drop = receipts._drop_slice
    done = []

    def reopening(condition, bounds):
        if not done:
            Survey.objects.filter(pk=kept.survey_id).update(state="open")
        done.append(bounds)
        return drop(condition, bounds)

    monkeypatch.setattr(receipts, "_drop_slice", reopening)
    run()
    assert len(done) > 1 or kept.receipts.count() == SENT
    assert kept.receipts.count() == SENT
    assert numbers() == {"other": [SENT, True]}
    assert not other.receipts.exists()


@pytest.mark.usefixtures("small_parts")
def test_a_run_that_ends_early_goes_on_and_the_survey_is_closed_for_good(client, monkeypatch):
    launch = closed_for(91, "old")

    def until_some_are_gone(*_):
        return launch.receipts.count() == SENT

    with monkeypatch.context() as patch:
        patch.setattr(jobs.Run, "report", until_some_are_gone)
        # On PostgreSQL all rows are on one page: there must be a turn after that one.
        patch.setattr(receipts, "_slices", lambda parts=receipts._slices: [*parts()] * 2)
        run()
    number, complete = numbers()["old"]
    assert number == SENT - launch.receipts.count() > 0
    assert not complete
    assert [*receipts.RECEIPTS.lagging()] == [receipts.SITE]
    with pytest.raises(WrongStateError, match="have been deleted"):
        reopen_until(survey=launch.survey, closes_at=None, actor=launch.survey.owner)
    client.force_login(launch.survey.owner)
    page = client.get(reverse("admin:survey_reopen", args=[launch.survey_id]), follow=True)
    assert "have been deleted" in page.text
    run()
    assert numbers() == {"old": [SENT, True]}
    assert unaccounted() == {}


def test_sent_again_after_that_it_is_refused_and_not_stored(client):
    launch = launched(questions=QUESTIONS)
    body = response(launch)
    assert sent(client, launch, body).status_code == 201
    close_survey(survey=launch.survey, actor=None)
    assert sent(client, launch, body).status_code == 200
    Transition.objects.filter(target="closed").update(at=timezone.now() - timedelta(days=91))
    run()
    assert sent(client, launch, body).status_code == 409
    assert (Receipt.objects.count(), Submission.objects.count()) == (0, 1)


def test_the_survey_is_deleted_with_the_count():
    launch = closed_for(91, "old")
    run()
    delete_survey(survey=launch.survey, actor=launch.survey.owner)
    assert not DroppedReceipts.objects.exists()


def test_closing_says_for_how_long_it_can_be_undone(client, settings):
    survey = launched().survey
    client.force_login(survey.owner)
    address = reverse("admin:survey_close", args=[survey.pk])
    assert "For 90 days you can reopen the survey" in client.get(address).text
    settings.RECEIPT_DAYS = 0
    assert "You can reopen the survey later" in client.get(address).text


def test_the_last_close_counts():
    launch = closed_for(91, "twice")
    reopen_until(survey=launch.survey, closes_at=None, actor=launch.survey.owner)
    launch.survey.refresh_from_db()
    close_survey(survey=launch.survey, actor=None)
    newest = Transition.objects.filter(target="closed").aggregate(last=Max("at"))["last"]
    assert newest > timezone.now() - timedelta(days=1)
    run()
    assert Receipt.objects.count() == SENT
