"""What the counts of a graph change by where two graphs differ in a tie or a person."""

from dataclasses import dataclass
from math import ceil, comb, log

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.networks.reconstruction import check_graph

STATISTICS = ("degrees", "triangles")


NEIGHBOURS = ("tie", "person")


def network_sensitivity(statistic: str, people: int, neighbours: str = "tie") -> int:
    """Largest change of the counts of all people together, over all graphs.

    Parameters
    ----------
    statistic : {"degrees", "triangles"}
        The degree of each person, or the triangles that each is in.
    people : int
        At least 2.
    neighbours : {"tie", "person"}
        Whether two graphs that must look alike differ in one tie (edge-level), or in any ties of
        one person (node-level).

    Returns
    -------
    int
        The global sensitivity: the largest sum of the absolute changes.

    Raises
    ------
    ArgumentError

    Notes
    -----
    docs/methods/network-privacy.md. With n people one tie changes two degrees by 1 each, and with
    c common neighbours of its ends ``3 c <= 3 (n - 2)`` counts of triangles: both bounds of the
    paper are attained. One person changes ``2 (n - 1)`` and ``3 (n - 1)(n - 2) / 2``.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, section 6.4.

    Examples
    --------
    >>> network_sensitivity("degrees", 185), network_sensitivity("triangles", 185)
    (2, 549)
    >>> network_sensitivity("degrees", 185, "person")
    368
    """
    check.choice(statistic, "statistic", STATISTICS)
    check.choice(neighbours, "neighbours", NEIGHBOURS)
    size = check.whole(people, "people", minimum=2, maximum=2**31)
    if neighbours == "tie":
        return 2 if statistic == "degrees" else 3 * (size - 2)
    return 2 * (size - 1) if statistic == "degrees" else 3 * comb(size - 1, 2)


@dataclass(frozen=True, slots=True)
class TriangleSensitivity(Shown):
    """Sensitivity of the number of triangles of one graph, with neighbours that differ in a tie.

    Attributes
    ----------
    local : int
        The largest change by one tie of this graph.
    smooth : float
        The smallest beta-smooth bound on the local sensitivity.
    distance : int
        Ties away at which the smooth bound is attained.
    beta : float
    people : int

    Notes
    -----
    The counts of all people together change by three times as much.

    Examples
    --------
    >>> from rr_engine.networks import triangle_sensitivity
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> found = triangle_sensitivity(path, beta=0.5)
    >>> found.people, found.local, round(found.smooth, 3)
    (4, 1, 1.213)
    """

    local: int
    smooth: float
    distance: int
    beta: float
    people: int


def triangle_sensitivity(graph: ArrayLike, beta: float) -> TriangleSensitivity:
    """Smooth sensitivity of the number of triangles.

    Parameters
    ----------
    graph : array_like, shape (n, n)
        The true ties, 0 and 1, symmetric.
    beta : float
        Above 0: the larger, the less a graph far away counts.

    Returns
    -------
    TriangleSensitivity

    Raises
    ------
    ArgumentError

    Notes
    -----
    ``S = max_s exp(-beta s) LS_s`` with
    ``LS_s = max_ij min(a_ij + floor((s + min(s, b_ij)) / 2), n - 2)``: a_ij counts the common
    neighbours of i and j, b_ij those who are tied to exactly one of them. LS_s is the largest local
    sensitivity of a graph that s ties lie between (checked on all graphs of five people).

    References
    ----------
    .. [1] K. Nissim, S. Raskhodnikova and A. Smith, "Smooth Sensitivity and Sampling in Private
       Data Analysis", STOC 2007, section 3.3 (Claim 3.13).

    Examples
    --------
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> found = triangle_sensitivity(path, beta=0.5)
    >>> found.local, round(found.smooth, 4), found.distance
    (1, 1.2131, 1)
    """
    table = check_graph(graph)
    rate = check_rate(beta)
    smooth, distance = smooth_bound(table, rate)
    return TriangleSensitivity(int(local_bounds(table, 0)[0]), smooth, distance, rate, len(table))


def smooth_bound(graph: FloatArray, beta: float) -> tuple[float, int]:
    """Return the smooth sensitivity of the number of triangles, and where it is attained."""
    # All bounds are n - 2 from 2 (n - 2) ties on. Two ties make a triangle possible, so that the
    # maximum is at least exp(-2 beta), which n exp(-beta s) falls below.
    farthest = ceil(min(2.0 * len(graph), log(len(graph)) / beta + 2))
    bounds = local_bounds(graph, farthest)
    smooth = bounds * np.exp(-beta * np.arange(len(bounds)))
    best = int(smooth.argmax())
    return float(smooth[best]), best


def check_rate(value: object) -> float:
    """Return a rate of smoothing: a float above 0."""
    rate = check.real(value, "beta")
    # Beyond it exp(-2 beta) would come near the smallest double.
    if not 1e-12 <= rate <= 100:
        raise ArgumentError("beta", value, "lie between 1e-12 and 100", "out_of_range")
    return rate


def local_bounds(graph: FloatArray, farthest: int) -> IntArray:
    """Return LS_s for s from 0 to `farthest`."""
    people = len(graph)
    common, one_sided = common_neighbours(graph)
    first, second = np.triu_indices(people, 1)
    # Among pairs with as many common neighbours, the one with most one-sided ones bounds all.
    widest = np.full(people, -1, dtype=np.int64)
    np.maximum.at(widest, common[first, second], one_sided[first, second])
    shared = np.flatnonzero(widest >= 0)
    bounds = np.zeros(farthest + 1, dtype=np.int64)
    for distance in range(farthest + 1):
        added = (distance + np.minimum(distance, widest[shared])) // 2
        bounds[distance] = min(int((shared + added).max()), people - 2)
    return bounds


def common_neighbours(graph: FloatArray) -> tuple[IntArray, IntArray]:
    """Return for each pair how many others are tied to both, and how many to exactly one."""
    common = np.rint(graph @ graph).astype(np.int64)
    degrees = graph.sum(axis=1).astype(np.int64)
    ties = graph.astype(np.int64)
    return common, degrees[:, None] + degrees - 2 * common - 2 * ties
