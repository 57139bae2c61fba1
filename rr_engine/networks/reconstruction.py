"""One graph with as many ties as the noisy one leads to expect: Wang et al. (2016), section 6.4."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine.design import DesignMatrix
from rr_engine.networks.graphs import check_graph, degree_counts, triangle_counts
from rr_engine.networks.tie_device import report_chances
from rr_engine.validation import FloatArray, IntArray, check_rng, check_whole, freeze


@dataclass(frozen=True, slots=True, eq=False)
class ReconstructedNetwork:
    """A graph that was rebuilt from noisy ties.

    Attributes
    ----------
    graph : ndarray of int, shape (n, n)
        Symmetric, 0 and 1.
    ties : int
        Its ties.
    expected_ties : float
        The unbiased estimate of their number, before it is rounded and cut to what is possible.
    drawn, candidates : int
        How many ties were drawn at random, and from how many pairs with equal reports.

    Notes
    -----
    Its statistics are biased (:func:`reconstruction_bias`).
    """

    graph: IntArray
    ties: int
    expected_ties: float
    drawn: int
    candidates: int

    @property
    def degrees(self) -> FloatArray:
        """Degree of each person in this graph."""
        return degree_counts(self.graph.astype(np.float64))

    @property
    def triangles(self) -> FloatArray:
        """Triangles of this graph that each person is in."""
        return triangle_counts(self.graph.astype(np.float64))


def reconstruct_network(
    reported: npt.ArrayLike,
    design: DesignMatrix,
    ties: int | None = None,
    rng: np.random.Generator | int | None = 0,
) -> ReconstructedNetwork:
    """Rebuild one graph from noisy ties.

    Parameters
    ----------
    reported : array_like, shape (n, n)
        Noisy ties, 0 and 1, with an empty diagonal. Symmetric where each tie was reported once;
        otherwise [i, j] is what i reported of j, and the two reports of a tie are added.
    design : DesignMatrix
        Of two categories, no tie and tie, and two reports.
    ties : int, optional
        The number of ties, where it is known; the one that the reports lead to expect when left
        out.
    rng : Generator, int or None, default 0
        Draws among pairs with equal reports.

    Returns
    -------
    ReconstructedNetwork

    Raises
    ------
    ArgumentError, NotIdentifiableError

    Notes
    -----
    docs/methods/network-privacy.md, "Reconstruction". The paper says that the server "generates one
    instance of the social network with 2m non-zero entries", and no more. Here pairs are taken by
    how likely their reports make a tie, down to a threshold, and among equal reports at the
    threshold at random, until there are m: with one report of each pair all graphs with m ties
    among the reported ones are equally likely. It computes on reports alone, so that it reveals
    no more than they do.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, section 6.4.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> reported = [[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 0]]
    >>> rebuilt = reconstruct_network(reported, k_rr(2, "3"), rng=1)
    >>> round(rebuilt.expected_ties, 2), rebuilt.ties, rebuilt.drawn, rebuilt.candidates
    (5.21, 5, 5, 5)
    """
    table = check_graph(reported, "reported", directed=True)
    chances, source = report_chances(design), check_rng(rng)
    first, second = np.triu_indices(len(table), 1)
    ones = table[first, second] + table[second, first]
    pairs = len(ones)
    expected = float(expected_ties(ones.sum() / 2, pairs, chances))
    number = int(whole_ties(expected, pairs))
    if ties is not None:
        number = check_whole(ties, "ties", maximum=pairs)
    # The largest scores first, equal ones in random order.
    scores = ones if chances[0] > chances[1] else -ones
    order = np.lexsort((source.random(pairs), -scores))
    chosen = order[:number]
    graph = np.zeros(table.shape, dtype=np.int64)
    graph[first[chosen], second[chosen]] = graph[second[chosen], first[chosen]] = 1
    at_threshold = scores == scores[chosen[-1]] if number else np.zeros(pairs, dtype=bool)
    return ReconstructedNetwork(
        graph=freeze(graph),
        ties=number,
        expected_ties=expected,
        drawn=int(at_threshold[chosen].sum()),
        candidates=int(at_threshold.sum()),
    )


def expected_ties(
    ones: npt.ArrayLike, pairs: int, chances: tuple[float, float]
) -> npt.NDArray[np.float64]:
    """Return the unbiased estimate of the number of ties from the number of reported ones."""
    p, q = chances
    return (np.asarray(ones, dtype=np.float64) - pairs * q) / (p - q)


def whole_ties(expected: npt.ArrayLike, pairs: int) -> npt.NDArray[np.float64]:
    """Return the nearest possible number of ties."""
    return np.rint(np.clip(expected, 0, pairs))
