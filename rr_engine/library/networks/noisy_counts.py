"""Laplace noise on the counts of a graph: the alternatives to randomized ties."""

from dataclasses import dataclass
from decimal import Decimal
from math import expm1, sqrt

import numpy as np
import scipy
from scipy.special import gammainccinv

from rr_engine import check
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, RandomSource
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.library.networks.sensitivities import (
    NEIGHBOURS,
    STATISTICS,
    network_sensitivity,
    smooth_bound,
)
from rr_engine.networks.reconstruction import check_graph, degree_counts, triangle_counts

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
