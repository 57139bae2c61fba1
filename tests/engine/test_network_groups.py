"""Ties within and between groups."""

from itertools import combinations, product

import numpy as np
import pytest

from papers.networks import synthetic_ties
from rr_engine.designs import direct
from rr_engine.networks import NetworkReports, estimate_mixing, estimate_network
from tests.engine.engine_cases import refusal
from tests.engine.network_cases import bit_device, survey_reports

P, Q = 0.8, 0.1
GROUPS = np.array([0, 0, 1, 3])
PAIRS = list(combinations(range(4), 2))


def reports_of(bits):
    sent = dict(zip(PAIRS, bits, strict=True))
    rows = [(i, list(range(i + 1, 4)), [sent[i, j] for j in range(i + 1, 4)]) for i in range(3)]
    return NetworkReports.from_rows(4, rows, GROUPS)


def parts_of(found):
    counts = (found.ties, found.mean_degrees)
    chosen = [np.isfinite(np.asarray(count.value)) for count in counts]
    return [
        np.concatenate(
            [np.asarray(getattr(c, name))[k] for c, k in zip(counts, chosen, strict=True)]
        )
        for name in ("value", "variance")
    ]


def test_ties_and_degrees_of_groups_are_unbiased_on_all_graphs_of_four_people():
    outcomes = list(product((0, 1), repeat=len(PAIRS)))
    device = bit_device(P, Q)
    found = np.array(
        [parts_of(estimate_mixing(reports_of(bits), device, directed=False)) for bits in outcomes]
    )
    for graph in outcomes:
        ones = np.where(graph, P, Q)
        chances = np.where(outcomes, ones, 1 - ones).prod(axis=1)
        values, variances = chances @ found[:, 0], chances @ found[:, 1]
        truth, _ = parts_of(estimate_mixing(reports_of(graph), direct(2), directed=False))
        np.testing.assert_allclose(values, truth, atol=1e-10)
        np.testing.assert_allclose(variances, chances @ found[:, 0] ** 2 - values**2, atol=1e-10)


def test_groups_of_known_ties():
    found = estimate_mixing(reports_of([1, 1, 0, 1, 0, 1]), direct(2), directed=False)
    assert found.sizes.tolist() == [2, 1, 0, 1]
    assert found.asked.tolist() == [[1, 2, 0, 2], [2, 0, 0, 1], [0, 0, 0, 0], [2, 1, 0, 0]]
    assert found.ties.value.tolist() == [[1, 2, 0, 0], [2, 0, 0, 1], [0] * 4, [0, 1, 0, 0]]
    assert found.densities.value[0].tolist()[:2] == [1, 1]
    assert np.isnan(found.densities.value[2]).all()
    assert found.mean_degrees.value[[0, 1, 3]].tolist() == [2, 3, 1]


def test_directed_ties_go_from_row_to_column():
    bits = np.array([[0, 1, 1], [0, 0, 0], [0, 1, 0]])
    reports = NetworkReports.from_matrix(bits, groups=[0, 1, 1])
    found = estimate_mixing(reports, direct(2), directed=True)
    assert found.ties.value.tolist() == [[0, 2], [0, 1]]
    assert found.asked.tolist() == [[0, 2], [2, 2]]
    assert found.mean_out_degrees.value.tolist() == [2, 0.5]
    assert found.mean_in_degrees.value.tolist() == [0, 1.5]


@pytest.mark.parametrize("directed", [False, True])
def test_groups_add_up_to_the_network(directed):
    ties, groups = synthetic_ties()
    device = bit_device(0.9, 0.1)
    sent = survey_reports(ties, device, np.random.default_rng(3), once=False)
    reports = NetworkReports(sent.n, sent.reporters, sent.indptr, sent.alters, sent.bits, groups)
    found = estimate_mixing(reports, device, directed=directed)
    whole = estimate_network(reports, device, directed=directed)
    table = found.ties.value if directed else np.triu(found.ties.value)
    assert table.sum() == pytest.approx(whole.ties.value)
    degrees = whole.out_degrees if directed else whole.degrees
    means = np.bincount(groups, degrees.value) / np.bincount(groups)
    np.testing.assert_allclose(found.mean_degrees.value, means)


def test_pairs_that_nobody_was_asked_about_bend_no_interval():
    """With a device that errs as often either way, an interval lies evenly about the density."""
    generator = np.random.default_rng(5)
    bits = (generator.random((12, 12)) < 0.4).astype(int)
    np.fill_diagonal(bits, 0)
    reported = np.arange(12) < 8
    reports = NetworkReports.from_matrix(
        bits * reported[:, None], reported, groups=np.arange(12) % 2
    )
    for directed in (True, False):
        found = estimate_mixing(reports, bit_device(0.9, 0.1), directed=directed).densities
        ends = found.interval(0.95)
        inside = (ends > 0).all(axis=-1) & (ends < 1).all(axis=-1)
        assert inside.any()
        np.testing.assert_allclose(ends.mean(axis=-1)[inside], np.asarray(found.value)[inside])


def test_reports_without_groups_and_with_too_many_are_refused():
    bare = NetworkReports.from_matrix([[0, 1], [1, 0]])
    many = NetworkReports.from_rows(1001, [(0, [1], [1])], np.arange(1001))
    for reports, code in ((bare, "groups_missing"), (many, "too_many_groups")):
        assert refusal(estimate_mixing, reports, direct(2), directed=True).code == code
