"""Means and variances of the estimators, over all bits on all graphs of four people."""

from itertools import combinations, permutations, product

import numpy as np
import pytest

from rr_engine.networks import NetworkReports, estimate_network, triads
from tests.engine.network_cases import bit_device
from tests.engine.network_coverage import cases, coverage

pytestmark = pytest.mark.slow

P, Q, N = 0.8, 0.3, 4
DEVICE = bit_device(P, Q)
PAIRS, ARCS = list(combinations(range(N), 2)), list(permutations(range(N), 2))
THREES = list(combinations(range(N), 3))
TABLES = pytest.mark.parametrize("smallest_table", [2, 100], ids=["tables", "lists"])


def expectations(values, asked):
    """Means of values for all truths: along the axis of each bit, of 0 then of 1."""
    means = np.array(values).reshape((2,) * asked + (-1,))
    for axis in range(asked):
        means = np.moveaxis(np.tensordot([[1 - Q, Q], [1 - P, P]], means, (1, axis)), 0, axis)
    return means.reshape(2**asked, -1)


def reports_of(asked, bits):
    rows = {}
    for (i, j), bit in zip(asked, bits, strict=True):
        rows.setdefault(i, ([], []))
        rows[i][0].append(j)
        rows[i][1].append(bit)
    return NetworkReports.from_rows(N, [(i, *row) for i, row in rows.items()])


def check(asked, estimates, truths, chosen=slice(None)):
    """`estimates` of all bits: values, variances, and covariances of the first with the second."""
    values, variances, covariances = (np.array(each) for each in zip(*estimates, strict=True))
    products = values[:, 0::2] * values[:, 1::2]
    parts = [values.shape[1]] * 2 + [variances.shape[1], products.shape[1]]
    found = expectations(
        np.hstack([values, values**2, variances, products, covariances]), len(asked)
    )
    means, squares, expected, both, covariance = np.split(found[chosen], np.cumsum(parts), axis=1)
    np.testing.assert_allclose(means, truths, atol=1e-10)
    np.testing.assert_allclose(expected, squares - means**2, atol=1e-10)
    wanted = both - means[:, 0::2] * means[:, 1::2]
    np.testing.assert_allclose(covariance, wanted[:, : covariance.shape[1]], atol=1e-10)


def undirected_truth(ties):
    """Return the truth of the ties, by pair asked, in the order of `undirected_estimate`."""

    def tie(i, j):
        return ties.get((min(i, j), max(i, j)), 0)

    asked = [t for t in THREES if all(pair in ties for pair in combinations(t, 2))]
    closed = [t for t in asked if all(tie(*pair) for pair in combinations(t, 2))]
    paths = sum(tie(i, j) * tie(j, k) for t in asked for i, j, k in permutations(t)) / 2
    degrees = [sum(tie(i, j) for j in range(N) if j != i) for i in range(N)]
    return [len(closed), paths, sum(ties.values()), paths - 3 * len(closed), *degrees] + [
        sum(i in triangle for triangle in closed) for i in range(N)
    ]


def undirected_estimate(found):
    counts = (found.triangles, found.two_paths, found.ties, found.open_two_paths)
    arrays = (found.degrees, found.node_triangles)
    values, variances = (
        [*(getattr(x, name) for x in counts), *np.hstack([getattr(x, name) for x in arrays])]
        for name in ("value", "variance")
    )
    return values, variances, [found.triads.covariance]


UNDIRECTED = {
    "each pair once": (PAIRS, None),
    "a pair left out": (PAIRS[:5], None),
    "some pairs twice": (PAIRS + [(j, i) for i, j in PAIRS[:2]], None),
    "two reports weighed for a density": (PAIRS + [(j, i) for i, j in PAIRS[:2]], 0.1),
}


@TABLES
@pytest.mark.parametrize("case", UNDIRECTED)
def test_undirected_statistics_and_variances_are_unbiased(case, smallest_table, monkeypatch):
    monkeypatch.setattr(triads, "LEAST_TABLE", smallest_table)
    asked, density = UNDIRECTED[case]
    estimates = [
        undirected_estimate(
            estimate_network(reports_of(asked, bits), DEVICE, directed=False, density=density)
        )
        for bits in product((0, 1), repeat=len(asked))
    ]
    pairs = [tuple(sorted(pair)) for pair in asked]
    truths, chosen = [], []
    for position, arcs in enumerate(product((0, 1), repeat=len(asked))):
        ties = dict(zip(pairs, arcs, strict=True))
        # The two reports on a tie depend on the same truth.
        if all(ties[pair] == arc for pair, arc in zip(pairs, arcs, strict=True)):
            chosen.append(position)
            truths.append(undirected_truth(ties))
    assert len(truths) == 2 ** len(set(pairs))
    check(asked, estimates, truths, chosen)


def directed_truth(ties):
    def tie(i, j):
        return ties.get((i, j), 0)

    known = [t for t in THREES if all(p in ties or p[::-1] in ties for p in combinations(t, 2))]
    orders = [order for t in known for order in permutations(t)]
    both = [pair for pair in PAIRS if pair in ties and pair[::-1] in ties]
    return [
        sum(tie(i, j) * tie(j, k) * tie(i, k) for i, j, k in orders),
        sum(tie(i, j) * tie(j, k) for i, j, k in orders if (i, k) in ties),
        sum(tie(i, j) * tie(j, i) for i, j in both),
        sum(tie(i, j) + tie(j, i) for i, j in both),
        sum(tie(i, j) * tie(j, k) * tie(k, i) for i, j, k in orders) / 3,
        sum(ties.values()),
        *(sum(tie(i, j) for j in range(N)) for i in range(N)),
        *(sum(tie(j, i) for j in range(N)) for i in range(N)),
    ]


def directed_estimate(found):
    counts = (found.transitive_triples, found.two_paths, found.mutual_ties)
    arrays = (found.out_degrees, found.in_degrees)
    values, variances = (
        [
            *(getattr(x, name) for x in counts),
            paths,
            getattr(found.cycles, name),
            getattr(found.ties, name),
            *np.hstack([getattr(x, name) for x in arrays]),
        ]
        for name, paths in (
            ("value", found.returned.paths),
            ("variance", found.returned.paths_variance),
        )
    )
    return values, variances, [found.triads.covariance, found.returned.covariance]


LEFT_OUT = ARCS[:3] + ARCS[4:]


def directed_estimates(asked, outcomes):
    return [
        directed_estimate(estimate_network(reports_of(asked, bits), DEVICE, directed=True))
        for bits in outcomes
    ]


@pytest.mark.parametrize("asked", [ARCS, LEFT_OUT], ids=["all", "one left out"])
def test_directed_statistics_and_variances_are_unbiased(asked, monkeypatch):
    monkeypatch.setattr(triads, "LEAST_TABLE", 2)
    outcomes = list(product((0, 1), repeat=len(asked)))
    estimates = directed_estimates(asked, outcomes)
    truths = [directed_truth(dict(zip(asked, arcs, strict=True))) for arcs in outcomes]
    check(asked, estimates, truths)


def test_lists_tell_what_tables_tell_of_directed_networks(monkeypatch):
    # A twentieth of the outcomes suffices: what is unbiased by tables is so by lists.
    some = list(product((0, 1), repeat=len(LEFT_OUT)))[::19]
    monkeypatch.setattr(triads, "LEAST_TABLE", 2)
    tables = directed_estimates(LEFT_OUT, some)
    monkeypatch.setattr(triads, "LEAST_TABLE", 100)
    for one, other in zip(directed_estimates(LEFT_OUT, some), tables, strict=True):
        np.testing.assert_allclose(np.concatenate(one), np.concatenate(other), atol=1e-10)


SURVEYS = 30
# Three standard errors of a share of SURVEYS.
LEAST = 0.95 - 3 * np.sqrt(0.95 * 0.05 / SURVEYS)


@pytest.mark.parametrize("number", range(3), ids=[case.name for case in cases()])
def test_intervals_cover_a_fixed_network(number):
    found = coverage(cases()[number], 1, SURVEYS)
    assert min(found.values()) >= LEAST, found
    # No wider than they have to be.
    assert np.mean(list(found.values())) <= 0.99, found
