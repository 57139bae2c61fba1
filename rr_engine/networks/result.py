"""Estimates of a network."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import comb

import numpy as np

from rr_engine.display.description import Description, known, words
from rr_engine.display.reading import told
from rr_engine.display.shown import Shown
from rr_engine.estimation.notes import Note
from rr_engine.networks.groups import variance_of
from rr_engine.networks.statistics import NetworkCount, NetworkRatio, scaled
from rr_engine.networks.undirected import TriadCounts

MISSING = Note(
    "members_missing",
    "Not everybody reported on everybody: counts are of the pairs that were asked about.",
)
NEGATIVE = Note(
    "variance_not_positive",
    "By chance the variance of closed triads was estimated at 0 or below: their interval is "
    "only a guide.",
)


@dataclass(frozen=True, slots=True, eq=False)
class Network(Shown, ABC):
    """Estimates that directed and undirected networks have in common.

    Attributes
    ----------
    n, reporters : int
        People of the group, and how many of them reported.
    asked_pairs : int
        Pairs that were asked about; of directed ties each direction is a pair.
    ties : NetworkCount
        Ties among those pairs.
    triads : TriadCounts
    paths_slope : float
        What the variance of the two-paths grows by with their number, where ties are evenly spread.
    """

    n: int
    reporters: int
    asked_pairs: int
    ties: NetworkCount
    triads: TriadCounts
    paths_slope: float

    def _described(self) -> Description:
        found = {name: getattr(self, name) for name in ("ties", *self._statistics())}
        ends = np.array([one.interval() for one in found.values()])
        values = np.array([one.value for one in found.values()])
        errors = np.array([one.standard_error for one in found.values()])
        table = known("statistic", list(map(words, found)), "value", (values, errors), ends)
        facts = {"n": self.n, "reporters": self.reporters, "asked_pairs": self.asked_pairs}
        return told(self, facts, table)

    @abstractmethod
    def _statistics(self) -> tuple[str, ...]:
        """Return the names of the statistics of the whole network, but the ties."""

    @property
    @abstractmethod
    def pairs(self) -> int:
        """Pairs of the whole group."""

    @property
    def density(self) -> NetworkCount:
        """Share of the asked pairs that are tied."""
        return scaled(self.ties, 1 / self.asked_pairs)

    @property
    def ties_of_everybody(self) -> NetworkCount:
        """Ties of the whole group, if pairs that were not asked about are tied as often."""
        return scaled(self.ties, self.pairs / self.asked_pairs)

    @property
    def mean_degree_of_everybody(self) -> NetworkCount:
        """The same of the mean degree, where everybody was on the roster of everybody."""
        return scaled(self.density, self.n - 1)

    @property
    def two_paths(self) -> NetworkCount:
        """Two ties in a row between people who were asked about each other."""
        found = self.triads
        moments = found.paths, found.paths_variance
        return NetworkCount(*moments, 0.0, self._most_paths, self.paths_slope)

    @property
    @abstractmethod
    def _most_paths(self) -> float:
        """The largest number of two-paths among the asked triads."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes for the reader."""
        negative = self.triads.closed_variance <= 0 < self.ties.variance
        conditions = ((MISSING, self.asked_pairs < self.pairs), (NEGATIVE, negative))
        return tuple(note for note, holds in conditions if holds)


@dataclass(frozen=True, slots=True, eq=False)
class UndirectedNetwork(Network):
    """Statistics of an undirected network; see :func:`estimate_network`.

    Attributes
    ----------
    degrees : NetworkCount
        Of each person, among those whose tie with them was reported by one end or both.
    node_triangles : NetworkCount
        Of each person: pairs of people who are tied to them and to each other.
    expected_variance : float
        Of the triangles, if ties are as probable as the reports say.

    Examples
    --------
    >>> from rr_engine.designs import direct
    >>> from rr_engine.networks import NetworkReports, estimate_network
    >>> ring = NetworkReports.from_matrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> found = estimate_network(ring, direct(2), directed=False)
    >>> found.n, found.ties.value, found.density.value, found.clustering.value
    (3, 3.0, 1.0, 1.0)
    """

    degrees: NetworkCount
    node_triangles: NetworkCount
    expected_variance: float

    def _statistics(self) -> tuple[str, ...]:
        return ("density", "mean_degree", "degree_variance", "two_paths", "triangles", "clustering")

    @property
    def pairs(self) -> int:
        """Pairs of the whole group."""
        return comb(self.n, 2)

    @property
    def mean_degree(self) -> NetworkCount:
        """Mean of the degrees."""
        return scaled(self.ties, 2.0 / self.n)

    @property
    def degree_variance(self) -> NetworkCount:
        """Variance of the degrees."""
        return variance_of(self.degrees, "undirected")

    @property
    def triangles(self) -> NetworkCount:
        """Three people of whom each two are tied."""
        most = float(comb(self.n, 3))
        moments = self.triads.closed, self.triads.closed_variance
        return NetworkCount(*moments, 0.0, most, 0.0, self.expected_variance)

    @property
    def open_two_paths(self) -> NetworkCount:
        """Two-paths whose ends are not tied."""
        found = self.triads
        variance = found.paths_variance - 6 * found.covariance + 9 * found.closed_variance
        return NetworkCount(found.paths - 3 * found.closed, variance, 0.0, self._most_paths)

    @property
    def clustering(self) -> NetworkRatio:
        """Share of the two-paths whose ends are tied: three times the triangles over the paths."""
        return ratio_of(self.triads, 3.0)

    @property
    def _most_paths(self) -> float:
        return 3.0 * comb(self.n, 3)


@dataclass(frozen=True, slots=True, eq=False)
class DirectedNetwork(Network):
    """Statistics of a directed network; see :func:`estimate_network`.

    Attributes
    ----------
    asked_both_ways : int
        Unordered pairs of whom both were asked about the other.
    out_degrees, in_degrees : NetworkCount
        Of each person: ties that they reported, and that were reported to them.
    returned : TriadCounts
        Mutual ties as `closed`, and ties that could be mutual as `paths`.
    cycles : NetworkCount
        Three people each tied to the next.

    Examples
    --------
    >>> from rr_engine.designs import direct
    >>> from rr_engine.networks import NetworkReports, estimate_network
    >>> cycle = NetworkReports.from_matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    >>> found = estimate_network(cycle, direct(2), directed=True)
    >>> found.ties.value, found.cycles.value, found.reciprocity.value
    (3.0, 1.0, 0.0)
    """

    asked_both_ways: int
    out_degrees: NetworkCount
    in_degrees: NetworkCount
    returned: TriadCounts
    cycles: NetworkCount

    def _statistics(self) -> tuple[str, ...]:
        degrees = "mean_degree", "out_degree_variance", "in_degree_variance"
        triads = "two_paths", "transitive_triples", "transitivity"
        return ("density", *degrees, "mutual_ties", "reciprocity", *triads)

    @property
    def pairs(self) -> int:
        """Ordered pairs of the whole group."""
        return self.n * (self.n - 1)

    @property
    def mean_degree(self) -> NetworkCount:
        """Mean of the out-degrees, and of the in-degrees."""
        return scaled(self.ties, 1.0 / self.n)

    @property
    def out_degree_variance(self) -> NetworkCount:
        """Variance of the out-degrees."""
        return variance_of(self.out_degrees, "out")

    @property
    def in_degree_variance(self) -> NetworkCount:
        """Variance of the in-degrees."""
        return variance_of(self.in_degrees, "in")

    @property
    def mutual_ties(self) -> NetworkCount:
        """Pairs of which each is tied to the other, among those asked both ways."""
        most = float(self.asked_both_ways)
        return NetworkCount(self.returned.closed, self.returned.closed_variance, 0.0, most)

    @property
    def reciprocity(self) -> NetworkRatio:
        """Share of the ties that are returned, among pairs asked both ways."""
        return ratio_of(self.returned, 2.0)

    @property
    def transitive_triples(self) -> NetworkCount:
        """Ties i to j, j to k and i to k."""
        most = 6.0 * comb(self.n, 3)
        return NetworkCount(self.triads.closed, self.triads.closed_variance, 0.0, most)

    @property
    def transitivity(self) -> NetworkRatio:
        """Share of the two-paths from i by j to k where i is tied to k."""
        return ratio_of(self.triads, 1.0)

    @property
    def _most_paths(self) -> float:
        return 6.0 * comb(self.n, 3)


def ratio_of(counts: TriadCounts, multiple: float) -> NetworkRatio:
    """Return the ratio of `multiple` times the closed to all."""
    variances = (
        multiple**2 * counts.closed_variance,
        multiple * counts.covariance,
        counts.paths_variance,
    )
    return NetworkRatio(multiple * counts.closed, counts.paths, variances)
