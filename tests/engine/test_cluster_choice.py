"""The choice of clusters that the respondents can fill, and what a cluster costs."""

from math import log, prod

import numpy as np
import pytest

from rr_engine import (
    ArgumentError,
    DesignError,
    EpsilonError,
    UniformChannel,
    choose_clusters,
    cluster_costs,
    estimate,
    joint_design,
    judge_clusters,
)
from rr_engine.clusters.choosing import CHOICES, best_division, halved
from rr_engine.clusters.clustering import METHODS, in_order, kept_similarity

# Table 1 of Domingo-Ferrer et al. (2018), at p = 0.8.
ADULT = (9, 16, 7, 15, 6, 5, 2, 42, 2)
PRINTED = {(0, 1, 5, 7): 11.844, (2, 4, 6): 6.234, (3, 8): 5.171}


def random_graph(size, rng):
    upper = np.triu(rng.random((size, size)) * (rng.random((size, size)) < 0.6), 1)
    return upper + upper.T, rng.integers(2, 6, size=size).tolist()


def every_division(size):
    """All divisions of so many attributes, as restricted growth strings."""
    strings = [[0]]
    for _ in range(size - 1):
        strings = [[*s, label] for s in strings for label in range(max(s) + 2)]
    return [in_order(labels) for labels in strings]


def cells(members, sizes):
    return prod(sizes[place] for place in members)


def test_the_best_division_is_the_best_of_all():
    rng, every = np.random.default_rng(5), every_division(6)
    assert len(every) == 203
    for _ in range(10):
        weights, sizes = random_graph(6, rng)
        limit = int(rng.integers(max(sizes), 400))
        fitting = [c for c in every if max(cells(members, sizes) for members in c) <= limit]
        most = max(kept_similarity(weights, clusters) for clusters in fitting)
        found = best_division(weights, sizes, limit)
        assert found in fitting
        assert kept_similarity(weights, found) == pytest.approx(most, abs=1e-9)
        least = min(
            sum(cells(members, sizes) for members in clusters)
            for clusters in fitting
            if kept_similarity(weights, clusters) > most - 1e-9
        )
        assert sum(cells(members, sizes) for members in found) == least


@pytest.mark.parametrize("method", CHOICES)
def test_no_cluster_has_more_cells_than_allowed_and_none_beats_the_exact_choice(method):
    rng = np.random.default_rng(6)
    for _ in range(5):
        weights, sizes = random_graph(7, rng)
        for n, multiple in ((1000, 0.1), (1000, 0.02), (50, 1)):
            chosen = choose_clusters(weights, sizes, n, multiple, method)
            assert max(chosen.cells) <= n * multiple
            assert chosen.cells == tuple(cells(members, sizes) for members in chosen.clusters)
            assert chosen.fits
            exact = choose_clusters(weights, sizes, n, multiple, "exact")
            assert chosen.kept <= exact.kept + 1e-9
            assert judge_clusters(chosen.clusters, weights, sizes, n, multiple) == (
                chosen.__class__(
                    chosen.clusters,
                    chosen.cells,
                    chosen.kept,
                    chosen.normalized_cut,
                    "given",
                    fits=True,
                )
            )


def test_more_people_keep_more():
    weights, sizes = random_graph(8, np.random.default_rng(9))
    kept = [choose_clusters(weights, sizes, n).kept for n in (5, 20, 100, 1000, 10**7)]
    assert kept == sorted(kept)
    assert kept[0] < kept[-1] == 1


def test_attributes_that_nothing_joins_stay_alone():
    weights = np.zeros((4, 4))
    weights[0, 1] = weights[1, 0] = 0.5
    chosen = choose_clusters(weights, [2, 2, 2, 2], 1000)
    assert chosen.clusters == ((0, 1), (2,), (3,))
    alone = choose_clusters(np.zeros((3, 3)), [2, 3, 4], 1000)
    assert (alone.clusters, alone.kept) == (((0,), (1,), (2,)), 1)


def test_many_attributes_have_the_best_of_the_three_methods():
    rng = np.random.default_rng(11)
    weights, sizes = random_graph(14, rng)
    best = choose_clusters(weights, sizes, 500)
    others = [choose_clusters(weights, sizes, 500, method=name) for name in METHODS]
    assert best.kept == max(other.kept for other in others)
    assert best.method in METHODS
    with pytest.raises(ArgumentError, match="at most 12"):
        choose_clusters(weights, sizes, 500, method="exact")


@pytest.mark.parametrize("method", METHODS)
def test_clusters_are_halved_until_they_fit(method):
    weights, sizes = random_graph(9, np.random.default_rng(12))
    for limit in (5, 30, 1000):
        clusters = halved(weights, sizes, limit, method)
        assert sorted(p for members in clusters for p in members) == list(range(9))
        assert max(cells(members, sizes) for members in clusters) <= limit
    # Attributes that cannot be told apart are parted by the number of categories.
    assert max(map(len, halved(np.ones((4, 4)) - np.eye(4), [2, 3, 2, 2], 8, method))) <= 3


def test_an_attribute_with_too_many_categories_is_refused_with_the_numbers():
    with pytest.raises(ArgumentError) as error:
        choose_clusters(np.zeros((2, 2)), [42, 3], 400, 0.1)
    assert (error.value.code, error.value.value, error.value.limit) == ("cluster_too_large", 42, 40)
    judged = judge_clusters([[1, 0]], np.zeros((2, 2)), [42, 3], 400, 0.1)
    assert (judged.cells, judged.fits, judged.method) == ((126,), False, "given")


@pytest.mark.parametrize(
    "clusters", [[], [[0, 1]], [[0, 1], [1, 2]], [[0, 1, 2, 3]], [[0], [], [1, 2]], "012"]
)
def test_clusters_by_hand_hold_each_attribute_once(clusters):
    with pytest.raises(ArgumentError) as error:
        judge_clusters(clusters, np.zeros((3, 3)), [2, 2, 2], 100)
    assert error.value.argument == "clusters"


def even_error(channel, n):
    """The standard error of a cell of even shares, from the estimate of even counts."""
    # In counts that divide evenly; a sample's variance is divided by n - 1.
    counts = np.full(channel.truth_size, 1000)
    error = estimate(channel, counts).standard_errors[0]
    return error * ((counts.sum() - 1) / n) ** 0.5


@pytest.mark.parametrize("form", ["changes", "uniform"])
def test_costs_are_those_of_the_devices_of_table_1(form):
    costs = cluster_costs(list(PRINTED), ADULT, list(PRINTED.values()), 32_561, form)
    assert [cost.attributes for cost in costs] == list(PRINTED)
    for cost, (members, epsilon) in zip(costs, PRINTED.items(), strict=True):
        shape = [ADULT[place] for place in members]
        channel = joint_design(shape, epsilon=str(epsilon), form=form, bits=52)
        if form == "changes":
            # The printed epsilons are rounded, so that p is 0.8 to three digits.
            assert channel.weights[0] / channel.denominator == pytest.approx(0.8, abs=2e-4)
        assert (cost.cells, cost.epsilon, cost.form) == (np.prod(shape), epsilon, form)
        assert cost.people_per_cell == 32_561 / cost.cells
        assert cost.cell_error == pytest.approx(even_error(channel, 32_561), rel=1e-6)
        errors = [even_error(channel.margin([axis]), 32_561) for axis in range(len(shape))]
        weights = [size / sum(shape) for size in shape]
        assert cost.margin_error == pytest.approx(np.dot(weights, np.square(errors)) ** 0.5)


def test_a_total_is_divided_by_the_number_of_attributes():
    costs = cluster_costs([[2, 0], [1]], [3, 5, 4], 3, 1000)
    assert [(cost.attributes, cost.epsilon) for cost in costs] == [((0, 2), 2.0), ((1,), 1.0)]
    assert costs[1].pair_error is None
    alone = even_error(UniformChannel.from_epsilon(5, 1, 52), 1000)
    assert costs[1].cell_error == costs[1].margin_error == pytest.approx(alone, rel=1e-6)
    thirds = cluster_costs([[0, 2], [1]], [3, 5, 4], "0.1", 1000)
    assert sum(cost.epsilon for cost in thirds) <= 0.1
    given = cluster_costs([[0, 2], [1]], [3, 5, 4], ["1.5", 2], 1000)
    assert [cost.epsilon for cost in given] == [1.5, 2]


def test_the_best_device_expects_the_least_error_of_pairs():
    for epsilon in (0.5, 2, 5, 12):
        forms = ["uniform"] if epsilon < log(3) else ["changes", "uniform"]
        costs = [cluster_costs([[0, 1, 2]], [2, 9, 16], epsilon, 100, form)[0] for form in forms]
        (best,) = cluster_costs([[0, 1, 2]], [2, 9, 16], epsilon, 100)
        assert best == min(costs, key=lambda cost: cost.pair_error)
    (apart,) = cluster_costs([[0, 1, 2]], [2, 9, 16], 1, 100, "independent")
    assert apart.form == "independent"


def test_the_papers_device_has_a_smallest_epsilon():
    with pytest.raises(EpsilonError) as error:
        cluster_costs([[0, 1, 2]], [2, 2, 2], "1.09", 100, "changes")
    assert error.value.code == "epsilon_too_small"
    assert float(error.value.limit) == pytest.approx(log(3), abs=1e-4)
    (cost,) = cluster_costs([[0, 1, 2]], [2, 2, 2], "1.11", 100, "changes")
    assert cost.form == "changes"


def test_a_list_of_epsilons_fits_the_clusters_and_cells_can_be_counted():
    with pytest.raises(ArgumentError, match="one for each of 2 clusters"):
        cluster_costs([[0], [1]], [2, 2], [1, 2, 3], 100)
    with pytest.raises(DesignError, match="combinations"):
        cluster_costs([[0, 1]], [10_000, 10_000], 20, 100)
