"""Laplace noise on the counts of a graph: the alternatives to randomized ties."""

from dataclasses import dataclass
from decimal import Decimal
from math import ceil, comb, expm1, log, sqrt

import numpy as np
import scipy
from scipy.special import gammainccinv

from rr_engine import check
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, IntArray, RandomSource
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.networks.reconstruction import check_graph, degree_counts, triangle_counts

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


NOISES = ("global", "smooth")
# Mean size of noise with the density sqrt(2) / (pi (1 + z**4)), whose variance is 1.
MEAN_SIZE = sqrt(0.5)
# The largest slope of its log-density, 4 z**3 / (1 + z**4) at z**4 = 3.
STEEPEST = 3**0.75


@dataclass(frozen=True, slots=True, eq=False)
class NoisyCounts(Shown):
    """Counts of a graph with noise for one privacy budget.

    Attributes
    ----------
    values : ndarray of float, shape (n,)
        What is released: the count of each person with its noise.
    scale : float
        What the unit noise is multiplied by.
    mean_absolute_error, standard_error : float
        Of each value.
    sensitivity : float
        The sensitivity of all counts together that the scale stands on.
    epsilon : Decimal
    delta : Decimal
    neighbours : {"tie", "person"}
        What the guarantee is about.

    Notes
    -----
    With smooth sensitivity the scale, the errors and the sensitivity are computed from the true
    ties: only `values` may be released.

    Examples
    --------
    >>> from rr_engine.networks import noisy_counts
    >>> noisy = noisy_counts([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "degrees", "1", rng=1)
    >>> noisy.sensitivity, noisy.scale, round(noisy.standard_error, 2)
    (2.0, 2.0, 2.83)
    """

    values: FloatArray
    scale: float
    mean_absolute_error: float
    standard_error: float
    sensitivity: float
    epsilon: Decimal
    delta: Decimal
    neighbours: str


def noisy_counts(
    graph: ArrayLike,
    statistic: str,
    epsilon: Epsilon,
    noise: str = "global",
    *,
    delta: Epsilon = 0,
    neighbours: str = "tie",
    rng: RandomSource = None,
) -> NoisyCounts:
    """Add noise to the degrees, or to the triangles, of all people.

    Parameters
    ----------
    graph : array_like, shape (n, n)
        The true ties, 0 and 1, symmetric.
    statistic : {"degrees", "triangles"}
    epsilon : Decimal, str or float
        Of all counts together.
    noise : {"global", "smooth"}
        "global" is Laplace noise of the global sensitivity over epsilon. People who know their own
        count can add it themselves. "smooth" follows the smooth sensitivity of this graph and
        takes a server that knows all true ties; of triangles, for neighbours that differ in a tie.
    delta : Decimal, str or float, default 0
        With smooth sensitivity: above 0 the noise is Laplace's, at 0 it has the density
        ``sqrt(2)/(pi (1 + z**4))``. Noise of the global sensitivity needs none.
    neighbours : {"tie", "person"}
    rng : Generator, int or None
        Of the simulation; a release takes the draws of a discrete mechanism.

    Returns
    -------
    NoisyCounts

    Raises
    ------
    EpsilonError, ArgumentError

    Notes
    -----
    docs/methods/network-privacy.md.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, section 6.4.
    .. [2] K. Nissim, S. Raskhodnikova and A. Smith, "Smooth Sensitivity and Sampling in Private
       Data Analysis", STOC 2007, sections 2 and 3.3.

    Examples
    --------
    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> noisy = noisy_counts(triangle, "degrees", "1", rng=1)
    >>> noisy.values.round(2).tolist(), noisy.scale
    ([2.05, 6.62, -0.49], 2.0)
    """
    table, budget = check_graph(graph), check.epsilon(epsilon)
    check.choice(statistic, "statistic", STATISTICS)
    check.choice(noise, "noise", NOISES)
    check.choice(neighbours, "neighbours", NEIGHBOURS)
    share, source = check.delta(delta), check.rng(rng)
    counts = degree_counts(table) if statistic == "degrees" else triangle_counts(table)
    if noise == "global":
        most = float(network_sensitivity(statistic, len(table), neighbours))
        scale, size, spread = most / float(budget), 1.0, sqrt(2)
        unit = source.laplace(size=len(table))
        share = Decimal(0)
    else:
        if statistic != "triangles" or neighbours != "tie":
            rule = "be global but for triangles and neighbours that differ in one tie"
            raise ArgumentError("noise", noise, rule, "smooth_for_triangles")
        alpha, beta = smooth_calibration(float(budget), len(table), float(share))
        most = 3 * smooth_bound(table, beta)[0]
        scale = most / alpha
        size, spread = (1.0, sqrt(2)) if share else (MEAN_SIZE, 1.0)
        unit = source.laplace(size=len(table)) if share else heavy_noise(len(table), source)
    return NoisyCounts(
        values=counts + scale * unit,
        scale=scale,
        mean_absolute_error=scale * size,
        standard_error=scale * spread,
        sensitivity=most,
        epsilon=budget,
        delta=share,
        neighbours=neighbours,
    )


def smooth_calibration(epsilon: float, dimension: int, delta: float) -> tuple[float, float]:
    """Return alpha and beta: noise is the smooth sensitivity over alpha, times the unit noise.

    Half of epsilon is for a shift of the counts and half for a change of the scale, a factor of at
    most e**beta. The heavy-tailed density changes by at most ``STEEPEST`` for each unit of a shift
    and by 3 beta in each coordinate. Laplace's changes by 1, and by ``(e**beta - 1) r - d beta``
    while the sizes of the d coordinates sum to at most r, which they exceed with chance delta.
    """
    half = epsilon / 2
    if delta == 0:
        return half / STEEPEST, min(half / (3 * dimension), 100.0)
    reach = float(gammainccinv(dimension, delta))

    top = half / dimension

    def excess(part: float) -> float:
        return (expm1(part * top) * reach - dimension * part * top) / half - 1

    part = 1.0 if excess(1.0) <= 0 else float(scipy.optimize.brentq(excess, 0, 1, xtol=1e-12))
    while excess(part) > 0:  # a root may be rounded up
        part *= 0.999
    return half, min(part * top, 100.0)


def heavy_noise(count: int, rng: np.random.Generator) -> FloatArray:
    """Draw from the density ``sqrt(2) / (pi (1 + z**4))`` by rejection from Cauchy's."""
    # (1 + z**2) / (1 + z**4) is largest at z**2 = sqrt(2) - 1.
    largest = (1 + sqrt(2)) / 2
    drawn = np.empty(0)
    while len(drawn) < count:
        tries = rng.standard_cauchy(2 * count + 8)
        squares = tries**2
        accepted = rng.random(len(tries)) * largest * (1 + squares**2) <= 1 + squares
        drawn = np.concatenate([drawn, tries[accepted]])
    return drawn[:count]
