"""Clusters of attributes: each method on graphs whose clusters are known, and invariances."""

from itertools import combinations

import numpy as np
import pytest

from rr_engine.clusters import cluster_attributes
from rr_engine.clusters.clustering import (
    METHODS,
    clusters_on_line,
    embeddings,
    in_order,
    kept_similarity,
    normalized_cut,
    walk,
)
from tests.engine.pilots import PLANTED, SIZES, people, pilot

EVERY = pytest.mark.parametrize("method", METHODS)


def planted(blocks, inside, across, rng=None):
    """A similarity with blocks of these sizes; with a source of chance entries vary by a fifth."""
    label = np.repeat(np.arange(len(blocks)), blocks)
    weights = np.where(label[:, None] == label, inside, across)
    if rng is not None:
        noise = np.triu(rng.uniform(0.8, 1.2, size=weights.shape), 1)
        weights = weights * (noise + noise.T)
    np.fill_diagonal(weights, 1)
    return np.minimum(weights, 1), in_order(label.tolist())


@EVERY
@pytest.mark.parametrize("blocks", [(3, 3), (4, 2, 3), (2, 2), (5, 4, 3, 2)])
@pytest.mark.parametrize("across", [0.0, 0.02])
def test_planted_blocks_are_found(method, blocks, across):
    rng = np.random.default_rng(10)
    for _ in range(5):
        similarity, expected = planted(blocks, 0.5, across, rng)
        assert cluster_attributes(similarity, len(blocks), method) == expected


@pytest.mark.parametrize("method", ["spectral", "hierarchical"])
def test_equal_blocks_are_found_although_their_eigenvalues_are_the_same(method):
    similarity, expected = planted((3, 3, 3, 3), 0.4, 0.0)
    assert cluster_attributes(similarity, 4, method) == expected


def test_one_number_for_each_attribute_does_not_tell_equal_blocks_apart():
    # A known weakness of power iteration: from every start two blocks or more have one number.
    similarity, expected = planted((3, 3, 3, 3), 0.4, 0.0)
    assert cluster_attributes(similarity, 4, "pic") != expected
    assert cluster_attributes(similarity, 2, "pic") == ((0, 1, 2), (3, 4, 5, 6, 7, 8, 9, 10, 11))


@EVERY
def test_the_order_of_attributes_changes_nothing(method):
    rng = np.random.default_rng(7)
    for size in (5, 8):
        upper = np.triu(rng.random((size, size)), 1)
        similarity, order = upper + upper.T, rng.permutation(size)
        moved = similarity[np.ix_(order, order)]
        for k in range(1, size + 1):
            straight = cluster_attributes(similarity, k, method)
            back = [tuple(order[list(c)].tolist()) for c in cluster_attributes(moved, k, method)]
            assert {frozenset(c) for c in straight} == {frozenset(c) for c in back}


@EVERY
def test_rounding_changes_nothing(method):
    rng = np.random.default_rng(8)
    for _ in range(10):
        upper = np.triu(rng.random((6, 6)), 1)
        similarity = upper + upper.T
        nudged = similarity * (1 + rng.choice([-1, 1], size=similarity.shape) * 1e-15)
        for k in (2, 3, 4):
            expected = cluster_attributes(similarity, k, method)
            assert cluster_attributes((nudged + nudged.T) / 2, k, method) == expected


@EVERY
def test_one_cluster_and_as_many_as_attributes(method):
    similarity, _ = planted((2, 2), 0.5, 0.1)
    assert cluster_attributes(similarity, 1, method) == ((0, 1, 2, 3),)
    assert cluster_attributes(similarity, 4, method) == ((0,), (1,), (2,), (3,))
    assert cluster_attributes([[1]], 1, method) == ((0,),)


@EVERY
def test_attributes_without_any_dependence_are_divided_somehow(method):
    clusters = cluster_attributes(np.eye(4), 2, method)
    assert sorted(place for members in clusters for place in members) == [0, 1, 2, 3]
    assert len(clusters) <= 2


def test_clusters_on_a_line_are_the_best_of_all():
    rng = np.random.default_rng(3)
    for _ in range(20):
        values = rng.normal(size=7)
        for k in (2, 3, 4):
            labels = clusters_on_line(values, k)
            assert len(set(labels)) == k
            best = min(_squares(values, cuts) for cuts in combinations(range(1, 7), k - 1))
            cuts = np.flatnonzero(np.diff(np.array(labels)[np.argsort(values)])) + 1
            assert _squares(values, cuts) == pytest.approx(best, rel=1e-6)


def _squares(values, cuts):
    return sum(((part - part.mean()) ** 2).sum() for part in np.split(np.sort(values), cuts))


def test_equal_values_on_a_line_stay_together():
    assert clusters_on_line(np.array([1.0, 2.0, 1.0 + 1e-14, 2.0]), 3) == [0, 1, 0, 1]
    assert clusters_on_line(np.full(3, 0.1), 2) == [0, 0, 0]
    # Twice the same far value counts twice: 0 and 1 are the nearer neighbours.
    assert clusters_on_line(np.array([0.0, 1.0, 2.1, 2.1]), 2) == [0, 0, 1, 1]


def test_the_walk_slows_down_on_a_vector_that_is_constant_over_clusters():
    similarity, _ = planted((3, 2), 0.5, 0.01)
    np.fill_diagonal(similarity, 0)
    step = walk(similarity)
    assert np.allclose(step.sum(axis=1), 1)
    (vector,) = embeddings(step, np.eye(5)[:1])
    within = max(np.ptp(vector[:3]), np.ptp(vector[3:]))
    assert within < 0.1 * abs(vector[:3].mean() - vector[3:].mean())


def test_two_attributes_that_only_know_each_other_do_not_change_places_for_ever():
    step = walk(np.array([[0, 0.5], [0.5, 0]]))
    (vector,) = embeddings(step, np.array([[1.0, 0.0]]))
    assert vector == pytest.approx([0.5, 0.5], abs=1e-4)


def test_measures_of_clusters():
    weights = np.array([[0, 0.6, 0.2], [0.6, 0, 0], [0.2, 0, 0]])
    clusters = ((0, 1), (2,))
    assert kept_similarity(weights, clusters) == pytest.approx(0.6)
    # 0.2 of 1.4 leaves the first, all of 0.2 the second.
    assert normalized_cut(weights, clusters) == pytest.approx(0.2 / 1.4 + 1)


@EVERY
def test_planted_clusters_are_found_from_randomized_pairs(method):
    # 20,000 people, one random pair of 28 each at epsilon 3: some 714 reports a pair; seed 13.
    rng = np.random.default_rng(13)
    graph = pilot(people(20_000, rng), 3, rng)
    assert cluster_attributes(graph, len(PLANTED), method) == PLANTED
    inside = [pair for members in PLANTED for pair in combinations(members, 2)]
    across = [p for p in combinations(range(len(SIZES)), 2) if p not in inside]
    assert min(graph.similarity[pair] for pair in inside) > 0.25
    assert max(graph.similarity[pair] for pair in across) < 0.25
