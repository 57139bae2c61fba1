"""Power of list experiments, beside Ulrich's variances and beside simulated surveys."""

import numpy as np
import pytest
from scipy.stats import norm

from rr_engine import k_rr
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError
from rr_engine.item_count import power_list_experiment, solve_sample_size_list_experiment
from rr_engine.library.item_count.tables import ListTables
from rr_engine.library.item_count.types import moments

FOUR = np.array([1, 4, 6, 4, 1]) / 16


@pytest.mark.parametrize("treated", [0.5, 0.7])
def test_variances_are_those_of_independent_items(treated):
    # Ulrich et al.: k items of chance one half, the trait beside them, one-sided.
    n, share, each = 800, 0.15, 4 / 4
    null = np.sqrt(each / (1 - treated) + each / treated)
    true = np.sqrt(each / (1 - treated) + (each + share * (1 - share)) / treated)
    wanted = norm.cdf((share * np.sqrt(n) - norm.isf(0.05) * null) / true)
    found = power_list_experiment(
        FOUR, share, n, treated=treated, alternative="greater", variance="null"
    )
    assert found == pytest.approx(wanted)


@pytest.mark.parametrize(("design", "n"), [(None, 700), (k_rr(6, 3), 1500)])
def test_power_is_that_of_simulated_surveys(design, n):
    matrix = np.eye(6) if design is None else design.matrix
    short = matrix[:, :5] @ FOUR
    long = 0.8 * short + 0.2 * matrix[:, 1:] @ FOUR
    rng, rounds, rejected = np.random.default_rng(3), 1000, 0
    for _ in range(rounds):
        tables = ListTables(matrix, rng.multinomial(n // 2, short), rng.multinomial(n // 2, long))
        values, covariance = moments(tables)
        rejected += values[5:].sum() > norm.isf(0.025) * np.sqrt(covariance[5:, 5:].sum())
    found = power_list_experiment(FOUR, 0.2, n, design=design)
    assert 0.5 < found < 0.9
    assert rejected / rounds == pytest.approx(found, abs=3 * np.sqrt(found * (1 - found) / rounds))


@pytest.mark.parametrize("variance", ["separate", "null"])
def test_one_respondent_fewer_misses_the_power(variance):
    n = solve_sample_size_list_experiment(FOUR, 0.2, 0.9, null=0.05, variance=variance)
    powers = [
        power_list_experiment(FOUR, 0.2, size, null=0.05, variance=variance) for size in (n - 1, n)
    ]
    assert powers[0] < 0.9 <= powers[1]


def test_a_direct_device_changes_nothing():
    wanted = solve_sample_size_list_experiment(FOUR, 0.2)
    assert solve_sample_size_list_experiment(FOUR, 0.2, design=direct(6)) == wanted


def test_refuses_what_the_test_does_not_look_for():
    for null, side in ((0.2, "two-sided"), (0.3, "greater"), (0.1, "less")):
        with pytest.raises(ArgumentError, match="in the direction of the test"):
            solve_sample_size_list_experiment(FOUR, 0.2, null=null, alternative=side)
