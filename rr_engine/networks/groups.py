"""Degrees of each person, and networks of people in known groups."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray
from rr_engine.design import DesignMatrix
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.networks.reports import NetworkReports
from rr_engine.networks.scores import (
    AskedPairs,
    TieScores,
    asked_pairs,
    check_bit_device,
    tie_scores,
)
from rr_engine.networks.statistics import NetworkCount, scaled

# How often a tie's noise is in the sum of the degrees: undirected ties are in those of both ends.
KINDS = {"undirected": 2.0, "out": 1.0, "in": 1.0}


def node_degrees(pairs: AskedPairs, scores: TieScores, kind: str) -> NetworkCount:
    """Return how many of those asked about each person is tied to."""
    tables = (
        scores.values,
        scores.value_variances,
        np.repeat(scores.slope[:, None], 3, axis=1),
        np.repeat(np.array([[0.0], [1.0], [1.0]]), 3, axis=1),
    )
    # One at a time: a large network has no room for all of them.
    value, variance, slope, asked = (_node_sums(pairs, table, kind) for table in tables)
    lowest = np.zeros(pairs.n)
    return NetworkCount(value, variance, lowest, asked, slope / np.maximum(asked, 1.0))


def _node_sums(pairs: AskedPairs, table: FloatArray, kind: str) -> FloatArray:
    if kind == "undirected":
        each = pairs.of_ties(table)
        return pairs.node_sums(each, each)
    forth, back = pairs.of_arcs(table)
    return pairs.node_sums(*((forth, back) if kind == "out" else (back, forth)))


def mean_of(degrees: NetworkCount, kind: str) -> NetworkCount:
    """Return the mean of degrees, of one kind."""
    ends, n = KINDS[kind], np.size(degrees.value)
    moments = float(np.mean(degrees.value)), ends * float(np.sum(degrees.variance)) / n**2
    highest, slope = float(np.max(degrees.highest)), float(np.mean(degrees.slope))
    return NetworkCount(*moments, 0.0, highest, ends * slope / n)


def variance_of(degrees: NetworkCount, kind: str) -> NetworkCount:
    """Return the variance of degrees, without that of the noise.

    To first order the errors are ``2/n sum (d_i - mean) e_i``, and beside these the squares of the
    errors: their variance is linear in the variance of the degrees.
    """
    mean, n = mean_of(degrees, kind), np.size(degrees.value)
    noise = np.asarray(degrees.variance)
    found = float(((degrees.value - mean.value) ** 2 - noise).mean()) + float(mean.variance)
    slope, squares = 4 * float(noise.mean()) / n, 2 * float((noise**2).mean()) / n
    # An estimate below 0 has no less noise than there is without any spread.
    variance, least = slope * found + squares, squares
    return NetworkCount(found, variance, 0.0, float(mean.highest) ** 2 / 4, slope, least)


def check_reports(value: object) -> NetworkReports:
    """Return reports on a network."""
    rule = "be NetworkReports"
    return check.instance(value, "reports", NetworkReports, rule, "not_network_reports")


def check_arguments(
    reports: object, design: DesignMatrix, directed: object, density: float | None
) -> TieScores:
    """Check what an estimate is from, and return the scores of the device."""
    check_reports(reports)
    check.switch(directed, "directed")
    expected = None if density is None else check.open_unit(density, "density")
    return tie_scores(*check_bit_device(design), expected)


def check_kind(value: object) -> str:
    """Return a kind of degree."""
    return check.choice(value, "kind", KINDS)


# A table of more groups would be mostly empty.
MOST_GROUPS = 1000
# Sums of scores, variances, slopes and asked pairs, shape (4, groups, groups).
Sums = FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class MixingMatrix(Shown):
    """Ties within and between groups; see :func:`estimate_mixing`.

    Attributes
    ----------
    directed : bool
    sizes : numpy.ndarray of int, shape (g,)
        People of each group.
    asked : numpy.ndarray of int, shape (g, g)
        Pairs that were asked about: of directed ties from a row's group to a column's.
    ties : NetworkCount
        Ties among them, arrays of shape (g, g). An undirected tie within a group counts once on the
        diagonal, and one between two groups at both places of a symmetric table.
    out_degree_sums, in_degree_sums : NetworkCount
        Sums of the degrees of each group's members, shape (g,); of undirected ties the same.

    Examples
    --------
    >>> from rr_engine.designs import direct
    >>> from rr_engine.networks import NetworkReports, estimate_mixing
    >>> ties = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> reports = NetworkReports.from_matrix(ties, groups=[0, 0, 1])
    >>> found = estimate_mixing(reports, direct(2), directed=False)
    >>> found.sizes.tolist(), found.ties.value.tolist()
    ([2, 1], [[1.0, 1.0], [1.0, 0.0]])
    """

    directed: bool
    sizes: IntArray
    asked: IntArray
    ties: NetworkCount
    out_degree_sums: NetworkCount
    in_degree_sums: NetworkCount

    @property
    def densities(self) -> NetworkCount:
        """Share of the asked pairs that are tied, shape (g, g); nan where nobody was asked."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return scaled(self.ties, np.where(self.asked > 0, 1 / self.asked, np.nan))

    @property
    def mean_out_degrees(self) -> NetworkCount:
        """Mean of the out-degrees of each group's members, shape (g,); nan without members."""
        return self._means(self.out_degree_sums)

    @property
    def mean_in_degrees(self) -> NetworkCount:
        """Mean of the in-degrees of each group's members, shape (g,); nan without members."""
        return self._means(self.in_degree_sums)

    @property
    def mean_degrees(self) -> NetworkCount:
        """Mean of the degrees of each group's members; of directed ties the out-degrees."""
        return self.mean_out_degrees

    def _means(self, sums: NetworkCount) -> NetworkCount:
        with np.errstate(divide="ignore", invalid="ignore"):
            return scaled(sums, np.where(self.sizes > 0, 1 / self.sizes, np.nan))


def estimate_mixing(
    reports: NetworkReports, design: DesignMatrix, *, directed: bool, density: float | None = None
) -> MixingMatrix:
    """Estimate the ties within and between the groups of a roster, without bias.

    Parameters
    ----------
    reports : NetworkReports
        With groups.
    design : DesignMatrix
    directed : bool
    density : float, optional
        All as for :func:`estimate_network`.

    Returns
    -------
    MixingMatrix

    Raises
    ------
    ArgumentError, DesignError

    Notes
    -----
    Sums of independent scores over the asked pairs of two groups; docs/methods/networks.md.

    References
    ----------
    .. [1] M. E. J. Newman, "Mixing patterns in networks", Physical Review E 67, 2003.

    Examples
    --------
    >>> from rr_engine.designs import direct
    >>> bits = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> reports = NetworkReports.from_matrix(bits, groups=[0, 0, 1])
    >>> estimate_mixing(reports, direct(2), directed=False).ties.value.tolist()
    [[1.0, 1.0], [1.0, 0.0]]
    """
    scores = check_arguments(reports, design, directed, density)
    groups = reports.groups
    if groups is None:
        raise ArgumentError("reports", reports, "have groups", "groups_missing")
    if groups.max() >= MOST_GROUPS:
        rule = f"have at most {MOST_GROUPS} groups"
        raise ArgumentError("reports", reports, rule, "too_many_groups")
    pairs = asked_pairs(reports)
    sums = (_arc_sums if directed else _tie_sums)(pairs, scores, groups)
    # An undirected tie within a group is in the degrees of two members.
    within = 1.0 if directed else 2.0
    return MixingMatrix(
        directed=bool(directed),
        sizes=np.bincount(groups),
        asked=sums[3].astype(np.int64),
        ties=_counts(sums),
        out_degree_sums=_degree_sums(sums, within),
        in_degree_sums=_degree_sums(sums.swapaxes(1, 2), within),
    )


def _arc_sums(pairs: AskedPairs, scores: TieScores, groups: IntArray) -> Sums:
    z, v = pairs.arc_scores(scores)
    first, second = groups[pairs.first], groups[pairs.second]
    values = np.stack([z, v, scores.slope[pairs.asked], pairs.asked.astype(np.float64)])
    count = int(groups.max()) + 1
    forth, back = (first * count + second, second * count + first)
    sums = [
        np.bincount(forth, each[0], count**2) + np.bincount(back, each[1], count**2)
        for each in values
    ]
    return np.array(sums).reshape(4, count, count)


def _tie_sums(pairs: AskedPairs, scores: TieScores, groups: IntArray) -> Sums:
    w, v = pairs.tie_scores(scores)
    first, second = groups[pairs.first], groups[pairs.second]
    count = int(groups.max()) + 1
    slopes = scores.slope[pairs.asked.sum(axis=0)]
    place = first * count + second
    sums = np.array(
        [np.bincount(place, each, count**2) for each in (w, v, slopes, np.ones(len(pairs)))]
    ).reshape(4, count, count)
    both = sums + sums.swapaxes(1, 2)
    own = np.arange(count)
    both[:, own, own] /= 2
    return both


def _counts(sums: Sums) -> NetworkCount:
    value, variance, slope, asked = sums
    return NetworkCount(value, variance, np.zeros(asked.shape), asked, slope / np.maximum(asked, 1))


def _degree_sums(sums: Sums, within: float) -> NetworkCount:
    """Return the sums of rows, those on the diagonal as often as `within`."""
    own = np.arange(sums.shape[1])
    weights = np.ones(sums.shape[1:])
    weights[own, own] = within
    value, asked = ((sums[at] * weights).sum(axis=1) for at in (0, 3))
    slope = (sums[2] * weights**2).sum(axis=1)
    variance = (sums[1] * weights**2).sum(axis=1)
    return NetworkCount(value, variance, np.zeros(len(own)), asked, slope / np.maximum(asked, 1))
