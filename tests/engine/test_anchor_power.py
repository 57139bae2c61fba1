"""Numbers of respondents with an attention item, beside every table of a small survey."""

import numpy as np
import pytest
from scipy.stats import multinomial, norm

import rr_engine as rr
from tests.engine.test_inattention import chances, ends_of


def exact_power(n, theta, prevalence, attentive, null):
    """Chance that Fieller's interval leaves the value out, over every table of n people."""
    cells = np.indices((n + 1,) * 3).reshape(3, -1).T
    cells = cells[cells.sum(axis=1) <= n]
    tables = np.column_stack([cells, n - cells.sum(axis=1)])
    share = chances(theta, theta, prevalence, attentive).ravel()
    weights, ends = multinomial.pmf(tables, n, share / share.sum()), ends_of(tables, theta)
    return float(weights @ ((null < ends[:, 0]) | (null > ends[:, 1])))


@pytest.mark.parametrize(
    ("prevalence", "attentive", "null"), [(0.3, 0.9, 0.0), (0.5, 0.8, 0.1), (0.1, 1.0, 0.4)]
)
def test_power_is_near_that_of_every_table(prevalence, attentive, null):
    wanted = exact_power(60, 0.1, prevalence, attentive, null)
    found = rr.planning.power_with_anchor(0.1, 0.1, prevalence, attentive, 60, null)
    assert 0.3 < wanted < 0.99
    assert found == pytest.approx(wanted, abs=0.04)


def test_with_an_anchor_that_tells_everything_it_is_the_power_of_the_crosswise_question():
    # theta' = 0, a trait of nobody, all attentive: the anchor never varies.
    found = rr.planning.power_with_anchor(0.2, 0.0, 0.3, 1.0, 400, null=0.25)
    same = 0.5 + (0.3 - 0.5) * (2 * 0.2 - 1)
    distance = 0.05 * np.sqrt(400) / (np.sqrt(same * (1 - same)) / 0.6)
    wanted = norm.cdf(distance - norm.isf(0.025)) + norm.cdf(-distance - norm.isf(0.025))
    assert found == pytest.approx(wanted)
    # The plain test has the variance of the null hypothesis, this one the estimated variance.
    assert found == pytest.approx(
        rr.power(rr.crosswise(0.2), 0.3, 0.25, 400, method="normal"), abs=0.02
    )


@pytest.mark.parametrize("side", ["two-sided", "greater"])
def test_one_respondent_fewer_misses_the_power(side):
    setting = (0.15, 0.1, 0.2, 0.8)
    n = rr.planning.solve_sample_size_with_anchor(*setting, power=0.9, null=0.1, alternative=side)
    for size, enough in ((n, True), (n - 1, False)):
        reached = rr.planning.power_with_anchor(*setting, size, null=0.1, alternative=side)
        assert (reached >= 0.9) == enough


def test_the_margin_is_that_of_the_estimate():
    n = rr.planning.sample_size_with_anchor(0.15, 0.15, 0.1, 0.8, 0.04)
    counts = np.rint(n * chances(0.15, 0.15, 0.1, 0.8)).astype(int)
    found = rr.compliance.bias_corrected_crosswise(0.15, 0.15, counts)
    assert 1.959964 * found.standard_error == pytest.approx(0.04, rel=0.003)
    # An anchor that never errs and full attention leave the margin of the question itself.
    plain = rr.sample_size(rr.crosswise(0.15), 0.1, 0.04)
    assert rr.planning.sample_size_with_anchor(0.15, 0.0, 0.1, 1.0, 0.04) == plain


def test_inattention_costs_respondents():
    sizes = [
        rr.planning.solve_sample_size_with_anchor(0.1, 0.1, 0.1, rate)
        for rate in (1.0, 0.9, 0.7, 0.5)
    ]
    assert sizes == sorted(sizes)
    assert sizes[-1] > 4 * sizes[0]


def test_refuses_what_cannot_be_planned():
    for attentive in (0, 1.2):
        with pytest.raises(rr.errors.ArgumentError, match="attentive must be a share above 0"):
            rr.planning.power_with_anchor(0.1, 0.1, 0.1, attentive, 100)
    with pytest.raises(rr.errors.ArgumentError, match="in the direction of the test"):
        rr.planning.solve_sample_size_with_anchor(
            0.1, 0.1, 0.1, 0.8, null=0.2, alternative="greater"
        )
    with pytest.raises(rr.errors.ArgumentError, match="margin must be a number above 0"):
        rr.planning.sample_size_with_anchor(0.1, 0.1, 0.1, 0.8, 0)
