"""The demo of a network: its people are made up, and their simulated answers are accepted."""

import json

import numpy as np
import pytest

import rr_engine
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.planning.simulation import simulated_responses
from surveys.features.roster import demo as demo_network
from surveys.results.kinds.network_presentation import network_view
from surveys.results.release import release_of
from surveys.services.responses import record_response
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey
from tests.builders import owner, response

pytestmark = pytest.mark.django_db


@pytest.fixture
def launch():
    return demo_network.launch_network_demo(owner=owner())


def answer(launch, places):
    """The simulated answers of those at these places, each under a new link."""
    links, left = demo_network.new_links(launch)
    members = demo_network.simulated_members(launch)
    responses = simulated_responses(
        launch.parameters, members, random_bytes=np.random.default_rng(5).bytes
    )
    for place in places:
        body = json.dumps(response(launch, **responses[place], link=links[place]))
        record_response(launch=launch, body=body.encode())
    return left


def test_it_asks_who_is_tied_to_whom_and_one_question_beside(launch):
    assert [question.control for question in launch.parameters.questions] == ["roster", "yes_no"]
    assert launch.parameters.members.groups == ("Support", "Warehouse", "Office")
    assert launch.parameters.members.size == launch.survey.planned_n == 40
    assert str(launch.parameters.epsilon) == "3"
    # A batch of those who can still answer, so that what both send shows, and neither alone does.
    assert launch.survey.release_batch == len(demo_network.LEFT)
    assert "batch_of_one" not in [finding.code for finding in lint_survey(launch.survey)]


def test_what_is_true_of_all_is_true_of_those_whose_answers_are_simulated(launch):
    """Whether a visitor answers or not, the truth beside the estimates stays the truth."""
    names = [row.name for row in demo_network.roster_rows()]
    ties = demo_network.true_ties()
    answered = [name not in demo_network.LEFT for name in names]
    assert answered.count(False) == 2
    reports = rr_engine.networks.NetworkReports.from_matrix(ties, answered)
    found = rr_engine.networks.estimate_network(
        reports, rr_engine.designs.direct(2), directed=False
    )
    truth = demo_network.simulated_truth()[demo_network.TIES]
    counted = {"ties", "two_paths", "triangles", "clustering"}
    assert {name: getattr(found, name).value for name in counted} == {
        name: truth[name] for name in counted
    }
    assert truth["ties"] == np.triu(ties).sum()
    # A pair of 780 that nobody was asked about.
    assert truth["density"] == pytest.approx(found.density.value, rel=2 / 780)


@pytest.mark.slow
def test_a_fill_that_was_interrupted_goes_on_and_leaves_two_links_to_try(launch):
    sent, _left = demo_network.new_links(launch)
    everybody = sorted(sent)
    assert len(everybody) == 38
    answer(launch, everybody[:5])
    left = answer(launch, everybody[5:])
    assert sorted(left) == sorted(demo_network.LEFT)
    assert demo_network.new_links(launch) == ({}, {})
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    content = release_of(launch).content
    # While it is open a batch waits for what comes next.
    assert content.responses == 38 - launch.survey.release_batch
    truth = launch.survey.simulated_truth
    network, applied = content.questions
    for row in network.network.statistics:
        far = abs(row.estimate - truth[demo_network.TIES][row.name])
        assert far < 4 * row.standard_error
    shown = network_view(network, truth[demo_network.TIES])
    assert [row.truth for row in shown.rows][:4] == ["104", "104", "13.3\u00a0%", "5.20"]
    (_no, yes), share = applied.categories, truth[demo_network.APPLIED][1]
    assert abs(yes.estimate - share) < 4 * yes.standard_error


def test_a_demo_that_is_closed_or_no_demo_any_more_is_left_alone(launch):
    assert demo_network.network_demo_launch() == launch
    close_survey(survey=launch.survey, actor=None)
    assert demo_network.network_demo_launch() is None
