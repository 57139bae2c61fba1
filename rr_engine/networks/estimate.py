"""Unbiased statistics of a network whose ties were reported through a device."""

from math import comb

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.design import DesignMatrix
from rr_engine.networks.groups import check_arguments, node_degrees
from rr_engine.networks.reports import NetworkReports
from rr_engine.networks.result import DirectedNetwork, UndirectedNetwork
from rr_engine.networks.scores import AskedPairs, TieScores, asked_pairs
from rr_engine.networks.statistics import NetworkCount
from rr_engine.networks.undirected import TriadCounts, directed_triads, undirected_triads


def estimate_network(
    reports: NetworkReports, design: DesignMatrix, *, directed: bool, density: float | None = None
) -> DirectedNetwork | UndirectedNetwork:
    """Estimate ties, degrees and triads of a network, all without bias.

    Parameters
    ----------
    reports : NetworkReports
    design : DesignMatrix
        The device of each bit: two categories and two reports, no tie and a tie in this order.
    directed : bool
        Whether i may be tied to j without j being tied to i. Of undirected ties one end may have
        reported, or both.
    density : float, optional
        The share of pairs that are tied, as expected before the reports came in; between 0 and 1.
        Two reports of an undirected tie are then weighed as is best at that density, without it by
        their mean. No density makes anything biased.

    Returns
    -------
    UndirectedNetwork or DirectedNetwork

    Raises
    ------
    ArgumentError, DesignError

    Notes
    -----
    The people and their ties are fixed: errors are those of the device's noise. Everything is about
    pairs that were asked about. docs/methods/networks.md has formulas, proofs and costs.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, section 6.4.

    Examples
    --------
    >>> from rr_engine.designs import direct
    >>> ring = NetworkReports.from_matrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> found = estimate_network(ring, direct(2), directed=False)
    >>> found.ties.value, found.triangles.value, found.ties.standard_error
    (3.0, 1.0, 0.0)
    """
    scores = check_arguments(reports, design, directed, density)
    pairs = asked_pairs(reports)
    return (_directed if directed else _undirected)(reports, pairs, scores)


def _undirected(reports: NetworkReports, pairs: AskedPairs, scores: TieScores) -> UndirectedNetwork:
    degrees = node_degrees(pairs, scores, "undirected")
    asked_of = np.asarray(degrees.highest)
    ties = _half(_sum(degrees))
    triads = undirected_triads(pairs, scores, _likely_density(ties))
    return UndirectedNetwork(
        n=reports.n,
        reporters=len(reports.reporters),
        asked_pairs=len(pairs),
        ties=ties,
        degrees=degrees,
        node_triangles=NetworkCount(
            value=triads.node_triangles,
            variance=triads.node_variances,
            lowest=np.zeros(reports.n),
            highest=asked_of * (asked_of - 1) / 2,
            least_variance=triads.node_expected,
        ),
        triads=triads.counts,
        expected_variance=triads.expected_variance,
        paths_slope=triads.paths_slope,
    )


def _likely_density(ties: NetworkCount) -> float:
    """Return the estimated density, but neither 0 nor 1."""
    asked = float(ties.highest)
    return min(max(float(ties.value), 1.0), asked - 0.5) / asked


def _directed(reports: NetworkReports, pairs: AskedPairs, scores: TieScores) -> DirectedNetwork:
    out, into = (node_degrees(pairs, scores, kind) for kind in ("out", "in"))
    both = pairs.chosen(np.flatnonzero(pairs.asked.all(axis=0)))
    triples, cycles, paths_slope = directed_triads(pairs, scores)
    return DirectedNetwork(
        n=reports.n,
        reporters=len(reports.reporters),
        asked_pairs=reports.asked,
        asked_both_ways=len(both),
        ties=_sum(out),
        out_degrees=out,
        in_degrees=into,
        returned=_mutual(*both.arc_scores(scores)),
        cycles=NetworkCount(*cycles, 0.0, 2.0 * comb(reports.n, 3)),
        triads=triples,
        paths_slope=paths_slope,
    )


def _sum(degrees: NetworkCount) -> NetworkCount:
    """Return the sum of degrees as if they were independent."""
    slopes = np.asarray(degrees.slope) * np.asarray(degrees.highest)
    parts = (degrees.value, degrees.variance, degrees.highest, slopes)
    value, variance, asked, slope = (float(np.sum(each)) for each in parts)
    return NetworkCount(value, variance, 0.0, asked, slope / asked)


def _half(twice: NetworkCount) -> NetworkCount:
    """Return the ties of a sum of degrees in which each counts twice, with twice its variance."""
    value, variance, highest = (
        float(each) / 2 for each in (twice.value, twice.variance, twice.highest)
    )
    return NetworkCount(value, variance, 0.0, highest, twice.slope)


def _mutual(z: FloatArray, v: FloatArray) -> TriadCounts:
    """Return mutual ties, ties that could be mutual, and their variances and covariance."""
    product, squares = z[0] * z[1], z * z
    return TriadCounts(
        closed=float(product.sum()),
        paths=float(z.sum()),
        closed_variance=float((squares[0] * squares[1] - product).sum()),
        paths_variance=float(v.sum()),
        covariance=float((v * z[::-1]).sum()),
    )
