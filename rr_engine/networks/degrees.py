"""How degrees are distributed in a group: the noise of the device taken out."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray
from rr_engine.design import DesignMatrix
from rr_engine.display.description import Description, Table
from rr_engine.display.figures import Bars, Drawn
from rr_engine.display.reading import told
from rr_engine.distributions import chi2_isf
from rr_engine.estimation.notes import Note, note
from rr_engine.networks import groups
from rr_engine.networks.degree_fit import (
    DegreeFit,
    DegreeLikelihood,
    directed_ones,
    undirected_ones,
)
from rr_engine.networks.reports import NetworkReports
from rr_engine.networks.scores import asked_pairs, check_bit_device, tie_scores
from rr_engine.networks.statistics import NetworkCount


@dataclass(frozen=True, slots=True, eq=False)
class DegreeDistribution(Drawn):
    """The distribution of degrees; see :func:`estimate_degrees`.

    Attributes
    ----------
    kind : str
    naive : numpy.ndarray of float
        Share of each degree among the rounded unbiased degrees: with all the noise in it.
    mean, variance : NetworkCount
        Unbiased, with intervals that hold the people fixed.
    fit : DegreeFit

    Examples
    --------
    >>> from rr_engine.designs import direct
    >>> from rr_engine.networks import NetworkReports, estimate_degrees
    >>> path = NetworkReports.from_matrix([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> found = estimate_degrees(path, direct(2), "undirected")
    >>> found.degrees.tolist(), found.shares.round(2).tolist(), round(found.mean.value, 2)
    ([0, 1, 2], [0.0, 0.67, 0.33], 1.33)
    """

    kind: str
    naive: FloatArray
    mean: NetworkCount
    variance: NetworkCount
    fit: DegreeFit

    def _described(self) -> Description:
        naive = self.naive.tolist() + [0.0] * (len(self.degrees) - len(self.naive))
        columns = {
            "degree": self.degrees.tolist(),
            "share": self.shares.tolist(),
            "naive_share": naive[: len(self.degrees)],
        }
        facts = {
            "n": self.n,
            "kind": self.kind,
            "mean_degree": float(self.mean.value),
            "variance_of_degrees": float(self.variance.value),
        }
        return told(self, facts, Table(columns))

    def _figure(self) -> Bars:
        return Bars(
            places=list(range(len(self.naive))),
            bars=self.naive.tolist(),
            bars_are="rounded unbiased degrees, with all the noise",
            marks=self.shares.tolist(),
            marks_are="maximum likelihood",
            across="Ties of a person",
            up="Share of the people",
            title=f"Degrees of {self.n} people",
        )

    @property
    def n(self) -> int:
        """People of whom somebody was asked about a tie."""
        return int(self.fit.counts.sum())

    @property
    def degrees(self) -> IntArray:
        """Degrees that are told apart, from 0."""
        return self.fit.degrees

    @property
    def shares(self) -> FloatArray:
        """Share of the people of each degree, by maximum likelihood."""
        return self.fit.shares

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes for the reader."""
        return () if self.fit.converged else (note("not_converged"),)

    def at_most(self, degree: int) -> float:
        """Return the share of people with so many ties or fewer.

        Parameters
        ----------
        degree : int

        Returns
        -------
        float

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] N. Laird, "Nonparametric maximum likelihood estimation of a mixing distribution",
           Journal of the American Statistical Association 73, 1978.
        """
        return float(self.shares[self._few(degree)].sum())

    def at_most_interval(self, degree: int, level: float = 0.95) -> FloatArray:
        """Return the shares of people with so many ties or fewer that the reports allow.

        Parameters
        ----------
        degree : int
        level : float, default 0.95

        Returns
        -------
        numpy.ndarray of float, shape (2,)
            Of all distributions that are not much less likely than the most likely one.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] S. A. Murphy and A. W. van der Vaart, "On profile likelihood", Journal of the
           American Statistical Association 95, 2000.
        """
        return self._bounds(self._few(degree), level)

    def share_between(self, lowest: int, highest: int | None = None) -> float:
        """Return the share of people with `lowest` to `highest` ties.

        Parameters
        ----------
        lowest : int
        highest : int, optional
            Any number from `lowest` on when left out.

        Returns
        -------
        float

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] N. Laird, "Nonparametric maximum likelihood estimation of a mixing distribution",
           Journal of the American Statistical Association 73, 1978.
        """
        return float(self.shares[self._between(lowest, highest)].sum())

    def share_interval(
        self, lowest: int, highest: int | None = None, level: float = 0.95
    ) -> FloatArray:
        """Return the shares of people with `lowest` to `highest` ties that the reports allow.

        Parameters
        ----------
        lowest : int
        highest : int, optional
            Any number from `lowest` on when left out.
        level : float, default 0.95

        Returns
        -------
        numpy.ndarray of float, shape (2,)
            Of all distributions that are not much less likely than the most likely one.

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] S. A. Murphy and A. W. van der Vaart, "On profile likelihood", Journal of the
           American Statistical Association 95, 2000.
        """
        return self._bounds(self._between(lowest, highest), level)

    def quantile(self, chance: float) -> int:
        """Return the least degree that a share `chance` of the people or more do not exceed.

        Parameters
        ----------
        chance : float
            From 0 to 1.

        Returns
        -------
        int

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] N. Laird, "Nonparametric maximum likelihood estimation of a mixing distribution",
           Journal of the American Statistical Association 73, 1978.
        """
        wanted = check.probability(chance, "chance") * (1 - 1e-9)
        return int(self.degrees[(np.cumsum(self.shares) >= wanted).argmax()])

    def quantile_interval(self, chance: float, level: float = 0.95) -> IntArray:
        """Return the least and the largest quantile that the reports allow.

        Parameters
        ----------
        chance : float
            From 0 to 1.
        level : float, default 0.95

        Returns
        -------
        numpy.ndarray of int, shape (2,)

        Raises
        ------
        ArgumentError

        Notes
        -----
        The degrees d for which :meth:`at_most_interval` allows `chance`.

        References
        ----------
        .. [1] S. A. Murphy and A. W. van der Vaart, "On profile likelihood", Journal of the
           American Statistical Association 95, 2000.
        """
        wanted, loss = check.probability(chance, "chance") * (1 - 1e-9), self._loss(level)
        ends = []
        for least in (True, False):
            low, high = 0, len(self.degrees) - 1
            while low < high:
                middle = (low + high) // 2
                few = self.degrees <= self.degrees[middle]
                share = self.fit.bound(few, loss) if least else 1 - self.fit.bound(~few, loss)
                low, high = (low, middle) if share >= wanted else (middle + 1, high)
            ends.append(int(self.degrees[low]))
        return np.array(ends)

    def _few(self, degree: int) -> np.ndarray:
        return self.degrees <= check.whole(degree, "degree")

    def _between(self, lowest: int, highest: int | None) -> np.ndarray:
        least = check.whole(lowest, "lowest")
        chosen = self.degrees >= least
        if highest is not None:
            chosen &= self.degrees <= check.whole(highest, "highest", minimum=least)
        return chosen

    def _bounds(self, chosen: np.ndarray, level: float) -> FloatArray:
        """Return the least and the largest share of the chosen degrees."""
        loss = self._loss(level)
        return np.array([1 - self.fit.bound(~chosen, loss), self.fit.bound(chosen, loss)])

    def _loss(self, level: float) -> float:
        tail = 1 - check.open_unit(level, "level")
        # People count as a sample here, which is more than the noise that the ends of a tie share.
        return float(chi2_isf(tail, 1)) / 2


def estimate_degrees(
    reports: NetworkReports, design: DesignMatrix, kind: str
) -> DegreeDistribution:
    """Estimate how many people have how many ties.

    Parameters
    ----------
    reports : NetworkReports
    design : DesignMatrix
        As for :func:`estimate_network`.
    kind : {"undirected", "out", "in"}
        Degrees of undirected ties, or one of the two kinds of directed ones.

    Returns
    -------
    DegreeDistribution

    Raises
    ------
    ArgumentError, DesignError

    Notes
    -----
    The ones of a person of degree d among m others are ``Binomial(d, p) + Binomial(m - d, q)``: the
    shares of degrees are those under which the ones of all are most likely, with people
    taken as independent. docs/methods/networks.md.

    References
    ----------
    .. [1] N. Laird, "Nonparametric maximum likelihood estimation of a mixing distribution", Journal
       of the American Statistical Association 73, 1978.

    Examples
    --------
    >>> from rr_engine.designs import direct
    >>> path = NetworkReports.from_matrix([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> found = estimate_degrees(path, direct(2), "undirected")
    >>> found.shares.round(3).tolist(), found.quantile(0.5)
    ([0.0, 0.667, 0.333], 1)
    """
    groups.check_reports(reports)
    chances = check_bit_device(design)
    groups.check_kind(kind)
    pairs = asked_pairs(reports)
    nodes = undirected_ones(pairs) if kind == "undirected" else directed_ones(pairs, kind)
    fit = DegreeLikelihood(nodes, chances).fit(nodes.ones)
    degrees = groups.node_degrees(pairs, tie_scores(*chances), kind)
    parts = (degrees.value, degrees.variance, degrees.lowest, degrees.highest, degrees.slope)
    degrees = NetworkCount(*(np.asarray(each)[nodes.people] for each in parts))
    mean = groups.mean_of(degrees, kind)
    variance = groups.variance_of(degrees, kind)
    naive = _nearest_shares(np.asarray(degrees.value), fit.degrees)
    return DegreeDistribution(kind, naive, mean, variance, fit)


def _nearest_shares(values: FloatArray, degrees: IntArray) -> FloatArray:
    places = np.searchsorted((degrees[1:] + degrees[:-1]) / 2, values)
    return np.bincount(places, minlength=len(degrees)) / len(values)
