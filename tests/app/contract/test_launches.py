"""The contract from launch to results: the document, the draw, the aggregation, the estimates."""

from itertools import permutations

import jsonschema
import pytest

from surveys.parameters import check, digest_of, read
from surveys.parameters.budget import spent
from surveys.parameters.schema import schema
from surveys.responses import tallies
from tests.app.contract.cases import CODED, EPSILON, QUESTION, covering
from tests.app.contract.draws import every_report, wrong_draws
from tests.app.contract.launches import (
    ROUNDS,
    answers_of,
    devices_of,
    expected_tallies,
    frozen_of,
    launch_of,
    numbers_of,
    send_every_report,
    shares_of,
)
from tests.plain import results_document

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
# By module, so that the tests of a case follow one another and find what the first has frozen.
every_case = pytest.mark.parametrize("case", CODED, ids=str, scope="module")
VALIDATOR = jsonschema.Draft202012Validator(schema())


@pytest.mark.any_database
@every_case
def test_what_is_frozen_passes_the_schema_and_the_servers_check(case):
    launch = frozen_of(case)
    VALIDATOR.validate(launch.document)
    parameters = check(read(launch.document))
    assert parameters == launch.parameters
    assert digest_of(parameters) == launch.digest
    assert spent(parameters.devices) <= EPSILON
    assert {device.family for device in devices_of(case, parameters)} == {case.family.name}


@pytest.mark.any_database
@every_case
def test_the_draw_is_that_of_the_integers(case):
    for device in devices_of(case, frozen_of(case).parameters):
        assert wrong_draws(device.table) == []


@pytest.mark.parametrize("case", covering(CODED), ids=str)
def test_every_report_is_aggregated_into_its_count(case):
    launch = launch_of(case)
    reports = send_every_report(case, launch)
    sent = len(every_report(devices_of(case, launch.parameters)[0].table)) * ROUNDS
    assert tallies.aggregate_waiting(launch.pk) == sent
    _launch, aggregated = tallies.snapshot(launch.pk)
    assert aggregated == reports
    assert aggregated == tallies.recount(launch)


@pytest.mark.any_database
@every_case
def test_estimates_are_unbiased(case):
    """The expected counts yield the true shares, refusals included."""
    parameters = frozen_of(case).parameters
    answers = answers_of(case, parameters.question(QUESTION))
    tallies = expected_tallies(case, parameters, answers)
    results = results_document(parameters, "", tallies, len(answers))
    scale = parameters.question(QUESTION).whole_scale
    if scale is not None:
        values = [float(scale.value(int(step))) for step in answers]
        mean = results["questions"][0]["number"]["mean"]["estimate"]
        assert mean == pytest.approx(sum(values) / len(values), abs=1e-9)
        return
    ranking = results["questions"][0].get("ranking")
    if ranking:
        _means_are_those_of(ranking, parameters.question(QUESTION), answers)
        return
    rows = numbers_of(results)
    shares = shares_of(answers, len(rows))
    assert [row["estimate"] for row in rows] == pytest.approx(shares, abs=1e-9)
    assert [row["label"] for row in rows] == list(parameters.question(QUESTION).categories)
    # A raw share is that of the report which stands for the answer, if there is one.
    assert {row["reported"] is not None for row in rows} == {case.family.names_answers}


def _means_are_those_of(ranking, question, answers):
    """Mean ranks of those who rank, shares of ranks and of whole orders, and the refusals.

    Pairs are in tests/app/test_rankings.py: of so many people their errors vanish.
    """
    orders = list(permutations(range(question.answer_count)))
    ranked = [orders[answer] for answer in answers if answer < len(orders)]
    for item, row in enumerate(ranking["means"]):
        ranks = [order.index(item) + 1 for order in ranked]
        assert row["label"] == question.categories[item]
        assert row["estimate"] == pytest.approx(sum(ranks) / len(ranks), abs=1e-7)
        of_item = [row for row in ranking["shares"] if row["item"] == item]
        shares = [ranks.count(row["rank"]) / len(answers) for row in of_item]
        assert [row["estimate"] for row in of_item] == pytest.approx(shares, abs=1e-7)
    for row in ranking["orders"]:
        share = ranked.count(tuple(row["order"])) / len(answers)
        assert row["estimate"] == pytest.approx(share, abs=1e-7)
    assert (ranking["refusal"] is not None) == question.prefer_not
    if question.prefer_not:
        share = 1 - len(ranked) / len(answers)
        assert ranking["refusal"]["estimate"] == pytest.approx(share, abs=1e-7)
