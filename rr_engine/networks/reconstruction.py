"""One graph with as many ties as the noisy one leads to expect: Wang et al. (2016), section 6.4."""

from dataclasses import dataclass

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, RandomSource, as_array, freeze
from rr_engine.design import DesignMatrix
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.networks.groups import check_reports
from rr_engine.networks.reports import NetworkReports
from rr_engine.networks.scores import TieScores, asked_pairs, check_bit_device, tie_scores

# A table of more would take more than 200 MB in double precision.
MOST_PEOPLE = 5_000


def check_graph(value: object, *, directed: bool = False) -> FloatArray:
    """Return a table of ties as floats, shape (n, n); undirected ties stand there twice."""
    rule = "be a square table of 0 and 1 with an empty diagonal"
    table = as_array(value)
    if table is None or table.ndim != 2 or table.dtype.kind not in "biuf":
        raise ArgumentError("graph", value, rule, "not_a_graph")
    people = len(table)
    if table.shape[1] != people or people < 2:
        raise ArgumentError("graph", value, f"{rule}, of two or more people", "not_a_graph")
    if people > MOST_PEOPLE:
        rule = f"have at most {MOST_PEOPLE} people"
        raise ArgumentError("graph", value, rule, "too_many_people")
    if not ((table == 0) | (table == 1)).all() or table.diagonal().any():
        raise ArgumentError("graph", value, rule, "not_a_graph")
    if not directed and (table != table.T).any():
        raise ArgumentError("graph", value, "be symmetric", "not_a_graph")
    return table.astype(np.float64)


def degree_counts(graph: FloatArray) -> FloatArray:
    """Return how many ties each person has."""
    return graph.sum(axis=1)


def triangle_counts(graph: FloatArray) -> FloatArray:
    """Return how many triangles of an undirected graph each person is in."""
    return ((graph @ graph) * graph).sum(axis=1) / 2


@dataclass(frozen=True, slots=True, eq=False)
class ReconstructedNetwork(Shown):
    """A graph that was rebuilt from noisy ties.

    Attributes
    ----------
    n : int
        People.
    pairs : ndarray of int, shape (m, 2)
        Its ties, the smaller number first.
    expected_ties : float
        The unbiased estimate of their number, before it is rounded and cut to what is possible.
    drawn, candidates : int
        How many ties were drawn at random, and from how many pairs that are as likely tied.

    Notes
    -----
    Its statistics are biased (:func:`reconstruction_bias`).

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.networks import NetworkReports, reconstruct_network
    >>> rows = [(0, [1, 2, 3], [1, 1, 1]), (1, [2, 3], [1, 0]), (2, [3], [1])]
    >>> rebuilt = reconstruct_network(NetworkReports.from_rows(4, rows), k_rr(2, "3"))
    >>> rebuilt.ties, rebuilt.degrees.tolist(), rebuilt.triangles.tolist()
    (5, [3, 2, 3, 2], [2, 1, 2, 1])
    """

    n: int
    pairs: IntArray
    expected_ties: float
    drawn: int
    candidates: int

    @property
    def ties(self) -> int:
        """Number of ties of this graph."""
        return len(self.pairs)

    @property
    def degrees(self) -> IntArray:
        """Degree of each person in this graph, shape (n,)."""
        return np.bincount(self.pairs.ravel(), minlength=self.n).astype(np.int64)

    @property
    def triangles(self) -> IntArray:
        """Triangles of this graph that each person is in, shape (n,)."""
        graph = self._table()
        return np.asarray((graph @ graph).multiply(graph).sum(axis=1)).ravel() // 2

    @property
    def graph(self) -> IntArray:
        """Table of 0 and 1, shape (n, n), of at most 5,000 people."""
        if self.n > MOST_PEOPLE:
            rule = f"be at most {MOST_PEOPLE} for a table of all pairs"
            raise ArgumentError("n", self.n, rule, "too_many_people")
        return self._table().toarray()

    def _table(self) -> scipy.sparse.csr_array:
        rows = self.pairs.ravel()
        columns = self.pairs[:, ::-1].ravel()
        ones = np.ones(len(rows), dtype=np.int64)
        return scipy.sparse.csr_array((ones, (rows, columns)), shape=(self.n, self.n))


def reconstruct_network(
    reports: NetworkReports, design: DesignMatrix, ties: int | None = None, rng: RandomSource = 0
) -> ReconstructedNetwork:
    """Rebuild one undirected graph from noisy ties.

    Parameters
    ----------
    reports : NetworkReports
        Of each tie one report or two.
    design : DesignMatrix
        The device of each bit: two categories and two reports, no tie and a tie in this order.
    ties : int, optional
        The number of ties, where it is known; the one that the reports lead to expect when left
        out.
    rng : Generator, int or None, default 0
        Draws among pairs that are as likely tied.

    Returns
    -------
    ReconstructedNetwork

    Raises
    ------
    ArgumentError, DesignError

    Notes
    -----
    docs/methods/network-privacy.md, "Reconstruction". The paper says that the server "generates one
    instance of the social network with 2m non-zero entries", and no more. Here pairs are taken by
    how likely their reports make a tie, down to a threshold, and among equal ones at the threshold
    at random, until there are m: with one report of each pair all graphs with m ties among the
    reported ones are equally likely. It computes on reports alone, so that it reveals no more than
    they do. Pairs that nobody was asked about have no tie.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, section 6.4.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> reports = NetworkReports.from_rows(
    ...     4, [(0, [1, 2, 3], [1, 1, 1]), (1, [2, 3], [1, 0]), (2, [3], [1])]
    ... )
    >>> rebuilt = reconstruct_network(reports, k_rr(2, "3"))
    >>> round(rebuilt.expected_ties, 2), rebuilt.ties, rebuilt.drawn, rebuilt.candidates
    (5.21, 5, 5, 5)
    """
    people = check_reports(reports).n
    scores, source = tie_scores(*check_bit_device(design)), check.rng(rng)
    pairs = asked_pairs(reports)
    expected = float(pairs.tie_scores(scores)[0].sum())
    number = int(whole_ties(expected, len(pairs)))
    if ties is not None:
        number = check.whole(ties, "ties", maximum=len(pairs))
    likely = _likelihood_ratios(scores)[pairs.asked.sum(axis=0), pairs.bits.sum(axis=0)]
    # The largest first, equal ones in random order.
    order = np.lexsort((source.random(len(pairs)), -likely))
    chosen = np.sort(order[:number])
    threshold = likely[order[number - 1]] if number else np.inf
    return ReconstructedNetwork(
        n=people,
        pairs=freeze(
            np.stack([pairs.first[chosen], pairs.second[chosen]], axis=1).astype(np.int64)
        ),
        expected_ties=expected,
        drawn=int((likely[chosen] == threshold).sum()),
        candidates=int((likely == threshold).sum()) if number else 0,
    )


def _likelihood_ratios(scores: TieScores) -> FloatArray:
    """Return by the number of reports, and of ones, the chance with a tie over that without."""
    none, tie = scores.chances
    return np.divide(tie, none, out=np.full((3, 3), np.inf), where=none > 0)


def whole_ties(expected: ArrayLike, pairs: int) -> FloatArray:
    """Return the nearest possible number of ties."""
    return np.rint(np.clip(expected, 0, pairs))
