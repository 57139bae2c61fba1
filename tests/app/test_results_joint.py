"""The results of question groups: pairs, the joint table, and what of them is released."""

import json
from decimal import Decimal
from itertools import product

import numpy as np
import pytest
from django.urls import reverse

import rr_engine
from surveys.authoring.planning.simulation import simulated_survey
from surveys.parameters import joint_of_all
from surveys.parameters.joint import channel_of_joint
from surveys.results.joint_questions.estimates import LARGEST_LISTED, MOST_LISTED
from surveys.results.release import release_of
from surveys.results_document.document import FORMAT, read_results
from surveys.services.results import refresh_results
from tests.builders import launched
from tests.plain import checked, content_of, results_document
from tests.released import WITH_GROUP, answer, as_researcher, grouped_rows, released, with_groups

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

QUESTIONS = ["drug", "drink", "stress"]
SHAPE = (2, 3, 4)


@pytest.fixture
def launch():
    return launched(questions=WITH_GROUP, budget=Decimal(6), release_threshold=20)


def tallies_of(launch, cells):
    """The tallies of the group with this table of reports, and of its questions."""
    (device,) = joint_of_all(launch.parameters)
    tallies = {device.key: np.ravel(cells).tolist()}
    for axis, name in enumerate(device.questions):
        others = tuple(other for other in range(cells.ndim) if other != axis)
        tallies[name, "page"] = cells.sum(axis=others).tolist()
    return tallies


def results_of(launch, cells):
    n = int(cells.sum())
    return results_document(launch.parameters, launch.digest, tallies_of(launch, cells), n)


def simulated_cells(launch, shares, n, seed):
    (device,) = joint_of_all(launch.parameters)
    generator = np.random.default_rng(seed)
    channel = channel_of_joint(device.table)
    return rr_engine.simulate_counts(channel, np.ravel(shares), n, generator).reshape(SHAPE)


def dense(launch):
    """The whole table of a group from its weights, one by one: a row a report, a column a truth."""
    (device,) = joint_of_all(launch.parameters)
    tuples = list(product(*map(range, device.table.shape)))
    changed = [[sum(a != b for a, b in zip(r, t, strict=True)) for t in tuples] for r in tuples]
    return np.array(device.table.weights)[changed] / device.table.denominator


# --- numbers ------------------------------------------------------------------------------------


def test_a_group_says_what_it_is(launch):
    (group,) = results_of(launch, np.full(SHAPE, 10))["groups"]
    (device,) = joint_of_all(launch.parameters)
    assert group["id"] == "group_2"
    assert group["questions"] == QUESTIONS
    assert (group["epsilon"], group["family"]) == ("3.9", device.family)
    assert group["table"]["weights"] == list(device.table.weights)
    assert (group["combinations"], group["n"], group["suppressed"]) == (24, 240, 0)
    assert [pair["id"] for pair in group["pairs"]] == ["drug,drink", "drug,stress", "drink,stress"]


def test_the_joint_table_is_that_of_the_dense_matrix(launch):
    """Estimates, errors and likeliest shares against plain linear algebra on 24 by 24 cells."""
    cells = simulated_cells(launch, np.random.default_rng(5).dirichlet(np.ones(24)), 4_000, 6)
    (group,) = results_of(launch, cells)["groups"]
    matrix, n = dense(launch), cells.sum()
    inverse, reported = np.linalg.inv(matrix), cells.ravel() / n
    estimate = inverse @ reported
    covariance = inverse @ (np.diag(reported) - np.outer(reported, reported)) @ inverse.T / (n - 1)
    numbers = {tuple(row["codes"]): row for row in group["cells"]}
    assert len(numbers) == 24
    for index, codes in enumerate(product(*map(range, SHAPE))):
        row = numbers[codes]
        assert row["estimate"] == pytest.approx(estimate[index], abs=1e-12)
        error = covariance[index, index] ** 0.5
        assert row["standard_error"] == pytest.approx(error, rel=1e-9)
        assert row["reported"] == cells.ravel()[index]
    design = rr_engine.DesignMatrix(matrix)
    likeliest = rr_engine.estimate(design, cells.ravel(), method="mle").proportions
    found = [numbers[codes]["maximum_likelihood"] for codes in product(*map(range, SHAPE))]
    assert found == pytest.approx(likeliest.tolist(), abs=1e-6)


def test_combinations_come_with_most_people_first(launch):
    (group,) = results_of(launch, simulated_cells(launch, np.arange(24) / 276, 900, 8))["groups"]
    estimates = [row["estimate"] for row in group["cells"]]
    assert estimates == sorted(estimates, reverse=True)
    reaching_zero = sum(row["interval"][0] <= 0 for row in group["cells"])
    assert group["not_above_zero"] == reaching_zero
    assert 0 < reaching_zero < 24


def test_pairs_and_questions_are_margins_of_the_joint_table(launch):
    """The sums of a reader in the joint table are what stands in the pairs and questions."""
    cells = simulated_cells(launch, np.full(24, 1 / 24), 3_000, 9)
    document = results_of(launch, cells)
    (group,) = document["groups"]
    joint = np.zeros(SHAPE)
    for row in group["cells"]:
        joint[tuple(row["codes"])] = row["estimate"]
    for pair, dropped in zip(group["pairs"], (2, 1, 0), strict=True):
        shares = np.array([[cell["estimate"] for cell in row] for row in pair["cells"]])
        assert shares == pytest.approx(joint.sum(axis=dropped).T, abs=1e-12)
    for axis, name in enumerate(QUESTIONS):
        question = next(entry for entry in document["questions"] if entry["id"] == name)
        margin = joint.sum(axis=tuple(other for other in range(3) if other != axis))
        shares = [row["estimate"] for row in question["categories"]]
        assert shares == pytest.approx(margin.tolist(), abs=1e-12)
        assert question["in_group"] == "group_2"
    assert document["questions"][0]["in_group"] is None


def test_a_pair_has_the_errors_of_its_covariance(launch):
    """The dense covariance of the joint table, added up over the third question."""
    cells = simulated_cells(launch, np.random.default_rng(2).dirichlet(np.ones(24)), 2_000, 3)
    pair = results_of(launch, cells)["groups"][0]["pairs"][0]
    inverse, n = np.linalg.inv(dense(launch)), cells.sum()
    reported = cells.ravel() / n
    covariance = inverse @ (np.diag(reported) - np.outer(reported, reported)) @ inverse.T / (n - 1)
    for drug, drink in product(range(2), range(3)):
        contrast = np.zeros(SHAPE)
        contrast[drug, drink] = 1
        error = (contrast.ravel() @ covariance @ contrast.ravel()) ** 0.5
        assert pair["cells"][drink][drug]["standard_error"] == pytest.approx(error, rel=1e-9)


def test_association_is_found_where_it_is_and_nowhere_else(launch):
    """Drug and drink go together; stress goes with neither."""
    together = np.array([[0.5, 0.1, 0.05], [0.02, 0.08, 0.25]])
    shares = np.multiply.outer(together, [0.3, 0.3, 0.3, 0.1])
    group = results_of(launch, simulated_cells(launch, shares, 6_000, 4))["groups"][0]
    first, *others = group["pairs"]
    margins = together.sum(axis=1), together.sum(axis=0)
    expected = np.multiply.outer(*margins)
    truth = ((together - expected) ** 2 / expected).sum() ** 0.5
    assert first["independence"]["p_value"] < 1e-6
    strength = first["association"]["cramers_v"]
    assert strength["interval"][0] < truth < strength["interval"][1]
    for pair in others:
        assert pair["independence"]["p_value"] > 0.01


def test_a_rare_combination_is_estimated_without_bias(launch):
    """Over all 24 combinations of one person: the estimate of their combination is right."""
    matrix, inverse = dense(launch), np.linalg.inv(dense(launch))
    assert inverse @ matrix == pytest.approx(np.eye(24), abs=1e-12)
    (device,) = joint_of_all(launch.parameters)
    channel = channel_of_joint(device.table)
    for truth in (0, 7, 23):
        estimates = [
            rr_engine.estimate_joint([channel], np.eye(24, dtype=int)[report].reshape(SHAPE))
            for report in range(24)
        ]
        mean = sum(
            chance * joint.proportions.ravel()
            for chance, joint in zip(matrix[:, truth], estimates, strict=True)
        )
        assert mean == pytest.approx(np.eye(24)[truth], abs=1e-9)


# --- large groups -------------------------------------------------------------------------------

# As in Adult: 30,240 combinations.
SIZES = (9, 16, 5, 42)


def large_launch():
    questions = [
        {
            "kind": "single_choice",
            "options": [f"{place}.{answer}" for answer in range(size)],
            "group": 1,
            "epsilon": Decimal(1),
        }
        for place, size in enumerate(SIZES)
    ]
    return launched(questions=questions, budget=Decimal(4), planned_n=40_000)


def test_a_large_group_lists_the_largest_and_stays_small():
    launch = large_launch()
    truth = {f"q{place}": [1 / size] * size for place, size in enumerate(SIZES, start=1)}
    results = checked(
        simulated_survey(launch.parameters, launch.digest, truth, 20_000, seed=1).results
    )
    (group,) = results["groups"]
    assert group["combinations"] == 30_240 > MOST_LISTED
    assert len(group["cells"]) == LARGEST_LISTED
    assert "largest_only" in group["notes"]
    assert group["not_above_zero"] > 25_000
    assert all(row["maximum_likelihood"] is None for row in group["cells"])
    assert len(group["pairs"]) == 6
    # The largest pair has 672 cells.
    assert len(json.dumps(results)) < 1_500_000


# --- what is released ---------------------------------------------------------------------------


def test_too_few_people_are_a_number_and_nothing_else(launch):
    cells = np.zeros(SHAPE, dtype=int)
    cells[0, 1, :] = [4, 5, 5, 5]
    document = results_of(launch, cells)
    (group,) = document["groups"]
    assert (group["n"], group["suppressed"]) == (0, 19)
    assert (group["pairs"], group["cells"]) == ([], [])
    assert group["notes"] == ["group_below_threshold"]
    assert "not_above_zero" not in group
    cells[0, 1, 0] += 1
    assert results_of(launch, cells)["groups"][0]["n"] == 20


def test_a_group_without_reports_says_so(launch):
    (group,) = results_document(launch.parameters, launch.digest, {}, 0)["groups"]
    assert group["notes"] == ["no_reports"]
    assert group["cells"] == []


def test_the_threshold_is_applied_again_at_the_release():
    """A result that forgot the threshold shows no more of a group than its number."""
    launch = with_groups(40)
    result = launch.results.get()
    (group,) = result.content["groups"]
    assert group["n"] == 40
    group["n"] = 7
    result.save()
    (group,) = content_of(launch)["groups"]
    assert (group["n"], group["suppressed"]) == (0, 7)
    assert (group["pairs"], group["cells"]) == ([], [])
    assert "not_above_zero" not in group
    assert ("", "group_2", "page") in release_of(launch).suppressed


def optional_group():
    return [{**question, "required": "group" not in question} for question in WITH_GROUP]


def partly_answered(count, of_the_group):
    rows = [{"team": number % 2, "shift": 0} for number in range(count)]
    for number, row in enumerate(rows[:of_the_group]):
        row["group_2"] = [number % 2, number % 3, number % 4]
    return rows


@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_reports_of_a_group_that_few_answered_are_in_no_file(client, linkage):
    launch = released(
        partly_answered(60, 13),
        questions=optional_group(),
        budget=Decimal(6),
        linkage=linkage,
        release_threshold=20,
        results_public=True,
    )
    document = client.get(reverse("results-json", args=["health"])).json()
    (group,) = document["groups"]
    assert (group["n"], group["suppressed"], group["cells"]) == (0, 13, [])
    as_researcher(client, launch)
    for name in ("reports-csv", "combinations-csv", "estimates-csv"):
        text = client.get(reverse(name, args=["health"])).getvalue().decode()
        assert "group_2" not in text
        assert "stress" not in text or name == "estimates-csv"
    assert launch.results.get().content["groups"][0]["pairs"] == []


def test_two_releases_differ_by_a_batch_or_not_at_all():
    """A group's results change with the batch alone, as all results do."""
    launch = with_groups(40, release_batch=10)
    sizes = [content_of(launch)["groups"][0]["n"]]
    for _ in range(6):
        before = content_of(launch)["groups"]
        answer(launch, grouped_rows(4))
        refresh_results(launch_id=launch.pk)
        after = content_of(launch)["groups"]
        sizes.append(after[0]["n"])
        assert before == after or sizes[-1] - sizes[-2] >= 10
    assert sizes[-1] > sizes[0]


def test_results_of_an_earlier_format_are_not_shown():
    launch = with_groups(40)
    result = launch.results.get()
    assert result.content["format"] == FORMAT == 13
    assert len(read_results(result.content).all_tables) == 3
    result.content["format"] = 7
    result.save()
    assert content_of(launch) is None
