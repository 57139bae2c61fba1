"""Privacy, error, worst posterior and hypervolume: OptRR Eq. 8 to 10."""

from math import comb

import numpy as np
import pytest

from rr_engine import DesignMatrix, k_rr, simulate_counts
from rr_engine.designs import frapp, uniform_perturbation
from rr_engine.optimisation.front import efficiency, evaluate, hypervolume, losses, undominated
from rr_engine.precision import solve_proportions
from tests.engine.optimal_cases import DELTA, PRIORS, N, exact_measures


def warner_matrix(p, size=10):
    return np.full((size, size), (1 - p) / (size - 1)) + np.eye(size) * (p - (1 - p) / (size - 1))


def random_matrices(size, many, seed=4):
    rng = np.random.default_rng(seed)
    columns = np.swapaxes(rng.dirichlet(np.ones(size), size=(many, size)), 1, 2)
    return 0.6 * np.eye(size) + 0.4 * columns


@pytest.mark.parametrize("size", [2, 4, 7])
def test_measures_are_those_of_the_definitions_in_rational_arithmetic(size):
    prior = np.random.default_rng(size).dirichlet(np.full(size, 3.0))
    matrices = random_matrices(size, 6)
    measured = evaluate(matrices, prior)
    for index, matrix in enumerate(matrices):
        for value, exact in zip(measured, exact_measures(matrix, prior), strict=True):
            assert value[index] == pytest.approx(float(exact), rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
def test_measures_are_those_of_the_design(prior):
    matrix = random_matrices(10, 1)[0]
    design = DesignMatrix(matrix)
    privacy, error, worst = (value[0] for value in evaluate(matrix[None], prior))
    assert privacy == pytest.approx(design.privacy(prior), rel=1e-12)
    assert worst == pytest.approx(design.worst_posterior(prior), rel=1e-12)
    assert error / N == pytest.approx(design.mse(prior, N), rel=1e-12)
    assert losses(matrix[None])[0] == pytest.approx(design.epsilon, rel=1e-12)


def test_the_misprint_of_theorem_6_is_not_reproduced():
    # OPTIMAL, section 1: covariances counted twice would give 4.849e-05.
    _, error, _ = evaluate(warner_matrix(0.5)[None], PRIORS["normal"])
    assert f"{error[0] / N:.3e}" == "4.489e-05"


def test_the_error_is_that_of_simulated_surveys():
    prior, design = PRIORS["normal"], DesignMatrix(warner_matrix(0.5)).quantized()
    _, error, _ = evaluate(design.matrix[None], prior)
    rng = np.random.default_rng(20080407)
    surveys = [simulate_counts(design, prior, N, rng=rng) for _ in range(600)]
    estimates = [solve_proportions(design.matrix, counts / N) for counts in surveys]
    squares = ((np.array(estimates) - prior) ** 2).mean(axis=1)
    # Within four standard errors of the 600 surveys.
    spread = squares.std() / np.sqrt(len(squares))
    assert abs(squares.mean() - error[0] / N) < 4 * spread


@pytest.mark.parametrize(
    ("name", "open_error", "most"),
    [("normal", 8.323e-06, 0.773642), ("gamma", 7.953e-06, 0.664169), ("uniform", 9e-06, 0.9)],
)
def test_the_priors_are_those_of_the_checks(name, open_error, most):
    # OPTIMAL, section 1.
    prior = PRIORS[name]
    assert (1 - prior @ prior) / 10 / N == pytest.approx(open_error, rel=1e-4)
    assert 1 - prior.max() == pytest.approx(most, abs=5e-7)


@pytest.mark.parametrize(
    ("name", "area"), [("normal", 0.0704), ("gamma", 0.0337), ("uniform", 0.1135)]
)
def test_the_warner_family_dominates_the_known_area(name, area):
    # OPTIMAL, section 3: step .001, delta .75.
    prior = PRIORS[name]
    matrices = np.array([warner_matrix(p) for p in np.arange(0, 1.0005, 0.001)])
    privacy, error, worst = evaluate(matrices, prior)
    allowed = worst <= DELTA
    found = hypervolume(privacy[allowed], efficiency(error[allowed], prior), DELTA)
    assert found == pytest.approx(area, abs=1e-4)


def test_theorem_2_three_schemes_are_one_family():
    for p in (0.2, 0.5, 0.9):
        kept = warner_matrix(p, 6)
        ratio = p * 5 / (1 - p)
        assert np.allclose(frapp(6, ratio).matrix, kept, atol=1e-15)
        assert np.allclose(uniform_perturbation(6, (6 * p - 1) / 5).matrix, kept, atol=1e-15)
        assert np.allclose(k_rr(6, np.log(ratio)).matrix if ratio > 1 else kept, kept, atol=1e-15)


def test_fact_1_the_number_of_matrices_on_a_grid():
    # Section V: n = 10 and d = 100 give 1.98e126.
    assert f"{comb(100 + 10 - 1, 100) ** 10:.3g}".replace("+", "") == "1.98e126"
    # By listing: columns of halves for three categories.
    columns = {(a, b, 2 - a - b) for a in range(3) for b in range(3) if 2 - a - b >= 0}
    assert len(columns) == comb(2 + 3 - 1, 2)


def test_the_hypervolume_is_the_area_under_the_steps():
    privacy, gain = np.array([0.5, 0.3, 0.4, 0.2]), np.array([0.2, 0.6, 0.1, 0.9])
    # Reference .25: .25 wide at .2, and .05 wide from .2 to .6; .2 lies left of it.
    assert hypervolume(privacy, gain, 0.75) == pytest.approx(0.25 * 0.2 + 0.05 * 0.4)
    assert hypervolume(np.array([0.2]), np.array([0.5]), 0.75) == 0
    fine = np.linspace(0.25, 1, 20_001)[:-1] + 0.75 / 40_000
    heights = [gain[privacy >= level].max(initial=0) for level in fine]
    assert hypervolume(privacy, gain, 0.75) == pytest.approx(0.75 * np.mean(heights), abs=1e-4)


def test_undominated_points_by_the_definition():
    rng = np.random.default_rng(1)
    privacy, gain = rng.integers(1, 6, size=(2, 40)) / 10
    kept = undominated(privacy, gain)
    points = list(zip(privacy, gain, strict=True))
    for p, g in points:
        beaten = any(q >= p and h >= g and (q, h) != (p, g) for q, h in points)
        assert beaten != any((privacy[k], gain[k]) == (p, g) for k in kept)


def test_a_matrix_that_determines_nothing_has_an_infinite_error():
    alike = np.full((3, 3), 1 / 3)
    _, error, _ = evaluate(alike[None], np.full(3, 1 / 3))
    assert np.isinf(error[0])
    assert np.isinf(losses(np.eye(3)[None])[0])
