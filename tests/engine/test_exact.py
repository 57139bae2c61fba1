"""Exact tables of searched designs keep every bound in rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.optimal_cases import DELTA, PRIORS, N

PRIOR = PRIORS["normal"]


@pytest.fixture(scope="module")
def design():
    return rr.optimisation.optimal_mechanism(rr.optimisation.solve_bound(PRIOR, N, 0.3, DELTA))


def rational(table, prior):
    """Privacy and worst posterior of an integer table, in fractions."""
    shares = [Fraction(share) for share in prior.tolist()]
    shares = [share / sum(shares) for share in shares]
    rows = [[int(c) * s for c, s in zip(row, shares, strict=True)] for row in table]
    privacy = 1 - sum(max(row) for row in rows) / int(table[:, 0].sum())
    return privacy, max(max(row) / sum(row) for row in rows)


@pytest.mark.parametrize("bits", [20, 32, 52])
def test_privacy_and_delta_are_kept_exactly_at_hardly_any_cost(design, bits):
    exact = rr.optimisation.quantized_within(design, PRIOR, privacy=0.3, delta=DELTA, bits=bits)
    privacy, worst = rational(exact.integers, PRIOR)
    assert privacy >= Fraction(0.3)
    assert worst <= Fraction(DELTA)
    assert exact.bits == bits
    assert exact.mse(PRIOR, N) <= design.mse(PRIOR, N) * (1 + 1e-9 + 2.0 ** (12 - bits))


def test_the_plain_rounding_would_break_the_bound(design):
    table = np.rint(design.matrix * 2**20).astype(int)
    assert rational(table, PRIOR)[1] > Fraction(DELTA)


def test_a_budget_is_kept_beside_the_others(design):
    exact = rr.optimisation.quantized_within(design, PRIOR, privacy=0.3, delta=DELTA, epsilon="3")
    assert exact.epsilon_at_most("3")
    privacy, worst = rational(exact.integers, PRIOR)
    assert privacy >= Fraction(0.3)
    assert worst <= Fraction(DELTA)
    # No more is mixed in than needed.
    assert exact.epsilon > 2.99


def test_reports_that_are_hardly_ever_sent_do_not_spoil_the_others():
    """Their few units keep no ratio but 1: to mix for them made the error 31 % larger."""
    grown = np.exp(0.3)
    table = np.where(np.eye(4) == 1, grown, 1) / (grown + 3)
    pairs = np.array([[1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]])
    rare = 1.5e-9 * np.where(pairs == 1, grown, 1)
    design = rr.DesignMatrix(np.vstack([table * (1 - rare.sum(axis=0)), rare]))
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    exact = rr.optimisation.quantized_within(design, shares, epsilon="0.3")
    assert exact.epsilon_at_most("0.3")
    assert (exact.integers.sum(axis=0) == 2**32).all()
    assert exact.reports == ("0", "1", "2", "3")
    assert exact.mse(shares, N) <= design.mse(shares, N) * (1 + 1e-6)


def test_as_many_reports_as_truths_are_all_kept():
    square = rr.DesignMatrix(np.array([[1 - 1e-6, 1 - 2e-6], [1e-6, 2e-6]]))
    assert len(rr.optimisation.quantized_within(square, [0.5, 0.5], epsilon=1).reports) == 2


def test_what_keeps_every_bound_is_only_rounded():
    design = rr.DesignMatrix([[0.75, 0.25], [0.25, 0.75]], ["No", "Yes"])
    exact = rr.optimisation.quantized_within(
        design, [0.5, 0.5], privacy=0.2, delta=0.8, epsilon=2, bits=8
    )
    assert exact.integers.tolist() == [[192, 64], [64, 192]]
    assert exact.categories == ("No", "Yes")


@pytest.mark.parametrize(
    ("bounds", "error", "said"),
    [
        ({"privacy": 0.9}, rr.errors.ArgumentError, "below 1 less the largest"),
        ({"delta": 0.2}, rr.errors.ArgumentError, "above the largest"),
        ({"delta": 0.75, "bits": 1}, rr.errors.DesignError, "bits must"),
    ],
)
def test_says_what_would_be_feasible(design, bounds, error, said):
    with pytest.raises(error, match=said):
        rr.optimisation.quantized_within(design, PRIOR, **bounds)
