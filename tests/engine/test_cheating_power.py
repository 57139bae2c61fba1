"""Power to find cheaters, and power of the usual test among them, beside every outcome."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, norm

import rr_engine as rr
from rr_engine.compliance.mixture import absence_test, stack_groups
from rr_engine.library.planning.cheating_power import likelihood_ratios

FORCED = [rr.designs.generalized_binary(0.8, 1), rr.designs.generalized_binary(0.2, 1)]
WARNER = [rr.warner(0.8), rr.warner(0.3)]
CHEATER = np.array([[1.0], [0.0]])


@pytest.mark.parametrize("designs", [FORCED, WARNER])
def test_the_statistic_of_every_outcome_is_that_of_the_test(designs):
    matrices = [np.hstack([design.matrix, CHEATER]) for design in designs]
    corners = np.array([matrix[1] for matrix in matrices])
    outcomes = list(product(range(0, 41, 8), range(0, 61, 10)))
    found = likelihood_ratios(corners, np.array(outcomes, dtype=float).T, (40, 60))
    for (first, second), statistic in zip(outcomes, found, strict=True):
        counts = [np.array([40 - first, first]), np.array([60 - second, second])]
        wanted, _ = absence_test(*stack_groups(matrices, counts), 100)
        assert statistic == pytest.approx(wanted, abs=1e-8)


def test_exact_power_is_the_sum_over_the_outcomes_that_the_estimate_rejects():
    total, matrices = 0.0, [np.hstack([design.matrix, CHEATER]) for design in FORCED]
    assert rr.compliance.cheating_share(FORCED, [[6, 2], [5, 3]]).p_value == pytest.approx(
        absence_test(*stack_groups(matrices, [np.array([6, 2]), np.array([5, 3])]), 16)[1]
    )
    true = [0.85 * (0.2 + 0.8 * 0.3), 0.85 * (0.8 + 0.2 * 0.3)]
    for first, second in product(range(9), range(9)):
        counts = [[8 - first, first], [8 - second, second]]
        if absence_test(*stack_groups(matrices, list(map(np.array, counts))), 16)[1] < 0.2:
            total += binom.pmf(first, 8, true[0]) * binom.pmf(second, 8, true[1])
    found = rr.planning.power_cheating(FORCED, 0.3, 0.15, 16, alpha=0.2, method="exact")
    assert found.powers[0, 0] == pytest.approx(total)


@pytest.mark.slow
@pytest.mark.parametrize("designs", [FORCED, WARNER])
def test_the_normal_power_is_near_the_exact_one(designs):
    shares = [0, 0.05, 0.1, 0.2]
    exact = rr.planning.power_cheating(designs, 0.3, shares, [100, 400], method="exact").powers
    found = rr.planning.power_cheating(designs, 0.3, shares, [100, 400]).powers
    assert found == pytest.approx(exact, abs=0.02)
    assert found[0] == pytest.approx([0.05, 0.05])


@pytest.mark.slow
def test_power_for_more_categories_and_groups_is_that_of_simulated_surveys():
    designs, honest, share, n = (
        [rr.k_rr(3, 1), rr.k_rr(3, 2), rr.k_rr(3, 4)],
        [0.2, 0.5, 0.3],
        0.12,
        900,
    )
    found = rr.planning.power_cheating(designs, honest, share, n, allocation=[0.4, 0.4, 0.2])
    types = np.append((1 - share) * np.array(honest), share)
    rng, rejected = np.random.default_rng(2), 0
    matrices = [np.hstack([d.matrix, np.eye(3)[:, [0]]]) for d in designs]
    for _ in range(400):
        counts = [
            rng.multinomial(size, matrix @ types)
            for size, matrix in zip((360, 360, 180), matrices, strict=True)
        ]
        rejected += absence_test(*stack_groups(matrices, counts), n)[1] < 0.05
    assert 0.2 < found.powers[0, 0] < 0.95
    error = np.sqrt(found.powers[0, 0] * (1 - found.powers[0, 0]) / 400)
    assert rejected / 400 == pytest.approx(found.powers[0, 0], abs=3 * error + 0.02)


def test_one_respondent_fewer_misses_the_power():
    n = rr.planning.solve_sample_size_cheating(FORCED, 0.3, 0.1, power=0.9)
    powers = rr.planning.power_cheating(FORCED, 0.3, 0.1, [n - 1, n]).powers[0]
    assert powers[0] < 0.9 <= powers[1]
    # The noncentrality is proportional to n.
    quantiles = norm.isf(0.05) + norm.ppf(0.9)
    half = rr.planning.solve_sample_size_cheating(FORCED, 0.3, 0.1, power=0.5)
    assert n / half == pytest.approx((quantiles / norm.isf(0.05)) ** 2, rel=0.02)
    assert rr.planning.solve_sample_size_cheating(FORCED, 0.3, 0.1, power=0.04) == 2


def test_curves_rise_with_cheaters_and_respondents():
    found = rr.planning.power_cheating(FORCED, 0.2, [0.02, 0.05, 0.1], [100, 200, 400, 800])
    assert found.powers.shape == (3, 4)
    assert np.all(np.diff(found.powers, axis=0) > 0)
    assert np.all(np.diff(found.powers, axis=1) > 0)


def test_refuses_what_cannot_be_planned():
    with pytest.raises(rr.errors.NotIdentifiableError, match="differ enough"):
        rr.planning.power_cheating([rr.warner(0.8), rr.warner(0.8)], 0.3, 0.1, 100)
    with pytest.raises(rr.errors.ArgumentError, match="summed exactly"):
        rr.planning.power_cheating(
            [rr.k_rr(3, 1), rr.k_rr(3, 2)], [0.2, 0.5, 0.3], 0.1, 100, method="exact"
        )
    with pytest.raises(rr.errors.ArgumentError, match="at most 2000"):
        rr.planning.power_cheating(FORCED, 0.3, 0.1, 2001, method="exact")
    with pytest.raises(rr.errors.ArgumentError, match="leave no group empty"):
        rr.planning.power_cheating(FORCED, 0.3, 0.1, 1, method="exact")
    with pytest.raises(rr.errors.ArgumentError, match="changes the reports"):
        rr.planning.solve_sample_size_cheating(FORCED, 0.3, 0.0)
    with pytest.raises(rr.errors.ArgumentError, match="leave no group empty"):
        rr.planning.power_cheating(FORCED, 0.3, 0.1, 100, allocation=[1.0, 0.0])


DEVICE = rr.forced_response(0.75, 0.125)


@pytest.mark.parametrize("otherwise", [None, [1, 0], [0, 1]])
@pytest.mark.parametrize("device", [DEVICE, rr.warner(0.2)])
def test_power_among_cheaters_is_that_of_every_outcome(device, otherwise):
    share = 0.15
    others = np.array([0.5, 0.5] if otherwise is None else otherwise)
    yes = float(((1 - share) * device.matrix @ [0.75, 0.25] + share * others)[1])
    rejects = [
        not low <= 0.1 <= high
        for low, high in (
            rr.estimate(device, [40 - count, count]).interval(method="exact")[1]
            for count in range(41)
        )
    ]
    wanted = binom.pmf(range(41), 40, yes) @ rejects
    found = rr.planning.power_noncompliance(device, 0.25, 0.1, 40, share, otherwise)
    assert found.powers[0, 0] == pytest.approx(wanted)
    assert found.apparent[0] == pytest.approx(
        (yes - device.matrix[1, 0]) / (device.matrix[1, 1] - device.matrix[1, 0])
    )


@pytest.mark.parametrize("method", ["exact", "score", "normal"])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_without_cheaters_it_is_the_power(method, side):
    found = rr.planning.power_noncompliance(
        DEVICE, 0.2, 0.15, [150, 400], 0.0, alternative=side, method=method
    )
    for column, n in enumerate((150, 400)):
        wanted = rr.power(DEVICE, 0.2, 0.15, n, alternative=side, method=method)
        assert found.powers[0, column] == pytest.approx(wanted)


def test_the_normal_power_of_any_device_is_that_of_simulated_surveys():
    device = rr.DesignMatrix([[0.6, 0.1, 0.2], [0.2, 0.7, 0.1], [0.1, 0.1, 0.4], [0.1, 0.1, 0.3]])
    found = rr.planning.power_noncompliance(
        device, 0.4, 0.2, 60, 0.1, [0, 0, 0, 1], category=2, method="normal"
    )
    reported = 0.9 * device.matrix @ [0.3, 0.3, 0.4] + 0.1 * np.array([0, 0, 0, 1])
    counts = np.random.default_rng(1).multinomial(60, reported, size=4000) / 60
    scores = np.array([rr.estimate(device, row).proportions[2] for row in np.eye(4, dtype=int)])
    values = counts @ scores
    assert values.mean() == pytest.approx(found.apparent[0], abs=3 * values.std() / np.sqrt(4000))
    # The deviation of one report under the null hypothesis.
    honest = device.matrix @ [0.4, 0.4, 0.2]
    null = np.sqrt(honest @ scores**2 - (honest @ scores) ** 2)
    rejected = np.mean(np.abs(values - 0.2) > 1.959964 * null / np.sqrt(60))
    assert 0.2 < rejected < 0.97
    assert rejected == pytest.approx(found.powers[0, 0], abs=0.03)


def test_cheaters_who_deny_lower_the_power_and_break_the_level():
    found = rr.planning.power_noncompliance(DEVICE, 0.2, 0.1, [200, 800], [0, 0.1, 0.2], [1, 0])
    assert np.all(np.diff(found.powers[:, 0]) < 0)
    level = rr.planning.power_noncompliance(DEVICE, 0.2, 0.2, 800, [0, 0.2], [1, 0]).powers
    assert level[0, 0] <= 0.05
    assert level[1, 0] > 0.5
