import numpy as np
import pytest

from rr_engine import direct, estimate, k_rr, simulate_counts
from tests.engine.engine_cases import DESIGNS


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("name", DESIGNS)
def test_counts_add_up_and_repeat_with_the_seed(name, population):
    design = DESIGNS[name]
    shares = np.full(len(design.categories), 1 / len(design.categories))
    first = simulate_counts(design, shares, 1000, rng=4, population=population)
    assert first.sum() == 1000
    again = simulate_counts(
        design, shares, 1000, rng=np.random.default_rng(4), population=population
    )
    assert np.array_equal(first, again)


def test_does_not_touch_the_global_random_state():
    before = np.random.get_state()[1].copy()
    simulate_counts(k_rr(2, 1), [0.5, 0.5], 10)
    assert np.array_equal(before, np.random.get_state()[1])


def test_fixed_truths_are_whole_people_by_largest_remainder():
    counts = simulate_counts(direct(3), [0.5, 0.3, 0.2], 11, rng=1, population="fixed")
    assert counts.tolist() == [6, 3, 2]  # quotas 5.5, 3.3, 2.2
    assert simulate_counts(direct(2), [0.5, 0.5], 0, rng=1).tolist() == [0, 0]


def test_recovers_the_truth_within_its_error():
    shares = np.array([0.1, 0.2, 0.7])
    result = estimate(k_rr(3, 1), simulate_counts(k_rr(3, 1), shares, 10**6, rng=6))
    assert (np.abs(result.proportions - shares) < 4 * result.standard_errors).all()
