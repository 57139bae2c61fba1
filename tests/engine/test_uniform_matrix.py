"""Devices of two chances with many categories: the numbers of the table, without the table."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.compliance import mixture
from rr_engine.designs.categorical import HELD, UniformMatrix
from rr_engine.library.compliance import lie_detector
from tests.engine.channel_cases import check_maps
from tests.engine.engine_cases import memory_below

SIZE = HELD + 44
DEVICES = {
    "k_rr": rr.k_rr(SIZE, "2"),
    "uniform_perturbation": rr.designs.uniform_perturbation(SIZE, 0.3),
    "frapp": rr.designs.frapp(SIZE, 9),
    "frapp below one": rr.designs.frapp(SIZE, 0.5),
}


def is_close(found, expected, rel, abs):
    """As `pytest.approx`, which looks at one number after the other: a table has 90,000."""
    return (np.abs(found - expected) <= np.maximum(rel * np.abs(expected), abs)).all()


def test_ten_thousand_categories_take_no_table():
    counts = np.random.default_rng(1).integers(0, 40, 10_000)
    # A table of doubles has 800 MB.
    with memory_below(80e6):
        design = rr.k_rr(10_000, "3")
        found, most_likely = rr.estimate(design, counts), rr.estimate(design, counts, method="mle")
        ends = found.interval(method="default")
    channel = rr.channels.UniformChannel.from_epsilon(10_000, "3", 52)
    other = rr.estimate(channel, counts)
    assert found.proportions == pytest.approx(other.proportions, abs=1e-9)
    assert found.standard_errors == pytest.approx(other.standard_errors, rel=1e-9, abs=1e-8)
    assert ends == pytest.approx(other.interval(method="default"), abs=1e-9)
    assert most_likely.proportions.sum() == pytest.approx(1)
    assert design.epsilon == 3


@pytest.mark.parametrize("name", DEVICES)
def test_it_is_the_design_of_its_table(name):
    design = DEVICES[name]
    table = rr.DesignMatrix(design.matrix, declared_epsilon=design.declared_epsilon)
    assert isinstance(design, UniformMatrix)
    assert design == table
    assert hash(design) == hash(table)
    assert pickle.loads(pickle.dumps(design)) == design
    assert design.epsilon == table.epsilon
    assert design.likelihood_ratio_bound == table.likelihood_ratio_bound
    assert design.condition_number == pytest.approx(table.condition_number)
    rng = np.random.default_rng(2)
    shares, counts = rng.dirichlet(np.ones(SIZE)), rng.integers(0, 30, SIZE)
    check_maps(design, table.matrix, size=100)
    assert design.mse(shares, 1000) == pytest.approx(table.mse(shares, 1000))
    assert is_close(design.posterior(shares), table.posterior(shares), rel=1e-7, abs=1e-9)
    for population in ("sample", "fixed"):
        own, other = (rr.estimate(one, counts, population=population) for one in (design, table))
        assert own.proportions == pytest.approx(other.proportions, abs=1e-9)
        assert own.standard_errors == pytest.approx(other.standard_errors, rel=1e-7, abs=1e-8)
        assert own.covariance.shape == other.covariance.shape
        assert is_close(own.covariance, other.covariance, rel=1e-6, abs=1e-12)
    assert design.quantized(16).matrix.shape == (SIZE, SIZE)


def test_reports_are_drawn_by_the_two_chances():
    design, people = rr.k_rr(SIZE, "4"), np.zeros(SIZE)
    people[3] = 1.0
    counts = rr.simulate_counts(design, people, 200_000, 4)
    expected = 200_000 * design.matrix[:, 3]
    # The sum of squares of as many Poisson counts has this mean and deviation.
    statistic = ((counts - expected) ** 2 / expected).sum()
    assert abs(statistic - (SIZE - 1)) < 5 * np.sqrt(2 * SIZE)
    drawn = rr.randomize(design, np.full(2000, 3), np.random.default_rng(5).bytes)
    kept = design.matrix[3, 3]
    assert abs((drawn == 3).mean() - kept) < 5 * np.sqrt(kept * (1 - kept) / 2000)
    assert isinstance(design.likelihood_ratio_bound, Fraction)


def test_the_lie_detector_searches_its_intervals_in_few_steps(monkeypatch):
    steps = 0

    def counted(function):
        def calling(*args):
            nonlocal steps
            steps += 1
            return function(*args)

        return calling

    searched = counted(mixture.best_log_likelihood)
    for module in (mixture, lie_detector):
        monkeypatch.setattr(module, "best_log_likelihood", searched)
    lie_detector.stochastic_lie_detector(0.2, 0.8, [330, 670], [690, 310])
    # Halving took 50 for each of the eight ends.
    assert steps < 150
