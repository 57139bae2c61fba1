"""Other ways than randomized ties: sensitivities against all graphs of few people, and noise."""

from itertools import combinations

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.library.networks.noisy_counts import heavy_noise, smooth_calibration
from rr_engine.library.networks.sensitivities import local_bounds
from tests.engine.engine_cases import refusal
from tests.engine.small_graphs import (
    all_graphs,
    graph_of,
    pairs_of,
    random_graph,
    reported_once,
    triangles_of,
)

COUNTS = {"degrees": lambda graph: graph.sum(axis=1), "triangles": triangles_of}


def local_sensitivities(people):
    """The largest change of the number of triangles by one tie, of every graph."""
    totals = np.array([triangles_of(graph).sum() // 3 for graph in all_graphs(people)])
    masks = np.arange(len(totals))
    return np.max(
        [abs(totals - totals[masks ^ 1 << bit]) for bit in range(len(pairs_of(people)))], axis=0
    )


@pytest.mark.parametrize("people", [3, 4, 5])
def test_bounds_at_a_distance_are_the_largest_local_sensitivities(people):
    largest = local_sensitivities(people)
    masks = np.arange(len(largest))
    bounds = np.array([local_bounds(graph.astype(float), 7) for graph in all_graphs(people)])
    for distance in range(8):
        assert bounds[:, distance].tolist() == largest.tolist()
        neighbours = [largest[masks ^ 1 << bit] for bit in range(len(pairs_of(people)))]
        largest = np.max([largest, *neighbours], axis=0)


def test_the_smooth_sensitivity_is_smooth_and_above_the_local_one():
    beta = 0.2
    found = [rr.networks.triangle_sensitivity(graph, beta) for graph in all_graphs(4)]
    smooth, local = (np.array([getattr(f, name) for f in found]) for name in ("smooth", "local"))
    assert local.tolist() == local_sensitivities(4).tolist()
    assert (smooth >= local).all()
    assert (smooth > local).any()
    for bit in range(6):
        ratio = smooth / smooth[np.arange(64) ^ 1 << bit]
        assert ratio.max() <= np.exp(beta) * (1 + 1e-12)


@pytest.mark.parametrize("statistic", ["degrees", "triangles"])
@pytest.mark.parametrize("people", [2, 3, 4])
def test_global_sensitivities_are_attained_and_never_exceeded(statistic, people):
    pairs = pairs_of(people)
    graphs = all_graphs(people)
    counts = np.array([COUNTS[statistic](graph) for graph in graphs])

    def largest(changed):
        return max(
            int(abs(counts[mask] - counts[mask ^ change]).sum())
            for mask in range(len(graphs))
            for change in changed
        )

    one = [1 << bit for bit in range(len(pairs))]
    assert largest(one) == rr.networks.network_sensitivity(statistic, people)
    own = [bit for bit, pair in enumerate(pairs) if 0 in pair]
    any_of_one = [
        sum(1 << bit for bit in chosen)
        for size in range(len(own) + 1)
        for chosen in combinations(own, size)
    ]
    assert largest(any_of_one) == rr.networks.network_sensitivity(statistic, people, "person")


def losses(values, scales, points):
    """Largest log-ratio of the densities of one count, of two graphs, through 1/(1 + z**4)."""
    logs = [
        -np.log(scale) - np.log1p(((points - value) / scale) ** 4)
        for value, scale in zip(values, scales, strict=True)
    ]
    return float(abs(logs[0] - logs[1]).max())


def test_heavy_tailed_noise_keeps_epsilon_between_all_neighbours():
    epsilon, people = 1.0, 4
    alpha, beta = smooth_calibration(epsilon, people, 0)
    graphs = all_graphs(people)
    scales = [3 * rr.networks.triangle_sensitivity(graph, beta).smooth / alpha for graph in graphs]
    points = np.sinh(np.linspace(-14, 14, 1001))
    worst = 0.0
    for mask in range(64):
        for bit in range(6):
            other = mask ^ 1 << bit
            both = triangles_of(graphs[mask]), triangles_of(graphs[other])
            total = sum(
                losses(pair, (scales[mask], scales[other]), points)
                for pair in zip(*both, strict=True)
            )
            worst = max(worst, total)
    # The two halves of epsilon are not spent at the same point, which the bound does not use.
    assert 0.2 < worst <= epsilon


@pytest.mark.parametrize("dimension", [1, 4])
def test_laplace_noise_of_another_scale_is_told_by_half_of_epsilon_but_for_delta(dimension):
    epsilon, delta, draws = 1.0, 0.02, 100_000
    _, beta = smooth_calibration(epsilon, dimension, delta)
    rng = np.random.default_rng(14)
    sizes = rng.gamma(dimension, size=draws)
    wider = np.expm1(beta) * sizes - dimension * beta
    narrower = dimension * beta + np.expm1(-beta) * sizes
    allowed = delta + 4 * np.sqrt(delta / draws)
    assert np.mean(wider > epsilon / 2 + 1e-12) <= allowed
    assert (narrower <= epsilon / 2 + 1e-12).all()


def test_the_calibration_spends_what_it_may():
    _, one = smooth_calibration(1.0, 1, 1e-6)
    # Nissim et al., Lemma 2.9: epsilon / (2 ln(2 / delta)) for one number, rounded down by them.
    assert 1 / (2 * np.log(2 / 1e-6)) < one < 1.1 / (2 * np.log(1 / 1e-6))
    _, many = smooth_calibration(1.0, 185, 1e-6)
    assert 1 / (4 * (185 + np.log(2 / 1e-6))) < many <= 1 / (2 * 185)


def test_heavy_noise_has_its_moments():
    drawn = heavy_noise(200_000, np.random.default_rng(3))
    # E |z| = sqrt(1/2), E z**2 = 1; P(|z| < 1) from the integral of sqrt(2) / (pi (1 + z**4)).
    assert abs(np.mean(np.abs(drawn)) - np.sqrt(0.5)) < 4 * np.sqrt(0.5 / 200_000)
    points = np.linspace(-1, 1, 20_001)
    inside = np.trapezoid(np.sqrt(2) / np.pi / (1 + points**4), points)
    assert abs(np.mean(abs(drawn) < 1) - inside) < 4 * np.sqrt(inside * (1 - inside) / 200_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statistic", "noise", "delta"),
    [("degrees", "global", 0), ("triangles", "global", 0), ("triangles", "smooth", "1e-6")],
)
def test_noisy_counts_have_the_error_they_state(statistic, noise, delta):
    graph = random_graph(150, 0.05, seed=5)
    noisy = rr.networks.noisy_counts(graph, statistic, "1", noise, delta=delta, rng=7)
    errors = noisy.values - (graph.sum(axis=1) if statistic == "degrees" else triangles_of(graph))
    # Laplace's size has the standard deviation of its mean.
    assert abs(np.mean(abs(errors)) / noisy.mean_absolute_error - 1) < 4 / np.sqrt(150)
    assert noisy.standard_error == pytest.approx(np.sqrt(2) * noisy.mean_absolute_error)
    again = rr.networks.noisy_counts(graph, statistic, "1", noise, delta=delta, rng=7)
    assert again.values.tolist() == noisy.values.tolist()


def test_smooth_sensitivity_is_of_triangles_and_ties_alone():
    for statistic, neighbours in (("degrees", "tie"), ("triangles", "person")):
        error = refusal(
            rr.networks.noisy_counts, graph_of(7, 4), statistic, 1, "smooth", neighbours=neighbours
        )
        assert error.code == "smooth_for_triangles"


def test_the_smallest_budgets_are_taken():
    for delta in (0, "1e-6"):
        noisy = rr.networks.noisy_counts(
            graph_of(63, 4), "triangles", "1e-50", "smooth", delta=delta, rng=1
        )
        assert np.isfinite(noisy.values).all()


@pytest.mark.parametrize("graph", [[[0, 1], [0, 0]], [[1, 1], [1, 0]], [[0, 2], [2, 0]], [[0, 1]]])
def test_what_is_no_graph_is_refused(graph):
    caught = refusal(rr.networks.triangle_sensitivity, graph, 1)
    assert (caught.code, caught.argument) == ("not_a_graph", "graph")


def all_reports(graph, chances):
    """Every noisy graph of one report of each pair, with its chance."""
    people = len(graph)
    truth = np.array([graph[pair] for pair in pairs_of(people)])
    p, q = chances
    for mask in range(2 ** len(truth)):
        bits = mask >> np.arange(len(truth)) & 1
        ones = np.where(truth == 1, p, q)
        yield bits, float(np.prod(np.where(bits == 1, ones, 1 - ones)))


def means_of_reconstructions(graph, design, ties):
    """Mean degrees and triangles over all noisy graphs and all draws, one by one."""
    people, chances = len(graph), (design.matrix[1, 1], design.matrix[1, 0])
    degrees, triangles = np.zeros(people), np.zeros(people)
    for bits, chance in all_reports(graph, chances):
        expected = (bits.sum() - len(bits) * chances[1]) / (chances[0] - chances[1])
        number = int(np.rint(np.clip(expected, 0, len(bits)))) if ties is None else ties
        ones, zeros = np.flatnonzero(bits == 1), np.flatnonzero(bits == 0)
        if number <= len(ones):
            chosen = list(combinations(ones, number))
        else:
            chosen = [(*ones, *more) for more in combinations(zeros, number - len(ones))]
        for ones_of in chosen:
            rebuilt = graph_of(sum(1 << int(bit) for bit in ones_of), people)
            degrees += chance / len(chosen) * rebuilt.sum(axis=1)
            triangles += chance / len(chosen) * triangles_of(rebuilt)
    return degrees, triangles


# Graphs of four people: no tie, one, a star, a triangle with a tail, a ring, all but one, all.
GRAPHS = (0, 1, 7, 0b001111, 0b110011, 31, 63)


@pytest.mark.parametrize("mask", GRAPHS)
@pytest.mark.parametrize(("p", "q"), [(0.75, 0.25), (0.9, 0.4), (0.5, 0.1)])
@pytest.mark.parametrize("known", [False, True])
def test_the_bias_of_a_reconstruction_against_all_reports_and_draws(mask, p, q, known):
    graph = graph_of(mask, 4)
    design = rr.designs.generalized_binary(1 - q, p)
    ties = int(graph.sum() / 2) if known else None
    bias = rr.networks.reconstruction_bias(graph, design, ties)
    degrees, triangles = means_of_reconstructions(graph, design, ties)
    assert bias.degrees == pytest.approx(degrees, abs=1e-9)
    assert bias.triangles == pytest.approx(triangles, abs=1e-9)
    assert bias.ties == pytest.approx(degrees.sum() / 2, abs=1e-9)
    assert bias.degree_bias == pytest.approx(degrees - graph.sum(axis=1), abs=1e-9)
    assert bias.triangle_bias == pytest.approx(triangles - triangles_of(graph), abs=1e-9)


def noisy_graph(graph, design, rng):
    """One report of each pair."""
    chances = np.where(graph == 1, design.matrix[1, 1], design.matrix[1, 0])
    upper = np.triu(rng.random(graph.shape) < chances, 1)
    return (upper | upper.T).astype(int)


@pytest.mark.slow
def test_reconstructions_have_the_mean_that_is_computed():
    graph, design = random_graph(40, 0.05, seed=2), rr.k_rr(2, 2)
    graph[:10, :10] = 1 - np.eye(10, dtype=int)
    bias, rng = rr.networks.reconstruction_bias(graph, design), np.random.default_rng(8)
    rebuilt = [
        rr.networks.reconstruct_network(
            reported_once(noisy_graph(graph, design, rng)), design, rng=rng
        )
        for _ in range(500)
    ]
    for name in ("degrees", "triangles"):
        totals = np.array([getattr(one, name).sum() for one in rebuilt])
        error = totals.std(ddof=1) / np.sqrt(len(totals))
        assert abs(totals.mean() - getattr(bias, name).sum()) < 4 * error
    # Degrees are drawn to their mean, and ties of friends of friends are lost.
    order = np.argsort(bias.true_degrees)
    assert bias.degree_bias[order[0]] > 1
    assert bias.degree_bias[order[-1]] < -1
    assert bias.triangle_bias.sum() < -0.5 * bias.true_triangles.sum()


def test_a_reconstruction_keeps_as_many_ties_as_expected():
    design = rr.k_rr(2, 1)
    noisy = noisy_graph(random_graph(60, 0.1, seed=1), design, np.random.default_rng(2))
    reports = reported_once(noisy)
    rebuilt = rr.networks.reconstruct_network(reports, design, rng=3)
    p = design.matrix[1, 1]
    expected = (noisy.sum() / 2 - 1770 * (1 - p)) / (2 * p - 1)
    assert rebuilt.expected_ties == pytest.approx(expected)
    assert rebuilt.graph.sum() == 2 * rebuilt.ties == 2 * round(expected)
    assert (rebuilt.graph == rebuilt.graph.T).all()
    assert (rebuilt.graph <= noisy).all()
    assert (rebuilt.drawn, rebuilt.candidates) == (rebuilt.ties, noisy.sum() / 2)
    again = rr.networks.reconstruct_network(reports, design, rng=3)
    assert (again.graph == rebuilt.graph).all()
    assert (rr.networks.reconstruct_network(reports, design, rng=4).graph != rebuilt.graph).any()


def test_of_two_reports_those_that_agree_come_first():
    table = [[0, 1, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    reported = rr.networks.NetworkReports.from_matrix(table)
    # The pair 0, 1 was reported twice; 0, 2 and 1, 2 and 2, 3 once.
    for seed in range(5):
        rebuilt = rr.networks.reconstruct_network(reported, rr.k_rr(2, 1), ties=2, rng=seed)
        assert rebuilt.graph[0, 1] == 1
        assert (rebuilt.drawn, rebuilt.candidates) == (1, 3)
    assert rr.networks.reconstruct_network(reported, rr.k_rr(2, 1), ties=0).graph.sum() == 0


def test_an_uninformative_device_rebuilds_nothing():
    with pytest.raises(rr.errors.DesignError):
        rr.networks.reconstruct_network(
            reported_once(graph_of(7, 4)), rr.designs.generalized_binary(0.5, 0.5)
        )
