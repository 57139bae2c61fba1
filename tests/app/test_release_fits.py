"""When a worker computes what was declared: again as reports change, and quietly while they do."""

import logging

import pytest

from surveys import jobs
from surveys.features.return_codes import demo
from surveys.models import Launch, WeightedShares
from surveys.services.analysis_fits import ANALYSIS
from surveys.services.results import refresh_results
from surveys.services.weighted_results import WEIGHTS, weighted_values
from tests.app.test_analysis_fits import people, survey_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WEIGHTING = {"margins": [{"question": "region", "shares": ["0.6", "0.3", "0.1"]}]}


@pytest.fixture
def stored():
    launch = survey_of(people(60), weighting=WEIGHTING)
    stored = WeightedShares.objects.get(launch=launch)
    WeightedShares.objects.filter(pk=stored.pk).update(**weighted_values(stored))
    stored.refresh_from_db()
    return stored


def reports_replaced(launch, number):
    """So many people have come back: the release changes, and nobody is added."""
    Launch.objects.filter(pk=launch.pk).update(revision=launch.revision + number)
    refresh_results(launch_id=launch.pk)


def test_reports_of_a_tenth_who_came_back_make_it_due(stored):
    reports_replaced(stored.launch, 5)
    assert not WEIGHTS.is_lagging(stored.pk)
    reports_replaced(stored.launch, 6)
    assert WEIGHTS.is_lagging(stored.pk)


def test_a_release_that_lags_behind_is_waited_for_without_an_error(stored, caplog):
    before = stored.revision
    reports_replaced(stored.launch, 6)
    Launch.objects.filter(pk=stored.launch_id).update(revision=stored.revision + 7)
    with caplog.at_level(logging.WARNING, "surveys.jobs.running"):
        jobs.run(WEIGHTS, stored.pk)
    stored.refresh_from_db()
    failures = [record for record in caplog.records if record.name == "surveys.jobs.running"]
    assert (stored.revision, failures) == (before, [])
    assert WEIGHTS.is_lagging(stored.pk)


def test_the_demo_has_all_of_its_responses_fitted(stored):
    launch = stored.launch
    reports_replaced(launch, 1)
    assert not WEIGHTS.is_lagging(stored.pk)
    demo.fit_all(launch)
    assert WEIGHTS.is_lagging(stored.pk)
    assert all(ANALYSIS.is_lagging(fit.pk) for fit in launch.analysis_fits.all())
