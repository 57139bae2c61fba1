"""Cards and searched tables in what happens before and around a launch."""

from decimal import Decimal

import numpy as np
import pytest

import rr_engine
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.planning import coverage as coverage_of_surveys
from surveys.authoring.planning.coverage import simulated_coverage
from surveys.authoring.planning.simulation import (
    simulated_respondents,
    simulated_responses,
    simulated_survey,
)
from surveys.devices.cards import deck_of
from surveys.parameters.exact import design_of
from surveys.services.definitions import clone_survey
from surveys.services.launches import launch_survey, parameters_to_serve
from surveys.services.results import refresh_results
from surveys.services.transitions import close_survey, reopen_survey
from tests.app.author_posts import page, sign_in
from tests.builders import launched, make_survey, owner
from tests.devices import devices_of
from tests.plain import checked, results_document
from tests.released import RICH, answer
from tests.searched import PRIOR, searched_question

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

TEN = [f"answer {number}" for number in range(1, 11)]
CARDS = {"name": "q1", "kind": "single_choice", "options": TEN, "design": "cards"}
DIRECT = RICH[-1]
TRUTH = {"q1": [0.19, 0.17, 0.15, 0.13, 0.11, 0.09, 0.07, 0.05, 0.03, 0.01]}
TRUTH["missed"] = [float(share) for share in PRIOR]


def draft(**values):
    return make_survey(questions=[CARDS, searched_question()], **values)


def test_a_fill_recovers_the_truth_of_cards_and_of_a_searched_table():
    served = parameters_to_serve(survey=draft())
    results = checked(simulated_survey(served.parameters, served.digest, TRUTH, 200_000).results)
    for entry in results["questions"]:
        for row, share in zip(entry["categories"], TRUTH[entry["id"]], strict=True):
            assert abs(row["estimate"] - share) < 5 * row["standard_error"]
            assert row["reported"] is None


@pytest.mark.slow
def test_the_page_of_a_fill_shows_them(client):
    survey = draft()
    values = {"respondents": "1000"}
    for name, shares in TRUTH.items():
        values |= {f"{name}-{index}": f"{100 * share:g}" for index, share in enumerate(shares)}
    response = sign_in(client).post(page(survey, "trial"), values)
    assert response.status_code == 200
    assert "Recovered from 1,000 simulated respondents" in response.text
    assert "None" not in response.text


@pytest.mark.slow
def test_coverage_is_that_of_the_intervals_that_will_be_published(monkeypatch):
    """A searched table is weighed by its guess here too: the mean width says so."""
    # However slow the machine, no question is left out.
    monkeypatch.setattr(coverage_of_surveys, "SECONDS", 600)
    served_parameters = parameters_to_serve(survey=draft())
    coverage = simulated_coverage(served_parameters.parameters, TRUTH, 1000, rng=5)
    for rows in coverage.questions.values():
        for row in rows:
            assert abs(row.covered - 0.95) < 4.5 * max(row.covered_error, 0.008)
    (device,) = [device for device in served_parameters.parameters.devices if device.id == "missed"]
    table = design_of(device.table)
    counts = np.rint(1000 * table.matrix @ TRUTH["missed"]).astype(int)
    ends = rr_engine.estimate(table, counts, prior=TRUTH["missed"]).interval(method="default")
    margins = np.array([row.margin for row in coverage.questions["missed"]])
    assert margins == pytest.approx(np.diff(ends, axis=1)[:, 0] / 2, rel=0.03)


def test_simulated_respondents_draw_cards():
    launch = launched(questions=[{**CARDS, "physical_device": "phone_digits", "epsilon": "1.7"}])
    people = simulated_respondents(launch.parameters, TRUTH, 4000, 3, physical_share=0.5)
    reports = {name: [] for name in ("page", "physical")}
    source = np.random.default_rng(4).bytes
    for person in simulated_responses(launch.parameters, people, random_bytes=source):
        reports[person["strata"]["q1"]].append(person["reports"]["q1"])
    assert max(reports["physical"]) == 9
    assert max(reports["page"]) + 1 == len(devices_of(launch)[0]["reports"]) > 10


def test_a_clone_has_the_same_devices_and_a_reopened_survey_keeps_its_own():
    survey = draft()
    launch = launch_survey(survey=survey, actor=None)
    copy = launch_survey(survey=clone_survey(survey=survey, owner=owner()), actor=None)
    assert devices_of(copy) == devices_of(launch)
    answer(launch, [{"q1": n % 30, "missed": n % 11} for n in range(40)])
    survey.refresh_from_db()
    close_survey(survey=survey, actor=None)
    survey.refresh_from_db()
    reopen_survey(survey=survey, actor=None)
    refresh_results(launch_id=launch.pk)
    assert launch.results.get().content["questions"][0]["n"] == 40


# --- cross-tables before launch -----------------------------------------------------------------


def blocking(*questions, tables):
    survey = make_survey(
        questions=questions, linkage="together", cross_tables=tables, budget=9, planned_n=100_000
    )
    return [finding.message for finding in lint_survey(survey) if finding.blocks]


TWENTY = {**CARDS, "name": "many", "options": [f"answer {n}" for n in range(1, 21)]}


def test_a_table_that_could_not_be_pooled_is_refused_with_the_reason():
    wide = {
        "name": "wide", "kind": "single_choice", "options": TEN, "epsilon": "1.7",
        "physical_device": "phone_digits",
    }  # fmt: skip
    (message,) = blocking(TWENTY, wide, tables=[["many", "wide"]])
    assert "can have 400 combinations of reports at most" in message
    assert "randomized response" in message
    assert message.startswith("Cross-tables: ")


@pytest.mark.slow
@pytest.mark.parametrize(
    "group", [DIRECT, {"name": "size", "epsilon": "1.4", "physical_device": "die"}]
)
@pytest.mark.parametrize("turned", [False, True])
def test_what_passes_has_results(group, turned):
    """Every table that may be launched can be computed: no report, a few, and many."""
    pair = ["q1", "size"][:: -1 if turned else 1]
    assert not blocking(CARDS, group, tables=[pair])
    launch = launched(
        questions=[CARDS, group], linkage="together", cross_tables=[pair], slug="again", budget=9
    )
    sizes = [len(device["reports"]) for device in devices_of(launch)]
    answer(launch, [{"q1": n * n % sizes[0], "size": n % sizes[1]} for n in range(50)])
    refresh_results(launch_id=launch.pk)
    (table,) = launch.results.get().content["tables"]
    assert table["cells"]
    assert np.shape(table["outcome_labels"]) == (len(table["cells"][0]),)
    questions = launch.document["questions"]
    sides = [len(question["categories"]) for question in questions[:: -1 if turned else 1]]
    assert np.shape([[cell["estimate"] for cell in row] for row in table["cells"]]) == tuple(
        sides[::-1]
    )


def test_a_table_of_cards_is_the_kronecker_product_of_its_devices():
    """Against the product written out, and the delta-free variance of each cell."""
    launch = launched(
        questions=[{**CARDS, "options": TEN[:5]}, {"name": "size", "epsilon": "1.4"}],
        linkage="together", cross_tables=[["q1", "size"]],
    )  # fmt: skip
    tables = [
        np.array(device["columns"]).T / device["denominator"] for device in devices_of(launch)
    ]
    product, n = np.kron(*tables), 5000
    truth = np.outer([0.3, 0.25, 0.2, 0.15, 0.1], [0.7, 0.3]).ravel()
    chances = product @ truth
    counts = np.random.default_rng(8).multinomial(n, chances / chances.sum())
    shape = tuple(table.shape[0] for table in tables)
    tallies = {
        ("q1", "page"): counts.reshape(shape).sum(axis=1).tolist(),
        ("size", "page"): counts.reshape(shape).sum(axis=0).tolist(),
        ("q1,size", "page,page"): counts.tolist(),
    }
    (results,) = results_document(launch.parameters, launch.digest, tallies, n)["tables"]
    inverse = np.kron(*(equal_shares(table) for table in tables))
    shares = inverse @ counts / n
    spread = (inverse * (product @ shares)) @ inverse.T - np.outer(shares, shares)
    cells = np.array([[cell["estimate"] for cell in row] for row in results["cells"]])
    errors = np.array([[cell["standard_error"] for cell in row] for row in results["cells"]])
    assert cells.T.ravel() == pytest.approx(shares, abs=1e-9)
    assert errors.T.ravel() == pytest.approx(np.sqrt(np.diag(spread) / (n - 1)), rel=1e-9)
    assert results["independence"]["degrees_of_freedom"] == 4
    # Independent as they were drawn.
    assert results["independence"]["p_value"] > 0.001


def equal_shares(table):
    weighted = table.T / table.mean(axis=1)
    return np.linalg.solve(weighted @ table, weighted)


@pytest.mark.parametrize("size", [*range(3, 17), 30, 60])
def test_where_one_answer_a_card_were_best_a_card_shows_two(size):
    """Pairs tell any number of answers apart: an even ring, which does not, is never needed."""
    deck = deck_of(size, Decimal(8))
    assert deck.subset_size == 2
    assert np.linalg.matrix_rank(deck.matrix) == size
