"""Estimating the dependence of a pilot's questions: the job, what it rests on, what it finds."""

from itertools import combinations

import pytest

from surveys import jobs
from surveys.exceptions import WrongStateError
from surveys.features.pilots import runs as dependence_runs
from surveys.features.pilots.dependence import attributes_of, estimates_of, graph_of, measured_pairs
from surveys.features.pilots.models import DependenceRun
from surveys.features.pilots.runs import DEPENDENCE, start_run, stop_run
from surveys.models import Survey, Tally
from surveys.parameters import picked_of
from tests.app.kept import kept_once
from tests.app.pilots import PLANTED, answered, pilot_launch, run_now
from tests.builders import launched, make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]


kept = kept_once(lambda: answered(pilot_launch(slug="kept", release_threshold=5), 120))


def test_the_planted_dependence_is_found():
    launch = answered(pilot_launch(), 2_000)
    run = run_now(launch)
    assert (run.state, run.progress, run.responses) == ("done", 1, 2_000)
    assert (run.digest, run.revision) == (launch.digest, launch.revision)
    graph = graph_of(run.content, launch.parameters)
    assert graph.names == ("q1", "q2", "q3", "q4", "q5")
    assert graph.respondents.sum() == 2 * 2_000
    within = {pair for names in PLANTED for pair in combinations(names, 2)}
    for row in measured_pairs(run.content):
        # Four standard errors or more from what was planted, about 0.6 or 0.
        if (row["first"], row["second"]) in within:
            assert row["value"] > 0.2, row
        else:
            assert row["value"] < 0.4, row


def test_two_scales_are_measured_by_their_correlation_and_a_refusal_has_no_order():
    scale = {"kind": "scale", "options": ["Low", "Middle", "High"]}
    launch = pilot_launch(questions=[scale, scale, {**scale, "prefer_not": True}])
    assert [attribute.ordered for attribute in attributes_of(launch.parameters)] == [
        True,
        True,
        False,
    ]
    run = run_now(answered(launch, 120))
    assert [row["ordered"] for row in measured_pairs(run.content)] == [True, False, False]


def test_a_run_is_the_same_function_of_the_tallies():
    launch = answered(pilot_launch(release_threshold=5), 150)
    first, second = run_now(launch), run_now(launch)
    assert first.pk != second.pk
    assert first.content == second.content
    third = run_now(answered(launch, 150, seed=5))
    assert (third.responses, first.responses) == (300, 150)
    assert DependenceRun.objects.count() == 3


def test_a_pair_below_the_threshold_is_not_measured():
    launch = answered(pilot_launch(release_threshold=30), 300, seed=2)
    pairs = {device.stratum: device.questions for device in picked_of(launch.parameters)}
    people = {
        pairs[tally.stratum]: sum(tally.counts) for tally in Tally.objects.filter(table="pair")
    }
    run = run_now(launch)
    measured = {(row["first"], row["second"]): row["n"] for row in measured_pairs(run.content)}
    assert measured == {names: count for names, count in people.items() if count >= 30}
    assert 0 < len(measured) < len(pairs)
    hidden = [row for row in run.content["pairs"] if not row["n"]]
    assert all(set(row) == {"first", "second", "n"} for row in hidden)
    assert len(estimates_of(run.content, launch.parameters, ["q1"])) == sum(
        "q1" in names for names in measured
    )


@pytest.mark.parametrize(
    ("people", "threshold", "says"),
    [
        (15, 20, "fewer responses than the release threshold"),
        (60, 50, "No pair has as many responses"),
    ],
)
def test_too_few_responses_are_said(people, threshold, says):
    run = run_now(answered(pilot_launch(release_threshold=threshold), people))
    assert (run.state, run.content, run.responses) == ("failed", {}, 0)
    assert says in run.message_text


def test_responses_that_wait_for_their_batch_are_not_used():
    launch = answered(pilot_launch(release_batch=30, release_threshold=5), 100)
    assert 0 < launch.aggregated < 100
    assert run_now(launch).responses == launch.aggregated


def test_one_run_at_a_time_and_only_of_a_launched_pilot():
    launch = pilot_launch()
    author = launch.survey.owner
    start_run(survey=launch.survey, user=author)
    with pytest.raises(WrongStateError, match="under way"):
        start_run(survey=launch.survey, user=author)
    draft = make_survey(slug="draft", pilot=True, questions=[{}, {}, {}])
    for survey in (draft, launched(slug="plain").survey):
        with pytest.raises(WrongStateError, match="launched pilot"):
            start_run(survey=survey, user=author)
    assert DependenceRun.objects.count() == 1


def test_a_queued_run_is_stopped_at_once_and_another_may_follow(launch):
    run = start_run(survey=launch.survey, user=launch.survey.owner)
    stop_run(run=run)
    run.refresh_from_db()
    assert (run.state, run.message_text) == ("cancelled", "Stopped on request.")
    assert run_now(launch).state == "done"


def test_a_running_one_stops_at_its_next_pair(launch, monkeypatch):
    run = start_run(survey=launch.survey, user=launch.survey.owner)
    shares = []

    def report(self, fraction):
        shares.append(fraction)
        if len(shares) == 3:
            stop_run(run=run)
            self.attempt_write(lambda: self._look(fraction))
        return not self.cancelled

    monkeypatch.setattr(jobs.Run, "report", report)
    jobs.run(DEPENDENCE, launch.pk)
    run.refresh_from_db()
    assert shares == [0, 0.1, 0.2]
    assert (run.state, run.content) == ("cancelled", {})


def test_only_the_last_runs_are_kept(launch, monkeypatch):
    monkeypatch.setattr(dependence_runs, "MOST_RUNS", 2)
    keys = [run_now(launch).pk for _ in range(4)]
    assert list(DependenceRun.objects.values_list("pk", flat=True)) == keys[:1:-1]


def test_runs_go_with_their_survey(launch):
    run_now(launch)
    Survey.objects.filter(pk=launch.survey_id).update(state="deleted")
    launch.survey.delete()
    assert not DependenceRun.objects.exists()
