"""Regressions with cheaters and with liars: each number by a second route."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.special import expit, logit
from scipy.stats import chi2

import rr_engine as rr
from rr_engine.compliance import stochastic_lie_detector
from rr_engine.errors import ArgumentError, CountsError, NotIdentifiableError
from rr_engine.library.noncompliance.respondent_types import FORMS
from rr_engine.models import CheatingLogit, LieDetectorLogit

pytestmark = pytest.mark.slow

FORCED = [rr.designs.generalized_binary(0.8, 1), rr.designs.generalized_binary(0.2, 1)]
SLD = [rr.designs.mangat(2 / 12), rr.designs.mangat(10 / 12)]
MODELS = {
    "followers": CheatingLogit(FORCED),
    "all": CheatingLogit(FORCED, trait_among="all"),
    "carriers": LieDetectorLogit(SLD),
}


def chance_of_yes(form, trait, share, which):
    """Pr(yes), written down by itself for each form; cheaters and liars say no."""
    given_no, given_yes = np.array(
        [one.matrix[1] for one in (SLD if form == "carriers" else FORCED)]
    ).T[:, which]
    if form == "followers":
        return (1 - share) * (trait * given_yes + (1 - trait) * given_no)
    if form == "all":
        return trait * given_yes + (1 - trait - share) * given_no
    return trait * (1 - share) * given_yes + (1 - trait) * given_no


def survey(form, seed, n=1500, beta=(-0.4, 0.8), share=0.25):
    generator = np.random.default_rng(seed)
    x = generator.normal(size=n)
    which = generator.integers(0, 2, n)
    trait = expit(beta[0] + beta[1] * x)
    trait = trait * 0.7 if form == "all" else trait
    yes = chance_of_yes(form, trait, share, which)
    return x, (generator.random(n) < yes).astype(int), which


def log_likelihood(form, columns, reports, which):
    def value(theta):
        trait, share = expit(columns @ theta[:-1]), expit(theta[-1])
        yes = chance_of_yes(form, trait, share, which)
        chance = np.where(reports == 1, yes, 1 - yes)
        return float(np.log(chance).sum()) if chance.min() > 0 else -1e10

    return value


def best_of_many(value, size, rounds=12):
    """The highest maximum from random starts, the share's at the end."""
    generator = np.random.default_rng(3)
    found = [
        minimize(lambda theta: -value(theta), generator.normal(scale=1.5, size=size), method="BFGS")
        for _ in range(rounds)
    ]
    return min(found, key=lambda one: one.fun)


@pytest.mark.parametrize("form", MODELS)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_fit_is_the_highest_of_the_maxima_from_many_random_starts(form, seed):
    x, reports, which = survey(form, seed)
    fit = MODELS[form].fit(x, reports, which=which)
    columns = np.column_stack([np.ones(len(x)), x])
    value = log_likelihood(form, columns, reports, which)
    other = best_of_many(value, 3)
    assert fit.log_likelihood == pytest.approx(-other.fun, abs=1e-5)
    assert fit.params == pytest.approx(other.x[:2], abs=2e-3)
    assert fit.share == pytest.approx(expit(other.x[2]), abs=2e-3)
    assert fit.converged
    # A logistic share of all leaves no room for a constant one of cheaters at large x.
    assert {note.code for note in fit.notes} == ({"shares_exceed_one"} if form == "all" else set())
    # Errors by the second derivatives of the likelihood written down, at the share itself.
    at = np.append(fit.params, fit.share)

    def of_share(theta):
        return value(np.append(theta[:-1], logit(theta[-1])))

    def slope(theta):
        return approx_fprime(theta, of_share, 1e-5)

    curvature = np.array([approx_fprime(at, lambda t, i=i: slope(t)[i], 1e-3) for i in range(3)])
    errors = np.sqrt(np.diag(np.linalg.inv(-(curvature + curvature.T) / 2)))
    assert [*fit.standard_errors, fit.share_standard_error] == pytest.approx(errors, rel=0.03)


@pytest.mark.parametrize("form", FORMS)
def test_slopes_and_curvatures_are_the_numerical_ones(form):
    x, reports, which = survey(form, 5, n=40)
    z = np.random.default_rng(6).normal(size=40)
    fit = MODELS[form].fit(x, reports, which=which, share_X=z)
    likelihood, _ = fit.data.likelihood()
    theta = np.array([-0.3, 0.5, -1.2, 0.3])
    value, gradient, information = likelihood(theta)
    assert value == likelihood.value(theta)
    assert gradient == pytest.approx(approx_fprime(theta, likelihood.value, 1e-6), abs=1e-3)
    for place in range(4):
        numbers = approx_fprime(theta, lambda at, k=place: likelihood(at)[1][k], 1e-6)
        assert information[place] == pytest.approx(-numbers, abs=1e-3)
    scores = likelihood.scores(theta) * likelihood.groups.weights[:, None]
    assert scores.sum(axis=0) == pytest.approx(gradient)


def test_without_covariates_it_is_the_table_of_shares():
    counts = [[610, 390], [340, 660]]
    reports, which = np.repeat([0, 1, 0, 1], np.ravel(counts)), np.repeat([0, 1], 1000)
    shares = rr.compliance.cheating_share(FORCED, counts)
    fit = MODELS["followers"].fit(None, reports, which=which)
    assert fit.share == pytest.approx(shares.cheaters)
    assert expit(fit.params[0]) * (1 - fit.share) == pytest.approx(shares.values[1])
    assert fit.share_interval() == pytest.approx(shares.intervals[2], abs=1e-6)
    found = fit.absence_test()
    assert (found.statistic, found.p_value) == pytest.approx((shares.statistic, shares.p_value))
    among_all = MODELS["all"].fit(None, reports, which=which)
    assert expit(among_all.params[0]) == pytest.approx(shares.values[1])
    # RRreg divides by the group's size less one, maximum likelihood by the size.
    assert among_all.share_standard_error == pytest.approx(shares.standard_errors[2], rel=1e-3)
    counts = [[330, 670], [690, 310]]
    reports = np.repeat([0, 1, 0, 1], np.ravel(counts))
    detector = stochastic_lie_detector(0.2, 0.8, *counts)
    fit = LieDetectorLogit([rr.designs.mangat(0.2), rr.designs.mangat(0.8)]).fit(
        None, reports, which=which
    )
    assert [expit(fit.params[0]), 1 - fit.share] == pytest.approx(detector.values)
    assert fit.share_standard_error == pytest.approx(detector.standard_errors[1], rel=1e-3)


@pytest.mark.parametrize("form", MODELS)
def test_where_nobody_cheats_it_is_the_model_without_cheaters(form):
    # Those who say no where the device forces a yes are too few here.
    designs = SLD if form == "carriers" else FORCED
    x, reports, which = survey(form, 11, share=0.0)
    reports[:40] = 1
    fit = MODELS[form].fit(x, reports, which=which)
    plain = rr.RRLogit(designs).fit(x, reports, which=which)
    assert fit.border
    assert fit.share == 0
    assert "share_at_border" in {note.code for note in fit.notes}
    assert fit.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-9)
    assert fit.params == pytest.approx(plain.params, abs=1e-7)
    assert np.isfinite(fit.share_standard_error)
    assert fit.absence_test().p_value == 1
    ends = fit.share_interval()
    assert ends[0] == 0 < ends[1] < 0.3
    # These hold what the share's own error adds.
    assert (fit.standard_errors >= plain.standard_errors - 1e-9).all()


@pytest.mark.parametrize("form", MODELS)
def test_likelihood_ratios_are_those_of_the_highest_maxima(form):
    x, reports, which = survey(form, 21, beta=(0.3, 0.5))
    fit = MODELS[form].fit(x, reports, which=which)
    columns = np.column_stack([np.ones(len(x)), x])
    full = best_of_many(log_likelihood(form, columns, reports, which), 3).fun
    for name, kept in (("x1", columns[:, :1]), ("intercept", columns[:, 1:])):
        less = best_of_many(log_likelihood(form, kept, reports, which), 2).fun
        found = fit.likelihood_ratio([name])
        assert found.statistic == pytest.approx(2 * (less - full), abs=1e-4)
        assert found.p_value == pytest.approx(chi2.sf(found.statistic, 1))
    designs = SLD if form == "carriers" else FORCED
    none = rr.RRLogit(designs).fit(x, reports, which=which).log_likelihood
    found = fit.absence_test()
    assert found.statistic == pytest.approx(2 * (fit.log_likelihood - none))
    assert found.p_value == pytest.approx(chi2.sf(found.statistic, 1) / 2)


def test_the_lie_detector_with_a_group_asked_directly():
    # RRreg's group 0: nobody lies when asked directly, so that liars say yes there.
    x, reports, which = survey("carriers", 31)
    asked = np.random.default_rng(32).random(600) < expit(-0.4 + 0.8 * x[:600])
    columns = np.concatenate([x, x[:600]])
    answers = np.concatenate([reports, asked.astype(int)])
    groups = np.concatenate([which, np.full(600, 2)])
    model = LieDetectorLogit([*SLD, rr.designs.direct(2)], otherwise=[[1, 0], [1, 0], [0, 1]])
    fit = model.fit(columns, answers, which=groups)

    def value(theta):
        trait = expit(theta[0] + theta[1] * columns)
        yes = chance_of_yes("carriers", trait, theta[2], groups % 2)
        yes = np.where(groups == 2, trait, yes)
        return -np.log(np.where(answers == 1, yes, 1 - yes)).sum()

    other = minimize(value, [0, 0, 0.5], bounds=[(-5, 5), (-5, 5), (1e-3, 1 - 1e-3)])
    assert fit.log_likelihood == pytest.approx(-other.fun, abs=1e-4)
    assert [*fit.params, fit.share] == pytest.approx(other.x, abs=5e-3)


def test_the_order_of_the_rows_does_not_matter():
    x, reports, which = survey("followers", 41, n=400)
    weights = np.random.default_rng(42).uniform(0.5, 2, 400)
    order = np.random.default_rng(43).permutation(400)
    model = MODELS["followers"]
    first = model.fit(x, reports, weights, which, share_X=x)
    second = model.fit(x[order], reports[order], weights[order], which[order], share_X=x[order])
    assert first.params.tolist() == second.params.tolist()
    assert first.covariance.tolist() == second.covariance.tolist()
    assert (first.scores[order] == second.scores).all()


def test_weights_count_people_and_errors_become_robust():
    x, reports, which = survey("followers", 51, n=300)
    model = MODELS["followers"]
    twice = np.arange(300) < 100
    fit = model.fit(x, reports, 1 + twice, which)
    rows = np.concatenate([np.arange(300), np.flatnonzero(twice)])
    copied = model.fit(x[rows], reports[rows], which=which[rows])
    assert fit.params == pytest.approx(copied.params, abs=1e-6)
    assert fit.share == pytest.approx(copied.share, abs=1e-6)
    assert fit.standard_error_kind == "robust"
    scores = fit.scores
    inverse = np.linalg.inv(fit.information)
    expected = inverse @ scores.T @ scores @ inverse * 300 / 299
    assert fit.covariance == pytest.approx(expected, rel=1e-6)
    low, high = fit.share_interval()
    assert 0 <= low < fit.share < high <= 1
    with pytest.raises(ArgumentError, match="weights must be left out"):
        fit.absence_test()
    with pytest.raises(ArgumentError, match="weights must be left out"):
        fit.likelihood_ratio(["x1"])


def test_a_share_that_depends_on_covariates():
    generator = np.random.default_rng(61)
    x, z = generator.normal(size=(2, 4000))
    which = generator.integers(0, 2, 4000)
    yes = chance_of_yes("followers", expit(x - 0.3), expit(-1 + 0.7 * z), which)
    reports = (generator.random(4000) < yes).astype(int)
    fit = MODELS["followers"].fit(x, reports, which=which, share_X=z, share_names=["z"])
    assert fit.share_names == ("intercept", "z")
    away = (fit.share_params - [-1, 0.7]) / fit.share_standard_errors
    assert np.abs(away).max() < 3
    assert fit.share == pytest.approx(expit(fit.share_params @ [np.ones(4000), z]).mean())
    # The mean's error by simulating coefficients from their covariance.
    drawn = generator.multivariate_normal(fit.share_params, fit.covariance[2:, 2:], 1000)
    means = expit(drawn @ [np.ones(4000), z]).mean(axis=1)
    assert fit.share_standard_error == pytest.approx(means.std(), rel=0.15)
    with pytest.raises(ArgumentError, match="share_X must be left out"):
        fit.absence_test()


def test_honest_carriers_and_cheaters_of_more_than_everybody_are_said():
    x = np.repeat([0.0, 1.0], 2000)
    which = np.tile([0, 1], 2000)
    yes = np.where(x == 0, np.where(which == 0, 0.10, 0.40), 0.93)
    reports = (np.random.default_rng(71).random(4000) < yes).astype(int)
    fit = MODELS["all"].fit(x, reports, which=which)
    assert "shares_exceed_one" in {note.code for note in fit.notes}
    assert "shares_exceed_one" not in {
        note.code for note in MODELS["followers"].fit(x, reports, which=which).notes
    }


def test_refuses_what_cannot_be_told():
    x, reports, which = survey("followers", 81, n=60)
    with pytest.raises(NotIdentifiableError, match="tell followers from the others"):
        MODELS["followers"].fit(x, reports, which=np.zeros(60, int))
    alike = [rr.forced_response(0.7, 0.15), rr.forced_response(0.7, 0.15)]
    with pytest.raises(NotIdentifiableError, match="tell followers from the others"):
        CheatingLogit(alike).fit(x, reports, which=which)
    with pytest.raises(CountsError, match="at least one respondent"):
        MODELS["followers"].fit(x, np.full(60, -1), which=which)
    with pytest.raises(ArgumentError, match=r"^which must hold numbers of devices"):
        MODELS["followers"].fit(x, reports, which=which + 1)
    with pytest.raises(ArgumentError, match=r"^share_X must not have a column"):
        MODELS["followers"].fit(x, reports, which=which, share_X=np.ones(60))
    with pytest.raises(ArgumentError, match=r"^share_names must be"):
        MODELS["followers"].fit(x, reports, which=which, share_X=x, share_names=["a", "b"])
    rare = [
        rr.DesignMatrix([[0.9, 0.2], [0.1, 0.8], [0, 0]]),
        rr.DesignMatrix([[0.5, 0.2]] * 2 + [[0, 0.6]]),
    ]
    with pytest.raises(CountsError, match="some kind of respondent sends"):
        CheatingLogit(rare).fit(x, np.where(which == 0, 2, reports), which=which)
    with pytest.raises(ArgumentError, match="two categories"):
        CheatingLogit([rr.designs.direct(3)])
    fit = MODELS["followers"].fit(x, reports, which=which)
    for names in ([], ["x1", "intercept"], ["y"], ["x1", "x1"]):
        with pytest.raises(ArgumentError, match="some, not all"):
            fit.likelihood_ratio(names)


def test_clusters_of_a_survey_sample_count_in_the_errors():
    x, reports, which = survey("followers", 91, n=300)
    sample = rr.SurveySample(np.repeat([1.0, 2.0], 150), clusters=np.arange(300) // 3)
    fit = MODELS["followers"].fit(x, reports, which=which, sample=sample)
    weighted = MODELS["followers"].fit(x, reports, sample.weights, which=which)
    assert fit.params == pytest.approx(weighted.params)
    inverse = np.linalg.inv(fit.information)
    expected = inverse @ sample.covariance_of_total(fit.scores) @ inverse
    assert fit.covariance == pytest.approx(expected, rel=1e-6)
    assert (fit.standard_errors != weighted.standard_errors).all()


def test_it_is_a_multinomial_logit_of_the_three_types():
    # With a covariate of two values both models have all the freedom that there is.
    _, reports, which = survey("followers", 101)
    x = np.arange(1500) % 3 == 0
    safe = np.array([[1.0], [0.0]])
    types = [rr.DesignMatrix(np.hstack([device.matrix, safe])) for device in FORCED]
    plain = rr.RRLogit(types).fit(x, reports, which=which)
    fit = MODELS["followers"].fit(x, reports, which=which, share_X=x)
    assert fit.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-7)
    assert fit.params == pytest.approx(plain.params[0], abs=1e-5)
    cheaters = np.exp(plain.params[1] @ [[1, 1], [0, 1]])
    others = 1 + np.exp(plain.params[0] @ [[1, 1], [0, 1]])
    share = expit(fit.share_params @ [[1, 1], [0, 1]])
    assert share == pytest.approx(cheaters / (cheaters + others), abs=1e-6)
