"""The distribution of degrees: its kernel, its likelihood, its unbiased moments."""

from itertools import combinations, product

import numpy as np
import pytest

from papers.networks import synthetic_ties
from rr_engine import k_rr
from rr_engine.designs import direct
from rr_engine.distributions import binomial_cdf
from rr_engine.networks import NetworkReports, estimate_degrees, estimate_network
from rr_engine.networks.degree_fit import ones_kernel
from tests.engine.network_cases import bit_device, survey_reports

P, Q = 0.7, 0.2
DEVICE = bit_device(P, Q)


def binomial(n, chance):
    return np.diff(binomial_cdf(np.arange(-1, n + 1), n, chance)) if n else np.ones(1)


@pytest.mark.parametrize("m", [1, 5, 60])
def test_ones_are_the_sum_of_two_binomial_numbers(m):
    degrees = np.arange(m + 1)
    kernel = ones_kernel(m, 0, (P, Q), degrees)
    wanted = [np.convolve(binomial(d, P), binomial(m - d, Q)) for d in degrees]
    np.testing.assert_allclose(kernel, np.transpose(wanted), atol=1e-13)


def test_of_ties_reported_twice_any_may_be_the_true_ones():
    once, twice = 2, 3
    kernel = ones_kernel(once, twice, (P, Q), np.arange(7))
    for d in range(once + twice + 1):
        wanted = np.mean(
            [
                ones_of(sum(tie < once for tie in ties), sum(tie >= once for tie in ties))
                for ties in combinations(range(once + twice), d)
            ],
            axis=0,
        )
        np.testing.assert_allclose(kernel[:, d], wanted, atol=1e-13)
    assert not kernel[:, 6].any()


def ones_of(once, twice):
    """Return the law of the ones: so many ties of 2 reported once, and of 3 reported twice."""
    ties = once + 2 * twice
    return np.convolve(binomial(ties, P), binomial(8 - ties, Q))


def test_without_noise_the_distribution_is_that_of_the_degrees():
    ties, _ = synthetic_ties()
    found = estimate_degrees(NetworkReports.from_matrix(ties), direct(2), "undirected")
    wanted = np.bincount(ties.sum(axis=1)) / len(ties)
    np.testing.assert_allclose(found.shares[: len(wanted)], wanted, atol=1e-9)
    np.testing.assert_allclose(found.naive[: len(wanted)], wanted, atol=1e-9)
    degrees = ties.sum(axis=1)
    assert found.mean.value == pytest.approx(degrees.mean())
    assert found.variance.value == pytest.approx(degrees.var())
    assert found.at_most(3) == pytest.approx((degrees <= 3).mean())
    assert found.share_between(4, 6) == pytest.approx(((degrees >= 4) & (degrees <= 6)).mean())
    assert found.share_between(4) == pytest.approx((degrees >= 4).mean())
    assert found.quantile(0.5) == np.median(degrees)


@pytest.mark.parametrize("once", [True, False])
def test_no_other_distribution_is_more_likely(once):
    ties, _ = synthetic_ties()
    reports = survey_reports(ties, bit_device(0.9, 0.1), np.random.default_rng(1), once=once)
    found = estimate_degrees(reports, bit_device(0.9, 0.1), "undirected")
    fit = found.fit
    # Slope of the log-likelihood towards each degree: none is above the value at the maximum.
    slopes = (fit.counts / (fit.rows @ fit.shares)) @ fit.rows / found.n
    assert slopes.max() <= 1 + 1e-8
    assert found.shares.sum() == pytest.approx(1)
    assert found.notes == ()


def test_mean_and_variance_are_unbiased_on_all_graphs_of_four_people():
    pairs = list(combinations(range(4), 2))
    found = []
    for bits in product((0, 1), repeat=len(pairs)):
        sent = dict(zip(pairs, bits, strict=True))
        rows = [(i, list(range(i + 1, 4)), [sent[i, j] for j in range(i + 1, 4)]) for i in range(3)]
        reports = NetworkReports.from_rows(4, rows)
        result = estimate_degrees(reports, DEVICE, "undirected")
        found.append((result.mean.value, result.mean.variance, result.variance.value))
        ties = estimate_network(reports, DEVICE, directed=False)
        assert result.mean.value == pytest.approx(ties.mean_degree.value)
        assert result.mean.variance == pytest.approx(ties.mean_degree.variance)
    outcomes, found = np.array(list(product((0, 1), repeat=6))), np.array(found)
    for graph in outcomes:
        ones = np.where(graph, P, Q)
        chances = np.where(outcomes, ones, 1 - ones).prod(axis=1)
        degrees = np.array([graph[[i in pair for pair in pairs]].sum() for i in range(4)])
        means = chances @ found
        np.testing.assert_allclose(means[[0, 2]], [degrees.mean(), degrees.var()], atol=1e-10)
        np.testing.assert_allclose(means[1], chances @ found[:, 0] ** 2 - means[0] ** 2, atol=1e-10)


@pytest.mark.slow
def test_intervals_hold_the_estimates_and_widen_with_the_level():
    ties, _ = synthetic_ties()
    device = bit_device(0.9, 0.1)
    reports = survey_reports(ties, device, np.random.default_rng(2), once=True)
    found = estimate_degrees(reports, device, "undirected")
    narrow, wide = (found.at_most_interval(5, level) for level in (0.5, 0.95))
    assert 0 <= wide[0] < narrow[0] <= found.at_most(5) <= narrow[1] < wide[1] <= 1
    low, high = found.quantile_interval(0.5)
    assert low <= found.quantile(0.5) <= high
    assert found.at_most_interval(low)[1] >= 0.5 >= found.at_most_interval(high - 1)[0]


@pytest.mark.parametrize("kind", ["out", "in"])
def test_directed_degrees_are_of_what_was_sent_or_what_was_sent_about(kind):
    bits = np.array([[0, 1, 1, 1], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
    found = estimate_degrees(NetworkReports.from_matrix(bits), direct(2), kind)
    degrees = bits.sum(axis=1 if kind == "out" else 0)
    np.testing.assert_allclose(found.shares, np.bincount(degrees, minlength=4) / 4, atol=1e-9)


def test_bounds_are_found_where_a_person_is_hardly_possible_under_all_other_degrees():
    # A step that takes a rare degree out makes the reports of its people next to impossible.
    ties, _ = synthetic_ties()
    device = k_rr(2, "4")
    reports = survey_reports(ties, device, np.random.default_rng(1), once=False)
    fit = estimate_degrees(reports, device, "undirected").fit
    for degree in (1, 2, 5, 10):
        few = fit.degrees <= degree
        for weight in (10.0, 185.0):
            shares = fit._tilted(few, weight)
            slopes = (fit.counts / (fit.rows @ shares)) @ fit.rows
            slopes += weight * few / shares[few].sum()
            assert slopes.max() <= fit.counts.sum() + weight + 1e-5
