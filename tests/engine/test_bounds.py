"""The least error of any mechanism, its certificate, and the devices that attain it."""

from dataclasses import replace

import numpy as np
import pytest

from rr_engine import k_rr
from rr_engine.designs import minimax_value
from rr_engine.errors import ArgumentError
from rr_engine.optimisation.bounds import mse_lower_bound, solve_bound
from rr_engine.optimisation.certificate import verify_certificate
from rr_engine.optimisation.mechanisms import optimal_mechanism
from tests.engine.engine_cases import refusal
from tests.engine.optimal_cases import PRIORS, N
from tests.work import calls

pytestmark = pytest.mark.slow

# OPTIMAL, section 3: the certified bound under the normal prior at delta .75.
NORMAL = {0.3: 1.6024e-05, 0.4: 1.8120e-05, 0.5: 2.1139e-05, 0.6: 2.9818e-05, 0.7: 5.2400e-05}


def information_error(design, prior, n):
    """(tr J^-1 - |pi|^2) / (t n), OPTIMAL 2.1, evaluated on its own."""
    rows = design.matrix / np.sqrt(design.matrix @ prior)[:, None]
    inverse = np.linalg.inv(rows.T @ rows)
    return (np.trace(inverse) - prior @ prior) / (len(prior) * n)


@pytest.mark.parametrize("privacy", NORMAL)
def test_the_known_values_under_the_normal_prior(privacy):
    certificate = mse_lower_bound(PRIORS["normal"], N, privacy, 0.75)
    assert f"{certificate.bound:.4e}" == f"{NORMAL[privacy]:.4e}"


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("delta", [0.6, 0.75, 0.9])
@pytest.mark.parametrize("privacy", [0.3, 0.5, 0.65])
def test_the_gap_is_small_and_the_bound_holds_for_other_mechanisms(prior, delta, privacy):
    shares = PRIORS[prior]
    solution = solve_bound(shares, N, privacy, delta)
    assert 0 <= solution.certificate.gap < 1e-6
    design = optimal_mechanism(solution)
    attained = information_error(design, shares, N)
    assert solution.certificate.bound <= attained <= solution.certificate.bound * 1.001
    assert len(design.reports) <= 56
    assert np.abs(design.matrix.sum(axis=0) - 1).max() < 1e-12
    assert design.privacy(shares) >= privacy - 1e-9
    assert design.worst_posterior(shares) <= delta + 1e-9


@pytest.mark.parametrize("levels", [{"privacy": 0.5, "delta": 0.75}, {"epsilon": "0.5"}])
def test_certificates_are_verified_in_rational_arithmetic(levels):
    certificate = mse_lower_bound(PRIORS["normal"][:8] / PRIORS["normal"][:8].sum(), N, **levels)
    assert verify_certificate(certificate)
    assert not verify_certificate(replace(certificate, bound=certificate.bound * (1 + 1e-9)))
    assert not verify_certificate(replace(certificate, prices=certificate.prices * (1 - 1e-6)))
    assert not verify_certificate(replace(certificate, privacy_price=-1e-9))


@pytest.mark.parametrize("levels", [{"privacy": 0.5, "delta": 0.75}, {"epsilon": "0.5"}])
def test_a_certificate_is_verified_in_whole_numbers(levels):
    # 53,458 calls for epsilon with ten truths, 3,371,297 when each step was one of fractions.
    certificate = mse_lower_bound(PRIORS["normal"], N, **levels)
    valid, called = calls(verify_certificate, certificate)
    assert valid
    assert called < 150_000


def test_a_certificate_about_more_truths_than_any_bound_is_refused_at_once():
    size = 30
    certificate = replace(
        mse_lower_bound(PRIORS["normal"], N, epsilon=1),
        prior=np.full(size, 1 / size),
        matrix=np.eye(size) - 1 / size,
        prices=np.ones(size),
    )
    with pytest.raises(ArgumentError, match="at most 14 categories"):
        verify_certificate(certificate)


def test_a_step_that_goes_astray_is_taken_again_more_carefully():
    """At a privacy where the weakest device ends, the boldest pace meets a singular information."""
    shares = [0.276, 0.356, 0.368]
    certificate = mse_lower_bound(shares, N, 0.6190000002, 0.38100000000000006)
    assert 0 <= certificate.gap < 1e-6
    assert verify_certificate(certificate)
    near = mse_lower_bound(shares, N, 0.61900000001, 0.381)
    assert certificate.bound == pytest.approx(near.bound, rel=1e-5)


def test_uniform_prior_has_a_closed_form_where_the_bound_does_not_bind():
    # MSE* = (n-1)^2 / (n^2 N (n A - 1)): OPTIMAL 2.5.
    for size, privacy in [(4, 0.5), (7, 2 / 3), (10, 0.7)]:
        exact = (size - 1) ** 2 / (size**2 * N * (size * (1 - privacy) - 1))
        certificate = mse_lower_bound(np.full(size, 1 / size), N, privacy, 0.95)
        if size != 4 and privacy > 0.6:
            assert certificate.bound == pytest.approx(exact, rel=1e-6)
        assert certificate.bound >= exact * (1 - 1e-6)


def test_the_fano_plane_is_optimal():
    # OPTIMAL 2.5: n = 7, privacy 2/3, 5.5102e-05; Warner 2.4796e-04.
    certificate = mse_lower_bound(np.full(7, 1 / 7), N, 2 / 3, 0.9)
    assert f"{certificate.bound:.4e}" == "5.5102e-05"


@pytest.mark.parametrize("size", [3, 5, 8, 10])
@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4])
def test_under_epsilon_and_equal_shares_the_bound_is_the_minimax_value(size, epsilon):
    certificate = mse_lower_bound(np.full(size, 1 / size), 1, epsilon=epsilon)
    assert certificate.bound == pytest.approx(minimax_value(size, epsilon), rel=1e-6)
    assert certificate.bound <= minimax_value(size, epsilon)


def test_no_k_ary_design_beats_the_bound():
    shares = PRIORS["gamma"]
    for epsilon in (1.0, 2.0, 3.0):
        design = k_rr(10, epsilon)
        privacy, worst = design.privacy(shares), design.worst_posterior(shares)
        bound = mse_lower_bound(shares, N, privacy, worst).bound
        assert bound <= design.mse(shares, N)
        assert mse_lower_bound(shares, N, epsilon=epsilon).bound <= design.mse(shares, N)


def test_a_privacy_without_a_largest_posterior_is_refused():
    assert "delta must be given" in str(refusal(mse_lower_bound, [0.6, 0.4], N, 0.3, None))
