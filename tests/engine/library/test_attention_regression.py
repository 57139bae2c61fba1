"""A number explained by a randomized trait, with an anchor, beside cWise's `cmreg.p`."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.special import expit
from scipy.stats import norm

from rr_engine import crosswise
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError
from rr_engine.library.noncompliance.attention_regression import _scaled
from rr_engine.models import AttentionLogit, AttentionRegression
from tests.engine.cwise_people import N, draw_people
from tests.engine.r_generator import R

pytestmark = pytest.mark.slow

DEVICES = crosswise(0.1), crosswise(0.15)
MODEL = AttentionRegression(*DEVICES)


@pytest.fixture(scope="module")
def cmdata3():
    """V, the columns age and female, Y and A, drawn as in R/cmdata3DGP.R of cWise (seed 1234)."""
    source = R(1234)
    people = draw_people(source)
    mean = 0.3 * people.female + 0.01 * people.age + people.trait
    columns = np.column_stack([people.age, people.female])
    return mean + source.normal(N), columns, people.same, people.anchor


def test_the_published_regression_is_reproduced(cmdata3):
    # head(cmdata3), cmreg.p(V ~ age + female + Y + A, p = 0.1, p.prime = 0.15) in cWise's README at
    # commit 03f6c2b, and in its file test-cmreg-correctness.R at commit 5b705ce.
    head = [-0.38350925, -0.05965305, 0.72655660, 0.79845870, -0.19410532, -0.34926673]
    assert cmdata3[0][:6] == pytest.approx(head, abs=5e-9)
    fit = MODEL.fit(*cmdata3, share_X=cmdata3[1], names=["age", "female"])
    assert fit.names == ("intercept", "age", "female", "trait")
    assert fit.standard_errors == pytest.approx([0.1478, 0.0048, 0.0520, 0.0756], abs=1e-4)
    assert fit.trait_standard_errors == pytest.approx([0.4009, 0.0126, 0.1356], abs=1e-4)
    assert fit.share_standard_errors == pytest.approx([1.0680, 0.0370, 0.3779], abs=1e-3)
    ours = np.concatenate(
        [fit.params, fit.trait_params, -fit.share_params, [fit.residual_deviation]]
    )
    printed = [0.0235, 0.0096, 0.2473, 0.9858, -1.7338, 0.0352, 0.2878, 0.2481, 0.0548, -0.1075]
    later = [0.0235680, 0.0096394, 0.2472768, 0.9859290]
    later += [-1.7342403, 0.0351695, 0.2879769, 0.2468424, 0.0548338, -0.1076469, 1.0438144]
    # Their ascent ends a little before the maximum.
    errors = np.concatenate(
        [fit.standard_errors, fit.trait_standard_errors, fit.share_standard_errors, [0.02]]
    )
    assert (np.abs(ours[:10] - printed) < 0.01 * errors[:10] + 5e-5).all()
    assert (np.abs(ours - later) < 0.01 * errors).all()
    best = written_down(ours, cmdata3)
    assert fit.log_likelihood == pytest.approx(best, abs=1e-6)
    assert 0 < best - written_down(np.array(later), cmdata3) < 1e-4
    robust = fit.with_errors("robust")
    assert robust.standard_error_kind == "robust"
    assert robust.standard_errors == pytest.approx(fit.standard_errors, rel=0.1)


def written_down(theta, data):
    """The log-likelihood of R/cmreg.p.R: four kinds of people, mixed."""
    numbers, columns, same, anchor = data
    columns = np.column_stack([np.ones(len(columns)), columns])
    trait, attentive = expit(columns @ theta[4:7]), expit(columns @ theta[7:10])
    mean = columns @ theta[:3]
    yes = trait * norm.pdf(numbers, mean + theta[3], theta[10])
    no = (1 - trait) * norm.pdf(numbers, mean, theta[10])
    follow = yes * np.where(same == 1, 0.1, 0.9) + no * np.where(same == 1, 0.9, 0.1)
    follow *= np.where(anchor == 1, 0.85, 0.15)
    return float(np.log(attentive * follow + (1 - attentive) * (yes + no) / 4).sum())


def test_slopes_and_curvatures_are_the_numerical_ones(cmdata3):
    few = [part[:60] for part in cmdata3]
    data = AttentionLogit(*DEVICES).fit(*few[1:], share_X=few[1][:, 1]).data
    likelihood = _scaled(few[0], data).likelihood
    theta = np.random.default_rng(1).normal(size=10) * 0.4
    value, gradient, information = likelihood(theta)
    assert value == pytest.approx(likelihood.value(theta))
    assert gradient == pytest.approx(approx_fprime(theta, likelihood.value, 1e-6), abs=1e-3)
    for place in range(10):
        numbers = approx_fprime(theta, lambda at, k=place: likelihood(at)[1][k], 1e-6)
        assert information[place] == pytest.approx(-numbers, abs=1e-3)
    scores = likelihood.scores(theta) * likelihood.groups.weights[:, None]
    assert scores.sum(axis=0) == pytest.approx(gradient)


@pytest.mark.parametrize("effect", [1.5, -1.5])
def test_one_share_for_all_and_an_effect_of_either_sign(effect):
    generator = np.random.default_rng(9)
    x = generator.normal(size=1500)
    trait = generator.random(1500) < expit(-0.5 + 0.5 * x)
    away = generator.random(1500) < 0.2
    same = np.where(away, generator.random(1500) < 0.5, trait == (generator.random(1500) < 0.1))
    anchor = np.where(away, generator.random(1500) < 0.5, generator.random(1500) > 0.15)
    numbers = 100 + 30 * (0.2 * x + effect * trait + generator.normal(size=1500))
    reports, controls = same.astype(int), anchor.astype(int)
    fit = MODEL.fit(numbers, x, reports, controls)
    away = (fit.params - [100, 6, 30 * effect]) / fit.standard_errors
    assert np.abs(away).max() < 3
    assert fit.residual_deviation == pytest.approx(30, abs=2)
    assert fit.share == pytest.approx(expit(fit.share_params[0]))
    assert fit.interval()[2, 0] < 30 * effect < fit.interval()[2, 1]

    def loss(theta):
        mean, prior, gone = theta[0] + theta[1] * x, expit(theta[4] + theta[5] * x), theta[6]
        scaled = (numbers - 100) / 30
        yes = prior * norm.pdf(scaled, mean + theta[2], np.exp(theta[3]))
        no = (1 - prior) * norm.pdf(scaled, mean, np.exp(theta[3]))
        follow = np.where(same, 0.1, 0.9) * yes + np.where(same, 0.9, 0.1) * no
        follow = follow * np.where(anchor, 0.85, 0.15)
        share = expit(gone)
        mixed = (1 - share) * follow + share / 4 * (yes + no)
        return -np.log(np.maximum(mixed, 1e-300)).sum()

    starts = np.random.default_rng(2).normal(size=(4, 7)) * [1, 1, 2, 0.2, 1, 1, 1]
    best = min((minimize(loss, start, method="BFGS") for start in starts), key=lambda one: one.fun)
    assert fit.log_likelihood == pytest.approx(-best.fun - 1500 * np.log(30), abs=1e-4)
    assert fit.params[1:] == pytest.approx(30 * best.x[1:3], abs=0.05)


def test_with_direct_answers_it_is_least_squares(cmdata3):
    numbers, columns, same, _ = cmdata3
    fit = AttentionRegression(direct(2), direct(2)).fit(numbers, columns, same, 0 * same)
    table = np.column_stack([np.ones(2000), columns, same])
    least = np.linalg.lstsq(table, numbers, rcond=None)[0]
    assert fit.params == pytest.approx(least, abs=1e-5)
    residuals = numbers - table @ least
    assert fit.residual_deviation == pytest.approx(np.sqrt((residuals**2).mean()), rel=1e-6)
    errors = np.sqrt(np.diag(np.linalg.inv(table.T @ table))) * fit.residual_deviation
    assert fit.standard_errors == pytest.approx(errors, rel=1e-4)
    assert fit.share < 1e-3


def test_weights_count_people_and_the_order_does_not_matter(cmdata3):
    few = [part[:400] for part in cmdata3]
    fit = MODEL.fit(*few, np.repeat([2.0, 1.0], 200))
    rows = np.concatenate([np.arange(400), np.arange(200)])
    copied = MODEL.fit(*(part[rows] for part in few))
    assert fit.params == pytest.approx(copied.params, abs=1e-5)
    assert fit.standard_error_kind == "robust"
    turned = MODEL.fit(*(part[::-1] for part in few), np.repeat([1.0, 2.0], 200))
    assert turned.params.tolist() == fit.params.tolist()
    assert turned.covariance.tolist() == fit.covariance.tolist()


def test_refuses_what_is_no_outcome(cmdata3):
    numbers, *rest = cmdata3
    with pytest.raises(ArgumentError, match=r"^outcome must differ"):
        MODEL.fit(np.full(2000, 3.5), *rest)
    with pytest.raises(ArgumentError, match=r"^outcome must be one for each of the 2000"):
        MODEL.fit(numbers[:5], *rest)
    for bad in (np.append(numbers[:-1], np.inf), ["a"] * 2000):
        with pytest.raises(ArgumentError, match=r"^outcome must be a list of finite"):
            MODEL.fit(bad, *rest)
    with pytest.raises(ArgumentError, match="not hold 'trait'"):
        MODEL.fit(*cmdata3, names=["trait", "age"])
