"""Declared cross-tables: their numbers, and what of them is released."""

from itertools import chain, product

import numpy as np
import pytest
from django.urls import reverse
from msgspec.structs import replace
from scipy.stats import binomtest, chi2_contingency

import rr_engine
from surveys.results.tables.known_groups import (
    differences_between,
    shares_within,
)
from surveys.results.tables.recoding import recoding
from tests.builders import launched
from tests.devices import devices_of
from tests.plain import results_document
from tests.released import released

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

GROUPS = {"kind": "single_choice", "options": ["a", "b", "c"], "name": "size", "randomized": False}
COUNTS = [[90, 80, 70], [30, 60, 90]]


def launch_with_table(outcome=None, group=None, **values):
    values = {"linkage": "together", "cross_tables": [["drug", "size"]], **values}
    questions = [{"name": "drug", **(outcome or {})}, {**GROUPS, **(group or {})}]
    return launched(questions=questions, **values)


def table_of(launch, counts, stratum="page,page", **other_counts):
    flat = {("drug,size", stratum): np.ravel(counts).tolist()} | other_counts
    document = results_document(launch.parameters, launch.digest, flat, 10_000)
    (table,) = document["tables"]
    return table


def designs_of(launch):
    return [
        rr_engine.DesignMatrix.from_integers(
            list(zip(*device["columns"], strict=True)), device["denominator"]
        )
        for device in devices_of(launch)
    ]


def values(cells, key="estimate"):
    return [[cell[key] for cell in row] for row in cells]


# --- numbers ------------------------------------------------------------------------------------


def test_a_table_of_two_direct_questions_is_the_table_of_the_answers():
    """Plain statistics: shares, binomial errors and Pearson's test, as SciPy has it."""
    table = table_of(launch_with_table({"randomized": False}), COUNTS)
    counts = np.array(COUNTS)
    n, sizes = counts.sum(), counts.sum(axis=0)
    assert table["n"] == n == 420
    assert values(table["cells"]) == (counts.T / n).tolist()
    assert np.array(values(table["conditional"])) == pytest.approx((counts / sizes).T)
    # With n - 1 below, as everywhere for a sample.
    standard_errors = np.sqrt((counts / sizes) * (1 - counts / sizes) / (sizes - 1)).T
    assert np.array(values(table["conditional"], "standard_error")) == pytest.approx(
        standard_errors
    )
    assert [row["estimate"] for row in table["margins"]["group"]] == (sizes / n).tolist()
    test = chi2_contingency(counts, correction=False)
    assert table["independence"]["statistic"] == pytest.approx(test.statistic)
    assert table["independence"]["p_value"] == pytest.approx(test.pvalue)
    assert table["independence"]["degrees_of_freedom"] == test.dof == 2
    # Bergsma's correction of the square: what chance adds, (rows - 1)(columns - 1)/(n - 1).
    chi_square = table["association"]["chi_square"]["value"]
    assert chi_square == pytest.approx(test.statistic - 2 * n / (n - 1), rel=1e-2)
    corrected = (test.statistic / n - 2 / (n - 1)) ** 0.5
    assert table["association"]["cramers_v"]["value"] == pytest.approx(corrected, rel=1e-2)


def test_a_randomized_outcome_is_estimated_within_the_groups():
    launch = launch_with_table()
    table = table_of(launch, COUNTS)
    joint = rr_engine.estimate_joint(designs_of(launch), COUNTS)
    assert values(table["cells"]) == joint.proportions.T.tolist()
    assert values(table["cells"], "standard_error") == joint.standard_errors.T.tolist()
    shares = joint.conditional(0, 1)
    assert np.array(values(table["conditional"])) == pytest.approx(shares.values)
    # Everybody's group is known: within one, the question as if asked in that group only.
    for group in range(3):
        single_estimate = rr_engine.estimate(designs_of(launch)[0], np.array(COUNTS)[:, group])
        assert values(table["conditional"])[group] == single_estimate.proportions.tolist()
        ends = single_estimate.interval(0.95, method="default").tolist()
        assert values(table["conditional"], "interval")[group] == ends


def test_a_group_of_which_all_say_the_same_has_an_interval_of_its_size():
    """Wilson's for 40 of 88. Of 12 nobody: 0 to .25, where 0 and 6 or more are as far away as each
    other and come in .0317 and .0544 of the surveys; beyond it 7 or more do, in .0143, and 0 is
    rejected by less than .07."""
    group = {"kind": "yes_no", "options": [], "randomized": False}
    table = table_of(launch_with_table({"randomized": False}, group), [[12, 40], [0, 48]])
    none_of_12 = table["conditional"][0][1]
    assert none_of_12["estimate"] == 0
    assert none_of_12["interval"] == pytest.approx([0, 0.25], abs=1e-6)
    assert "group_alike" in table["notes"]
    # Newcombe's interval of a difference, his method 10, from the ends of 0/12 and 48/88.
    low, high = table["differences"][1]["interval"]
    ends = proportion_ends(48, 88)
    assert low == pytest.approx(-48 / 88 - (ends[1] - 48 / 88), abs=1e-6)
    assert high == pytest.approx(-48 / 88 + np.hypot(0.25, 48 / 88 - ends[0]), abs=1e-6)
    launch = launch_with_table({"randomized": False}, group, slug="whole", population="fixed")
    table = table_of(launch,
                     [[12, 40], [0, 48]])  # fmt: skip
    assert table["conditional"][0][1]["interval"] == pytest.approx([0, 0], abs=1e-9)
    assert "group_alike" not in table["notes"]


def proportion_ends(count, n):
    ends = binomtest(count, n).proportion_ci(0.95, method="wilson")
    return ends.low, ends.high


def test_alike_randomized_reports_of_a_group_leave_an_interval():
    """0 of 10 reports through a device: up to a share of .3 of the reports, where 0 and 6 or more
    come in .0282 and .0473 of the surveys; beyond it 0 and 7 or more together in less than .07."""
    group = {"kind": "yes_no", "options": [], "randomized": False}
    launch = launch_with_table({"epsilon": "1.1"}, group)
    cell = table_of(launch, [[10, 50], [0, 40]])["conditional"][0][1]
    low, high = cell["interval"]
    assert low - 1e-12 <= cell["estimate"] <= high
    (no, yes) = designs_of(launch)[0].matrix[1]
    reach = (0.3 - no) / (yes - no)
    assert high == pytest.approx(reach, abs=1e-6)
    assert high - low > 0.4


def test_intervals_within_known_groups_and_of_their_differences_hold():
    """300 surveys each (seed 7) of 100 people, a group of 15 %: within 3 errors below 95 %.

    The delta method held in 0.57 of the first and 0.87 of the second, where all in the group often
    report the same.
    """
    rng = np.random.default_rng(7)
    randomized = rr_engine.k_rr(["No", "Yes"], "2").quantized()
    smallest = 0.95 - 3 * np.sqrt(0.95 * 0.05 / 300)
    for design, rare in ((rr_engine.designs.direct(2), 0.05), (randomized, 0.02)):
        coverage, difference = _coverage(design, rare, rng)
        assert coverage >= smallest
        assert difference >= smallest


def _coverage(design, rare, rng, surveys=300):
    truth = np.array([[1 - rare, 0.6], [rare, 0.4]]) * [0.15, 0.85]
    repetitions = covered = of_difference = 0
    for _ in range(surveys):
        counts = rng.multinomial(100, (design.matrix @ truth).ravel()).reshape(2, 2)
        if counts.sum(axis=0).min() < 10:
            continue
        repetitions += 1
        groups = rr_engine.estimation.estimate_groups([design], [counts])
        low, high = shares_within(groups)[0][1].interval
        covered += low - 1e-12 <= rare <= high + 1e-12
        low, high = differences_between(groups, 2)[1].interval
        of_difference += low <= rare - 0.4 <= high
    return covered / repetitions, of_difference / repetitions


def test_randomized_groups_whose_error_vanishes_or_that_may_be_empty_are_unknown():
    group = {"kind": "yes_no", "options": [], "randomized": True, "epsilon": "1.1"}
    unknown = {"estimate": None, "standard_error": None}
    table = table_of(launch_with_table({"randomized": False}, group), [[60, 40], [0, 0]])
    assert "error_vanished" in table["notes"]
    assert unknown.items() <= table["conditional"][0][1].items()
    assert [entry["interval"] for entry in table["differences"]] == [[None, None]] * 2
    # 12 of 35 report a group that 25 % of those outside it report: perhaps nobody is in it.
    small_table = table_of(
        launch_with_table({"epsilon": "1.1"}, group, slug="few"), [[20, 6], [3, 6]]
    )
    assert "uncertain_group" in small_table["notes"]
    for cell in small_table["conditional"][1]:
        assert unknown.items() <= cell.items()
        assert cell["interval"] == [0, 1]
    for row in small_table["conditional"]:
        for cell in row:
            low, high = cell["interval"]
            assert cell["estimate"] is None or low <= cell["estimate"] <= high


@pytest.mark.parametrize("refusal", [False, True])
def test_a_mean_of_answers_that_are_all_the_same_has_an_interval(refusal):
    """20 of 20 say "high": surely at least 20/(20 + z2) of people do, the others 1 to 3."""
    options = {"kind": "scale", "options": ["low", "middle", "high"], "randomized": False}
    launch = launch_with_table({**options, "prefer_not": refusal})
    counts = [[0, 20, 5], [0, 40, 20], [20, 40, 60], *([[7, 8, 9]] if refusal else [])]
    mean = table_of(launch, counts)["means"][0]
    smallest = 20 / 23.841459
    assert mean["value"] == pytest.approx(3)
    assert mean["interval"] == pytest.approx([3 * smallest + (1 - smallest), 3], abs=1e-6)


def test_differences_are_those_of_the_conditional_shares():
    launch = launch_with_table()
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


def test_maximum_likelihood_cells_stay_between_0_and_1():
    table = table_of(launch_with_table(), [[5, 40, 60], [60, 5, 30]])
    unbiased, likeliest = values(table["cells"]), values(table["cells"], "maximum_likelihood")
    assert np.min(unbiased) < 0 <= np.min(likeliest)
    assert np.sum(likeliest) == pytest.approx(1)
    assert "outside_range" in table["notes"]


@pytest.mark.parametrize("refusal", [False, True])
def test_a_scale_has_a_mean_within_each_group(refusal):
    """Direct answers have the plain mean, and its standard error with the group's size below."""
    options = {"kind": "scale", "options": ["low", "middle", "high"], "randomized": False}
    launch = launch_with_table({**options, "prefer_not": refusal})
    counts = np.array([[30, 20, 5], [30, 40, 20], [20, 40, 60], *([[7, 8, 9]] if refusal else [])])
    table = table_of(launch, counts)
    for group, mean in enumerate(table["means"]):
        scores = np.repeat([1, 2, 3], counts[:3, group])
        assert mean["value"] == pytest.approx(scores.mean())
        assert mean["standard_error"] == pytest.approx(
            scores.std(ddof=1) / len(scores) ** 0.5, rel=2e-3
        )
    assert table_of(launch_with_table(slug="no-scale"), COUNTS)["means"] is None


def test_two_by_two_has_an_odds_ratio_and_ordered_answers_a_correlation():
    direct = {"randomized": False}
    group = {"kind": "yes_no", "options": [], **direct}
    table = table_of(launch_with_table(direct, group), [[60, 20], [30, 40]])
    association = table["association"]
    assert association["odds_ratio"]["value"] == pytest.approx(60 * 40 / (20 * 30))
    rows = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [60, 20, 30, 40], axis=0)
    correlation = np.corrcoef(rows.T)[0, 1]
    assert association["pearson_correlation"]["value"] == pytest.approx(correlation)
    other = table_of(launch_with_table(direct, slug="unordered"), COUNTS)["association"]
    assert {"odds_ratio", "pearson_correlation"}.isdisjoint(other)


def test_people_with_a_physical_randomizer_are_pooled_into_the_table():
    physical = {"epsilon": "1.4", "prefer_not": True, "physical_device": "die"}
    launch = launch_with_table(physical)
    page = [[60, 50, 40], [30, 40, 50], [20, 20, 20]]
    physical_counts = [[12, 10, 8], [6, 8, 10], [4, 4, 4]]
    other_counts = {("drug,size", "physical,page"): np.ravel(physical_counts).tolist()}
    flat = {("drug,size", "page,page"): np.ravel(page).tolist()} | other_counts
    (table,) = results_document(launch.parameters, launch.digest, flat, 400)["tables"]
    assert table["n"] == np.sum(page) + np.sum(physical_counts)
    first, second, groups = designs_of(launch)
    pooled_estimate = rr_engine.joint.estimate_joint_strata(
        [(first, groups), (second, groups)], [page, physical_counts]
    )
    assert values(table["cells"]) == pooled_estimate.proportions.T.tolist()


def test_a_whole_group_has_no_sampling_error():
    table = table_of(launch_with_table({"randomized": False}, population="fixed"), COUNTS)
    assert np.max(values(table["cells"], "standard_error")) == pytest.approx(0, abs=1e-9)


# --- what is released ---------------------------------------------------------------------------


@pytest.mark.parametrize("randomized", [False, True])
def test_a_table_of_fewer_people_than_the_threshold_has_no_cells(randomized):
    launch = launch_with_table(group={"randomized": randomized}, release_threshold=20)
    table = table_of(launch, [[3, 3, 3], [3, 3, 4]])
    assert table["cells"] == []
    assert (table["n"], table["suppressed"]) == (0, 19)
    assert table["notes"] == ["table_below_threshold"]
    assert "conditional" not in table


def test_a_table_without_people_says_so():
    table = table_of(launch_with_table(release_threshold=20), [[0] * 3] * 2)
    assert table["notes"] == ["no_reports"]


def test_a_stratum_of_too_few_stays_out():
    physical = {"epsilon": "1.4", "prefer_not": True, "physical_device": "die"}
    launch = launch_with_table(physical, release_threshold=20)
    page = [[60, 50, 40], [30, 40, 50], [20, 20, 20]]
    other_counts = {("drug,size", "physical,page"): [1] * 9}
    without = table_of(launch, page)
    flat = {("drug,size", "page,page"): np.ravel(page).tolist()} | other_counts
    (with_few,) = results_document(launch.parameters, launch.digest, flat, 400)["tables"]
    assert with_few["cells"] == without["cells"]
    assert with_few["suppressed"] == 9
    assert "stratum_suppressed" in with_few["notes"]
    # Nor do they make a group large enough to be shown alone: c has 15 people, and 6 of those.
    flat = {
        ("drug,size", "page,page"): [60, 50, 5, 30, 40, 5, 20, 20, 5],
        ("drug,size", "physical,page"): [0, 0, 2] * 3,
    }
    (with_few,) = results_document(launch.parameters, launch.digest, flat, 241)["tables"]
    assert (with_few["n"], with_few["suppressed"]) == (235, 6)
    assert with_few["group_labels"] == ["a + c", "b"]


def test_groups_of_too_few_people_are_shown_together():
    table = table_of(launch_with_table(release_threshold=20), [[90, 80, 6], [30, 60, 4]])
    # c has 10 people; with a, the smallest other group, it has enough.
    assert table["group_labels"] == ["a + c", "b"]
    assert "groups_recoded" in table["notes"]
    together = table_of(launch_with_table({}, slug="two"), [[96, 80, 0], [34, 60, 0]])
    assert values(table["cells"]) == values(together["cells"])
    assert together["group_labels"] == ["a", "b"]
    assert "groups_empty" in together["notes"]


def test_one_group_is_no_comparison():
    table = table_of(launch_with_table(release_threshold=20), [[90, 5, 0], [30, 5, 0]])
    assert table["cells"] == []
    assert table["notes"] == ["table_one_group"]


def test_no_group_that_is_shown_has_fewer_people_than_the_threshold():
    """All 4,096 ways to put 0 to 7 people into four groups, with a threshold of 3.

    Then nothing that is shown, nor the whole less what is shown, is about one or two people.
    """
    for sizes in product(range(8), repeat=4):
        if sum(sizes) < 3:
            continue
        groups = recoding([sizes], 3)
        assert sorted(index for group in groups for index in group) == [
            index for index in range(4) if sizes[index]
        ]
        assert all(sum(sizes[index] for index in group) >= 3 for group in groups)
        # No group of enough people is put together with others without need.
        single_groups = [group[0] for group in groups if len(group) == 1]
        small = [index for index in range(4) if 0 < sizes[index] < 3]
        joined = [index for index in range(4) if sizes[index] >= 3 and index not in single_groups]
        assert len(joined) <= (1 if small else 0)


def test_randomized_groups_are_not_merged_because_nobody_is_known_to_be_in_one():
    launch = launch_with_table(group={"randomized": True}, release_threshold=20)
    table = table_of(launch, [[90, 80, 6], [30, 60, 4]])
    assert table["group_labels"] == ["a", "b", "c"]


# --- the same answers together in every table ---------------------------------------------------


DIRECT = {"randomized": False}
SEX = {**GROUPS, "options": ["men", "women", "diverse"], "name": "sex"}


def tables_of(counts, questions, **values):
    """Every table of a launch; `counts`: (outcome, group) -> their table of reports."""
    pairs = [list(pair) for pair in counts]
    launch = launched(questions=questions, linkage="together", cross_tables=pairs, **values)
    flat = {(",".join(pair), "page,page"): np.ravel(of).tolist() for pair, of in counts.items()}
    document = results_document(launch.parameters, launch.digest, flat, 10_000)
    return {table["id"]: table for table in document["tables"]}


def test_a_table_read_the_other_way_shows_no_small_group_either():
    counts = np.array([[40, 60, 2], [30, 50, 1]])
    pairs = {("drug", "sex"): counts, ("sex", "drug"): counts.T}
    tables = tables_of(pairs, [{"name": "drug"}, SEX], release_threshold=10)
    first, other = tables["drug,sex"], tables["sex,drug"]
    assert first["group_labels"] == other["outcome_labels"] == ["men + diverse", "women"]
    assert "groups_recoded" in other["notes"]
    assert np.array(values(first["cells"])) == pytest.approx(np.transpose(values(other["cells"])))
    # Men and diverse, 73 of 183: of the three nothing is left anywhere.
    assert other["margins"]["outcome"][0]["estimate"] == pytest.approx(73 / 183)
    assert [len(other[name][0]) for name in ("cells", "conditional")] == [2, 2]


def test_a_group_that_is_small_in_one_table_is_put_together_in_all():
    """4 of 12 diverse people left out the second question: 8, and 12 - 8, are too few."""
    pairs = {
        ("drug", "sex"): [[40, 60, 6], [30, 50, 6]],
        ("ill", "sex"): [[40, 60, 4], [30, 50, 4]],
    }
    questions = [{"name": "drug"}, {"name": "ill"}, SEX]
    tables = tables_of(pairs, questions, release_threshold=10)
    group_labels = [table["group_labels"] for table in tables.values()]
    assert group_labels == [["men + diverse", "women"]] * 2


def test_answers_are_put_together_so_that_no_table_shows_a_few():
    """All 4,096 pairs of tables with 0, 1, 3 or 5 people in each of three groups; threshold 3."""
    for sizes in product((0, 1, 3, 5), repeat=6):
        tables = np.reshape(sizes, (2, 3))
        groups = recoding(tables, 3)
        people = np.array([tables[:, answers].sum(axis=1) for answers in groups])
        if (tables.sum(axis=1) >= 3).all():
            assert ((people == 0) | (people >= 3)).all()
        assert sorted(chain.from_iterable(groups)) == np.flatnonzero(tables.any(axis=0)).tolist()


def test_one_answer_is_no_comparison():
    """Three people said perhaps: they and those who said yes are one answer, and all there are."""
    outcome = {**SEX, "options": ["yes", "perhaps", "never", "other"]}
    tables = tables_of(
        {("sex", "drug"): [[30, 40], [2, 1], [0, 0], [0, 0]]},
        [{"name": "drug"}, outcome],
        release_threshold=10,
    )
    assert tables["sex,drug"]["notes"] == ["table_one_group"]
    assert tables["sex,drug"]["cells"] == []


def test_an_answer_that_nobody_gave_keeps_its_place_with_nobody():
    counts = {("sex", "drug"): [[30, 40], [40, 30], [0, 0]]}
    table = tables_of(counts, [{"name": "drug"}, SEX], release_threshold=10)["sex,drug"]
    assert table["outcome_labels"] == ["men", "women", "diverse"]
    assert table["margins"]["outcome"][2]["estimate"] == 0
    assert "groups_recoded" not in table["notes"]


def test_a_scale_some_of_whose_answers_are_together_has_no_mean():
    scale = {**GROUPS, "kind": "scale", "options": ["low", "middle", "high"]}
    counts = {("size", "drug"): [[30, 40], [40, 30], [1, 2]]}
    table = tables_of(counts, [{"name": "drug"}, scale], release_threshold=10)["size,drug"]
    assert table["outcome_labels"] == ["low + high", "middle"]
    assert table["means"] is None
    assert "pearson_correlation" not in table["association"]


# --- combinations of two direct answers ---------------------------------------------------------


def test_two_direct_questions_show_no_combination_of_a_few():
    table = table_of(launch_with_table(DIRECT, release_threshold=10), [[20, 15, 9], [10, 15, 12]])
    assert table["cells"] == []
    assert "small_cells" in table["notes"]
    assert table["n"] == 81
    # n and the margins, which rest on 44 and 37, and on 30, 30 and 21 people.
    rows = [row["estimate"] for row in table["margins"]["outcome"]]
    assert rows == pytest.approx([44 / 81, 37 / 81])
    assert {"conditional", "differences", "association", "independence"}.isdisjoint(table)


def test_one_person_is_found_in_no_combination_after_her_answer_has_joined_another():
    """c has one person: with b they are 11, of whom one said no."""
    table = table_of(launch_with_table(DIRECT, release_threshold=10), [[15, 0, 1], [14, 10, 0]])
    assert table["group_labels"] == ["a", "b + c"]
    assert table["cells"] == []
    assert [row["estimate"] for row in table["margins"]["group"]] == pytest.approx([29 / 40, 0.275])


@pytest.mark.parametrize("counts", [[[20, 15, 10], [10, 15, 12]], [[20, 15, 0], [10, 15, 12]]])
def test_combinations_of_enough_people_and_of_nobody_are_shown(counts):
    table = table_of(launch_with_table(DIRECT, release_threshold=10), counts)
    assert values(table["cells"]) == (np.transpose(counts) / np.sum(counts)).tolist()
    assert "small_cells" not in table["notes"]


def test_a_randomized_answer_hides_who_is_in_a_combination():
    table = table_of(launch_with_table(release_threshold=10), [[20, 15, 9], [10, 15, 12]])
    assert len(table["cells"]) == 3


def test_a_table_without_its_combinations_has_a_page_that_says_why(client):
    questions = [{"name": "drug", **DIRECT}, GROUPS]
    rows = [{"drug": number % 2, "size": number % 3} for number in range(40)]
    launch = released(
        rows,
        questions=questions,
        linkage="together",
        cross_tables=[["drug", "size"]],
        release_threshold=10,
        results_public=True,
    )
    html = client.get(reverse("results", args=[launch.survey.slug])).content.decode()
    assert "in some combination of their answers" in html.replace("\n", " ")
    assert "within-drug-by-size" not in html
    document = client.get(reverse("results-json", args=[launch.survey.slug])).json()
    (table,) = document["tables"]
    assert (table["n"], table["cells"]) == (40, [])
    assert len(table["margins"]["group"]) == 3


# --- which tables there are ---------------------------------------------------------------------


def test_a_table_that_was_not_declared_is_not_there():
    launch = launch_with_table(cross_tables=[])
    document = results_document(
        launch.parameters, launch.digest, {("drug,size", "page,page"): [9] * 6}, 54
    )
    assert document["tables"] == []


def test_answers_that_are_kept_apart_have_no_tables():
    launch = launch_with_table()
    parameters = replace(launch.parameters, linkage="apart")
    assert results_document(parameters, launch.digest, {}, 0)["tables"] == []
