"""Expected statistics of a reconstructed graph, exactly."""

from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, freeze
from rr_engine.design import DesignMatrix
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.networks import reconstruction
from rr_engine.networks.scores import check_bit_device

MOST_PEOPLE = 1_000
# Numbers of reported ties less likely than this are left out; the error is below 1e-9 ties.
NEGLIGIBLE = 1e-19
# (ties, pairs without) of one pair and of three.
KINDS = ((1, 0), (0, 1), (3, 0), (2, 1), (1, 2), (0, 3))


@dataclass(frozen=True, slots=True, eq=False)
class ReconstructionBias(Shown):
    """Means over the device and the draws of a reconstruction, against the truth.

    Attributes
    ----------
    ties : float
        Mean number of ties.
    tie_kept, none_kept : float
        Chances that a tie, and a pair without, are ties of the rebuilt graph.
    degrees, triangles : ndarray of float, shape (n,)
        Means for each person.
    true_degrees, true_triangles : ndarray of float, shape (n,)

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.networks import reconstruction_bias
    >>> star = [[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    >>> bias = reconstruction_bias(star, k_rr(2, "1"), ties=3)
    >>> bias.true_degrees.tolist(), bias.degree_bias.round(2).tolist()
    ([3.0, 1.0, 1.0, 1.0], [-0.91, 0.3, 0.3, 0.3])
    """

    ties: float
    tie_kept: float
    none_kept: float
    degrees: FloatArray
    triangles: FloatArray
    true_degrees: FloatArray
    true_triangles: FloatArray

    @property
    def degree_bias(self) -> FloatArray:
        """Mean less the true degree, of each person."""
        return self.degrees - self.true_degrees

    @property
    def triangle_bias(self) -> FloatArray:
        """Mean less the true triangles, of each person."""
        return self.triangles - self.true_triangles


def reconstruction_bias(
    graph: ArrayLike, design: DesignMatrix, ties: int | None = None
) -> ReconstructionBias:
    """Compute the bias of a reconstruction of a graph, without simulation.

    Parameters
    ----------
    graph : array_like, shape (n, n)
        The true ties, 0 and 1, symmetric, of at most 1,000 people. Each tie is reported once.
    design : DesignMatrix
        Of two categories, no tie and tie, and two reports.
    ties : int, optional
        The number of ties that the server knows; see :func:`reconstruct_network`.

    Returns
    -------
    ReconstructionBias

    Raises
    ------
    ArgumentError, DesignError

    Notes
    -----
    docs/methods/network-privacy.md, "Reconstruction". All ties are alike, and all pairs without:
    the chance that some of each are kept together is summed over how many of both kinds were
    reported, two binomial numbers.

    References
    ----------
    Ours: section 6.4 of Y. Wang, X. Wu and D. Hu (2016) has no bias.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> star = [[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    >>> bias = reconstruction_bias(star, k_rr(2, "1"), ties=3)
    >>> bias.degrees.round(3).tolist()
    [2.089, 1.304, 1.304, 1.304]
    """
    table, chances_of_one = reconstruction.check_graph(graph), check_bit_device(design)
    people = len(table)
    if people > MOST_PEOPLE:
        rule = f"have at most {MOST_PEOPLE} people"
        raise ArgumentError("graph", graph, rule, "too_many_people")
    pairs, tied = comb(people, 2), int(table.sum() / 2)
    known = None if ties is None else check.whole(ties, "ties", maximum=pairs)
    chances = kept_chances((tied, pairs - tied), chances_of_one, known)
    degrees, triangles = reconstruction.degree_counts(table), reconstruction.triangle_counts(table)
    one, none = float(chances[1, 0]), float(chances[0, 1])
    kinds = _triples(table, degrees, triangles)
    return ReconstructionBias(
        ties=tied * one + (pairs - tied) * none,
        tie_kept=one,
        none_kept=none,
        degrees=freeze(degrees * one + (people - 1 - degrees) * none),
        triangles=freeze(sum(kinds[a] * chances[a, 3 - a] for a in range(4)) + np.zeros(people)),
        true_degrees=freeze(degrees),
        true_triangles=freeze(triangles),
    )


def kept_chances(
    numbers: tuple[int, int], chances: tuple[float, float], known: int | None
) -> dict[tuple[int, int], float]:
    """Return the chances that a ties and b pairs without are all kept, for each of KINDS."""
    pairs = sum(numbers)
    ones, weights = _likely(numbers[0], chances[0])
    zeros, other_weights = _likely(numbers[1], chances[1])
    sums = dict.fromkeys(KINDS, 0.0)
    for reported, weight in zip(ones, weights, strict=True):
        total = reported + zeros
        if known is None:
            gap = chances[0] - chances[1]
            target = reconstruction.whole_ties((total - pairs * chances[1]) / gap, pairs)
        else:
            target = np.full(len(zeros), float(known))
        state = _State(float(reported), zeros, target, numbers)
        for kind in KINDS:
            sums[kind] += weight * float(other_weights @ state.kept(*kind))
    return sums


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """How many ties and other pairs were reported, and how many pairs are kept."""

    ones: float
    others: FloatArray
    target: FloatArray
    numbers: tuple[int, int]

    def kept(self, a: int, b: int) -> FloatArray:
        """Return the chance that certain a ties and b other pairs are kept."""
        if a > self.numbers[0] or b > self.numbers[1]:
            return np.zeros(len(self.others))
        total = self.ones + self.others
        # Fewer kept than reported: all of them were reported, and drawn.
        few = self._reported(a, b, a, b) * _ratio(self.target, total, a + b)
        # More: those that were not reported must be drawn among the rest.
        rest = sum(self.numbers) - total
        many = np.zeros(len(total))
        for i, j in product(range(a + 1), range(b + 1)):
            drawn = _ratio(self.target - total, rest, a + b - i - j)
            many += comb(a, i) * comb(b, j) * self._reported(a, b, i, j) * drawn
        return np.where(self.target <= total, few, many)

    def _reported(self, a: int, b: int, i: int, j: int) -> FloatArray:
        """Return the chance that of a ties and b other pairs the first i and j were reported."""
        m, n = (float(number) for number in self.numbers)
        tied = np.full(1, self.ones)
        first = falling(tied, i) * falling(m - tied, a - i) / falling(np.full(1, m), a)
        second = falling(self.others, j) * falling(n - self.others, b - j)
        return first * second / falling(np.full(1, n), b)


def falling(numbers: FloatArray, times: int) -> FloatArray:
    """Return x (x - 1) ... of so many factors."""
    value = np.ones(len(numbers))
    for step in range(times):
        value = value * np.maximum(numbers - step, 0)
    return value


def _ratio(above: FloatArray, below: FloatArray, times: int) -> FloatArray:
    """Return the chance that so many are all among those drawn; 0 where there are too few."""
    bottom = falling(below, times)
    return np.where(bottom > 0, falling(above, times) / np.where(bottom > 0, bottom, 1), 0)


def _likely(number: int, chance: float) -> tuple[FloatArray, FloatArray]:
    """Return the likely values of a binomial number, and their chances."""
    values = np.arange(number + 1, dtype=np.float64)
    ways = gammaln(number + 1) - gammaln(values + 1) - gammaln(number - values + 1)
    chances = np.exp(ways + xlogy(values, chance) + xlog1py(number - values, -chance))
    likely = chances > NEGLIGIBLE
    return values[likely], chances[likely] / chances[likely].sum()


def _triples(graph: FloatArray, degrees: FloatArray, triangles: FloatArray) -> list[FloatArray]:
    """Return for each person the pairs of others with whom 0, 1, 2 and 3 of three pairs are tied.

    Of two others, with ties to neither, one or both of them, and between each other or not.
    """
    others = len(graph) - 1
    both = degrees * (degrees - 1) / 2
    one = degrees * (others - degrees)
    # Ties between somebody who is tied to the person and somebody who is not.
    mixed = graph @ (degrees - 1) - 2 * triangles
    elsewhere = degrees.sum() / 2 - degrees - triangles - mixed
    neither = (others - degrees) * (others - degrees - 1) / 2
    return [neither - elsewhere, one - mixed + elsewhere, both - triangles + mixed, triangles]
