"""Planned errors where some members do not answer, against all reports on all small networks."""

from itertools import combinations, permutations, product

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import refusal
from tests.engine.small_graphs import pairs_of

PEOPLE = 4
DEVICES = pytest.mark.parametrize(
    "design",
    [rr.k_rr(2, 2), rr.designs.generalized_binary(0.8, 0.6)],
    ids=["symmetric", "asymmetric"],
)
ANSWERING = pytest.mark.parametrize("answering", [2, 3])
ALL_TOO = pytest.mark.parametrize("answering", [2, 3, 4])


def asked_arcs(answering):
    """Return what the first so many people of four are asked about."""
    return [(i, j) for i in range(answering) for j in range(PEOPLE) if i != j]


def all_bits(count):
    return np.array(list(product((0, 1), repeat=count)))


def mean_spread(values_of, ties_of, shares, arcs, design):
    """The mean of each statistic, and of its variance, over all networks with these shares.

    `values_of` makes them of a column of scores for each of `arcs`, `ties_of` the true ties there.
    """
    p, q = design.matrix[1, 1], design.matrix[1, 0]
    bits = all_bits(len(arcs))
    values = values_of((bits - q) / (p - q))
    found = {name: np.zeros(2) for name in values}
    for ties, share in zip(ties_of, shares, strict=True):
        ones = np.where(np.array(ties) == 1, p, q)
        chances = np.prod(np.where(bits == 1, ones, 1 - ones), axis=1)
        for name, each in values.items():
            mean = chances @ each
            found[name] += share * np.array([mean, chances @ each**2 - mean**2])
    return found


def undirected_values(scores, answering):
    """Statistics over the pairs and triads that the first so many were asked about."""
    arcs = asked_arcs(answering)
    column = {arc: scores[:, number] for number, arc in enumerate(arcs)}
    w = {}
    for i, j in pairs_of(PEOPLE):
        sent = [column[arc] for arc in ((i, j), (j, i)) if arc in column]
        if sent:
            w[i, j] = sum(sent) / len(sent)
    triads = [
        triad
        for triad in combinations(range(PEOPLE), 3)
        if all(pair in w for pair in combinations(triad, 2))
    ]
    sides = [[w[pair] for pair in combinations(triad, 2)] for triad in triads]
    return {
        "ties": sum(w.values()),
        "degree": sum(score for pair, score in w.items() if 0 in pair),
        "triangles": sum(a * b * c for a, b, c in sides),
        "two_paths": sum(a * b + a * c + b * c for a, b, c in sides),
        "node_triangles": sum(
            a * b * c for triad, (a, b, c) in zip(triads, sides, strict=True) if 0 in triad
        ),
    }


def directed_values(scores, answering):
    arcs = asked_arcs(answering)
    z = {arc: scores[:, number] for number, arc in enumerate(arcs)}
    both = [pair for pair in pairs_of(PEOPLE) if pair in z and pair[::-1] in z]
    triples = [
        (z[i, j], z[j, k], z[i, k])
        for i, j, k in permutations(range(PEOPLE), 3)
        if {(i, j), (j, k), (i, k)} <= z.keys()
    ]
    return {
        "ties": sum(z.values()),
        "degree": sum(score for (i, _), score in z.items() if i == 0),
        "mutual_ties": sum(z[pair] * z[pair[::-1]] for pair in both),
        "transitive_triples": sum(a * b * c for a, b, c in triples),
        "two_paths": sum(a * b for a, b, _ in triples),
    }


@DEVICES
@ANSWERING
def test_an_undirected_plan_has_the_mean_variance_of_all_graphs(design, answering):
    density, arcs, pairs = 0.3, asked_arcs(answering), pairs_of(PEOPLE)
    shares, ties_of = [], []
    for ties in product((0, 1), repeat=len(pairs)):
        tied = dict(zip(pairs, ties, strict=True))
        shares.append(density ** sum(ties) * (1 - density) ** (len(pairs) - sum(ties)))
        ties_of.append([tied[min(arc), max(arc)] for arc in arcs])
    found = mean_spread(
        lambda scores: undirected_values(scores, answering), ties_of, shares, arcs, design
    )
    plan = rr.networks.plan_network(
        PEOPLE, design, density, directed=False, reports=2, answering=answering
    )
    agrees(plan, found)
    asked = len({frozenset(arc) for arc in arcs})
    error = plan.statistics["ties"].standard_error
    assert plan.statistics["density"].standard_error == pytest.approx(error / asked)
    assert plan.statistics["mean_degree"].standard_error == pytest.approx(3 * error / asked)
    assert plan.statistics["mean_degree"].value == pytest.approx(3 * density)
    assert plan.statistics["clustering"].value == pytest.approx(density)


@pytest.mark.slow
@DEVICES
@ALL_TOO
def test_a_directed_plan_has_the_mean_variance_of_all_networks(design, answering):
    density, returned, arcs = 0.4, 0.7, asked_arcs(answering)
    shares, ties_of = networks_with(density, returned, arcs)
    found = mean_spread(
        lambda scores: directed_values(scores, answering), ties_of, shares, arcs, design
    )
    plan = rr.networks.plan_network(
        PEOPLE, design, density, directed=True, reciprocity=returned, answering=answering
    )
    agrees(plan, found)
    assert plan.statistics["reciprocity"].value == pytest.approx(returned)
    assert plan.statistics["transitivity"].value == pytest.approx(density)
    assert plan.statistics["mean_degree"].value == pytest.approx(3 * density)


def networks_with(density, returned, arcs):
    """All values of the asked ties, and their chances."""
    one_way = density * (1 - returned)
    dyads = {
        (1, 1): density * returned,
        (1, 0): one_way,
        (0, 1): one_way,
        (0, 0): 1 - 2 * density + density * returned,
    }
    ties_of = all_bits(len(arcs)).tolist()
    shares = []
    for ties in ties_of:
        tied = dict(zip(arcs, ties, strict=True))
        share = 1.0
        for i, j in pairs_of(PEOPLE):
            share *= sum(
                chance
                for (there, back), chance in dyads.items()
                if tied.get((i, j), there) == there and tied.get((j, i), back) == back
            )
        shares.append(share)
    assert sum(shares) == pytest.approx(1)
    return shares, ties_of


def agrees(plan, found):
    for name, (value, variance) in found.items():
        assert plan.statistics[name].value == pytest.approx(value), name
        assert plan.statistics[name].standard_error ** 2 == pytest.approx(variance), name


@ANSWERING
@pytest.mark.parametrize("directed", [False, True])
def test_the_planned_statistics_are_those_that_are_estimated(directed, answering):
    design, generator = rr.k_rr(2, 1), np.random.default_rng(14)
    matrix = generator.integers(2, size=(PEOPLE, PEOPLE))
    reported = np.arange(PEOPLE) < answering
    reports = rr.networks.NetworkReports.from_matrix(matrix, reported)
    found = rr.networks.estimate_network(reports, design, directed=directed)
    p, q = design.matrix[1, 1], design.matrix[1, 0]
    scores = (np.array([[matrix[arc] for arc in asked_arcs(answering)]]) - q) / (p - q)
    values = (directed_values if directed else undirected_values)(scores, answering)
    for name in values.keys() - {"degree", "node_triangles"}:
        assert getattr(found, name).value == pytest.approx(float(values[name][0])), name


def test_a_network_of_which_all_answer_is_the_one_without_missing_members():
    for directed, reports in ((True, 1), (False, 2)):
        plans = [
            rr.networks.plan_network(
                9, rr.k_rr(2, 1), 0.2, directed=directed, reports=reports, answering=count
            )
            for count in (None, 9)
        ]
        assert dict(plans[0].statistics) == dict(plans[1].statistics)
        assert [plan.answering for plan in plans] == [9, 9]
    assert rr.networks.network_errors(np.zeros((3, 3)), rr.k_rr(2, 1), directed=True).answering == 3


@pytest.mark.parametrize(("directed", "reports"), [(True, 1), (False, 1), (False, 2)])
def test_the_solved_epsilon_gives_the_wanted_error_of_the_density(directed, reports):
    answering = 12 if directed or reports == 2 else None
    ties = {"directed": directed, "reports": reports, "answering": answering}
    epsilon = rr.networks.solve_tie_epsilon(20, 0.03, **ties)
    plan = rr.networks.plan_network(20, rr.k_rr(2, f"{epsilon:.9f}"), 0.2, **ties)
    assert plan.statistics["density"].standard_error == pytest.approx(0.03, rel=1e-6)


def test_one_report_of_each_tie_does_not_say_who_is_missing():
    for call in (
        lambda: rr.networks.plan_network(9, rr.k_rr(2, 1), 0.2, directed=False, answering=5),
        lambda: rr.networks.solve_tie_epsilon(9, 0.1, directed=False, answering=5),
    ):
        caught = refusal(call)
        assert (caught.argument, caught.code) == ("answering", "not_two_reports")


def test_an_error_beyond_all_shares_is_refused():
    caught = refusal(rr.networks.solve_tie_epsilon, 9, 1.5, directed=True)
    assert (caught.argument, caught.code) == ("standard_error", "out_of_range")
