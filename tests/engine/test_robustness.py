from math import exp

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.robustness import fakes_needed
from tests.engine.engine_cases import DESIGNS

NAMES = [name for name in DESIGNS if name not in ("direct", "a report never made")]


def survey(name, n=400, population="sample"):
    design = DESIGNS[name]
    shares = np.arange(1, len(design.categories) + 1, dtype=float)
    return rr.estimate(
        design, rr.simulate_counts(design, shares / shares.sum(), n, rng=7), population=population
    )


def moved(result, category, report, fakes):
    """How far the estimate really goes when that many reports of one kind are added."""
    counts = result.counts.copy()
    counts[report] += fakes
    return abs(
        rr.estimate(result.design, counts).proportions[category] - result.proportions[category]
    )


def largest_move(result, category, fakes):
    reports = range(len(result.counts))
    return max(moved(result, category, report, fakes) for report in reports)


def test_one_fake_weighs_58_6_honest_answers_at_epsilon_1_and_100_categories():
    # AUDIT 14: (e^eps + k - 2)/(e^eps - 1), printed as 58.6.
    found = rr.compliance.poisoning(rr.estimate(rr.k_rr(100, 1), [10] * 100))
    assert round(found.weights[0], 1) == 58.6


@pytest.mark.parametrize("epsilon", [0.1, 1, 3])
@pytest.mark.parametrize("k", [2, 3, 50])
def test_weight_of_k_ary_randomized_response_is_the_closed_form(k, epsilon):
    found = rr.compliance.poisoning(rr.estimate(rr.k_rr(k, epsilon), [20] * k))
    e = exp(epsilon)
    assert found.weights == pytest.approx(np.full(k, (e + k - 2) / (e - 1)), rel=1e-9)
    # A replaced report loses its own score of -1/(e - 1) as well.
    assert found.replaced * 20 * k == pytest.approx(np.full(k, (e + k - 1) / (e - 1)), rel=1e-9)


def test_direct_answers_weigh_one():
    found = rr.compliance.poisoning(rr.estimate(rr.designs.direct(3), [50, 30, 20]))
    assert found.weights.tolist() == [1, 1, 1]
    assert found.replaced == pytest.approx(np.full(3, 0.01))


@pytest.mark.parametrize("name", NAMES)
def test_adding_that_many_fakes_moves_the_estimate_by_its_margin_and_one_fewer_does_not(name):
    result = survey(name)
    found = rr.compliance.poisoning(result)
    for category, fakes in enumerate(found.fakes):
        margin = found.margins[category]
        if np.isinf(fakes):
            assert largest_move(result, category, 10**9) < margin
            continue
        assert largest_move(result, category, int(fakes)) >= margin * (1 - 1e-8)
        assert fakes == 1 or largest_move(result, category, int(fakes) - 1) < margin


@pytest.mark.parametrize("name", NAMES)
def test_one_added_or_replaced_report_moves_the_estimate_as_said(name):
    result = survey(name, n=30)
    found = rr.compliance.poisoning(result)
    for category in range(len(result.proportions)):
        assert largest_move(result, category, 1) == pytest.approx(found.added[category], rel=1e-9)
    jumps = [
        np.abs(rr.estimate(result.design, swap).proportions - result.proportions)
        for swap in swaps(result.counts)
    ]
    assert np.max(jumps, axis=0) == pytest.approx(found.replaced, rel=1e-9)


def swaps(counts):
    """All tables with one report exchanged for another."""
    step = np.eye(len(counts), dtype=int)
    return [
        counts - step[gone] + step[put]
        for gone in np.flatnonzero(counts)
        for put in range(len(counts))
    ]


def pooled(counts):
    """Three devices with the same truths, one with more reports than truths."""
    tall = rr.DesignMatrix([[0.5, 0.1, 0.1], [0.2, 0.6, 0.1], [0.2, 0.1, 0.5], [0.1, 0.2, 0.3]])
    designs = [rr.k_rr(3, 1), tall, rr.designs.direct(3)]
    return rr.estimate_strata(
        [rr.DesignMatrix(design.matrix, tuple("abc")) for design in designs], counts
    )


POOLED = [[70, 60, 40], [30, 40, 35, 25], [10, 7, 4]]


def pooled_move(category, fakes):
    """Largest change by that many fakes of one report of one device, re-estimated."""
    before = pooled(POOLED).proportions[category]
    moves = []
    for stratum, counts in enumerate(POOLED):
        for report in range(len(counts)):
            more = [list(one) for one in POOLED]
            more[stratum][report] += fakes
            moves.append(abs(pooled(more).proportions[category] - before))
    return max(moves)


@pytest.mark.parametrize("category", range(3))
def test_fakes_in_any_of_several_devices_move_the_pooled_estimate_as_said(category):
    found = rr.compliance.poisoning(pooled(POOLED))
    fakes, margin = int(found.fakes[category]), found.margins[category]
    assert pooled_move(category, fakes) >= margin * (1 - 1e-8)
    assert pooled_move(category, fakes - 1) < margin
    assert pooled_move(category, 1) == pytest.approx(found.added[category], rel=1e-8)


def test_one_replaced_report_of_several_devices_moves_the_pooled_estimate_as_said():
    result = pooled(POOLED)
    jumps = []
    for stratum, counts in enumerate(POOLED):
        for swap in swaps(np.array(counts)):
            changed = [swap if index == stratum else one for index, one in enumerate(POOLED)]
            jumps.append(np.abs(pooled(changed).proportions - result.proportions))
    assert np.max(jumps, axis=0) == pytest.approx(
        rr.compliance.poisoning(result).replaced, rel=1e-8
    )


def test_pooled_estimates_without_reports_give_numbers():
    found = rr.compliance.poisoning(pooled([[0, 0, 0], [0, 0, 0, 0], [0, 0, 0]]))
    assert np.isfinite(found.fakes).all()


def test_the_margin_is_half_the_default_interval_at_the_level():
    result = survey("k_rr 5")
    for level in (0.5, 0.95):
        ends = result.interval(level, method="default")
        assert rr.compliance.poisoning(result, level).margins == pytest.approx(
            np.ptp(ends, axis=1) / 2
        )
    assert (
        rr.compliance.poisoning(result, 0.5).fakes < rr.compliance.poisoning(result, 0.95).fakes
    ).all()


def test_figures_of_maximum_likelihood_are_those_of_the_unbiased_estimate():
    counts = [25, 175]
    design = rr.designs.generalized_binary(5 / 6, 5 / 6)
    unbiased, likely = (rr.estimate(design, counts, method=name) for name in ("inversion", "mle"))
    assert (
        rr.compliance.poisoning(likely).fakes.tolist()
        == rr.compliance.poisoning(unbiased).fakes.tolist()
    )


@pytest.mark.parametrize("counts", [[0, 0], [1, 0], [5, 0]])
@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_few_or_no_reports_give_numbers_all_the_same(counts, population):
    found = rr.compliance.poisoning(rr.estimate(rr.k_rr(2, 1), counts, population=population))
    for name in ("weights", "added", "replaced", "margins", "fakes"):
        assert np.isfinite(getattr(found, name)).all(), name
    assert (found.fakes >= 1).all()


def test_no_number_of_fakes_is_enough_where_the_margin_exceeds_the_reach():
    pull, margins = np.array([0.5, 0.5, 0.5]), np.array([0.25, 0.5, 0.6])
    assert fakes_needed(pull, margins, 100).tolist() == [100, np.inf, np.inf]
    # Without reports the first fake is the estimate and goes all the way at once.
    assert fakes_needed(pull, margins, 0).tolist() == [1, 1, np.inf]


def test_the_figures_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        rr.compliance.poisoning(rr.estimate(rr.k_rr(2, 1), [3, 5])).fakes[0] = 0
