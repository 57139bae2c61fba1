"""Devices that perturb each bit of a report by itself: unary encoding, RAPPOR's permanent bits."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from math import ceil

import numpy as np

from rr_engine import check
from rr_engine.arrays import Epsilon, FloatArray
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.protocol import Weights, check_covariance_size
from rr_engine.channels.tallies import check_denominator
from rr_engine.errors import ArgumentError
from rr_engine.precision import ROUNDING
from rr_engine.privacy.loss import exponential_bounds
from rr_engine.quantizing import uniform_integers

TRUTHS = ("category", "set")
FORMS = ("symmetric", "optimized")
# No device reports more bits, and tables over them would not fit into memory.
MOST_BITS = 2**22


@dataclass(frozen=True, slots=True)
class BitChannel(BitPeople):
    """A report of one bit for each truth, each of them perturbed independently.

    Somebody whose truth sets a bit reports 1 there with chance ``p = kept / D``; on a clear bit
    with chance ``q = raised / D``.

    Parameters
    ----------
    bits : int
        Number of bits of a report, at least 2.
    kept, raised : int
        Chances of a 1 from a set and from a clear bit, times the denominator.
    denominator : int
        At most 2**52.
    truths : {"category", "set"}
        Whether everybody has exactly one bit set (unary encoding of a category), or any set of
        bits (several answers to one question, a roster).

    Raises
    ------
    DesignError, ArgumentError

    Notes
    -----
    docs/methods/channels.md. How often each bit came in is all that the unbiased estimate needs:
    ``pi_hat = (share of ones - q) / (p - q)``. The tally holds two numbers for each bit, clear and
    set. Of sets the errors of two bits are correlated as the bits are, which bits counted one by
    one do not tell: for a sample only variances are known.

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR: Randomized Aggregatable
       Privacy-Preserving Ordinal Response", CCS 2014, section 3.
    .. [2] T. Wang, J. Blocki, N. Li and S. Jha, "Locally Differentially Private Protocols for
       Frequency Estimation", USENIX Security 2017, section 4.3.

    Examples
    --------
    >>> channel = BitChannel.permanent(4, f=0.5)
    >>> channel.likelihood_ratio_bound, round(channel.epsilon, 4)
    (Fraction(9, 1), 2.1972)
    """

    bits: int
    kept: int
    raised: int
    denominator: int
    truths: str = "category"

    def __post_init__(self) -> None:
        check.whole(self.bits, "bits", minimum=2, maximum=MOST_BITS)
        total = check_denominator(self.denominator)
        check.whole(self.kept, "kept", maximum=total)
        check.whole(self.raised, "raised", maximum=total)
        check.choice(self.truths, "truths", TRUTHS)

    @classmethod
    def permanent(
        cls, bits: int, f: float | str | Decimal, truths: str = "category", precision: int = 32
    ) -> BitChannel:
        """Build RAPPOR's permanent response: with chance f a bit is replaced by a fair coin.

        ``p = 1 - f/2`` and ``q = f/2``, the latter rounded up to a multiple of 2**-precision.

        References
        ----------
        .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, Eq. 1.
        """
        check.probability(float(f) if isinstance(f, str | Decimal) else f, "f")
        total = 2 ** check.whole(precision, "precision", minimum=1, maximum=check.MAX_BITS)
        raised = ceil(Fraction(str(f)) / 2 * total)
        return cls(bits, total - raised, raised, total, truths)

    @classmethod
    def from_epsilon(
        cls,
        bits: int,
        epsilon: Epsilon,
        form: str = "symmetric",
        truths: str = "category",
        precision: int = 32,
    ) -> BitChannel:
        """Build the device of a privacy loss, which is never exceeded.

        Parameters
        ----------
        bits : int
        epsilon : Decimal, str or float
            Of a whole report.
        form : {"symmetric", "optimized"}
            For categories: p = 1 - q, or p = 1/2, which has the smaller variance for rare ones.
            Sets take the symmetric form, with epsilon / bits for each bit.
        truths : {"category", "set"}
        precision : int, default 32
            The denominator is 2**precision; at most 52.

        References
        ----------
        .. [1] T. Wang, J. Blocki, N. Li and S. Jha, "Locally Differentially Private Protocols for
           Frequency Estimation", USENIX Security 2017, section 4.3 (SUE and OUE).

        Examples
        --------
        >>> BitChannel.from_epsilon(100, "2", form="optimized").epsilon_at_most("2")
        True
        """
        size = check.whole(bits, "bits", minimum=2, maximum=MOST_BITS)
        budget = check.epsilon(epsilon)
        total = 2 ** check.whole(precision, "precision", minimum=2, maximum=check.MAX_BITS)
        one_by_one = check.choice(truths, "truths", TRUTHS) == "set"
        if check.choice(form, "form", FORMS) == "optimized":
            if one_by_one:
                raise ArgumentError("form", form, 'be "symmetric" for sets', "form_not_for_sets")
            return cls(size, total // 2, _flip(budget, total), total, truths)
        with localcontext() as context:
            context.prec, context.rounding = 60, ROUND_FLOOR
            each = budget / (size if one_by_one else 2)
        raised = _flip(each, total)
        return cls(size, total - raised, raised, total, truths)

    @property
    def exclusive(self) -> bool:
        """Whether everybody has exactly one of the bits."""
        return self.truths == "category"

    @property
    def truth_shape(self) -> tuple[int, ...]:
        """Number of bits: of each, the share of people who have it is estimated."""
        return (self.bits,)

    @property
    def report_shape(self) -> tuple[int, ...]:
        """Two values of each bit."""
        return (2,) * self.bits

    @property
    def truth_size(self) -> int:
        """Number of bits."""
        return self.bits

    @property
    def tally_size(self) -> int:
        """Two counts for each bit."""
        return 2 * self.bits

    @property
    def pair(self) -> tuple[float, float]:
        """The chances p and q."""
        return self.kept / self.denominator, self.raised / self.denominator

    # -- privacy --------------------------------------------------------------------------------

    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """Largest ratio of two chances of one report, exactly; None when infinite.

        Two categories differ in two bits, one set in each: ``p (1 - q) / (q (1 - p))``, or its
        inverse. Two sets differ in all bits at worst: ``max(p/q, (1 - q)/(1 - p))`` of each bit.
        """
        p, q, denominator = self.kept, self.raised, self.denominator
        if p == q:
            return Fraction(1)
        if 0 in (p, q, denominator - p, denominator - q):
            return None
        ones, zeros = Fraction(p, q), Fraction(denominator - q, denominator - p)
        if self.exclusive:
            return max(ones * zeros, 1 / (ones * zeros))
        return max(ones, 1 / ones, zeros, 1 / zeros) ** self.bits

    # -- linear maps; the tally of a bit is (clear, set) ----------------------------------------

    @property
    def condition_number(self) -> float:
        """One over the gap of the two chances."""
        gap = abs(self.kept - self.raised)
        return self.denominator / gap if gap else float("inf")

    def apply(self, shares: FloatArray) -> FloatArray:
        """Return the expected shares of clear and set bits: ``q + (p - q) pi`` are set."""
        p, q = self.pair
        total = shares.sum(axis=-1, keepdims=True) if self.exclusive else 1.0
        ones = q * total + (p - q) * shares
        return np.stack([total - ones, ones], axis=-1).reshape(*shares.shape[:-1], -1)

    def adjoint(self, values: FloatArray) -> FloatArray:
        """Return the mean of a function of the tally for each category.

        Of sets, what a bit adds to it.
        """
        p, q = self.pair
        clear, set_ = values[..., 0::2], values[..., 1::2]
        added = (p - q) * (set_ - clear)
        if not self.exclusive:
            return added
        return added + ((1 - q) * clear + q * set_).sum(axis=-1, keepdims=True)

    def solve(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return ``((1 - q) ones - q zeros) / (p - q)``."""
        p, q = self.pair
        return ((1 - q) * reported[..., 1::2] - q * reported[..., 0::2]) / (p - q)

    def scores(self, contrasts: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the functions of the tally whose means are the contrasts."""
        p, q = self.pair
        both = [-q / (p - q) * contrasts, (1 - q) / (p - q) * contrasts]
        return np.stack(both, axis=-1).reshape(*contrasts.shape[:-1], -1)

    def score_squares(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return ``((1 - q)**2 ones + q**2 zeros) / (p - q)**2``."""
        p, q = self.pair
        squares = (1 - q) ** 2 * reported[..., 1::2] + q**2 * reported[..., 0::2]
        return squares / (p - q) ** 2

    def own_score_squares(self, weights: Weights = None) -> FloatArray:
        """Return the same where the bit is set."""
        p, q = self.pair
        return np.full(self.bits, ((1 - q) ** 2 * p + q**2 * (1 - p)) / (p - q) ** 2)

    # -- errors of one report -------------------------------------------------------------------

    def _spread(self, shares: FloatArray, fitted: FloatArray, population: str) -> FloatArray:
        """Return the variance of each bit of a report."""
        p, q = self.pair
        if population == "fixed":
            return shares * p * (1 - p) + (1 - shares) * q * (1 - q)
        return fitted[1::2] * (1 - fitted[1::2])

    def variances(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> FloatArray:
        """Return the variance of each bit over ``(p - q)**2``."""
        p, q = self.pair
        return np.maximum(self._spread(shares, fitted, population), 0) / (p - q) ** 2

    def report_covariance(
        self,
        first: FloatArray,
        second: FloatArray,
        shares: FloatArray,
        fitted: FloatArray,
        population: str,
    ) -> FloatArray:
        """Return the covariances of functions of the bits.

        A fixed group's bits err independently. In a sample two bits i, j of a category, which are
        never both set, have the covariance ``-(lam_i - q)(lam_j - q)``.

        Raises
        ------
        ArgumentError
            For a sample of sets and functions of different bits.
        """
        first_slopes, second_slopes = (each[:, 1::2] - each[:, 0::2] for each in (first, second))
        spread = self._spread(shares, fitted, population)
        covariance = (first_slopes * spread) @ second_slopes.T
        if population == "fixed":
            return covariance
        if not self.exclusive:
            touched = (first_slopes != 0).any(axis=0) | (second_slopes != 0).any(axis=0)
            if touched.sum() > 1:
                rule = "be of one bit: how bits of sets go together is not counted"
                raise ArgumentError("contrast", first, rule, "covariance_unknown")
            return covariance
        excess = fitted[1::2] - self.pair[1]
        together = (first_slopes * excess**2) @ second_slopes.T - np.outer(
            first_slopes @ excess, second_slopes @ excess
        )
        return covariance + together

    def covariance(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> FloatArray:
        """Return the covariance of the estimate from one report; of a sample of sets, refused."""
        check_covariance_size(self)
        scores = self.scores(np.eye(self.bits))
        return self.report_covariance(scores, scores, shares, fitted, population)

    def has_negative_variance(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> bool:
        """Tell whether estimates outside 0 to 1 make the variance of a bit negative."""
        return bool(self._spread(shares, fitted, population).min() < -ROUNDING)


def _flip(epsilon: Decimal, total: int) -> int:
    """Return the least q D with ``(D - q D) / (q D) <= e**epsilon``."""
    return uniform_integers(2, Fraction(exponential_bounds(epsilon)[0]), total)[1]
