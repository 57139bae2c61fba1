"""Numbers of the kinds beyond one answer of one device: scales, several answers, several strata."""

from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

import rr_engine
from surveys.kinds.multiple_choice import ticking
from tests.builders import launched
from tests.devices import devices_of
from tests.plain import results_document

pytestmark = pytest.mark.django_db

SEVERAL = {"kind": "multiple_choice", "options": ["a", "b", "c"], "name": "took"}


def document(launch, tallies, **changed):
    parameters = replace(launch.parameters, **changed)
    responses = max(sum(counts) for counts in tallies.values())
    return results_document(parameters, launch.digest, tallies, responses)


def design_of(device):
    rows = list(zip(*device["columns"], strict=True))
    return rr_engine.DesignMatrix.from_integers(rows, device["denominator"])


# --- multiple choice ----------------------------------------------------------------------------


@pytest.mark.parametrize("prefer_not", [False, True])
def test_each_option_of_a_multiple_choice_is_estimated_from_its_own_device(prefer_not):
    question = {**SEVERAL, "design": "per_option", "prefer_not": prefer_not}
    launch = launched(questions=[question])
    size = 3 + prefer_not
    tallies = {(f"took_{i + 1}", "page"): [300 - 40 * i, 200 + 40 * i] for i in range(size)}
    (entry,) = document(launch, tallies)["questions"]

    assert [row["label"] for row in entry["categories"]][:3] == ["a", "b", "c"]
    assert len(entry["categories"]) == size
    assert entry["n"] == 500
    for row, device in zip(entry["categories"], devices_of(launch), strict=True):
        single_estimate = rr_engine.estimate(design_of(device), tallies[device["id"], "page"])
        assert row["estimate"] == single_estimate.proportions[1]
        assert row["standard_error"] == single_estimate.standard_errors[1]
        assert row["interval"] == single_estimate.interval(0.95, "default")[1].tolist()
        assert row["reported"] == tallies[device["id"], "page"][1]
    assert "options_apart" in entry["notes"]
    assert entry["mean"] is None
    assert entry["entropy"] is None


def test_a_direct_multiple_choice_counts_ticks():
    launch = launched(questions=[{**SEVERAL, "randomized": False}])
    tallies = {
        ("took_1", "page"): [10, 90], ("took_2", "page"): [60, 40], ("took_3", "page"): [100, 0],
    }  # fmt: skip
    (entry,) = document(launch, tallies)["questions"]
    assert [row["estimate"] for row in entry["categories"]] == [0.9, 0.4, 0.0]
    assert entry["epsilon"] is None


@pytest.mark.parametrize("prefer_not", [False, True])
def test_a_device_over_all_combinations_gives_the_sums_of_their_estimates(prefer_not):
    """The share of an option is the sum over the combinations that hold it, of the estimate over
    all combinations: inversion is linear, and k-ary response collapses to itself."""
    launch = launched(questions=[{**SEVERAL, "design": "whole_set", "prefer_not": prefer_not}])
    (device,) = devices_of(launch)
    size = 8 + prefer_not
    counts = [50 + 17 * code % 31 for code in range(size)]
    (entry,) = document(launch, {("took", "page"): counts})["questions"]

    estimate = rr_engine.estimate(design_of(device), counts)
    combinations = estimate.proportions
    for option, row in enumerate(entry["categories"][:3]):
        holding = [code for code in range(8) if code >> option & 1]
        assert row["estimate"] == pytest.approx(combinations[holding].sum(), abs=1e-12)
        contrast = np.isin(np.arange(size), holding).astype(float)
        variance = contrast @ estimate.covariance @ contrast
        assert row["standard_error"] == pytest.approx(variance**0.5, rel=1e-9)
        assert row["reported"] == sum(counts[code] for code in holding)
    if prefer_not:
        assert entry["categories"][3]["estimate"] == pytest.approx(combinations[8], abs=1e-12)


@pytest.mark.parametrize("prefer_not", [False, True])
def test_codes_of_combinations_are_split_by_option(prefer_not):
    expected = {False: [[[0, 2], [1, 3]], [[0, 1], [2, 3]]]}
    expected[True] = [[[0, 2, 4], [1, 3]], [[0, 1, 4], [2, 3]], [[0, 1, 2, 3], [4]]]
    codes = 4 + prefer_not
    matrices = [ticking(codes, option, refusal=prefer_not) for option in range(2 + prefer_not)]
    assert matrices == expected[prefer_not]


def test_an_epsilon_that_options_share_is_summed_again():
    launch = launched(questions=[{**SEVERAL, "design": "per_option", "epsilon": 2}])
    tallies = {(f"took_{i + 1}", "page"): [30, 20] for i in range(3)}
    (entry,) = document(launch, tallies)["questions"]
    assert float(entry["epsilon"]) == pytest.approx(2, abs=3e-6)
    assert float(entry["epsilon"]) <= 2


# --- scales -------------------------------------------------------------------------------------

SCALE = {"kind": "scale", "options": ["low", "middle", "high"], "randomized": False}


def test_the_mean_of_a_direct_scale_is_the_mean_of_its_scores():
    launch = launched(questions=[SCALE])
    (entry,) = document(launch, {("q1", "page"): [20, 30, 50]})["questions"]
    scores = np.repeat([1, 2, 3], [20, 30, 50])
    mean = entry["mean"]
    assert (mean["lowest"], mean["highest"]) == (1, 3)
    assert mean["value"] == pytest.approx(scores.mean(), abs=1e-12)
    # With n - 1 below, as everywhere for a sample.
    assert mean["standard_error"] == pytest.approx(scores.std(ddof=1) / 10, rel=1e-9)


def test_the_mean_of_answers_that_are_all_the_same_has_an_interval():
    """20 of 20 say "high": surely at least 20/(20 + z2) of people do, the others 1 to 3."""
    launch = launched(questions=[SCALE])
    mean = document(launch, {("q1", "page"): [0, 0, 20]})["questions"][0]["mean"]
    smallest = 20 / 23.841459
    assert mean["value"] == 3
    assert mean["interval"] == pytest.approx([3 * smallest + (1 - smallest), 3], abs=1e-6)
    question = document(launch, {("q1", "page"): [0, 0, 20]}, population="fixed")["questions"][0]
    assert question["mean"]["interval"] == [3, 3]


def test_who_prefers_not_to_say_is_not_in_the_mean():
    launch = launched(questions=[{**SCALE, "prefer_not": True}])
    (entry,) = document(launch, {("q1", "page"): [20, 30, 50, 400]})["questions"]
    assert entry["mean"]["value"] == pytest.approx(2.3, abs=1e-12)


# --- strata -------------------------------------------------------------------------------------

PHYSICAL = {"name": "drug", "epsilon": "1.4", "prefer_not": True, "physical_device": "die"}
PAGE_COUNTS, PHYSICAL_COUNTS = [520, 280, 200], [60, 30, 10]


def both_strata(page=PAGE_COUNTS, physical=PHYSICAL_COUNTS):
    return {("drug", "page"): page, ("drug", "physical"): physical}


def test_people_with_a_physical_randomizer_are_pooled_with_the_others():
    launch = launched(questions=[PHYSICAL], release_threshold=20)
    (entry,) = document(launch, both_strata())["questions"]
    designs = [design_of(device) for device in devices_of(launch)]
    pooled_estimate = rr_engine.estimate_strata(designs, [PAGE_COUNTS, PHYSICAL_COUNTS])
    assert entry["n"] == 1100
    assert [row["estimate"] for row in entry["categories"]] == pooled_estimate.proportions.tolist()
    assert [row["standard_error"] for row in entry["categories"]] == (
        pooled_estimate.standard_errors.tolist()
    )
    assert [row["reported"] for row in entry["categories"]] == [None] * 3
    assert [device["counts"] for device in entry["devices"]] == [PAGE_COUNTS, PHYSICAL_COUNTS]
    assert entry["agreement"]["degrees_of_freedom"] == 2
    categories = document(launch, both_strata(physical=[0, 0, 0]))["questions"][0]["categories"]
    errors = zip(entry["categories"], categories, strict=True)
    assert all(row["standard_error"] < other["standard_error"] for row, other in errors)


def test_devices_that_disagree_are_a_warning_with_a_small_p():
    launch = launched(questions=[PHYSICAL], release_threshold=20)
    agreeing = document(launch, both_strata(physical=[56, 26, 18]))["questions"][0]["agreement"]
    disagreeing = document(launch, both_strata(physical=[10, 10, 80]))["questions"][0]
    assert agreeing["p_value"] > 0.1
    assert disagreeing["agreement"]["p_value"] < 1e-6
    assert "strata_disagree" in disagreeing["notes"]


def test_the_strongest_disagreement_is_a_warning_too():
    """Its p-value is 0.0, which must not count as having none."""
    launch = launched(questions=[PHYSICAL])
    (entry,) = document(launch, both_strata([75_000, 25_000, 9_000], [33_334, 66_666, 9_000]))[
        "questions"
    ]
    assert entry["agreement"]["p_value"] == 0.0
    assert "strata_disagree" in entry["notes"]


@pytest.mark.parametrize("count", [[10, 5, 4], [0, 0, 1]])
def test_a_device_that_too_few_used_stays_out_of_every_number(count):
    launch = launched(questions=[PHYSICAL], release_threshold=20)
    (entry,) = document(launch, both_strata(physical=count))["questions"]
    (without,) = document(launch, both_strata(physical=[0, 0, 0]))["questions"]
    assert entry["categories"] == without["categories"]
    assert (entry["n"], entry["suppressed"]) == (1000, sum(count))
    assert [device["counts"] for device in entry["devices"]] == [PAGE_COUNTS, None]
    assert "stratum_suppressed" in entry["notes"]
    assert "stratum_suppressed" not in without["notes"]


def test_a_question_of_too_few_has_no_number_at_all():
    launch = launched(questions=[PHYSICAL], release_threshold=20)
    (entry,) = document(launch, both_strata(page=[5, 5, 5], physical=[10, 5, 4]))["questions"]
    assert entry["categories"] == []
    assert (entry["n"], entry["suppressed"]) == (0, 34)
    assert entry["notes"] == ["below_threshold"]


def test_a_person_uses_one_device_so_the_largest_epsilon_counts():
    launch = launched(
        questions=[PHYSICAL, {"name": "other", "epsilon": "0.5"}], release_threshold=20
    )
    spent = document(launch, both_strata())["epsilon"]["spent"]
    epsilons = {
        (device["id"], device["stratum"]): float(device["epsilon"]) for device in devices_of(launch)
    }
    assert epsilons["drug", "physical"] < epsilons["drug", "page"]
    assert float(spent) == pytest.approx(1.9)


def test_a_fixed_group_has_the_errors_of_its_devices_only():
    launch = launched(questions=[{"name": "q1"}], population="fixed")
    tallies = {("q1", "page"): [60, 40]}
    (entry,) = document(launch, tallies)["questions"]
    expected = rr_engine.estimate(design_of(devices_of(launch)[0]), [60, 40], population="fixed")
    assert entry["categories"][1]["standard_error"] == expected.standard_errors[1]
    direct = launched(questions=[SCALE], population="fixed", slug="direct")
    rows = document(direct, {("q1", "page"): [20, 30, 50]})["questions"][0]["categories"]
    assert [row["standard_error"] for row in rows] == [0, 0, 0]


# --- every row ----------------------------------------------------------------------------------


def test_fakes_are_those_that_move_an_estimate_by_half_its_interval():
    """Added one by one: the last one reaches the margin and the one before does not."""
    launch = launched()
    counts = [685, 315]
    (entry,) = document(launch, {("q1", "page"): counts})["questions"]
    device = design_of(devices_of(launch)[0])
    for index, row in enumerate(entry["categories"]):
        margin = (row["interval"][1] - row["interval"][0]) / 2
        moved = []
        for fakes, report in product((row["fakes"] - 1, row["fakes"]), (0, 1)):
            poisoned = [count + fakes * (code == report) for code, count in enumerate(counts)]
            after = rr_engine.estimate(device, [round(count) for count in poisoned])
            moved.append(abs(after.proportions[index] - row["estimate"]))
        assert max(moved[:2]) < margin <= max(moved[2:])


def test_an_interval_for_repeated_looks_is_wider():
    launch = launched()
    (entry,) = document(launch, {("q1", "page"): [600, 400]})["questions"]
    for row in entry["categories"]:
        (low, high), (lowest, highest) = row["interval"], row["confidence_sequence"]
        assert lowest < low < high < highest
