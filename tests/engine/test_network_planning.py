"""Planned errors of a network: against all reports of few people, all graphs, and simulation."""

from itertools import permutations, product

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import refusal
from tests.engine.small_graphs import all_graphs, graph_of, pairs_of, reported_once

SYMMETRIC, ASYMMETRIC = rr.k_rr(2, 2), rr.designs.generalized_binary(0.8, 0.6)
DEVICES = pytest.mark.parametrize(
    "design", [SYMMETRIC, ASYMMETRIC], ids=["symmetric", "asymmetric"]
)


def outcomes(truths, design):
    """All scores of bits on these truths, one row each, and their chances."""
    p, q = design.matrix[1, 1], design.matrix[1, 0]
    bits = np.array(list(product((0, 1), repeat=len(truths))))
    ones = np.where(np.array(truths) == 1, p, q)
    chances = np.prod(np.where(bits == 1, ones, 1 - ones), axis=1)
    return (bits - q) / (p - q), chances


def undirected_values(scores, people):
    """Ties, degree of the first, two-paths, triangles and those of the first, of each row."""
    table = np.zeros((len(scores), people, people))
    for column, (i, j) in enumerate(pairs_of(people)):
        table[:, i, j] = table[:, j, i] = scores[:, column]
    squares = table @ table
    paths = squares.sum(axis=(1, 2)) - np.trace(squares, axis1=1, axis2=2)
    of_nodes = (squares * table).sum(axis=2) / 2
    return {
        "ties": scores.sum(axis=1),
        "degree": table.sum(axis=2),
        "two_paths": paths / 2,
        "triangles": of_nodes.sum(axis=1) / 3,
        "node_triangles": of_nodes,
    }


def directed_values(scores, people):
    """Paths from one person by another to a third, and those whose ends are tied, of each row."""
    arcs = [(i, j) for i in range(people) for j in range(people) if i != j]
    column = {arc: number for number, arc in enumerate(arcs)}
    paths = triples = 0
    for i, j, k in permutations(range(people), 3):
        path = scores[:, column[i, j]] * scores[:, column[j, k]]
        paths, triples = paths + path, triples + path * scores[:, column[i, k]]
    return paths, triples


def spread(values, chances):
    """Mean and variance of values with these chances."""
    mean = np.tensordot(chances, values, 1)
    return mean, np.tensordot(chances, values**2, 1) - mean**2


@DEVICES
@pytest.mark.parametrize("mask", [0, 1, 7, 0b001111, 0b110011, 63])
def test_errors_of_a_given_graph_are_those_over_all_reports(design, mask):
    graph = graph_of(mask, 4)
    scores, chances = outcomes([graph[pair] for pair in pairs_of(4)], design)
    plan = rr.networks.network_errors(graph, design, directed=False).statistics
    for name, values in undirected_values(scores, 4).items():
        mean, variance = spread(values, chances)
        assert plan[name].value == pytest.approx(np.mean(mean), abs=1e-9), name
        assert plan[name].standard_error ** 2 == pytest.approx(np.mean(variance)), name
    assert plan["density"].standard_error == pytest.approx(plan["ties"].standard_error / 6)
    assert plan["mean_degree"].standard_error == pytest.approx(plan["ties"].standard_error / 2)


@DEVICES
def test_clustering_is_the_delta_method_over_all_reports(design):
    graph = graph_of(0b001111, 4)
    scores, chances = outcomes([graph[pair] for pair in pairs_of(4)], design)
    values = undirected_values(scores, 4)
    planned = rr.networks.network_errors(graph, design, directed=False).statistics
    paths, triangles = planned["two_paths"].value, planned["triangles"].value
    line = 3 * values["triangles"] / paths - 3 * triangles / paths**2 * values["two_paths"]
    assert planned["clustering"].value == pytest.approx(3 * triangles / paths)
    assert planned["clustering"].standard_error ** 2 == pytest.approx(spread(line, chances)[1])


@DEVICES
def test_errors_of_directed_ties_are_those_over_all_reports(design):
    arcs, truths = list(permutations(range(3), 2)), [1, 1, 1, 1, 0, 0]
    graph = np.zeros((3, 3), dtype=int)
    graph[tuple(np.transpose(arcs))] = truths
    scores, chances = outcomes(truths, design)
    column = {arc: number for number, arc in enumerate(arcs)}
    total = scores.sum(axis=1)
    paths, triples = directed_values(scores, 3)
    mutual = sum(scores[:, column[i, j]] * scores[:, column[j, i]] for i, j in pairs_of(3))
    plan = rr.networks.network_errors(graph, design, directed=True).statistics
    # Two paths, both closed; four ties, of which one pair is mutual.
    for name, value, line in (
        ("ties", 4, total),
        ("mutual_ties", 1, mutual),
        ("two_paths", 2, paths),
        ("transitive_triples", 2, triples),
        ("transitivity", 1, triples / 2 - 2 / 4 * paths),
        ("reciprocity", 2 / 4, 2 * mutual / 4 - 2 * 1 / 16 * total),
    ):
        assert plan[name].value == pytest.approx(value)
        assert plan[name].standard_error ** 2 == pytest.approx(spread(line, chances)[1])


@DEVICES
@pytest.mark.parametrize("density", [0.1, 0.6])
def test_a_random_network_has_the_mean_variance_of_all_graphs(design, density):
    planned = rr.networks.plan_network(4, design, density, directed=False).statistics
    values, variances = dict.fromkeys(planned, 0.0), dict.fromkeys(planned, 0.0)
    for graph in all_graphs(4):
        ties = graph.sum() / 2
        share = density**ties * (1 - density) ** (6 - ties)
        for name, statistic in rr.networks.network_errors(
            graph, design, directed=False
        ).statistics.items():
            values[name] += share * statistic.value
            variances[name] += share * statistic.standard_error**2
    for name in planned.keys() - {"clustering"}:
        assert planned[name].value == pytest.approx(values[name]), name
        assert planned[name].standard_error ** 2 == pytest.approx(variances[name]), name
    assert planned["clustering"].value == pytest.approx(density)


def test_two_reports_of_a_tie_are_a_device_of_half_the_variance():
    one = (
        rr.networks.plan_network(30, SYMMETRIC, 0.1, directed=False)
        .statistics["ties"]
        .standard_error
    )
    two = rr.networks.plan_network(30, SYMMETRIC, 0.1, directed=False, reports=2).statistics["ties"]
    assert two.standard_error == pytest.approx(one / np.sqrt(2))


def test_groups_add_up():
    one = rr.networks.plan_network(30, SYMMETRIC, 0.1, directed=False).statistics
    four = rr.networks.plan_network(30, SYMMETRIC, 0.1, directed=False, groups=4).statistics
    assert four["triangles"].value == pytest.approx(4 * one["triangles"].value)
    assert four["triangles"].standard_error == pytest.approx(2 * one["triangles"].standard_error)
    for name in ("density", "mean_degree", "clustering"):
        assert four[name].value == pytest.approx(one[name].value)
        assert four[name].standard_error == pytest.approx(one[name].standard_error / 2)
    assert four["degree"] == one["degree"]


def test_a_graph_without_ties_has_no_ratios():
    plan = rr.networks.network_errors(
        np.zeros((4, 4), dtype=int), SYMMETRIC, directed=False
    ).statistics
    assert np.isnan(plan["clustering"].value)
    assert np.isnan(plan["ties"].relative_error)
    assert plan["ties"].standard_error > 0


@pytest.mark.parametrize(
    ("directed", "density", "argument", "code"),
    [(True, 0.1, "reciprocity", "out_of_range"), (False, 0.9, "reciprocity", "not_directed")],
)
def test_contradictions_are_refused(directed, density, argument, code):
    error = refusal(
        rr.networks.plan_network, 9, SYMMETRIC, 0.9, directed=directed, reciprocity=density
    )
    assert (error.argument, error.code) == (argument, code)


def test_two_people_have_no_triads():
    error = refusal(rr.networks.network_errors, [[0, 1], [1, 0]], SYMMETRIC, directed=False)
    assert error.code == "too_few_people"


@DEVICES
def test_estimated_variances_have_the_planned_ones_as_their_mean(design):
    graph = graph_of(0b001111, 4)
    sums = dict.fromkeys(("ties", "two_paths", "triangles"), 0.0)
    truths = [graph[pair] for pair in pairs_of(4)]
    _, chances = outcomes(truths, design)
    for bits, chance in zip(product((0, 1), repeat=6), chances, strict=True):
        table = np.zeros((4, 4), dtype=int)
        for pair, bit in zip(pairs_of(4), bits, strict=True):
            table[pair] = bit
        found = rr.networks.estimate_network(reported_once(table), design, directed=False)
        for name in sums:
            sums[name] += chance * getattr(found, name).variance
    plan = rr.networks.network_errors(graph, design, directed=False).statistics
    for name, mean in sums.items():
        assert plan[name].standard_error ** 2 == pytest.approx(mean), name


def test_the_smallest_densities_have_no_finite_error_of_ratios():
    plan = rr.networks.plan_network(10**6, SYMMETRIC, 1e-300, directed=True).statistics
    assert plan["reciprocity"].standard_error == np.inf
    assert np.isnan(plan["transitivity"].value)
    assert np.isfinite(plan["ties"].standard_error)
