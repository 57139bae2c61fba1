"""Large and small networks: tables and lists of triads tell the same, and parts add up."""

import numpy as np
import pytest

from papers.networks import synthetic_ties
from rr_engine import k_rr
from rr_engine.designs import direct
from rr_engine.networks import NetworkReports, estimate_network, triads
from tests.engine.network_cases import directed_network, survey_reports

DEVICE = k_rr(2, 2)


def numbers_of(found):
    counts = [found.ties, found.two_paths]
    if hasattr(found, "clustering"):
        counts += [found.triangles, found.node_triangles, found.open_two_paths, found.degrees]
    else:
        counts += [found.cycles, found.transitive_triples, found.out_degrees, found.in_degrees]
    return np.hstack(
        [np.atleast_1d(part) for c in counts for part in (c.value, c.variance, *c.interval().T)]
    )


def some_rosters(ties, rng, size=60):
    """Each asked about some others, a tenth of them missing."""
    n = len(ties)
    rows = []
    for i in np.flatnonzero(rng.random(n) < 0.9).tolist():
        alters = np.sort(rng.permutation(np.delete(np.arange(n), i))[:size])
        rows.append((i, alters.tolist(), ties[i, alters].tolist()))
    return NetworkReports.from_rows(n, rows)


@pytest.mark.slow
@pytest.mark.parametrize("kept", [10**7, 10], ids=["kept", "found anew"])
@pytest.mark.parametrize("directed", [False, True])
def test_lists_tell_what_tables_tell(directed, kept, monkeypatch):
    rng = np.random.default_rng(7)
    ties = directed_network() if directed else synthetic_ties()[0]
    reports = some_rosters((rng.random(ties.shape) < np.where(ties, 0.9, 0.1)).astype(int), rng)
    tables = numbers_of(estimate_network(reports, DEVICE, directed=directed))
    monkeypatch.setattr(triads, "LEAST_TABLE", 1000)
    monkeypatch.setattr(triads, "MOST_KEPT", kept)
    monkeypatch.setattr(triads, "TRIADS_AT_A_TIME", 1000)
    lists = numbers_of(estimate_network(reports, DEVICE, directed=directed))
    np.testing.assert_allclose(lists, tables, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("directed", [False, True])
def test_two_groups_that_nothing_connects_are_the_sum_of_both(directed):
    rng = np.random.default_rng(8)
    ties = directed_network()[:60, :60]
    parts = [
        survey_reports(ties[cut, cut], DEVICE, rng, once=False)
        for cut in (slice(40), slice(40, 60))
    ]
    whole = NetworkReports(
        60,
        np.arange(60),
        np.concatenate([parts[0].indptr, parts[0].asked + parts[1].indptr[1:]]),
        np.concatenate([parts[0].alters, parts[1].alters + 40]),
        np.concatenate([part.bits for part in parts]),
    )
    found, one, two = (
        estimate_network(reports, DEVICE, directed=directed).triads for reports in (whole, *parts)
    )
    for name in ("closed", "paths", "closed_variance", "paths_variance", "covariance"):
        wanted = getattr(one, name) + getattr(two, name)
        assert getattr(found, name) == pytest.approx(wanted, rel=1e-9)


def test_known_networks_are_counted():
    ties, _ = synthetic_ties()
    found = estimate_network(NetworkReports.from_matrix(ties), direct(2), directed=False)
    cubes = np.linalg.matrix_power(ties, 3)
    degrees = ties.sum(axis=1)
    assert found.ties.value == ties.sum() / 2 == 684
    assert found.triangles.value == pytest.approx(np.trace(cubes) / 6)
    np.testing.assert_allclose(found.node_triangles.value, np.diag(cubes) / 2, atol=1e-9)
    paths = (degrees * (degrees - 1) / 2).sum()
    assert found.two_paths.value == pytest.approx(paths)
    assert found.clustering.value == pytest.approx(np.trace(cubes) / 2 / paths)
    assert found.open_two_paths.value == pytest.approx(paths - np.trace(cubes) / 2)
    assert found.ties.standard_error == found.triangles.standard_error == 0
    assert found.degree_variance.value == pytest.approx(degrees.var())
    assert found.notes == ()


def test_known_directed_networks_are_counted():
    ties = directed_network()
    found = estimate_network(NetworkReports.from_matrix(ties), direct(2), directed=True)
    assert found.mutual_ties.value == (ties * ties.T).sum() / 2
    assert found.reciprocity.value == pytest.approx((ties * ties.T).sum() / ties.sum())
    assert found.cycles.value == pytest.approx(np.trace(ties @ ties @ ties) / 3)
    assert found.transitive_triples.value == pytest.approx((ties @ ties * ties).sum())
    assert found.out_degree_variance.value == pytest.approx(ties.sum(axis=1).var())
    assert found.in_degree_variance.value == pytest.approx(ties.sum(axis=0).var())


def test_missing_members_are_said_and_the_whole_is_extrapolated():
    ties, _ = synthetic_ties()
    reported = np.arange(len(ties)) % 3 > 0
    found = estimate_network(NetworkReports.from_matrix(ties, reported), direct(2), directed=True)
    assert [note.code for note in found.notes] == ["members_missing"]
    assert found.ties.value == ties[reported].sum()
    assert found.reporters == reported.sum()
    assert found.mean_degree_of_everybody.value == pytest.approx(
        found.density.value * (found.n - 1)
    )
    assert found.ties_of_everybody.value == pytest.approx(
        ties[reported].sum() * len(ties) / reported.sum()
    )
    assert found.density.value == pytest.approx(ties[reported].mean() * 185 / 184)


def test_a_ratio_without_a_clear_denominator_is_not_known():
    silent = NetworkReports.from_matrix(np.zeros((5, 5), dtype=int))
    found = estimate_network(silent, k_rr(2, 1), directed=False)
    assert found.clustering.interval().tolist() == [0, 1]
    assert np.isnan(estimate_network(silent, direct(2), directed=False).clustering.value)


def test_two_reports_weighed_for_a_density_have_less_noise_there():
    ties, _ = synthetic_ties()
    reports = survey_reports(ties, DEVICE, np.random.default_rng(9), once=False)
    mean, weighed = (
        estimate_network(reports, DEVICE, directed=False, density=density)
        for density in (None, 0.04)
    )
    assert weighed.ties.standard_error < 0.7 * mean.ties.standard_error
    assert abs(weighed.ties.value - 684) < 4 * weighed.ties.standard_error
