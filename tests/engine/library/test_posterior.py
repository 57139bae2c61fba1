from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta

import rr_engine as rr
from rr_engine.estimation import posterior
from rr_engine.library.bayesian.slice_sampling import TARGET, draw_posterior
from tests.engine.bayesian_cases import exact_moments, simplex_grid

pytestmark = pytest.mark.slow

HALF = Fraction(1, 2)
COIN = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
UNEVEN = [[9, 2, 1], [4, 11, 3], [3, 3, 12]]


def codes(result):
    return [note.code for note in result.notes]


@pytest.mark.parametrize("counts", [[7, 3], [10, 0], [0, 0], [1, 0], [2_000_000, 50]])
@pytest.mark.parametrize("prior", [0.01, 0.5, [1, 3.5], 200])
def test_direct_answers_have_a_beta_posterior(counts, prior):
    result = posterior(rr.designs.direct(2), counts, prior)
    first, second = np.array(counts) + prior
    exact = beta(second, first)
    assert result.means[1] == pytest.approx(exact.mean(), rel=1e-9)
    assert result.standard_deviations == pytest.approx([exact.std()] * 2, rel=1e-9)
    assert result.intervals[1] == pytest.approx(exact.interval(0.95), rel=1e-8, abs=1e-12)
    assert result.intervals[0] == pytest.approx(beta(first, second).interval(0.95), abs=1e-9)


@pytest.mark.parametrize("counts", [[9, 4], [13, 0], [0, 7], [1, 1]])
@pytest.mark.parametrize("prior", [[HALF, HALF], [Fraction(1), Fraction(5, 2)]])
def test_two_categories_agree_with_the_exact_mixture(counts, prior):
    means, squares = exact_moments(COIN, counts, prior)
    result = posterior(rr.warner(0.75), counts, np.array(prior, dtype=float))
    assert result.means == pytest.approx(means, rel=1e-11)
    assert result.standard_deviations**2 == pytest.approx(squares - means**2, rel=1e-10)


def test_two_strata_agree_with_the_exact_mixture():
    rows = [*COIN, [Fraction(1), Fraction(1, 2)], [Fraction(0), Fraction(1, 2)]]
    means, _ = exact_moments(rows, [4, 1, 3, 3], [HALF, HALF])
    result = posterior([rr.warner(0.75), rr.forced_response(0.5, 0)], [[4, 1], [3, 3]])
    assert result.means == pytest.approx(means, rel=1e-11)


def test_intervals_of_two_categories_hold_their_share_of_the_mass():
    result = posterior(rr.designs.mangat(0.7), [30, 12], 0.7, level=0.9)
    shares = (np.arange(100_000) + 0.5) / 100_000
    # Midpoints of a grid in the prior's distribution function: the prior alone weighs the same.
    truths = beta(0.7, 0.7).ppf(shares)
    weights = (0.7 * (1 - truths)) ** 30 * (0.3 * (1 - truths) + truths) ** 12
    below = [weights[truths <= end].sum() / weights.sum() for end in result.intervals[1]]
    assert below == pytest.approx([0.05, 0.95], abs=1e-4)


@pytest.mark.parametrize("n", [10**6, 10**15])
def test_many_reports_give_the_normal_limit(n):
    result = posterior(rr.warner(0.75), [n * 6 // 10, n * 4 // 10])
    error = np.sqrt(0.24 / n) / 0.5
    assert result.means[1] == pytest.approx(0.3, abs=10 / n + 1e-15)
    assert result.standard_deviations[1] == pytest.approx(error, rel=1e-4)
    assert result.intervals[1] == pytest.approx([0.3 - 1.96 * error, 0.3 + 1.96 * error], rel=1e-4)


def test_three_categories_agree_with_the_exact_mixture():
    table = [[Fraction(value, 16) for value in row] for row in UNEVEN]
    design = rr.DesignMatrix.from_integers(UNEVEN, 16)
    means, squares = exact_moments(table, [5, 0, 2], [HALF] * 3)
    result = posterior(design, [5, 0, 2])
    assert (np.abs(result.means - means) < 4 * result.monte_carlo_errors).all()
    assert result.standard_deviations**2 == pytest.approx(squares - means**2, rel=0.04)
    assert (result.method, codes(result)) == ("slice sampling", [])
    assert result.effective_draws >= TARGET


def test_scores_with_noise_agree_with_the_exact_mixture():
    design = rr.designs.laplace(5, 1)
    table = [[Fraction(value) for value in row] for row in design.matrix.tolist()]
    means, squares = exact_moments(table, [4, 0, 1, 0, 2], [HALF] * 5)
    result = posterior(design, [4, 0, 1, 0, 2])
    assert (np.abs(result.means - means) < 4 * result.monte_carlo_errors).all()
    assert result.standard_deviations**2 == pytest.approx(squares - means**2, rel=0.05)


@pytest.mark.parametrize("counts", [[900, 400, 380], [60, 30, 12]])
def test_three_categories_agree_with_a_sum_over_a_grid(counts):
    design = rr.k_rr(3, 1)
    means, deviations, below = simplex_grid(design.matrix, counts, [0.5] * 3)
    result = posterior(design, counts)
    assert (np.abs(result.means - means) < 4 * result.monte_carlo_errors).all()
    assert result.standard_deviations == pytest.approx(deviations, rel=0.03)
    for truth, (low, high) in enumerate(result.intervals):
        assert [below(truth, low), below(truth, high)] == pytest.approx([0.025, 0.975], abs=0.006)


def test_the_sampler_agrees_with_quadrature():
    exact = posterior(rr.warner(0.7), [70, 30])
    draws, reached = draw_posterior(
        rr.warner(0.7).matrix, np.array([70.0, 30.0]), np.full(2, 0.5), np.array([0.9, 0.1])
    )
    shares = draws.shares.reshape(-1, 2)
    assert reached
    assert (np.abs(shares.mean(axis=0) - exact.means) < 4 * draws.monte_carlo_errors).all()
    assert np.quantile(shares[:, 1], 0.975) == pytest.approx(exact.intervals[1, 1], rel=0.02)


def test_without_reports_it_is_the_prior():
    result = posterior(rr.k_rr(3, 1), [0, 0, 0], [1, 2, 3])
    assert result.means == pytest.approx([1 / 6, 1 / 3, 1 / 2])
    assert result.intervals[0] == pytest.approx(beta(1, 5).interval(0.95))
    assert np.diag(result.covariance) == pytest.approx(beta([1, 2, 3], [5, 4, 3]).var())
    assert (codes(result), result.method) == (["no_reports"], "closed form")


def test_a_device_that_tells_nothing_leaves_the_prior_and_says_so():
    result = posterior(rr.warner(0.5), [30, 33])
    assert result.intervals[1] == pytest.approx(beta(0.5, 0.5).interval(0.95), rel=1e-9)
    assert codes(result) == ["prior_decides"]


def test_impossible_shares_are_said():
    assert codes(posterior(rr.warner(0.75), [900, 100])) == ["implausible"]


def test_the_order_of_strata_and_their_division_do_not_matter():
    designs, counts = (
        [rr.k_rr(3, 1), rr.designs.direct(3), rr.k_rr(3, 2)],
        [[20, 9, 4], [5, 0, 1], [3, 3, 0]],
    )
    together = posterior(designs, counts)
    turned = posterior(designs[::-1], counts[::-1])
    divided = posterior([*designs, rr.k_rr(3, 1)], [[15, 2, 4], *counts[1:], [5, 7, 0]])
    assert together.means.tolist() == turned.means.tolist() == divided.means.tolist()
    assert together.intervals.tolist() == divided.intervals.tolist()


def test_bits_of_categories_are_whole_reports():
    bits = rr.channels.BitChannel(3, 12, 4, 16)
    reports = {(1, 0, 0): 20, (0, 1, 0): 6, (1, 1, 0): 5, (0, 0, 0): 4}
    rows = []
    for report in reports:
        set_bits = np.array(report, dtype=bool)
        chances = np.where(np.eye(3, dtype=bool), 0.75, 0.25)
        rows.append(np.where(set_bits, chances, 1 - chances).prod(axis=1))
    means, _, _ = simplex_grid(rows, list(reports.values()), [0.5] * 3, points=600)
    result = posterior(bits, reports)
    assert (np.abs(result.means - means) < 4 * result.monte_carlo_errors + 1e-4).all()
    with pytest.raises(rr.errors.CountsError) as caught:
        posterior(bits, [[5, 5], [5, 5], [5, 5]])
    assert caught.value.code == "reports_not_kept"


def test_what_cannot_be_done_is_refused():
    cases = [
        (
            lambda: posterior([rr.warner(0.7), rr.k_rr(3, 1)], [[1, 2], [1, 2, 3]]),
            rr.errors.CategoryError,
        ),
        (lambda: posterior(rr.k_rr(61, 1), [1] * 61), rr.errors.ArgumentError),
        (
            lambda: posterior(rr.channels.BitChannel(3, 12, 4, 16, "set"), [[1, 2]] * 3),
            rr.errors.ArgumentError,
        ),
        (lambda: posterior(rr.designs.mangat(1), [3, 1], prior=0), rr.errors.ArgumentError),
    ]
    for make, error in cases:
        with pytest.raises(error):
            make()
