"""A fit that breaks down says so, and is tried again by a later release or a click alone.

The fault is a real one: the stored results have lost what fits read of them.
"""

import logging

import pytest
from django.urls import reverse

from surveys import jobs
from surveys.jobs.kinds import JobKind
from surveys.models import AnalysisFit, Job, Launch, Result, Survey, WeightedShares
from surveys.results.release import release_of
from surveys.results.status import status_of
from surveys.services.analysis_fits import ANALYSIS, ask_again, delete_analysis
from surveys.services.release_fits import MOST_ATTEMPTS
from surveys.services.results import refresh_results
from surveys.services.weighted_results import WEIGHTS
from tests.app.kept import kept_once
from tests.app.test_analysis_fits import people, survey_of
from tests.app.test_analysis_pages import address, listing, words_of
from tests.builders import make_user
from tests.released import answer

pytestmark = pytest.mark.django_db

WEIGHTING = {"margins": [{"question": "region", "shares": ["0.6", "0.3", "0.1"]}]}
FAILED, AGAIN = "The fit has failed", "Try again"


VALUES = {"weighting": WEIGHTING, "results_public": True, "release_threshold": 2}
kept = kept_once(lambda: survey_of(people(60), **VALUES))


def break_results(launch):
    result = Result.objects.get(launch=launch)
    content = {
        **result.content,
        "recodings": {name: [[0, 99]] for name in result.content["recodings"]},
    }
    Result.objects.filter(pk=result.pk).update(content=content)
    return result


def run(kind: JobKind, row):
    jobs.run(kind, row.pk)
    row.refresh_from_db()
    return row


def failed(kind, row, caplog):
    """The row after an attempt that broke down, of which the log has the reason."""
    with caplog.at_level(logging.ERROR, "surveys.services.release_fits"):
        run(kind, row)
    (record,) = (one for one in caplog.records if one.name == "surveys.services.release_fits")
    assert record.exc_info[0] is IndexError
    assert str(row.pk) in record.getMessage()
    caplog.clear()
    return row


def come(launch, count):
    """So many more people, whose results are whole."""
    answer(launch, people(count, seed=3))
    refresh_results(launch_id=launch.pk)


def test_its_page_says_so_and_offers_to_try_again(client, launch, caplog):
    whole = break_results(launch)
    fit = failed(ANALYSIS, launch.analysis_fits.get(), caplog)
    assert (fit.failed, fit.revision, fit.is_waiting) == (whole.revision, 0, False)
    for page in (listing(launch), address(launch)):
        words = words_of(client.get(page))
        assert FAILED in words
        assert "Waiting" not in words
    assert "the log of the worker says what" in words
    assert AGAIN not in words
    assert "when a tenth more have answered, and when the survey closes" in words
    client.force_login(make_user("reader"))
    assert AGAIN in words_of(client.get(address(launch)))
    # Nobody answers a closed survey.
    Survey.objects.filter(pk=launch.survey_id).update(state=Survey.State.CLOSED)
    words = words_of(client.get(address(launch)))
    assert "only when somebody asks for that" in words
    assert "a tenth more" not in words
    assert AGAIN in words
    assert not list(ANALYSIS.lagging())
    Survey.objects.filter(pk=launch.survey_id).update(state=Survey.State.OPEN)
    Result.objects.filter(pk=whole.pk).update(content=whole.content)
    assert client.post(address(launch, name="analysis-again")).status_code == 303
    fit.refresh_from_db()
    assert (fit.failed, fit.is_waiting) == (0, True)
    words = words_of(client.get(address(launch)))
    assert "Waiting" in words
    assert FAILED not in words
    run(ANALYSIS, fit)
    words = words_of(client.get(address(launch)))
    assert "60 people, of 60 responses" in words
    assert FAILED not in words


def test_it_is_not_tried_again_with_the_same_release(launch, caplog):
    break_results(launch)
    fit = failed(ANALYSIS, launch.analysis_fits.get(), caplog)
    assert not ANALYSIS.is_lagging(fit.pk)
    assert fit.pk not in set(ANALYSIS.lagging())
    job = Job.objects.get(kind=ANALYSIS.name, subject=fit.pk)
    assert (job.state, job.attempt) == (Job.State.IDLE, 0)
    come(launch, 5)
    assert not ANALYSIS.is_lagging(fit.pk)


def test_a_tenth_more_responses_try_it_again(launch, caplog):
    break_results(launch)
    fit = failed(ANALYSIS, launch.analysis_fits.get(), caplog)
    come(launch, 6)
    assert ANALYSIS.is_lagging(fit.pk)
    run(ANALYSIS, fit)
    assert (fit.failed, fit.content["n"]) == (0, 66)


def test_the_close_tries_it_again_if_anybody_came(launch, caplog):
    break_results(launch)
    fit = failed(ANALYSIS, launch.analysis_fits.get(), caplog)
    Survey.objects.filter(pk=launch.survey_id).update(state=Survey.State.CLOSED)
    assert not ANALYSIS.is_lagging(fit.pk)
    Launch.objects.filter(pk=launch.pk).update(revision=fit.failed + 1)
    refresh_results(launch_id=launch.pk)
    assert ANALYSIS.is_lagging(fit.pk)


@pytest.mark.slow
def test_the_numbers_of_an_earlier_release_stay(client, launch, caplog):
    fit = run(ANALYSIS, launch.analysis_fits.get())
    come(launch, 6)
    break_results(launch)
    failed(ANALYSIS, fit, caplog)
    assert fit.content["n"] == 60
    client.force_login(make_user("reader"))
    words = words_of(client.get(address(launch)))
    assert FAILED in words
    assert "What is below is of an earlier release." in words
    assert "60 people, of 60 responses" in words
    assert "Fit to the newest release" not in words


def test_one_that_was_deleted_and_asked_for_again_is_tried_again(launch, caplog):
    break_results(launch)
    fit = launch.analysis_fits.get()
    AnalysisFit.objects.filter(pk=fit.pk).update(declared=None)
    fit.refresh_from_db()
    ask_again(fit)
    failed(ANALYSIS, fit, caplog)
    assert not ANALYSIS.is_lagging(fit.pk)
    delete_analysis(fit)
    fit.refresh_from_db()
    ask_again(fit)
    assert ANALYSIS.is_lagging(fit.pk)


def test_a_fit_whose_workers_are_stopped_each_time_is_given_up(launch, caplog):
    fit = launch.analysis_fits.get()
    stopped = Job.objects.create(
        kind=ANALYSIS.name, subject=fit.pk, state=Job.State.IDLE, attempt=MOST_ATTEMPTS
    )
    with caplog.at_level(logging.ERROR, "surveys.services.release_fits"):
        run(ANALYSIS, fit)
    assert "given up" in caplog.text
    assert (fit.failed > 0, fit.content) == (True, {})
    stopped.refresh_from_db()
    assert stopped.attempt == 0
    ask_again(fit)
    run(ANALYSIS, fit)
    assert (fit.failed, fit.content["n"]) == (0, 60)


@pytest.mark.slow
def test_the_results_say_that_the_weighting_failed(client, launch, caplog):
    def current():
        return status_of(release_of(launch), for_author=False).revision

    again = reverse("weights-again", args=[launch.survey.slug])
    page = reverse("results", args=[launch.survey.slug])
    stored = WeightedShares.objects.get(launch=launch)
    whole, before = break_results(launch), current()
    failed(WEIGHTS, stored, caplog)
    assert not WEIGHTS.is_lagging(stored.pk)
    assert current() != before
    words = words_of(client.get(page))
    assert words.count("The weighting has failed") == 1
    assert "being computed" not in words
    assert AGAIN not in words
    client.force_login(make_user("reader"))
    assert AGAIN in words_of(client.get(page))
    Result.objects.filter(pk=whole.pk).update(content=whole.content)
    assert client.post(again).url == page
    assert "being computed" in words_of(client.get(page))
    run(WEIGHTS, stored)
    words = words_of(client.get(page))
    assert "The weighting has failed" not in words
    assert "Weighted estimate" in words
    summary = client.get(reverse("summary-html", args=[launch.survey.slug]))
    assert AGAIN not in words_of(summary)


def test_older_weighted_shares_stay_beside_the_failure(client, launch, caplog):
    stored = run(WEIGHTS, WeightedShares.objects.get(launch=launch))
    come(launch, 6)
    break_results(launch)
    failed(WEIGHTS, stored, caplog)
    words = words_of(client.get(reverse("results", args=[launch.survey.slug])))
    assert words.count("The weighting has failed") == 1
    assert "Computed from the first 60 responses" in words
