"""The uniform channel: the truth with one chance, every other report with another.

Its linear maps need no table.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, IntArray, keep
from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.matrix import uniform_spread
from rr_engine.channels.protocol import Weights, check_covariance_size
from rr_engine.channels.tallies import check_axes, check_denominator, check_sizes
from rr_engine.codes import check_truths
from rr_engine.device import RandomBytes, draw_uniform_reports
from rr_engine.errors import DesignError
from rr_engine.precision import ROUNDING, sample_covariance, uniform_noise
from rr_engine.privacy.loss import exponential_bounds
from rr_engine.quantizing import uniform_integers


class SymmetricChannel(CountingChannel):
    """A channel whose reports are its truths, and whose table is symmetric."""

    __slots__ = ()

    @property
    def report_shape(self) -> tuple[int, ...]:
        """The same as of the truths."""
        return self.truth_shape

    def adjoint(self, values: FloatArray) -> FloatArray:
        """Return the same as forward: the table is symmetric."""
        return self.apply(values)

    def scores(self, contrasts: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the same as an estimate: the inverse is symmetric."""
        return self.solve(contrasts)


class UniformMaps(SymmetricChannel):
    """Maps and errors of a channel by its attribute `uniform`."""

    __slots__ = ()

    @property
    @abstractmethod
    def uniform(self) -> tuple[float, float]:
        """The two chances."""

    # -- linear maps: P = g I + b 11' and P^-1 = (I - b 11') / g are symmetric ------------------

    def apply(self, shares: FloatArray) -> FloatArray:
        """Return ``g pi + b sum(pi)``."""
        retention, other = self.uniform
        return (retention - other) * shares + other * shares.sum(axis=-1, keepdims=True)

    def solve(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return ``(lam - b sum(lam)) / g``."""
        retention, other = self.uniform
        return (reported - other * reported.sum(axis=-1, keepdims=True)) / (retention - other)

    def score_squares(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return ``(1 - b)**2/g**2 lam[v] + b**2/g**2 (sum(lam) - lam[v])``."""
        square_on, square_off = self._scores()
        return square_on**2 * reported + square_off**2 * (
            reported.sum(axis=-1, keepdims=True) - reported
        )

    def own_score_squares(self, weights: Weights = None) -> FloatArray:
        """Return the same under each truth by itself."""
        (square_on, square_off), retention = self._scores(), self.uniform[0]
        return np.full(self.truth_size, square_on**2 * retention + square_off**2 * (1 - retention))

    def _scores(self) -> tuple[float, float]:
        retention, other = self.uniform
        return (1 - other) / (retention - other), -other / (retention - other)

    # -- errors of one report -------------------------------------------------------------------

    def variances(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> FloatArray:
        """Return its diagonal in O(k)."""
        retention, other = self.uniform
        return (
            uniform_spread(retention, other, shares, fitted, population) / (retention - other) ** 2
        )

    def has_negative_variance(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> bool:
        """Decide it in O(k).

        Of a sample the variance of a cell is negative when its share is. For a fixed group a
        contrast ``a`` with sum zero has the variance ``sum d a**2``, d = ((1 - g) lam + g b)/g**2,
        and one that is constant has none. With one negative entry of d that is never negative
        exactly when ``sum 1/d <= 0``; with two it is for some a.
        """
        leading = shares if population == "fixed" else fitted
        if population == "sample" or leading.min() >= 0:
            return bool(leading.min() < -ROUNDING)
        retention, other = self.uniform
        gap = retention - other
        curve = ((1 - gap) * fitted + gap * other * fitted.sum()) / gap**2
        curve = curve + ROUNDING * max(1.0, float(np.abs(curve).max()))
        negative = int((curve <= 0).sum())
        return negative > 1 or (negative == 1 and float((1 / curve).sum()) > 0)

    def report_bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the smaller and the larger chance, which all reports share."""
        low, high = sorted(self.uniform)
        return np.array(low), np.array(high)


@dataclass(frozen=True, slots=True)
class UniformChannel(UniformMaps):
    """A device that keeps the truth with chance a = kept / D, else reports any other one alike.

    It is stored as three integers and works in O(k) time and memory for k truths: a k-ary
    randomized response over 10,000 villages, or one device over all combinations of answers.

    Parameters
    ----------
    shape : int or sequence of int
        Number of truths, or of the answers to each question where truths are tuples. The reports
        are the same.
    kept : int
        Chance of the truth, times the denominator.
    other : int
        Chance of each other report, times the denominator.
    denominator : int
        ``kept + (k - 1) other``; at most 2**52.

    Raises
    ------
    DesignError, ArgumentError

    Notes
    -----
    docs/methods/channels.md. With g = a - b: ``P^-1 = (I - b 11') / g``, and the covariance of the
    estimate is that of the counts divided by g**2.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 17 to 19.

    Examples
    --------
    >>> channel = UniformChannel(3, kept=4, other=1, denominator=6)
    >>> channel.likelihood_ratio_bound, channel.apply(np.array([1.0, 0.0, 0.0])).round(3).tolist()
    (Fraction(4, 1), [0.667, 0.167, 0.167])
    """

    shape: tuple[int, ...]
    kept: int
    other: int
    denominator: int

    def __post_init__(self) -> None:
        shape = check_sizes(self.shape, "shape")
        size, total = prod(shape), check_denominator(self.denominator)
        kept = check.whole(self.kept, "kept", maximum=total)
        other = check.whole(self.other, "other", maximum=total)
        if kept + (size - 1) * other != total:
            rule = f"be kept + {size - 1} * other = {kept + (size - 1) * other}"
            raise DesignError("denominator", self.denominator, rule, "columns_do_not_sum")
        keep(self, shape=shape, kept=kept, other=other)

    @classmethod
    def from_epsilon(
        cls, shape: int | Sequence[int], epsilon: Epsilon, bits: int = 32
    ) -> UniformChannel:
        """Build the k-ary randomized response of a privacy loss, in exact integers.

        Parameters
        ----------
        shape : int or sequence of int
        epsilon : Decimal, str or float
            Never exceeded.
        bits : int, default 32
            The denominator is 2**bits; at most 52.

        Returns
        -------
        UniformChannel
            The integers of ``k_rr(k, epsilon).quantized(bits)``.

        Raises
        ------
        DesignError
            When `bits` are too few for so many truths.

        References
        ----------
        .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
           Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 19.

        Examples
        --------
        >>> UniformChannel.from_epsilon(10**6, "8", bits=52).epsilon_at_most("8")
        True
        """
        sizes = check_sizes(shape, "shape")
        width = check.whole(bits, "bits", minimum=1, maximum=check.MAX_BITS)
        ratio = Fraction(exponential_bounds(check.epsilon(epsilon))[0])
        retention, other = uniform_integers(prod(sizes), ratio, 2**width)
        if retention <= other:
            rule = f"be enough to tell {prod(sizes)} truths apart"
            raise DesignError("bits", bits, rule, "too_few_bits")
        return cls(sizes, retention, other, 2**width)

    @property
    def truth_shape(self) -> tuple[int, ...]:
        """Number of truths, by question."""
        return self.shape

    @property
    def uniform(self) -> tuple[float, float]:
        """The chance of the truth and of each other report."""
        return self.kept / self.denominator, self.other / self.denominator

    @property
    def cost(self) -> int:
        """Two operations for each truth."""
        return 2 * self.truth_size

    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """The larger of the two integers over the smaller; None when one is zero."""
        low, high = sorted((self.kept, self.other))
        return Fraction(high, low) if low else None

    @property
    def condition_number(self) -> float:
        """One over the gap of the two chances; inf when they are the same."""
        gap = Fraction(abs(self.kept - self.other), self.denominator)
        return float(1 / gap) if gap else float("inf")

    @property
    def spectrum(self) -> FloatArray:
        """The eigenvalues, shape (2,) * m, by which of the m questions a table sums to zero over.

        All are the gap of the two chances but the first, which is 1.
        """
        eigenvalues = np.full((2,) * len(self.shape), (self.kept - self.other) / self.denominator)
        eigenvalues.flat[0] = 1.0
        return eigenvalues

    # -- errors of one report -------------------------------------------------------------------

    def covariance(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> FloatArray:
        """Return the covariance of the counts, divided by g**2; refused beyond 4,096 truths."""
        check_covariance_size(self)
        retention, other = self.uniform
        fixed = population == "fixed"
        spread = uniform_noise(retention, other, fitted) if fixed else sample_covariance(fitted)
        return spread / (retention - other) ** 2

    # -- parts of a tuple -----------------------------------------------------------------------

    def margin(self, axes: Sequence[int]) -> UniformChannel:
        """Return the channel of some of the questions, in this order; exact.

        The reports about the other questions are added up: K/k of them for each report about
        these, K and k the numbers of truths. The gap stays, so that its estimate is the sum of the
        cells' estimates.
        """
        kept_axes = check_axes(axes, len(self.shape))
        sizes = tuple(self.shape[axis] for axis in kept_axes)
        added = self.truth_size // prod(sizes)
        retention, other = self.kept + (added - 1) * self.other, added * self.other
        return UniformChannel(sizes, retention, other, self.denominator)

    # -- chance ---------------------------------------------------------------------------------

    def draw(self, truths: ArrayLike, random_bytes: RandomBytes) -> IntArray:
        """Draw a report for each true answer, exactly as the dense table would."""
        indices = check_truths(truths, self.truth_size)
        return draw_uniform_reports(self.kept, self.other, self.denominator, indices, random_bytes)

    def counts_of(self, people: IntArray, n: int, rng: np.random.Generator) -> IntArray:
        """Draw the reports of `n` people of whom ``people[v]`` have truth v, and count them.

        A report is the truth with chance g, and with chance k b any of the k alike.
        """
        retention, other = self.uniform
        if retention < other:
            return CountingChannel.counts_of(self, people, n, rng)
        truthful = rng.binomial(people, min(max(retention - other, 0.0), 1.0))
        rest = int(people.sum() - truthful.sum())
        return truthful + rng.multinomial(rest, np.full(self.truth_size, 1 / self.truth_size))
