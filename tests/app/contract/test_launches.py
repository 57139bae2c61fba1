"""The contract from launch to results: the document, the draw, the aggregation, the estimates."""

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
    rows = numbers_of(results)
    shares = shares_of(answers, len(rows))
    assert [row["estimate"] for row in rows] == pytest.approx(shares, abs=1e-9)
    assert [row["label"] for row in rows] == list(parameters.question(QUESTION).categories)
    # A raw share is that of the report which stands for the answer, if there is one.
    assert {row["reported"] is not None for row in rows} == {case.family.names_answers}
