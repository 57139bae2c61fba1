"""Fits that another version of the program has computed are not read, but computed anew."""

import pytest
from django.urls import reverse

from surveys import jobs
from surveys.models import AnalysisFit, Result, WeightedShares
from surveys.results.release import release_of
from surveys.results.status import status_of
from surveys.services.analysis_fits import ANALYSIS, delete_analysis
from surveys.services.weighted_results import WEIGHTS
from tests.app.kept import kept_once
from tests.app.test_analysis_fits import people, survey_of
from tests.app.test_analysis_pages import address, listing, words_of

pytestmark = pytest.mark.django_db

WEIGHTING = {"margins": [{"question": "region", "shares": ["0.6", "0.3", "0.1"]}]}
FILES = ("csv", "tex", "json", "py")


VALUES = {"weighting": WEIGHTING, "results_public": True, "release_threshold": 2}
kept = kept_once(lambda: survey_of(people(60), **VALUES))


def computed(kind, row):
    jobs.run(kind, row.pk)
    row.refresh_from_db()
    assert row.content
    return row


def of_another_version(row):
    """As a version has written it that had other names for everything."""
    other = {"format": row.content["format"] - 1, "contents": "another way"}
    type(row).objects.filter(pk=row.pk).update(content=other)
    row.refresh_from_db()


def is_due(kind, row):
    assert (row.pk in set(kind.lagging())) == kind.is_lagging(row.pk)
    return kind.is_lagging(row.pk)


@pytest.mark.slow
def test_an_analysis_of_another_format_waits_and_is_fitted_anew(client, launch):
    fit = computed(ANALYSIS, launch.analysis_fits.get())
    assert not is_due(ANALYSIS, fit)
    of_another_version(fit)
    assert is_due(ANALYSIS, fit)
    for page in (listing(launch), address(launch)):
        words = words_of(client.get(page))
        assert "Waiting for a worker" in words
        assert "Coefficients" not in words
        assert "Fitted to" not in words
    for ending in FILES:
        assert client.get(address(launch, name=f"analysis-{ending}")).status_code == 404
    computed(ANALYSIS, fit)
    assert not is_due(ANALYSIS, fit)
    assert "60 people, of 60 responses" in words_of(client.get(address(launch)))
    for ending in FILES:
        assert client.get(address(launch, name=f"analysis-{ending}")).status_code == 200


def test_one_that_was_asked_for_afterwards_too(launch):
    fit = computed(ANALYSIS, launch.analysis_fits.get())
    AnalysisFit.objects.filter(pk=fit.pk).update(declared=None, asked=fit.revision)
    fit.refresh_from_db()
    assert not is_due(ANALYSIS, fit)
    of_another_version(fit)
    assert is_due(ANALYSIS, fit)
    delete_analysis(fit)
    assert not is_due(ANALYSIS, fit)


def test_it_is_tried_once_with_a_release(client, launch):
    fit = computed(ANALYSIS, launch.analysis_fits.get())
    of_another_version(fit)
    result = Result.objects.get(launch=launch)
    content = {
        **result.content,
        "recodings": {name: [[0, 99]] for name in result.content["recodings"]},
    }
    Result.objects.filter(pk=result.pk).update(content=content)
    jobs.run(ANALYSIS, fit.pk)
    fit.refresh_from_db()
    assert fit.failed == result.revision
    assert not is_due(ANALYSIS, fit)
    words = words_of(client.get(address(launch)))
    assert "The fit has failed" in words
    assert "Waiting" not in words
    assert "Coefficients" not in words


def test_results_of_another_format_are_waited_for(launch):
    fit = computed(ANALYSIS, launch.analysis_fits.get())
    of_another_version(fit)
    result = Result.objects.get(launch=launch)
    Result.objects.filter(pk=result.pk).update(content={**result.content, "format": 0})
    assert not is_due(ANALYSIS, fit)


def test_weighted_shares_of_another_format_are_weighted_anew(client, launch):
    page = reverse("results", args=[launch.survey.slug])
    stored = computed(WEIGHTS, WeightedShares.objects.get(launch=launch))
    shown = status_of(release_of(launch), for_author=False).revision
    of_another_version(stored)
    assert is_due(WEIGHTS, stored)
    # A page that is open notices when they are there again.
    assert status_of(release_of(launch), for_author=False).revision != shown
    assert "The weighted shares are being computed." in words_of(client.get(page))
    assert client.get(reverse("weighted-csv", args=[launch.survey.slug])).status_code == 503
    computed(WEIGHTS, stored)
    assert not is_due(WEIGHTS, stored)
    assert status_of(release_of(launch), for_author=False).revision == shown
    assert "Weighted estimate" in words_of(client.get(page))


def test_a_refusal_has_no_format():
    rows = [{**row, "region": row["region"] % 2} for row in people(60)]
    launch = survey_of(rows, slug="refused", weighting=WEIGHTING)
    stored = WeightedShares.objects.get(launch=launch)
    jobs.run(WEIGHTS, stored.pk)
    stored.refresh_from_db()
    assert stored.refusal
    assert not is_due(WEIGHTS, stored)
