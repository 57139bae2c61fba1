"""Coefficients at assumed shares of non-compliance, and two arms by covariate."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import chi2

from rr_engine import DesignMatrix, RRLogit, compare_with_direct, crosswise, warner
from rr_engine.compliance import compare_arms, noncompliance_bounds
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError

COIN = warner(0.8)


@pytest.fixture(scope="module")
def people():
    """2,000 people, one device, a covariate; seed 15."""
    generator = np.random.default_rng(15)
    x = generator.normal(size=2000)
    trait = generator.random(2000) < expit(-0.8 + 0.7 * x)
    return x, (generator.random(2000) < np.where(trait, 0.8, 0.2)).astype(int)


def test_at_no_share_it_is_the_model_without(people):
    x, reports = people
    found = noncompliance_bounds(COIN, x, reports, [0.0, 0.1], names=["x"])
    plain = RRLogit(COIN).fit(x, reports, names=["x"])
    assert found.names == plain.names
    assert found.params[0] == pytest.approx(plain.params)
    assert found.standard_errors[0] == pytest.approx(plain.standard_errors)
    assert found.log_likelihoods[0] == pytest.approx(plain.log_likelihood)
    assert found.interval(0.9)[0] == pytest.approx(plain.interval(0.9))
    weights = 1 + (x > 0)
    found = noncompliance_bounds(COIN, x, reports, [0.0], weights)
    plain = RRLogit(COIN).fit(x, reports, weights)
    assert found.standard_error_kind == plain.standard_error_kind == "robust"
    assert found.standard_errors[0] == pytest.approx(plain.standard_errors)


@pytest.mark.parametrize("otherwise", [None, [1.0, 0.0], [0.3, 0.7]])
def test_at_a_share_it_is_the_model_with_the_mixed_design(people, otherwise):
    x, reports = people
    shares = [0.05, 0.2]
    found = noncompliance_bounds(COIN, x, reports, shares, otherwise=otherwise)
    away = np.array([0.5, 0.5] if otherwise is None else otherwise)
    for place, share in enumerate(shares):
        mixed = DesignMatrix((1 - share) * COIN.matrix + share * away[:, None])
        plain = RRLogit(mixed).fit(x, reports)
        assert found.params[place] == pytest.approx(plain.params, abs=1e-6)
        assert found.standard_errors[place] == pytest.approx(plain.standard_errors, rel=1e-5)


def test_of_carriers_who_lie(people):
    x, reports = people
    found = noncompliance_bounds(COIN, x, reports, [0.25], who="carriers", otherwise=[1.0, 0.0])
    lying = DesignMatrix([[0.8, 0.75 * 0.2 + 0.25], [0.2, 0.75 * 0.8]])
    plain = RRLogit(lying).fit(x, reports)
    assert found.params[0] == pytest.approx(plain.params, abs=1e-6)


def test_without_covariates_it_is_the_published_formula():
    # Bounds of cmBound in cWise: lambda = 0.6385, p = 0.25, N = 310; reports as shares of 10,000.
    reports, weights = np.array([0, 1]), [3615.0, 6385.0]
    shares = np.linspace(0, 0.4, 9)
    found = noncompliance_bounds(crosswise(0.25), None, reports, shares, weights)
    naive = (0.6385 + 0.25 - 1) / (2 * 0.25 - 1)
    bias = 0.5 * (0.6385 - 0.5) / (0.25 - 0.5) * (1 - 1 / (1 - shares))
    assert expit(found.params[:, 0]) == pytest.approx(naive - bias, abs=1e-6)


@pytest.mark.slow
def test_shares_that_the_reports_rule_out_are_said(people):
    x, reports = people
    found = noncompliance_bounds(COIN, x, reports, np.linspace(0, 0.95, 20))
    assert found.possible[:5].all()
    assert not found.possible[-1]
    assert [note.code for note in found.notes] == ["share_ruled_out"]
    assert (found.standard_errors[~found.possible] == np.inf).any(axis=1).all()
    ends = found.interval()[found.possible]
    assert found.bounds()[:, 0].tolist() == ends[..., 0].min(axis=0).tolist()
    assert found.bounds()[:, 1].tolist() == ends[..., 1].max(axis=0).tolist()
    assert not np.isnan(found.interval()).any()


def test_a_report_that_no_follower_sends_rules_out_that_all_follow():
    design = DesignMatrix([[0.9, 0.2], [0.1, 0.8], [0.0, 0.0]])
    reports = np.repeat([0, 1, 2], [60, 30, 10])
    found = noncompliance_bounds(design, None, reports, [0.0, 0.3])
    assert found.possible.tolist() == [False, True]
    assert found.log_likelihoods[0] == -np.inf
    assert found.standard_errors[0].tolist() == [np.inf]
    assert found.bounds().tolist() == found.interval()[1].tolist()
    nobody = noncompliance_bounds(design, None, reports, [0.0])
    assert nobody.bounds().tolist() == [[-np.inf, np.inf]]


@pytest.mark.parametrize(
    "shares", [[], [0.2, 0.1], [0.1, 0.1], [-0.1], [1.0], [np.nan], 0.1, ["a"]]
)
def test_refuses_what_are_no_shares(people, shares):
    with pytest.raises(ArgumentError, match="ascending, from 0 to below 1"):
        noncompliance_bounds(COIN, *people, shares)


@pytest.fixture(scope="module")
def arms():
    """Two arms: asked directly, of whom some at large x deny it, and with a device; seed 16."""
    generator = np.random.default_rng(16)
    x, arm = generator.normal(size=3000), generator.integers(0, 2, 3000)
    trait = generator.random(3000) < expit(-0.5 + 0.8 * x)
    denied = generator.random(3000) < 0.4 * (x > 0.5)
    device = generator.random(3000) < np.where(trait, 0.8, 0.2)
    return x, np.where(arm == 0, trait & ~denied, device).astype(int), arm


def test_arms_are_what_each_gives_by_itself(arms):
    x, reports, arm = arms
    found = compare_arms([direct(2), COIN], x, reports, arm, names=["x"])
    own = [
        RRLogit(device).fit(x[arm == which], reports[arm == which])
        for which, device in enumerate((direct(2), COIN))
    ]
    assert found.names == ("intercept", "x")
    assert found.first == pytest.approx(own[0].params, abs=1e-6)
    assert found.differences == pytest.approx(own[1].params - own[0].params, abs=1e-6)
    errors = np.hypot(own[0].standard_errors, own[1].standard_errors)
    assert found.standard_errors == pytest.approx(errors, rel=1e-6)
    assert found.z_values == pytest.approx(found.differences / errors)
    both = own[0].log_likelihood + own[1].log_likelihood
    model = RRLogit([direct(2), COIN])
    plain = model.fit(x, reports, which=arm)
    test = found.any_difference
    assert test.statistic == pytest.approx(2 * (both - plain.log_likelihood))
    assert (test.degrees, test.method) == (2, "likelihood ratio")
    assert test.p_value == pytest.approx(chi2.sf(test.statistic, 2))
    shifted = model.fit(np.column_stack([x, arm]), reports, which=arm)
    test = found.by_covariate
    assert test.statistic == pytest.approx(2 * (both - shifted.log_likelihood))
    # Those with large x deny it when asked directly.
    assert test.p_value < 0.01
    assert found.differences[1] > 0
    assert found.interval()[1, 0] > 0


def test_without_covariates_it_is_the_comparison_of_two_arms(arms):
    _, reports, arm = arms
    found = compare_arms([direct(2), COIN], None, reports, arm)
    assert found.by_covariate is None
    counts = [np.bincount(reports[arm == which], minlength=2) for which in (1, 0)]
    plain = compare_with_direct(COIN, *counts)
    prevalence = expit([found.first[0], found.first[0] + found.differences[0]])
    assert prevalence == pytest.approx([plain.direct, plain.randomized])
    assert found.any_difference.p_value == pytest.approx(plain.p_value, abs=0.01)


def test_weighted_arms_are_compared_by_wald(arms):
    x, reports, arm = arms
    weights = np.random.default_rng(17).uniform(0.5, 2, 3000)
    found = compare_arms([direct(2), COIN], x, reports, arm, weights)
    covariance = found.fit.covariance[2:, 2:]
    expected = found.differences @ np.linalg.inv(covariance) @ found.differences
    assert found.any_difference.method == "wald"
    assert found.any_difference.statistic == pytest.approx(expected)
    assert found.by_covariate.statistic == pytest.approx(found.z_values[1] ** 2)


def test_what_separates_is_not_tested():
    x, arm = np.tile([0.0, 1.0], 10), np.repeat([0, 1], 10)
    reports = np.where(arm == 0, x, [0, 1] * 5 + [1, 1, 0, 0, 1] * 2).astype(int)
    found = compare_arms([direct(2), COIN], x, reports, arm, np.ones(20))
    assert np.isinf(found.standard_errors).all()
    assert (found.any_difference, found.by_covariate) == (None, None)
    plain = compare_arms([direct(2), COIN], x, reports, arm)
    assert plain.any_difference.statistic >= 0
    assert plain.z_values.tolist() == [0, 0]


@pytest.mark.parametrize("arm", [[0] * 4, [0, 1, 2, 1], [0.0, 1.0, 0.5, 1.0], "0101"])
def test_refuses_what_are_no_arms(arm):
    with pytest.raises(ArgumentError, match="0 or 1 for each respondent"):
        compare_arms([direct(2), COIN], None, [0, 1, 1, 0], arm)
