"""Holohan, Leith & Mason 2017: the best yes/no device under (epsilon, delta)."""

import math
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.designs import optimal_threshold
from tests.engine.engine_cases import below_exponential

SIDES = 81


def variance(p00, p11, yes):
    """n times the variance of the estimated share of yes (Holohan Eq. 6)."""
    reported = (1 - yes) * (1 - p00) + yes * p11
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = reported * (1 - reported) / (p00 + p11 - 1) ** 2
    return np.where(np.abs(p00 + p11 - 1) < 1e-9, np.inf, spread)


def half_planes(epsilon, delta):
    """Rows (a, b, c) with a p00 + b p11 <= c: Eq. 9 for both reports, both orders; the square."""
    e = math.exp(epsilon)
    rows = [(1, e, e + delta), (e, 1, e + delta), (-1, -e, delta - 1), (-e, -1, delta - 1)]
    return np.array([*rows, (1, 0, 1), (0, 1, 1), (-1, 0, 0), (0, -1, 0)], dtype=float)


def feasible(points, planes, slack=1e-9):
    return points[(points @ planes[:, :2].T <= planes[:, 2] + slack).all(axis=1)]


def corners(planes):
    """Every vertex of the feasible region: where two of its edges meet."""
    pairs = [np.array(pair) for pair in combinations(planes, 2)]
    crossing = [pair for pair in pairs if abs(np.linalg.det(pair[:, :2])) > 1e-12]
    met = [np.linalg.solve(pair[:, :2], pair[:, 2]) for pair in crossing]
    return feasible(np.array(met), planes)


def candidates(epsilon, delta):
    """A grid over the feasible region, its corners, and points between every two of them."""
    planes = half_planes(epsilon, delta)
    axis = np.linspace(0, 1, SIDES)
    grid = feasible(np.array(np.meshgrid(axis, axis)).reshape(2, -1).T, planes, slack=0)
    ends = corners(planes)
    steps = np.linspace(0, 1, 41)[:, None]
    between = [one + steps * (other - one) for one, other in combinations(ends, 2)]
    return np.vstack([grid, ends, *between]), ends


def random_cases(count=600):
    """(epsilon, delta, prevalence), seed 2017: half of the prevalences small or large."""
    rng = np.random.default_rng(2017)
    for index in range(count):
        yes = rng.uniform() if index % 2 else rng.beta(0.3, 0.3)
        yield round(rng.uniform(0.05, 4), 3), round(rng.beta(0.6, 2), 4), float(yes)


@pytest.mark.slow
def test_no_feasible_design_is_better_for_600_random_cases():
    chosen = {"one-sided": 0, "mirrored": 0, "symmetric": 0}
    for epsilon, delta, yes in random_cases():
        design = rr.designs.optimal_binary(epsilon, min(delta, 0.99), yes)
        kept = np.diag(design.matrix)
        planes = half_planes(epsilon, min(delta, 0.99))
        assert len(feasible(kept[None, :], planes, slack=1e-12)) == 1
        points, ends = candidates(epsilon, min(delta, 0.99))
        ours = variance(*kept, yes)
        assert ours <= variance(*points.T, yes).min() * (1 + 1e-7) + 1e-12
        # And it is one of the corners: what beats it by rounding is itself.
        assert ours == pytest.approx(variance(*ends.T, yes).min(), rel=1e-7, abs=1e-9)
        name = "symmetric" if kept[0] == kept[1] else "one-sided" if kept[0] == 1 else "mirrored"
        chosen[name] += 1
    assert min(chosen.values()) > 50, chosen


def test_no_symmetric_design_is_better_than_the_optimal_warner():
    for epsilon, delta, yes in random_cases(100):
        kept = rr.designs.optimal_warner(epsilon, delta).matrix[0, 0]
        same = np.repeat(np.linspace(0, 1, 4001)[:, None], 2, axis=1)
        points = feasible(same, half_planes(epsilon, delta), slack=0)
        assert variance(kept, kept, yes) <= variance(*points.T, yes).min() + 1e-12


@pytest.mark.parametrize(
    ("epsilon", "delta", "threshold"),
    # From the formula in Theorem 3, computed outside this project to the digits given.
    [(1, 0.1, "0.0765878"), (0.5, 0.3, "0.3749212"), (2, 0.05, "0.00883334")],
)
def test_threshold_to_the_printed_digit(epsilon, delta, threshold):
    digits = len(threshold.removeprefix("0.").lstrip("0"))
    assert f"{optimal_threshold(epsilon, delta):#.{digits}g}" == threshold


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "0.1"), ("0.5", "0.3"), ("2", "0.05")])
def test_both_devices_are_equally_good_at_the_threshold(epsilon, delta):
    edge = optimal_threshold(epsilon, delta)
    kept = rr.designs.optimal_warner(epsilon, delta).matrix[0, 0]
    one_sided = variance(1.0, float(delta), edge)
    assert variance(kept, kept, edge) == pytest.approx(one_sided, rel=1e-12)
    assert variance(kept, kept, edge * 1.01) < variance(1.0, float(delta), edge * 1.01)
    assert variance(kept, kept, edge * 0.99) > variance(1.0, float(delta), edge * 0.99)


def test_ties_are_symmetric_and_the_rarer_side_counts():
    edge = optimal_threshold("1", "0.1")
    assert rr.designs.optimal_binary("1", "0.1", edge) == rr.designs.optimal_warner("1", "0.1")
    assert rr.designs.optimal_binary("1", "0.1", math.nextafter(edge, 0)).matrix[0, 0] == 1
    assert rr.designs.optimal_binary("1", "0.1", 1 - edge / 2).matrix[1, 1] == 1
    # pi* is above 1/2 here, and neither side is rarer: "yes" counts as the rare one.
    assert optimal_threshold("0.1", "0.6") > 0.5
    assert rr.designs.optimal_binary("0.1", "0.6", 0.5).matrix[0].tolist() == [1.0, 0.4]
    assert rr.designs.optimal_binary("0.1", "0.6", 0.51).matrix[1].tolist() == [0.4, 1.0]


def test_delta_zero_is_binary_randomized_response():
    for prevalence in (0, 0.01, 0.5, 1):
        assert rr.designs.optimal_binary("1.1", 0, prevalence) == rr.k_rr(["No", "Yes"], "1.1")
    assert rr.designs.optimal_warner("1.1", "0.0") == rr.k_rr(["No", "Yes"], "1.1")
    assert optimal_threshold("1.1", 0) == 0


def test_huge_budgets_do_not_overflow():
    assert optimal_threshold(700, 0.5) == pytest.approx(0.5 * math.exp(-700), rel=1e-9)
    table = rr.designs.optimal_warner("700", "0.5").quantized()
    assert table.integers.tolist() == [[2**32 - 1, 1], [1, 2**32 - 1]]


def test_the_declared_guarantee_differs_from_the_loss_of_the_table():
    design = rr.designs.optimal_warner("1", "0.1")
    assert (design.declared_epsilon, design.declared_delta) == (Decimal(1), Decimal("0.1"))
    assert design.epsilon == pytest.approx(math.log((math.e + 0.1) / 0.9), rel=1e-15)
    assert not design.epsilon_at_most("1.1")
    assert design.delta(1) == pytest.approx(0.1, abs=1e-15)


def test_one_sided_design_reveals_a_delta_share_and_must_be_accepted():
    design = rr.designs.optimal_binary("1", "0.1", 0.01)
    assert design.posterior([0.99, 0.01])[1, 1] == 1
    assert design.delta(math.inf) == pytest.approx(0.1, abs=1e-15)
    with pytest.raises(rr.errors.EpsilonError, match="accept_infinite_epsilon"):
        design.quantized()
    table = design.quantized(accept_infinite_epsilon=True)
    # Rounded down: 2**32 / 10 is 429496729.6.
    assert table.integers.tolist() == [[2**32, 2**32 - 429496729], [0, 429496729]]


def exponential(epsilon, terms=60):
    """Bounds of e**epsilon: a partial sum, and the same with a geometric tail."""
    total = below_exponential(epsilon, terms)
    return total, total + 2 * (total - below_exponential(epsilon, terms - 1))


@pytest.mark.slow
@pytest.mark.parametrize("bits", [8, 20, 32, 52])
def test_quantized_keeps_the_declared_guarantee(bits):
    rng = np.random.default_rng(4)
    whole = 2**bits
    for _ in range(100):
        epsilon, delta = f"{rng.uniform(0.05, 4):.4f}", f"{rng.uniform(0.01, 0.9):.5f}"
        design = rr.designs.optimal_warner(epsilon, delta)
        kept, share = int(design.quantized(bits).integers[0, 0]), Fraction(delta)
        low, high = exponential(epsilon)
        # K - E (D - K) <= delta D exactly when K <= D (E + delta)/(1 + E).
        assert kept <= whole * (low + share) / (1 + low)
        # Two more break it: only rounding of the float matrix can cost one.
        assert kept + 2 > whole * (high + share) / (1 + high)
