import numpy as np
import pytest
from scipy.optimize import minimize

import rr_engine as rr
from rr_engine.channels.counting import Dense
from rr_engine.estimation import likelihood
from rr_engine.estimation.likelihood import iterate_to_maximum, likelihood_gap, log_likelihood
from tests.engine.engine_cases import DESIGNS, outcomes


def expectation_maximisation(matrix, reported, rounds):
    """Plain EM from equal proportions (Huang & Du 2008, Eq. 3, with its index pair in order)."""
    proportions = np.full(matrix.shape[1], 1 / matrix.shape[1])
    for _ in range(rounds):
        ratio = np.divide(
            reported, matrix @ proportions, out=np.zeros(len(matrix)), where=reported > 0
        )
        before, proportions = proportions, proportions * (matrix.T @ ratio)
        if np.array_equal(before, proportions):
            break
    return proportions


HARD = [
    (rr.k_rr(3, 1), [90, 8, 2]), (rr.k_rr(5, 2), [0, 0, 300, 10, 90]),
    (rr.k_rr(10, 3), [400, 3, 2, 1, 0, 0, 50, 60, 2, 9]),
    (rr.designs.generalized_binary(0.9, 0.6), [99, 1]),
    (rr.designs.generalized_binary(0.4, 1.0), [70, 30]),
    (DESIGNS["more reports than truths"], [60, 30, 1]),
    (DESIGNS["more reports than truths"], [50, 30, 41]), (DESIGNS["four, uneven"], [100, 3, 5, 2]),
    (DESIGNS["a report never made"], [90, 10, 0]), (rr.designs.direct(4), [1, 0, 5, 0]),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("design", "counts"), HARD)
def test_agrees_with_plain_em(design, counts):
    result = rr.estimate(design, counts, method="mle")
    reported = np.array(counts) / sum(counts)
    assert np.allclose(
        result.proportions, expectation_maximisation(design.matrix, reported, 200_000), atol=1e-6
    )


@pytest.mark.parametrize(("design", "counts"), HARD)
def test_stays_inside_and_certifies_its_maximum(design, counts):
    result = rr.estimate(design, counts, method="mle")
    assert result.converged
    assert (result.proportions >= 0).all()
    assert result.proportions.sum() == pytest.approx(1, abs=1e-12)
    assert likelihood_gap(Dense(design.matrix), result.reported_shares, result.proportions) < 1e-11


def test_agrees_with_a_general_optimiser():
    design, counts = rr.k_rr(3, 1), np.array([90, 8, 2])
    found = minimize(
        lambda x: -counts @ np.log(design.matrix @ x),
        np.full(3, 1 / 3),
        bounds=[(0, 1)] * 3,
        constraints={"type": "eq", "fun": lambda x: x.sum() - 1},
        options={"ftol": 1e-13},
    )
    assert np.allclose(rr.estimate(design, counts, method="mle").proportions, found.x, atol=1e-5)


@pytest.mark.parametrize("name", ["k_rr 2", "k_rr 5", "k_rr 20", "binary, uneven", "four, uneven"])
def test_is_inversion_inside_the_simplex(name):
    design = DESIGNS[name]
    shares = np.full(len(design.categories), 1 / len(design.categories))
    counts = rr.simulate_counts(design, shares, 10**6, rng=1)
    for population in ("sample", "fixed"):
        inverted = rr.estimate(design, counts, population=population)
        likely = rr.estimate(design, counts, method="mle", population=population)
        assert (inverted.proportions >= 0).all()
        assert np.allclose(likely.proportions, inverted.proportions, atol=1e-12)
        assert np.allclose(likely.covariance, inverted.covariance, atol=1e-15)
        assert likely.iterations == 0


@pytest.mark.slow
def test_random_devices_and_reports_always_settle():
    rng = np.random.default_rng(31)
    for _ in range(400):
        size = int(rng.integers(2, 15))
        design = rr.DesignMatrix(rng.dirichlet(np.full(size + 2, 0.4), size=size).T)
        counts = rng.multinomial(int(rng.choice([1, 30, 10_000])), rng.dirichlet(np.ones(size + 2)))
        result = rr.estimate(design, counts, method="mle")
        assert result.converged, (design, counts)
        assert np.isfinite(result.covariance).all() or result.n == 1


def test_more_reports_than_truths_use_the_information_in_all_of_them():
    # Inverse Fisher information, (J^-1 - pi pi') / (n - 1), written out.
    design, counts = DESIGNS["more reports than truths"], np.array([500, 300, 410])
    result = rr.estimate(design, counts, method="mle")
    fitted = design.matrix @ result.proportions
    information = (design.matrix / fitted[:, None]).T @ design.matrix
    spread = np.linalg.inv(information) - np.outer(result.proportions, result.proportions)
    assert np.allclose(result.covariance, spread / (result.n - 1), atol=1e-12)
    low, high = result.interval(method="wilson").T
    assert ((low < result.proportions) & (result.proportions < high)).all()


def test_never_worse_than_the_projected_inversion():
    rng = np.random.default_rng(9)
    design = rr.k_rr(8, 0.5)
    for _ in range(50):
        counts = rng.multinomial(200, rng.dirichlet(np.ones(8)))
        likely = rr.estimate(design, counts, method="mle")
        other = rr.estimate(design, counts).projected()
        assert log_likelihood(design.matrix, counts / 200, likely.proportions) >= (
            log_likelihood(design.matrix, counts / 200, other) - 1e-12
        )


def test_says_so_at_the_boundary():
    result = rr.estimate(DESIGNS["four, uneven"], [100, 3, 5, 2], method="mle")
    assert result.note("boundary")
    assert result.iterations > 0
    assert rr.estimate(rr.k_rr(3, 1), [90, 8, 2], method="mle").note("boundary")
    assert not rr.estimate(rr.k_rr(3, 1), [40, 30, 30], method="mle").notes


@pytest.mark.parametrize(
    "design", [rr.k_rr(3, 1), rr.designs.frapp(3, 0.3), rr.k_rr(4, 0.01), rr.designs.frapp(4, 0.9)]
)
def test_the_closed_form_of_the_k_ary_family_is_the_maximum_for_every_survey_of_five(design):
    device, size = Dense(design.matrix), len(design.categories)
    for counts, _ in outcomes(np.full(size, 1 / size), 5):
        found = rr.estimate(design, counts, method="mle")
        assert (found.iterations, found.converged) == (0, True)
        assert found.proportions.min() >= 0
        assert found.proportions.sum() == pytest.approx(1, abs=1e-12)
        assert likelihood_gap(device, counts / 5, found.proportions) < 1e-12
        searched = iterate_to_maximum(device, counts / 5).proportions
        both = [log_likelihood(design.matrix, counts / 5, x) for x in (found.proportions, searched)]
        assert both[0] == pytest.approx(both[1], abs=1e-13)


def test_a_thousand_categories_at_a_tiny_epsilon_need_no_search():
    counts = np.random.default_rng(1).multinomial(2000, np.full(1000, 0.001))
    found = rr.estimate(rr.k_rr(1000, "0.001"), counts, method="mle")
    assert found.iterations == 0
    assert likelihood_gap(Dense(found.matrix), counts / 2000, found.proportions) < 1e-12


@pytest.mark.parametrize(
    "design", [rr.designs.laplace(6, 2), DESIGNS["four, uneven"], rr.k_rr(10, 3)]
)
def test_large_tables_climb_to_the_maximum_that_small_ones_solve_for(monkeypatch, design):
    # Both ways of solving the same steps; which one is taken depends on the size alone.
    rng = np.random.default_rng(4)
    for n in (3, 40, 5000):
        reported = rng.multinomial(n, rng.dirichlet(np.full(len(design.reports), 0.4))) / n
        device = Dense(design.matrix)
        direct_way = iterate_to_maximum(device, reported)
        with monkeypatch.context() as patch:
            patch.setattr(likelihood, "DIRECT_ENTRIES", 0)
            large_way = iterate_to_maximum(device, reported)
        assert large_way.converged
        assert likelihood_gap(device, reported, large_way.proportions) <= 1e-10
        values = [
            log_likelihood(design.matrix, reported, way.proportions)
            for way in (direct_way, large_way)
        ]
        assert values[0] == pytest.approx(values[1], abs=1e-10)
