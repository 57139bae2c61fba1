"""The distribution of degrees by maximum likelihood, from the ones that a degree brings in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from rr_engine.arrays import BoolArray, FloatArray, IntArray
from rr_engine.channels.counting import Observed
from rr_engine.estimation.likelihood import GAP_TOLERANCE, iterate_to_maximum
from rr_engine.networks.scores import AskedPairs
from rr_engine.precision import WEIGHT_FLOOR

# Degrees that are told apart; of more, as many that are evenly spread.
MOST_DEGREES = 400
# Standard errors above the largest estimate of a degree, beyond which none is looked for.
REACH = 6.0
# Halvings of the weight that a bound is found by.
STEPS = 14
# Log-likelihood that a bound may lack, of which a chi-square quantile is some units.
ENOUGH = 1e-6


def ones_kernel(
    once: int, twice: int, chances: tuple[float, float], degrees: IntArray
) -> FloatArray:
    """Return the chance of each number of ones for some degrees.

    Parameters
    ----------
    once, twice : int
        Others with whom the tie was reported by one end, and by both.
    chances : tuple of float
        p and q of the device.
    degrees : numpy.ndarray of int
        Those above once + twice cannot be.

    Returns
    -------
    numpy.ndarray of float, shape (once + 2 twice + 1, degrees)
        Columns sum to 1, or are 0 for a degree that cannot be.

    Notes
    -----
    Of a degree d among those reported once the ones are ``Binomial(d, p) + Binomial(once - d, q)``;
    convolutions are products of Fourier transforms. Where some were reported twice it is not known
    how many of the ties are among these: any d of the others are equally likely to be the ties.
    """
    points = once + 2 * twice + 1
    angle = np.exp(-2j * np.pi * np.arange(points) / points)
    # Reports about ties are at most so many, as none are at least.
    most = min(int(degrees.max()), once + twice) + twice
    least = max(points - 1 - most, 0)
    (p, q), count = chances, min(most, points - 1) + 1
    tie, none = (_powers(1 - c + c * angle, k, count) for c, k in ((p, 0), (q, least)))
    transform = np.zeros((len(degrees), points), dtype=np.complex128)
    for among in range(twice + 1):
        shares = _shares_twice(degrees, among, once, twice)
        some = np.flatnonzero(shares)
        ties = degrees[some] + among
        transform[some] += shares[some, None] * tie[ties] * none[points - 1 - ties - least]
    kernel = np.maximum(np.fft.ifft(transform, axis=1).real.T, 0.0)
    return kernel * (degrees <= once + twice)


def _powers(values: np.ndarray, first: int, count: int) -> np.ndarray:
    """Return the powers from `first` on, in rows."""
    table = np.empty((count, len(values)), dtype=np.complex128)
    table[0], table[1:] = values**first, values
    return np.cumprod(table, axis=0)


def _shares_twice(degrees: IntArray, among: int, once: int, twice: int) -> FloatArray:
    """Return the chance that `among` of the ties are with people reported twice."""
    rest = degrees - among
    possible = (rest >= 0) & (rest <= once)
    rest = np.clip(rest, 0, once)
    all_of = np.minimum(degrees, once + twice)
    logs = _log_choose(twice, np.asarray(among)) + _log_choose(once, rest)
    return np.where(possible, np.exp(logs - _log_choose(once + twice, all_of)), 0.0)


def _log_choose(n: int, k: np.ndarray) -> FloatArray:
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


@dataclass(frozen=True, slots=True, eq=False)
class NodeOnes:
    """Numbers of ties that one end and both reported, and the ones, of people asked about."""

    people: IntArray
    once: IntArray
    twice: IntArray
    ones: IntArray

    @property
    def asked(self) -> IntArray:
        """Number of others."""
        return self.once + self.twice

    def degrees(self, chances: tuple[float, float]) -> FloatArray:
        """Return unbiased degrees; of ties reported twice by the mean."""
        p, q = chances
        reports = np.maximum(self.once + 2 * self.twice, 1)
        share = (self.ones / reports - q) / (p - q)
        return share * self.asked


def undirected_ones(pairs: AskedPairs) -> NodeOnes:
    """Return the ones of both ends of each tie."""
    times = pairs.asked.sum(axis=0)
    counts = [
        pairs.node_sums(each, each).astype(np.int64)
        for each in (times == 1, times == 2, pairs.bits.sum(axis=0))
    ]
    return _asked_about(*counts)


def directed_ones(pairs: AskedPairs, direction: str) -> NodeOnes:
    """Return the ones that people sent ("out") or that were sent about them ("in")."""
    order = 1 if direction == "out" else -1
    asked, ones = (
        pairs.node_sums(*each[::order]).astype(np.int64) for each in (pairs.asked, pairs.bits)
    )
    return _asked_about(asked, np.zeros_like(asked), ones)


def _asked_about(once: IntArray, twice: IntArray, ones: IntArray) -> NodeOnes:
    some = np.flatnonzero(once + twice)
    return NodeOnes(some, once[some], twice[some], ones[some])


class DegreeLikelihood:
    """The chances of the ones of each person, by degree; people asked alike share a table."""

    __slots__ = ("_chances", "_pattern", "_tables", "degrees")

    def __init__(self, nodes: NodeOnes, chances: tuple[float, float]) -> None:
        p, q = chances
        asked = int(nodes.asked.max())
        spread = np.sqrt((nodes.once + 2 * nodes.twice) * max(p * (1 - p), q * (1 - q)))
        most = nodes.degrees(chances) + REACH * spread / (p - q) + 1
        limit = min(asked, int(np.ceil(most.max())))
        count = min(limit + 1, MOST_DEGREES)
        self.degrees = np.unique(np.rint(np.linspace(0, limit, count)).astype(np.int64))
        patterns, self._pattern = np.unique(
            np.stack([nodes.once, nodes.twice]), axis=1, return_inverse=True
        )
        self._tables = [
            ones_kernel(int(once), int(twice), chances, self.degrees) for once, twice in patterns.T
        ]

    def rows(self, ones: IntArray) -> tuple[FloatArray, IntArray]:
        """Return the different rows of chances, each up to a factor, and how many have each."""
        keys, counts = np.unique(np.stack([self._pattern, ones]), axis=1, return_counts=True)
        rows = np.array([self._tables[pattern][one] for pattern, one in keys.T])
        return rows / np.maximum(rows.max(axis=1, keepdims=True), WEIGHT_FLOOR), counts

    def fit(self, ones: IntArray) -> DegreeFit:
        """Return the share of each degree under which the ones are most likely."""
        rows, counts = self.rows(ones)
        return DegreeFit.of(self.degrees, rows, counts)


@dataclass(frozen=True, slots=True, eq=False)
class DegreeFit:
    """Shares of degrees, and how likely the ones are under them and under others."""

    degrees: IntArray
    rows: FloatArray
    counts: IntArray
    shares: FloatArray
    converged: bool

    @classmethod
    def of(cls, degrees: IntArray, rows: FloatArray, counts: IntArray) -> DegreeFit:
        """Return the shares of the greatest likelihood."""
        seen, parts = Observed(rows), counts / counts.sum()
        solution = iterate_to_maximum(seen, parts)
        if not solution.converged:
            solution = iterate_to_maximum(seen, parts, enough=GAP_TOLERANCE)
        return cls(degrees, rows, counts, solution.proportions, solution.converged)

    def bound(self, chosen: BoolArray, loss: float) -> float:
        """Return the largest share of the chosen degrees that costs so much log-likelihood at most.

        Observations of nothing but "a chosen degree" are added to the reports: the shares of the
        greatest likelihood are then those of the largest share among all that are as likely.
        """
        if not chosen.any() or chosen.all():
            return float(chosen.any())
        best = self._log_likelihood(self.shares)
        held, free = 0.0, float(self.counts.sum())
        # Beyond this, shares of degrees that are not chosen are rounding.
        limit, share = 1e6 * free, float(self.shares[chosen].sum())
        while free < limit and best - self._log_likelihood(self._tilted(chosen, free)) <= loss:
            held, free = free, 10 * free
        if free >= limit:
            return 1.0
        for _ in range(STEPS):
            weight = (held + free) / 2
            shares = self._tilted(chosen, weight)
            if best - self._log_likelihood(shares) <= loss:
                held, share = weight, max(share, float(shares[chosen].sum()))
            else:
                free = weight
        return min(share, 1.0)

    def _tilted(self, chosen: BoolArray, weight: float) -> FloatArray:
        rows = np.vstack([self.rows, chosen.astype(np.float64)])
        counts = np.append(self.counts.astype(np.float64), weight)
        total = float(counts.sum())
        return iterate_to_maximum(Observed(rows), counts / total, enough=ENOUGH / total).proportions

    def _log_likelihood(self, shares: FloatArray) -> float:
        return float(self.counts @ np.log(np.maximum(self.rows @ shares, WEIGHT_FLOOR)))
