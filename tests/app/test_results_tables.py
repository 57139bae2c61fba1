"""Declared cross-tables: their numbers, and what of them is released."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import chi2_contingency

import rr_engine
from surveys.engine_bridge import results_document
from surveys.engine_bridge.merging import merging
from tests.builders import launched

pytestmark = pytest.mark.django_db

GROUPS = {"kind": "single_choice", "options": ["a", "b", "c"], "name": "size", "randomized": False}
COUNTS = [[90, 80, 70], [30, 60, 90]]


def crossed(outcome=None, group=None, **values):
    values = {"linkage": "together", "cross_tables": [["drug", "size"]], **values}
    questions = [{"name": "drug", **(outcome or {})}, {**GROUPS, **(group or {})}]
    return launched(questions=questions, **values)


def table_of(launch, counts, stratum="page,page", **more):
    flat = {("drug,size", stratum): np.ravel(counts).tolist()} | more
    document = results_document(launch.parameters, launch.digest, flat, 10_000)
    (table,) = document["tables"]
    return table


def designs_of(launch):
    return [
        rr_engine.DesignMatrix.from_integers(
            list(zip(*device["columns"], strict=True)), device["denominator"]
        )
        for device in launch.parameters["devices"]
    ]


def values(cells, key="estimate"):
    return [[cell[key] for cell in row] for row in cells]


# --- numbers ------------------------------------------------------------------------------------


def test_a_table_of_two_direct_questions_is_the_table_of_the_answers():
    """Plain statistics: shares, binomial errors and Pearson's test, as SciPy has it."""
    table = table_of(crossed({"randomized": False}), COUNTS)
    counts = np.array(COUNTS)
    n, sizes = counts.sum(), counts.sum(axis=0)
    assert table["n"] == n == 420
    assert values(table["cells"]) == (counts.T / n).tolist()
    assert np.array(values(table["conditional"])) == pytest.approx((counts / sizes).T)
    within = np.sqrt((counts / sizes) * (1 - counts / sizes) / sizes).T
    # The delta method divides by n - 1 where the shares of a group are not fixed: 1 in 840.
    assert np.array(values(table["conditional"], "standard_error")) == pytest.approx(
        within, rel=2e-3
    )
    assert [row["estimate"] for row in table["margins"]["group"]] == (sizes / n).tolist()
    test = chi2_contingency(counts, correction=False)
    assert table["independence"]["statistic"] == pytest.approx(test.statistic)
    assert table["independence"]["p_value"] == pytest.approx(test.pvalue)
    assert table["independence"]["degrees_of_freedom"] == test.dof == 2
    chi_square = table["association"]["chi_square"]["value"]
    assert chi_square == pytest.approx(test.statistic)
    # Bergsma's correction of the square: what chance adds, (rows - 1)(columns - 1)/(n - 1).
    corrected = (test.statistic / n - 2 / (n - 1)) ** 0.5
    assert table["association"]["cramers_v"]["value"] == pytest.approx(corrected, rel=1e-2)


def test_a_scrambled_outcome_is_estimated_within_the_groups():
    launch = crossed()
    table = table_of(launch, COUNTS)
    joint = rr_engine.estimate_joint(designs_of(launch), COUNTS)
    assert values(table["cells"]) == joint.proportions.T.tolist()
    assert values(table["cells"], "standard_error") == joint.standard_errors.T.tolist()
    shares = joint.conditional(0, 1)
    assert values(table["conditional"]) == shares.values.tolist()
    assert values(table["conditional"], "interval") == shares.interval(0.95, "default").tolist()
    # Within one group the reports alone say the same: the question asked in that group only.
    for group in range(3):
        alone = rr_engine.estimate(designs_of(launch)[0], np.array(COUNTS)[:, group])
        assert values(table["conditional"])[group] == pytest.approx(alone.proportions.tolist())


def test_differences_are_those_of_the_conditional_shares():
    launch = crossed()
    table = table_of(launch, COUNTS)
    assert len(table["differences"]) == 2 * 3
    for entry in table["differences"]:
        first, second = (
            table["conditional"][group][entry["outcome"]]["estimate"] for group in entry["groups"]
        )
        assert entry["value"] == pytest.approx(first - second)
        errors = [
            table["conditional"][group][entry["outcome"]]["standard_error"]
            for group in entry["groups"]
        ]
        # Groups of a direct question hold different people, whose errors have no covariance.
        assert entry["standard_error"] == pytest.approx(np.hypot(*errors), rel=1e-6)


def test_constrained_cells_stay_between_0_and_1():
    table = table_of(crossed(), [[5, 40, 60], [60, 5, 30]])
    free, constrained = values(table["cells"]), values(table["cells"], "constrained")
    assert np.min(free) < 0 <= np.min(constrained)
    assert np.sum(constrained) == pytest.approx(1)
    assert "outside_range" in table["notes"]


@pytest.mark.parametrize("refusal", [False, True])
def test_a_scale_has_a_mean_within_each_group(refusal):
    """Of direct answers the plain mean, and its standard error with the group's size below."""
    options = {"kind": "scale", "options": ["low", "middle", "high"], "randomized": False}
    launch = crossed({**options, "prefer_not": refusal})
    counts = np.array([[30, 20, 5], [30, 40, 20], [20, 40, 60], *([[7, 8, 9]] if refusal else [])])
    table = table_of(launch, counts)
    for group, mean in enumerate(table["means"]):
        scores = np.repeat([1, 2, 3], counts[:3, group])
        assert mean["value"] == pytest.approx(scores.mean())
        assert mean["standard_error"] == pytest.approx(scores.std() / len(scores) ** 0.5, rel=5e-3)
    assert table_of(crossed(slug="no-scale"), COUNTS)["means"] is None


def test_two_by_two_has_an_odds_ratio_and_ordered_answers_a_correlation():
    direct = {"randomized": False}
    group = {"kind": "yes_no", "options": [], **direct}
    table = table_of(crossed(direct, group), [[60, 20], [30, 40]])
    association = table["association"]
    assert association["odds_ratio"]["value"] == pytest.approx(60 * 40 / (20 * 30))
    rows = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [60, 20, 30, 40], axis=0)
    correlation = np.corrcoef(rows.T)[0, 1]
    assert association["pearson_correlation"]["value"] == pytest.approx(correlation)
    other = table_of(crossed(direct, slug="unordered"), COUNTS)["association"]
    assert {"odds_ratio", "pearson_correlation"}.isdisjoint(other)


def test_people_with_a_device_of_their_own_are_pooled_into_the_table():
    own = {"epsilon": "1.4", "prefer_not": True, "own_device": "die"}
    launch = crossed(own)
    page = [[60, 50, 40], [30, 40, 50], [20, 20, 20]]
    mine = [[12, 10, 8], [6, 8, 10], [4, 4, 4]]
    more = {("drug,size", "own,page"): np.ravel(mine).tolist()}
    flat = {("drug,size", "page,page"): np.ravel(page).tolist()} | more
    (table,) = results_document(launch.parameters, launch.digest, flat, 400)["tables"]
    assert table["n"] == np.sum(page) + np.sum(mine)
    first, second, groups = designs_of(launch)
    pooled = rr_engine.estimate_joint_strata([(first, groups), (second, groups)], [page, mine])
    assert values(table["cells"]) == pooled.proportions.T.tolist()


def test_a_whole_group_has_no_sampling_error():
    table = table_of(crossed({"randomized": False}, population="fixed"), COUNTS)
    assert np.max(values(table["cells"], "standard_error")) == pytest.approx(0, abs=1e-9)


# --- what is released ---------------------------------------------------------------------------


def test_a_table_of_fewer_people_than_the_threshold_has_no_cells():
    table = table_of(crossed(release_threshold=20), [[3, 3, 3], [3, 3, 4]])
    assert table["cells"] == []
    assert (table["n"], table["withheld"]) == (0, 19)
    assert table["notes"] == ["table_below_threshold"]
    assert "conditional" not in table


def test_a_table_without_people_says_so():
    table = table_of(crossed(release_threshold=20), [[0] * 3] * 2)
    assert table["notes"] == ["no_reports"]


def test_a_stratum_of_too_few_stays_out():
    own = {"epsilon": "1.4", "prefer_not": True, "own_device": "die"}
    launch = crossed(own, release_threshold=20)
    page = [[60, 50, 40], [30, 40, 50], [20, 20, 20]]
    few = {("drug,size", "own,page"): [1] * 9}
    without = table_of(launch, page)
    flat = {("drug,size", "page,page"): np.ravel(page).tolist()} | few
    (with_few,) = results_document(launch.parameters, launch.digest, flat, 400)["tables"]
    assert with_few["cells"] == without["cells"]
    assert with_few["withheld"] == 9
    assert "stratum_withheld" in with_few["notes"]


def test_groups_of_too_few_people_are_shown_together():
    table = table_of(crossed(release_threshold=20), [[90, 80, 6], [30, 60, 4]])
    # c has 10 people; with a, the smallest other group, it has enough.
    assert table["group_labels"] == ["a + c", "b"]
    assert "groups_merged" in table["notes"]
    together = table_of(crossed({}, slug="two"), [[96, 80, 0], [34, 60, 0]])
    assert values(table["cells"]) == values(together["cells"])
    assert together["group_labels"] == ["a", "b"]
    assert "groups_empty" in together["notes"]


def test_one_group_is_no_comparison():
    table = table_of(crossed(release_threshold=20), [[90, 5, 0], [30, 5, 0]])
    assert table["cells"] == []
    assert table["notes"] == ["table_one_group"]


def test_no_group_that_is_shown_has_fewer_people_than_the_threshold():
    """All 4,096 ways to put 0 to 7 people into four groups, with a threshold of 3.

    Then nothing that is shown, nor the whole less what is shown, is about one or two people.
    """
    for sizes in product(range(8), repeat=4):
        if sum(sizes) < 3:
            continue
        shown = merging([sizes], 3)
        assert sorted(index for group in shown for index in group) == [
            index for index in range(4) if sizes[index]
        ]
        assert all(sum(sizes[index] for index in group) >= 3 for group in shown)
        # No group of enough people is put together with others without need.
        alone = [group[0] for group in shown if len(group) == 1]
        small = [index for index in range(4) if 0 < sizes[index] < 3]
        joined = [index for index in range(4) if sizes[index] >= 3 and index not in alone]
        assert len(joined) <= (1 if small else 0)


def test_scrambled_groups_are_not_merged_because_nobody_is_known_to_be_in_one():
    launch = crossed(group={"randomized": True}, release_threshold=20)
    table = table_of(launch, [[90, 80, 6], [30, 60, 4]])
    assert table["group_labels"] == ["a", "b", "c"]


def test_a_table_that_was_not_declared_is_not_there():
    launch = crossed(cross_tables=[])
    document = results_document(
        launch.parameters, launch.digest, {("drug,size", "page,page"): [9] * 6}, 54
    )
    assert document["tables"] == []


def test_answers_that_are_kept_apart_have_no_tables():
    launch = crossed()
    apart = {**launch.parameters, "linkage": "apart"}
    assert results_document(apart, launch.digest, {}, 0)["tables"] == []
