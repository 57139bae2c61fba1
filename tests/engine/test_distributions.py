"""Tails and quantiles beside those of scipy.stats, far out and at the ends."""

import numpy as np
import pytest
from scipy import stats

from rr_engine import distributions
from rr_engine.planning.rejection import exact_threshold

TAILS = np.array([1e-300, 1e-30, 1e-12, 1e-5, 0.025, 0.05, 0.5, 0.95, 1 - 1e-9])
SIZES = [1, 2, 5, 40, 1000, 10**6]
SHARES = [0.0, 1e-9, 0.01, 0.3, 0.5, 0.731, 1 - 1e-9, 1.0]


def same(ours, theirs, tolerance=1e-12):
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=1e-300)


def test_normal():
    values = np.linspace(-38, 38, 153)
    same(distributions.normal_cdf(values), stats.norm.cdf(values))
    same(distributions.normal_sf(values), stats.norm.sf(values))
    same(distributions.normal_isf(TAILS), stats.norm.isf(TAILS))
    same(distributions.normal_ppf(TAILS), stats.norm.ppf(TAILS))


@pytest.mark.parametrize("freedom", [1, 2, 3, 10, 50, 2401])
def test_chi_square(freedom):
    values = np.array([-1e-9, 0, 1e-6, 0.5, 3.84, 50, 600, 2500])
    same(distributions.chi2_sf(values, freedom), stats.chi2.sf(values, freedom))
    same(distributions.chi2_isf(TAILS, freedom), stats.chi2.isf(TAILS, freedom))
    shares = TAILS[2:]
    same(distributions.chi2_ppf(shares, freedom), stats.chi2.ppf(shares, freedom))


@pytest.mark.parametrize("freedom", [1, 4, 12, 200])
def test_noncentral_chi_square(freedom):
    excess = np.array([1e-9, 0.5, 7.85, 40, 1e4])
    tails = distributions.noncentral_chi2_sf(3.84 * freedom, freedom, excess)
    np.testing.assert_allclose(tails, stats.ncx2.sf(3.84 * freedom, freedom, excess), atol=1e-9)
    back = distributions.noncentrality(
        7.85, 1, distributions.noncentral_chi2_sf(7.85, 1, excess[1:4])
    )
    np.testing.assert_allclose(back, excess[1:4], rtol=1e-5)


def test_no_degree_of_freedom_has_no_tail():
    assert np.isnan(distributions.chi2_sf([0.0, 1.0], 0)).all()


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("n", SIZES)
def test_binomial(n, share):
    counts = np.unique(np.linspace(-1, n + 1, 60).round())
    for ours, theirs in (
        (distributions.binomial_sf, stats.binom.sf),
        (distributions.binomial_cdf, stats.binom.cdf),
    ):
        same(ours(counts, n, share), theirs(counts, n, share), 1e-9)
    inside = counts[(counts >= 0) & (counts <= n)]
    expected = stats.binom.pmf(inside, n, share)
    np.testing.assert_allclose(
        distributions.binomial_pmf(inside, n, share), expected, rtol=1e-12 + n * 1e-14, atol=1e-300
    )


@pytest.mark.parametrize("first", [1, 3, 50, 9000])
@pytest.mark.parametrize("second", [1, 4, 700])
def test_beta(first, second):
    shares = TAILS[2:]
    same(
        distributions.beta_ppf(shares, first, second), stats.beta.ppf(shares, first, second), 1e-10
    )
    same(
        distributions.beta_isf(shares, first, second), stats.beta.isf(shares, first, second), 1e-10
    )


@pytest.mark.parametrize("share", [0.01, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("tail", [1e-9, 0.025, 0.05, 0.25])
def test_thresholds_are_the_least_that_keep_the_level(share, tail):
    n = np.array([1, 2, 3, 10, 77, 1000, 10**9])
    found = exact_threshold(n, share, tail)
    assert (stats.binom.sf(found - 1, n, share) <= tail).all()
    assert (stats.binom.sf(found - 2, n, share) > tail).all()
