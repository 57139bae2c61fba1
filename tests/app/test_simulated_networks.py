"""A test fill of a survey by personal link: whole networks, and what comes of their reports."""

from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

from surveys.admin.pages.planning import trial
from surveys.authoring.planning.recovery_rates import recovery_of
from surveys.authoring.planning.simulation import (
    simulated_respondents,
    simulated_responses,
    simulated_survey,
)
from surveys.forms.planning.trial import TrialForm
from surveys.kinds.drawn_networks import drawn_network, without_oneself
from surveys.kinds.network_estimates import network_estimates
from surveys.models import Result, Submission, Tally
from surveys.parameters import Ties
from surveys.responses.spaces import space_of
from surveys.services.launches import parameters_to_serve
from tests.app.author_posts import page, sign_in
from tests.plain import checked
from tests.rosters import network_survey, roster_rows

pytestmark = pytest.mark.slow

TRUTH = {"friends": [0.2], "lends": [0.15, 0.6], "smokes": [0.7, 0.3]}


def parameters_of(members=40):
    return parameters_to_serve(survey=network_survey(roster_rows(members))).parameters


@pytest.mark.parametrize("returned", [0.1, 0.5, 1.0])
def test_a_directed_network_has_its_density_and_reciprocity(returned):
    ties = drawn_network(400, 0.2, returned, np.random.default_rng(1))
    assert not ties.diagonal().any()
    pairs = 400 * 399
    assert ties.sum() / pairs == pytest.approx(0.2, abs=0.005)
    assert (ties & ties.T).sum() / ties.sum() == pytest.approx(returned, abs=0.02)


def test_an_undirected_network_has_its_density():
    ties = drawn_network(400, 0.2, None, np.random.default_rng(1))
    assert (ties == ties.T).all()
    assert not ties.diagonal().any()
    assert ties.sum() / (400 * 399) == pytest.approx(0.2, abs=0.005)


def test_an_answer_leaves_out_its_own_place():
    ties = np.array([[0, 1, 0], [1, 0, 1], [0, 0, 0]], dtype=bool)
    assert without_oneself(ties).tolist() == [[1, 0], [1, 1], [0, 0]]


@pytest.mark.django_db
def test_the_same_seed_fills_the_same_survey():
    parameters = parameters_of()
    first, again, other = (
        checked(simulated_survey(parameters, "", TRUTH, 30, seed=seed).results)
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


@pytest.mark.django_db
def test_results_are_those_of_the_drawn_reports():
    """The numbers are computed from the tally as those of real responses are."""
    parameters = parameters_of()
    filled = simulated_survey(parameters, "", TRUTH, 30, seed=5)
    for name, members in (("friends", False), ("lends", True)):
        network = filled.networks[name]
        assert network.directed is members
        assert network.answered.sum() == 30
        question = parameters.question(name)
        (found,) = [each.network for each in filled.results.questions if each.id == name]
        assert found.reporters == 30
        assert found.missing == 10
        assert found.directed is bool(question.directed)
    friends, lends = (filled.networks[name].answered for name in ("friends", "lends"))
    assert (friends == lends).all()


@pytest.mark.django_db
def test_estimates_are_about_the_true_network_that_is_shown_beside_them():
    """Through a device that next to never changes a bit they are the true values."""
    parameters = parameters_of()
    devices = [
        msgspec.structs.replace(device, table=unscrambled(device.table))
        if isinstance(device.table, Ties)
        else device
        for device in parameters.devices
    ]
    parameters = msgspec.structs.replace(parameters, devices=tuple(devices))
    filled = simulated_survey(parameters, "", TRUTH, 32, seed=11)
    for question in filled.results.questions[:2]:
        truths = filled.networks[question.id].truths()
        for row in question.network.statistics:
            expected = float(getattr(truths, row.name).value)
            assert row.estimate == pytest.approx(expected, rel=1e-4), row.name


def unscrambled(table):
    return msgspec.structs.replace(table, one=table.denominator - 1, zero=1)


@pytest.mark.django_db
def test_reports_of_respondents_fit_the_space_and_give_the_same_network():
    """Simulated members' reports are counted as the server counts them."""
    parameters = parameters_of(30)
    respondents = simulated_respondents(parameters, TRUTH, 30, seed=3)
    responses = simulated_responses(
        parameters, respondents, random_bytes=np.random.default_rng(4).bytes
    )
    question = parameters.question("lends")
    (device,) = parameters.devices_of(question)
    space = space_of(device)
    reports = [response["reports"]["lends"] for response in responses]
    assert all(space.check(report) is None for report in reports)
    rows = space.rows(space.count(enumerate(reports)))
    network, _notes = network_estimates(question, parameters.members, device.table, rows)
    answers = respondents.answers["lends"]
    assert answers.shape == (30, 29)
    (ties,) = [row for row in network.statistics if row.name == "ties"]
    assert abs(ties.estimate - answers.sum()) < 4 * ties.standard_error


@pytest.mark.django_db
def test_respondents_of_a_roster_are_its_members():
    with pytest.raises(ValueError, match="n must be 12, the members of the survey, not 11"):
        simulated_respondents(parameters_of(12), TRUTH, 11, seed=1)


# --- the page -----------------------------------------------------------------------------------


def fill(client, survey, **values):
    data = {
        "respondents": "30",
        "friends-ties": "6",
        "lends-ties": "5",
        "lends-returned": "40",
        "smokes-0": "70",
        "smokes-1": "30",
        **values,
    }
    return sign_in(client).post(page(survey, "trial"), data)


@pytest.mark.django_db
def test_a_fill_shows_every_statistic_beside_the_simulated_one_and_stores_nothing(client):
    response = fill(client, network_survey(roster_rows(40), planned_n=40))
    recovery = response.context["recovery"]
    friends, lends, smokes = recovery.blocks
    assert [row.label for row in friends.network] == [
        *("Ties", "Density", "Mean degree", "Triangles", "Clustering coefficient"),
    ]
    assert "Reciprocity" in [row.label for row in lends.network]
    assert smokes.network == []
    assert len(smokes.rows) == 2
    assert recovery.intervals == len(friends.network) + len(lends.network) + 2
    assert "Recovered from 30 simulated respondents" in response.text
    for model in (Submission, Tally, Result):
        assert not model.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("values", "field", "says"),
    [
        ({"respondents": "41"}, "respondents", "less than or equal to 40"),
        ({"respondents": "4"}, "respondents", "greater than or equal to 5"),
        ({"lends-ties": "40"}, "lends-ties", "less than or equal to 39"),
        ({"lends-ties": ""}, "lends-ties", "required"),
        ({"lends-ties": "-1"}, "lends-ties", "greater than or equal to 0"),
        ({"lends-returned": "101"}, "lends-returned", "less than or equal to 100"),
        ({"lends-ties": "30", "lends-returned": "20"}, "lends-returned", "at least 70.0\u00a0%"),
        ({"friends-ties": "x"}, "friends-ties", "number"),
    ],
)
def test_a_network_that_cannot_be_is_refused_at_its_field(client, values, field, says):
    response = fill(client, network_survey(roster_rows(40)), **values)
    assert says in " ".join(response.context["form"].errors[field])
    assert response.context["recovery"] is None


@pytest.mark.django_db
def test_the_fields_begin_with_what_the_author_expects(client):
    survey = network_survey(roster_rows(12), planned_n=9)
    question = survey.questions.get(name="lends")
    question.design_parameters = {"expected_ties": "3.5"}
    question.save()
    form = sign_in(client).get(page(survey, "trial")).context["form"]
    assert form["lends-ties"].value() == pytest.approx(3.5)
    assert form["lends-returned"].value() == 50
    assert form["friends-ties"].value() == 5
    assert form["respondents"].value() == 9
    assert form.fields["respondents"].label == "Members who answer"


@pytest.mark.django_db
@pytest.mark.parametrize("ties", ["0", "39"])
def test_nobody_and_everybody_tied_can_be_filled(client, ties):
    values = {"friends-ties": ties, "lends-ties": ties, "lends-returned": "100"}
    response = fill(client, network_survey(roster_rows(40)), **values)
    assert response.context["recovery"] is not None


@pytest.mark.django_db
def test_a_fill_that_would_take_too_long_is_refused_with_both_numbers(client, monkeypatch):
    monkeypatch.setattr(trial, "MOST_NAMES", 2 * 12 * 11 - 1)
    survey = network_survey(roster_rows(12))
    response = sign_in(client).get(page(survey, "trial"), follow=True)
    assert response.redirect_chain == [(page(survey), 302)]
    assert "up to 263 names are ticked or not" in response.text
    assert "in this one 264 are" in response.text


def test_the_recovery_of_other_surveys_has_no_networks():
    results = SimpleNamespace(responses=3, questions=())
    assert recovery_of(results, {}).blocks == []
    assert TrialForm.base_fields["respondents"].max_value == 1_000_000
