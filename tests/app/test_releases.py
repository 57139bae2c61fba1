"""Two releases of a launch are the same or differ by a batch (`surveys.responses.batches`)."""

import json
import re
from dataclasses import replace
from traceback import format_exception

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import FlakyFailure
from hypothesis.stateful import run_state_machine_as_test

from surveys.models import Launch, Submission
from surveys.responses import batches, tallies
from surveys.results import release, status
from surveys.services import results as results_service
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey, reopen_survey
from surveys.views import results as results_view
from tests.app.release_machine import Releases
from tests.released import answer, as_researcher, released

pytestmark = pytest.mark.django_db

QUIET = {
    "derandomize": True,  # the same stories in every run
    "database": None,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    # A story that fails is printed as it is: to look for the shortest would take minutes.
    "phases": [Phase.generate],
}
STORIES = settings(max_examples=12, stateful_step_count=20, **QUIET)
# Another database differs in the aggregation only.
FEWER_STORIES = settings(STORIES, max_examples=5)
# Ends with the first failing story.
HUNT = settings(max_examples=60, stateful_step_count=20, **QUIET)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """Make chunks small, so that a release takes several aggregations."""
    monkeypatch.setattr(tallies, "CHUNK", 2)


@pytest.mark.slow
def test_no_two_things_that_anybody_is_shown_differ_by_less_than_a_batch():
    usual = connection.vendor == "sqlite"
    run_state_machine_as_test(Releases, settings=STORIES if usual else FEWER_STORIES)


# --- mutants: each breaks the rule in one place, and the same stories must tell ------------------


def releases_all_at_the_close(monkeypatch):
    """A former defect: after the close all responses of the inbox are aggregated."""
    honest = batches.due

    def due(launch, inbox_size):
        return honest(launch, inbox_size) if launch.survey.state == "open" else inbox_size

    for module in (batches, results_service, status):
        monkeypatch.setattr(module, "due", due)
    monkeypatch.setattr(
        tallies, "next_batch_size", lambda launch, inbox_size, *, usual: due(launch, inbox_size)
    )


def tells_everybody_what_came_in(monkeypatch):
    monkeypatch.setattr(results_view, "sees_arrivals", lambda request, launch: True)


def keeps_nothing_of_a_chunk(monkeypatch):
    """A former defect: an aggregation takes a chunk, however small it is."""

    def next_batch_size(launch, inbox_size, *, usual):
        return min(batches.due(launch, inbox_size), usual)

    monkeypatch.setattr(tallies, "next_batch_size", next_batch_size)


def aggregates_without_quarantine(monkeypatch):
    """A former defect: the valid rows of a batch with invalid ones are aggregated."""
    honest = tallies._take

    def take(launch, ids):
        contents = honest(launch, ids)
        fitting = Submission.objects.waiting().filter(pk__in=ids)
        return contents or honest(launch, list(fitting.values_list("pk", flat=True)))

    monkeypatch.setattr(tallies, "_take", take)


def follows_the_form(monkeypatch):
    """A mutant with the batch size of the form instead of the frozen one."""
    monkeypatch.setattr(batches, "batch_of", lambda launch: 1)


def stores_a_time_of_arrival(monkeypatch):
    """A mutant in which a response changes something on the results page."""
    honest = release.release_of

    def release_of(launch, step=0):
        return replace(honest(launch, step), responses=launch.received_count())

    monkeypatch.setattr(results_view, "release_of", release_of)


@seed(8)
class Hunting(Releases):
    """Begins with a story in which the mutants show soon; others follow if they no longer do."""


@pytest.mark.slow
@pytest.mark.any_database
@pytest.mark.parametrize(
    "mutant",
    [
        releases_all_at_the_close,
        tells_everybody_what_came_in,
        keeps_nothing_of_a_chunk,
        aggregates_without_quarantine,
        follows_the_form,
        stores_a_time_of_arrival,
    ],
)
def test_a_mutant_is_told(monkeypatch, mutant):
    mutant(monkeypatch)
    # Which responses an aggregation takes is chance: a story that has told need not tell again.
    with pytest.raises((AssertionError, FlakyFailure)) as failure:
        run_state_machine_as_test(Hunting, settings=HUNT)
    text = "".join(format_exception(failure.value))
    assert re.search(r"AssertionError: .*(tells? two releases apart|were never aggregated)", text)


# --- the attack, told plainly -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_close_reopen_one_response_close_isolates_nobody(client, linkage):
    """Six people are each alone between two closings. What anybody can fetch stays the same, byte
    for byte, until five of them have come: then all five enter together.
    """
    questions = [{"name": "drug"}, {"name": "permanent", "randomized": False}]
    launch = released(
        [{"drug": n % 2, "permanent": n % 2} for n in range(20)],
        questions=questions, linkage=linkage, release_batch=5, results_public=True,
    )  # fmt: skip
    close_survey(survey=launch.survey, actor=None)
    refresh_results(launch_id=launch.pk)
    before = _everything(client)

    in_results = []
    for _ in range(6):
        reopen_survey(survey=launch.survey, actor=None)
        answer(launch, [{"drug": 1, "permanent": 0}])
        refresh_results(launch_id=launch.pk)
        close_survey(survey=launch.survey, actor=None)
        refresh_results(launch_id=launch.pk)
        now = _everything(client)
        in_results.append(json.loads(now["results-status"])["in_results"])
        assert (now == before) == (in_results[-1] == 20)
    assert in_results == [20, 20, 20, 20, 25, 25]


def _everything(client):
    names = ("results", "results-status", "results-figures", "results-json", "summary-html")
    pages = {name: client.get(reverse(name, args=["health"])).content for name in names}
    reader = as_researcher(Client(), Launch.objects.get())
    return pages | {"reports-csv": reader.get(reverse("reports-csv", args=["health"])).getvalue()}
