"""Weights, strata and clusters, and the variance of totals over all samples of a population."""

from itertools import combinations, product

import numpy as np
import pytest

from rr_engine import ArgumentError, SurveySample

RNG = np.random.default_rng(20151)
VALUES = np.array([[3.0, 1.0], [1.0, 0.5], [4.0, -2.0], [1.0, 3.0], [5.0, 0.0], [9.0, 2.5]])


def code_of(make) -> str:
    with pytest.raises(ArgumentError) as caught:
        make()
    return caught.value.code


def test_the_variance_of_a_total_is_unbiased_over_all_stratified_samples():
    """Six people in two strata, two of three and two of three: nine samples."""
    totals, covariances = [], []
    for first, second in product(combinations(range(3), 2), combinations(range(3, 6), 2)):
        people = [*first, *second]
        sample = SurveySample(np.full(4, 1.5), strata=[0, 0, 1, 1], population=[3, 3])
        weighted = sample.weights[:, None] * VALUES[people]
        totals.append(weighted.sum(axis=0))
        covariances.append(sample.covariance_of_total(weighted))
    np.testing.assert_allclose(np.mean(totals, axis=0), VALUES.sum(axis=0), rtol=1e-14)
    truth = np.cov(np.array(totals).T, bias=True)
    np.testing.assert_allclose(np.mean(covariances, axis=0), truth, rtol=1e-13)


def test_the_variance_of_a_total_is_unbiased_over_all_samples_of_clusters():
    """Five clusters of different sizes are drawn three at a time."""
    sizes = [1, 2, 1, 3, 2]
    labels = np.repeat(np.arange(5), sizes)
    values = RNG.normal(size=(9, 2))
    totals, covariances = [], []
    for chosen in combinations(range(5), 3):
        people = np.isin(labels, chosen)
        weights = np.full(people.sum(), 5 / 3)
        sample = SurveySample(weights, clusters=labels[people], population=5)
        weighted = weights[:, None] * values[people]
        totals.append(weighted.sum(axis=0))
        covariances.append(sample.covariance_of_total(weighted))
    np.testing.assert_allclose(np.mean(totals, axis=0), values.sum(axis=0), rtol=1e-13)
    truth = np.cov(np.array(totals).T, bias=True)
    np.testing.assert_allclose(np.mean(covariances, axis=0), truth, rtol=1e-12)


def test_with_replacement_the_variance_is_unbiased_over_all_draws():
    """Two draws with unequal chances (Hansen & Hurwitz 1943); clusters are the draws."""
    chances = np.array([0.5, 0.3, 0.2])
    values = np.array([4.0, 1.0, 2.0])
    mean_total = mean_square = mean_variance = 0.0
    for draws in product(range(3), repeat=2):
        weights = 1 / (2 * chances[list(draws)])
        sample = SurveySample(weights)
        weighted = (weights * values[list(draws)])[:, None]
        chance = chances[list(draws)].prod()
        mean_total += chance * weighted.sum()
        mean_square += chance * weighted.sum() ** 2
        mean_variance += chance * sample.covariance_of_total(weighted)[0, 0]
    assert mean_total == pytest.approx(values.sum(), rel=1e-14)
    assert mean_variance == pytest.approx(mean_square - mean_total**2, rel=1e-13)


def test_the_order_of_respondents_changes_no_digit():
    n = 200
    weights, table = RNG.random(n), RNG.normal(size=(n, 3))
    strata, clusters = RNG.integers(0, 4, n), RNG.integers(0, 20, n)
    for units in (None, clusters):
        sample = SurveySample(weights, strata=strata, clusters=units)
        order = RNG.permutation(n)
        moved = None if units is None else units[order]
        other = SurveySample(weights[order], strata=strata[order], clusters=moved)
        expected = sample.covariance_of_total(table)
        assert (other.covariance_of_total(table[order]) == expected).all()
        assert other.design_effect == sample.design_effect


def test_clusters_are_counted_within_strata():
    sample = SurveySample(strata=["b", "b", "a", "a"], clusters=[1, 2, 1, 2])
    assert sample.cluster_counts.tolist() == [2, 2]
    assert sample.stratum_labels == ("a", "b")
    assert sample.strata.tolist() == [1, 1, 0, 0]
    assert sample.degrees_of_freedom == 2
    # The same table by hand: two differences of cluster sums, squared.
    assert sample.covariance_of_total([[1.0], [4.0], [2.0], [7.0]]).tolist() == [[34.0]]


def test_the_population_may_be_told_by_label():
    told = SurveySample(strata=["b", "b", "a"], population={"a": 1, "b": 4})
    assert told.population.tolist() == [1, 4]
    assert told.sampling_fractions.tolist() == [1, 0.5]
    # The stratum that was drawn whole has no variance, although it has a single person.
    assert told.covariance_of_total([[1.0], [3.0], [100.0]]).tolist() == [[2.0]]


def test_a_stratum_of_one_cluster_is_refused_or_centred():
    table = [[1.0], [3.0], [5.0]]
    strata = ["a", "a", "b"]
    refused = SurveySample(strata=strata)
    assert code_of(lambda: refused.covariance_of_total(table)) == "single_cluster"
    centred = SurveySample(strata=strata, single_clusters="centre")
    # 2 (1 + 1) / 1 within a, and (5 - 3)**2 for b.
    assert centred.covariance_of_total(table).tolist() == [[8.0]]


def test_the_design_effect_of_weights_is_that_of_kish():
    sample = SurveySample([1, 1, 2, 4])
    assert sample.effective_n == pytest.approx(64 / 22)
    assert sample.design_effect == pytest.approx(4 * 22 / 64)
    assert SurveySample(n=7).design_effect == 1
    assert SurveySample([3e99, 1e-300]).effective_n == 1
    assert SurveySample([1e-320, 1e-320]).effective_n == 2


def test_other_weights_leave_the_design_as_it_is():
    sample = SurveySample([1, 2, 3, 4], strata=["x", "x", "y", "y"], population=[9, 2])
    other = sample.with_weights([4, 3, 2, 0])
    assert other.weights.tolist() == [4, 3, 2, 0]
    assert other.stratum_labels == ("x", "y")
    assert other.population.tolist() == [9, 2]
    assert not other.weights.flags.writeable


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: SurveySample([1, -1]), "not_weights"),
        (lambda: SurveySample([1, float("nan")]), "not_weights"),
        (lambda: SurveySample([1, 1], n=3), "not_weights"),
        (lambda: SurveySample([0, 0]), "weights_all_zero"),
        (lambda: SurveySample(), "not_a_whole_number"),
        (lambda: SurveySample([1, 1], strata=[0]), "not_respondent_labels"),
        (lambda: SurveySample([1, 1], clusters=[0.5, 1]), "not_respondent_labels"),
        (lambda: SurveySample(n=4, population=3), "population_too_small"),
        (lambda: SurveySample(strata=[0, 1], population=[2]), "population_does_not_fit"),
        (lambda: SurveySample(strata=[0, 1], population={0: 2}), "population_does_not_fit"),
        (lambda: SurveySample(n=2, single_clusters="drop"), "unknown_choice"),
        (lambda: SurveySample(n=2).covariance_of_total([[1.0]]), "not_numbers"),
    ],
)
def test_bad_input_is_named(make, code):
    assert code_of(make) == code
