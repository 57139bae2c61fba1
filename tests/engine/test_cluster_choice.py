"""The choice of clusters that the respondents can fill, and what a cluster costs."""

from itertools import combinations
from math import log, prod

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.clusters.choosing import CHOICES, best_division, halved
from rr_engine.clusters.clustering import METHODS, in_order, kept_similarity
from rr_engine.clusters.merging import denoised, losses
from tests.engine.engine_cases import refusal

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


@pytest.mark.slow
@pytest.mark.parametrize("method", CHOICES)
def test_no_cluster_has_more_cells_than_allowed_and_none_beats_the_exact_choice(method):
    rng = np.random.default_rng(6)
    for _ in range(5):
        weights, sizes = random_graph(7, rng)
        for n, multiple in ((1000, 0.1), (1000, 0.02), (50, 1)):
            chosen = rr.clusters.choose_clusters(weights, sizes, n, multiple, method)
            assert max(chosen.cells) <= n * multiple
            assert chosen.cells == tuple(cells(members, sizes) for members in chosen.clusters)
            assert chosen.fits
            exact = rr.clusters.choose_clusters(weights, sizes, n, multiple, "exact")
            assert chosen.kept <= exact.kept + 1e-9
            assert rr.clusters.judge_clusters(chosen.clusters, weights, sizes, n, multiple) == (
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
    kept = [rr.clusters.choose_clusters(weights, sizes, n).kept for n in (5, 20, 100, 1000, 10**7)]
    assert kept == sorted(kept)
    assert kept[0] < kept[-1] == 1


def test_attributes_that_nothing_joins_stay_alone():
    weights = np.zeros((4, 4))
    weights[0, 1] = weights[1, 0] = 0.5
    chosen = rr.clusters.choose_clusters(weights, [2, 2, 2, 2], 1000)
    assert chosen.clusters == ((0, 1), (2,), (3,))
    alone = rr.clusters.choose_clusters(np.zeros((3, 3)), [2, 3, 4], 1000)
    assert (alone.clusters, alone.kept) == (((0,), (1,), (2,)), 1)


def test_many_attributes_have_the_best_of_the_three_methods():
    rng = np.random.default_rng(11)
    weights, sizes = random_graph(14, rng)
    best = rr.clusters.choose_clusters(weights, sizes, 500)
    others = [rr.clusters.choose_clusters(weights, sizes, 500, method=name) for name in METHODS]
    assert best.kept == max(other.kept for other in others)
    assert best.method in METHODS
    with pytest.raises(rr.errors.ArgumentError, match="at most 12"):
        rr.clusters.choose_clusters(weights, sizes, 500, method="exact")


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
    error = refusal(rr.clusters.choose_clusters, np.zeros((2, 2)), [42, 3], 400, 0.1)
    assert (error.code, error.value, error.limit) == ("cluster_too_large", 42, 40)
    judged = rr.clusters.judge_clusters([[1, 0]], np.zeros((2, 2)), [42, 3], 400, 0.1)
    assert (judged.cells, judged.fits, judged.method) == ((126,), False, "given")


@pytest.mark.parametrize(
    "clusters", [[], [[0, 1]], [[0, 1], [1, 2]], [[0, 1, 2, 3]], [[0], [], [1, 2]], "012"]
)
def test_clusters_by_hand_hold_each_attribute_once(clusters):
    error = refusal(rr.clusters.judge_clusters, clusters, np.zeros((3, 3)), [2, 2, 2], 100)
    assert error.argument == "clusters"


def even_error(channel, n):
    """The standard error of a cell of even shares, from the estimate of even counts."""
    # In counts that divide evenly; a sample's variance is divided by n - 1.
    counts = np.full(channel.truth_size, 1000)
    error = rr.estimate(channel, counts).standard_errors[0]
    return error * ((counts.sum() - 1) / n) ** 0.5


@pytest.mark.parametrize("form", ["changes", "uniform"])
def test_costs_are_those_of_the_devices_of_table_1(form):
    costs = rr.clusters.cluster_costs(list(PRINTED), ADULT, list(PRINTED.values()), 32_561, form)
    assert [cost.attributes for cost in costs] == list(PRINTED)
    for cost, (members, epsilon) in zip(costs, PRINTED.items(), strict=True):
        shape = [ADULT[place] for place in members]
        channel = rr.channels.joint_design(shape, epsilon=str(epsilon), form=form, bits=52)
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
    costs = rr.clusters.cluster_costs([[2, 0], [1]], [3, 5, 4], 3, 1000)
    assert [(cost.attributes, cost.epsilon) for cost in costs] == [((0, 2), 2.0), ((1,), 1.0)]
    assert costs[1].pair_error is None
    alone = even_error(rr.channels.UniformChannel.from_epsilon(5, 1, 52), 1000)
    assert costs[1].cell_error == costs[1].margin_error == pytest.approx(alone, rel=1e-6)
    thirds = rr.clusters.cluster_costs([[0, 2], [1]], [3, 5, 4], "0.1", 1000)
    assert sum(cost.epsilon for cost in thirds) <= 0.1
    given = rr.clusters.cluster_costs([[0, 2], [1]], [3, 5, 4], ["1.5", 2], 1000)
    assert [cost.epsilon for cost in given] == [1.5, 2]


def test_the_best_device_expects_the_least_error_of_pairs():
    for epsilon in (0.5, 2, 5, 12):
        forms = ["uniform"] if epsilon < log(3) else ["changes", "uniform"]
        costs = [
            rr.clusters.cluster_costs([[0, 1, 2]], [2, 9, 16], epsilon, 100, form)[0]
            for form in forms
        ]
        (best,) = rr.clusters.cluster_costs([[0, 1, 2]], [2, 9, 16], epsilon, 100)
        assert best == min(costs, key=lambda cost: cost.pair_error)
    (apart,) = rr.clusters.cluster_costs([[0, 1, 2]], [2, 9, 16], 1, 100, "independent")
    assert apart.form == "independent"


def test_the_papers_device_has_a_smallest_epsilon():
    error = refusal(rr.clusters.cluster_costs, [[0, 1, 2]], [2, 2, 2], "1.09", 100, "changes")
    assert error.code == "epsilon_too_small"
    assert float(error.limit) == pytest.approx(log(3), abs=1e-4)
    (cost,) = rr.clusters.cluster_costs([[0, 1, 2]], [2, 2, 2], "1.11", 100, "changes")
    assert cost.form == "changes"


def test_a_list_of_epsilons_fits_the_clusters_and_cells_can_be_counted():
    with pytest.raises(rr.errors.ArgumentError, match="one for each of 2 clusters"):
        rr.clusters.cluster_costs([[0], [1]], [2, 2], [1, 2, 3], 100)
    with pytest.raises(rr.errors.DesignError, match="combinations"):
        rr.clusters.cluster_costs([[0, 1]], [10_000, 10_000], 20, 100)


REGION = rr.clusters.Attribute("region", 4)
INCOME, HEALTH = rr.clusters.Attribute("income", 2), rr.clusters.Attribute("health", 3)
# Regions 0 and 2 are alike, and so are 1 and 3.
COUNTS = np.array([[900, 100], [200, 800], [450, 50], [100, 400]])


def exact(counts):
    return rr.estimate_joint([rr.designs.direct(size) for size in np.shape(counts)], counts)


def information(table):
    shares = np.asarray(table) / np.sum(table)
    product = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    some = shares > 0
    return float((shares[some] * np.log2(shares[some] / product[some])).sum())


def test_categories_that_are_alike_are_merged_at_no_loss():
    merged = rr.clusters.merge_categories(
        ["region"], [REGION, INCOME], {("region", "income"): exact(COUNTS)}, 2
    )
    assert merged.groups == (((0, 2), (1, 3)),)
    assert (merged.cells_before, merged.cells) == (4, 2)
    assert merged.lost == pytest.approx(0, abs=1e-3)
    (pair,) = merged.pairs
    assert pair.information_before == pytest.approx(information(COUNTS), rel=0.02)
    assert pair.v_after == pytest.approx(0.7 * 2 * 0.5, abs=0.02)


def test_only_neighbours_are_merged_where_there_is_an_order():
    ordered = rr.clusters.Attribute.ordinal("region", 4)
    merged = rr.clusters.merge_categories(
        ["region"], [ordered, INCOME], {("region", "income"): exact(COUNTS)}, 3
    )
    # Of the neighbours 2 and 3 have the fewest people.
    assert merged.groups == (((0,), (1,), (2, 3)),)
    assert merged.lost > 0.1
    turned = rr.clusters.merge_categories(
        ["region"], [ordered, INCOME], {("income", "region"): exact(COUNTS.T)}, 3
    )
    assert turned.groups == merged.groups


def test_the_loss_of_each_merger_is_that_of_the_information():
    table = np.random.default_rng(1).random((5, 4))
    table /= table.sum()
    found = losses(table)
    for first, second in combinations(range(5), 2):
        rest = [row for row in range(5) if row not in (first, second)]
        after = np.vstack([table[rest], table[first] + table[second]])
        expected = information(table) - information(after)
        assert found[first, second] == pytest.approx(expected, abs=1e-12)
    assert not losses(np.array([[0.2, 0.2], [0.0, 0.0], [0.3, 0.3]])).round(12).any()


def test_a_cluster_is_merged_until_it_fits():
    rng = np.random.default_rng(3)
    given = [REGION, INCOME, HEALTH]
    pairs = {
        (first.name, second.name): exact(rng.integers(20, 200, size=(first.size, second.size)))
        for first, second in combinations(given, 2)
    }
    for cells in (24, 20, 12, 8):
        merged = rr.clusters.merge_categories(["region", "income", "health"], given, pairs, cells)
        assert merged.cells <= cells
        assert merged.cells == np.prod([len(groups) for groups in merged.groups])
        assert len(merged.pairs) == 3
        for groups, attribute in zip(merged.groups, given, strict=True):
            assert sorted(c for group in groups for c in group) == list(range(attribute.size))
        for pair in merged.pairs:
            assert pair.information_after <= pair.information_before + 1e-12
    assert merged.names == ("region", "income", "health")


def test_noise_is_no_reason_to_keep_categories_apart():
    # 10 regions of two kinds, through one device over the pair; n 20,000, seed 8.
    kinds = np.array([0.9, 0.2] * 5)
    shares = np.column_stack([kinds, 1 - kinds]) / 10
    channel = rr.channels.joint_design([10, 2], 0.6)
    counts = channel.survey_counts(shares.ravel(), 20_000, np.random.default_rng(8), 1)[0]
    merged = rr.clusters.merge_categories(
        ["region"],
        [rr.clusters.Attribute("region", 10), INCOME],
        {("region", "income"): rr.estimate_joint([channel], counts.reshape(10, 2))},
        2,
    )
    assert merged.groups == (((0, 2, 4, 6, 8), (1, 3, 5, 7, 9)),)


def test_what_may_be_noise_is_taken_for_independence():
    table = exact([[52, 48], [48, 52]])
    assert denoised(table) == pytest.approx(np.full((2, 2), 0.25), abs=1e-3)
    clear = exact([[9000, 1000], [1000, 9000]])
    assert denoised(clear) == pytest.approx(clear.proportions, abs=1e-3)
    assert rr.association.mutual_information(clear).value == pytest.approx(
        information(denoised(clear)), abs=5e-3
    )


@pytest.mark.parametrize(
    ("names", "pairs", "cells", "argument"),
    [
        (["nothing"], {}, 2, "names"),
        (["region", "region"], {}, 2, "names"),
        ("region", {}, 2, "names"),
        (["region"], {}, 2, "estimates"),
        (["health"], {("region", "income"): exact(COUNTS)}, 2, "estimates"),
        (["region", "income"], {("region", "income"): exact(COUNTS)}, 3, "cells"),
    ],
)
def test_what_cannot_be_merged_is_refused(names, pairs, cells, argument):
    error = refusal(rr.clusters.merge_categories, names, [REGION, INCOME, HEALTH], pairs, cells)
    assert error.argument == argument
