"""RAPPOR: a text becomes a Bloom filter, and every bit of the filter a noisy bit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, BoolArray, Epsilon, FloatArray, IntArray
from rr_engine.channels.bits import BitChannel
from rr_engine.device import RandomBytes, uniform_below
from rr_engine.display.shown import Shown
from rr_engine.distributions import margin_factor
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import Note, NoteTexts
from rr_engine.rappor.bloom import bloom_positions, positions_of

MOST_BITS = 2**16
MOST_COHORTS = 2**16


@dataclass(frozen=True, slots=True)
class Rappor:
    """The device of a short text: Bloom filters by cohort, each bit replaced with chance f.

    Parameters
    ----------
    bits : int
        Length of a report, at most 2**16.
    hashes : int
        Bits that a text sets, all different; at most half of `bits`.
    cohorts : int
        Every respondent draws one, and sends it with the report. It is independent of the text, so
        it says nothing about it.
    f : Fraction, Decimal, str or float
        Chance that a bit is replaced by a fair coin, between 0 and 1. Kept as the fraction
        ``2 raised / denominator`` that is drawn, f rounded up to it.
    precision : int, default 32
        The denominator is 2**precision.

    Attributes
    ----------
    kept, raised, denominator : int
        A set bit is reported as 1 with chance ``kept / denominator = 1 - f/2``, a clear one with
        chance ``raised / denominator = f/2``.

    Raises
    ------
    ArgumentError, CategoryError

    Notes
    -----
    docs/methods/rappor.md. The filters of two texts differ in at most ``2 hashes`` bits, because a
    text sets exactly `hashes` of them.

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR: Randomized Aggregatable
       Privacy-Preserving Ordinal Response", CCS 2014, Eq. 1 and theorem 1.
    .. [2] M. Pan, "Randomized Response with Gradual Release of Privacy Budget", 2024, Eq. 63.

    Examples
    --------
    >>> device = Rappor.for_epsilon("2", bits=64)
    >>> device.epsilon_at_most("2"), round(device.epsilon, 6), round(float(device.f), 4)
    (True, 2.0, 0.5379)
    """

    bits: int
    hashes: int
    cohorts: int
    f: Fraction | Epsilon
    precision: int = 32

    def __post_init__(self) -> None:
        check.whole(self.bits, "bits", minimum=2, maximum=MOST_BITS)
        check.whole(self.hashes, "hashes", minimum=1, maximum=self.bits // 2)
        check.whole(self.cohorts, "cohorts", minimum=1, maximum=MOST_COHORTS)
        check.whole(self.precision, "precision", minimum=2, maximum=check.MAX_BITS)
        raised = ceil(_check_chance(self.f) / 2 * self.denominator)
        if 2 * raised >= self.denominator:
            rule = "leave more of a bit than a fair coin does"
            raise ArgumentError("f", self.f, rule, "says_nothing")
        object.__setattr__(self, "f", Fraction(2 * raised, self.denominator))

    @classmethod
    def for_epsilon(
        cls, epsilon: Epsilon, bits: int, hashes: int = 1, cohorts: int = 8, precision: int = 32
    ) -> Rappor:
        """Build the device of a privacy loss, which is never exceeded.

        Parameters
        ----------
        epsilon : Decimal, str or float
            Of a whole report: a `2 hashes`-th of it for each bit.
        bits, hashes, cohorts, precision : int

        References
        ----------
        .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, theorem 1.
        """
        check.whole(hashes, "hashes", minimum=1, maximum=MOST_BITS // 2)
        differing = BitChannel.from_epsilon(2 * hashes, epsilon, truths="set", precision=precision)
        f = Fraction(2 * differing.raised, differing.denominator)
        return cls(bits, hashes, cohorts, f, precision)

    # -- the exact device -----------------------------------------------------------------------

    @property
    def channel(self) -> BitChannel:
        """The device of a whole filter."""
        return BitChannel(self.bits, self.kept, self.raised, self.denominator, "set")

    @property
    def denominator(self) -> int:
        """Denominator of both chances: a power of two."""
        return 2**self.precision

    @property
    def raised(self) -> int:
        """Chance of a 1 from a clear bit, times the denominator."""
        return int(Fraction(self.f) / 2 * self.denominator)

    @property
    def kept(self) -> int:
        """Chance of a 1 from a set bit, times the denominator."""
        return self.denominator - self.raised

    @property
    def gap(self) -> float:
        """How much more often a set bit is reported as 1 than a clear one."""
        return (self.kept - self.raised) / self.denominator

    @property
    def bit_variance(self) -> float:
        """Variance of the unbiased estimate of one respondent's bit from its report."""
        return self.kept * self.raised / (self.kept - self.raised) ** 2

    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """Largest ratio of two chances of one report, exactly: that of ``2 hashes`` bits."""
        return self._differing.likelihood_ratio_bound

    @property
    def epsilon(self) -> float:
        """Privacy loss of a whole report."""
        return self._differing.epsilon

    @property
    def _differing(self) -> BitChannel:
        """The device of the bits in which two filters differ at most."""
        return BitChannel(2 * self.hashes, self.kept, self.raised, self.denominator, "set")

    def epsilon_at_most(self, epsilon: Epsilon) -> bool:
        """Tell whether the privacy loss is at most `epsilon`, decided without rounding.

        Ours: exact integers, RAPPOR (2014) theorem 1.
        """
        return self._differing.epsilon_at_most(epsilon)

    # -- one respondent -------------------------------------------------------------------------

    def draw_cohort(self, random_bytes: RandomBytes) -> int:
        """Draw a respondent's cohort, independent of the text; RAPPOR (2014), section 4.1."""
        return uniform_below(self.cohorts, random_bytes)

    def positions(self, text: str | None, cohort: int) -> tuple[int, ...]:
        """Return the bits that a text sets in a cohort, in the order of the hash (Bloom 1970).

        None is a refusal, hashed as the empty text, which :func:`normalize_text` never returns.
        """
        check.whole(cohort, "cohort", maximum=self.cohorts - 1)
        if text is None:
            return positions_of("", cohort, self.bits, self.hashes)
        return bloom_positions(text, cohort, self.bits, self.hashes)

    def filter_bits(self, text: str | None, cohort: int) -> IntArray:
        """Return the Bloom filter of a text as zeros and ones (Bloom 1970)."""
        bits = np.zeros(self.bits, dtype=np.int64)
        bits[list(self.positions(text, cohort))] = 1
        return bits

    def permanent(self, text: str | None, cohort: int, random_bytes: RandomBytes) -> str:
        """Draw the permanent response: a string of bits, to be kept and never drawn again.

        The same bytes give the same report, and :class:`PermanentResponses` keeps what it drew;
        Pan (2024) Eq. 63.
        """
        bits = self.channel.draw(self.filter_bits(text, cohort)[None, :], random_bytes)[0]
        return "".join(map(str, bits.tolist()))


def _check_chance(value: object) -> Fraction:
    """Return a chance strictly between 0 and 1 as the decimal or fraction it was written as."""
    exact = value if isinstance(value, Fraction) else check.decimal_of(value)
    if exact is None or not 0 < exact < 1:
        raise ArgumentError("f", value, "lie strictly between 0 and 1", "not_between_0_and_1")
    return Fraction(exact)


STRING_NOTES = NoteTexts(
    no_reports="No reports yet: any share fits.",
    candidates_collide="Some candidates set the same bits in every cohort, or as many as are on "
    "the list do together: their shares cannot be told apart, and they have no standard error.",
    too_many_candidates="There are too many candidates for the bits of all cohorts: none of "
    "their shares can be told apart.",
    unlisted_strings="Some bits are set by more respondents than the candidates explain: a "
    "frequent string is not on the list. These bits were left out.",
    unexplained_variation="The counts vary more than the candidates explain, as with strings "
    "that are not on the list: standard errors are enlarged by the factor measured.",
)


@dataclass(frozen=True, slots=True, eq=False)
class StringEstimates(Shown):
    """Shares of the strings on a list, from RAPPOR's reports.

    Attributes
    ----------
    candidates : tuple of str
        As they were given; entry i of every array is of candidate i.
    n : int
        Number of reports.
    shares : ndarray of float
        Non-negative least squares: none below 0, and together at most 1.
    unbiased : ndarray of float
        Least squares without these bounds, which intervals and tests are made from; nan where the
        bits do not determine the share.
    standard_errors : ndarray of float
        Of the unbiased shares; nan where these are.
    null_errors, sampling : ndarray of float
        At a share pi the variance of the unbiased share is
        ``null_errors**2 + sampling pi (1 - pi)``.
    p_values : ndarray of float
        Of the hypothesis that the string does not occur, one-sided; 1 where nothing is known.
    found : ndarray of bool
        Whether the p-value lies below the cut-off of the false-discovery rate.
    explained_standard_error : float
        Of the sum of the unbiased shares; nan where some are unknown.
    dispersion : float
        Variance of the counts over what the candidates explain; 1 unless it is clearly above it.
    notes : tuple of Note

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 4.

    Examples
    --------
    >>> from rr_engine.rappor import Rappor, decode_strings, simulate_string_tallies
    >>> device = Rappor.for_epsilon("4", bits=32, cohorts=4)
    >>> tallies = simulate_string_tallies(device, ["tea", "wine"], [0.7, 0.3], 10_000, 1)
    >>> found = decode_strings(device, tallies, ["Beer", "Tea", "Wine"])
    >>> found.candidates, found.found.tolist(), found.n
    (('Beer', 'Tea', 'Wine'), [False, True, True], 10000)
    """

    candidates: tuple[str, ...]
    n: int
    shares: FloatArray
    unbiased: FloatArray
    standard_errors: FloatArray
    null_errors: FloatArray
    sampling: FloatArray
    p_values: FloatArray
    found: BoolArray
    explained_standard_error: float
    dispersion: float
    notes: tuple[Note, ...]

    @property
    def counts(self) -> FloatArray:
        """Estimated number of respondents with each string, among these n."""
        return self.n * self.shares

    @property
    def explained(self) -> float:
        """Share of respondents whose string is on the list, within 0 and 1.

        The sum of the unbiased shares where all are known: that of the bounded ones is too large,
        as all errors in it are upwards.
        """
        total = self.shares.sum() if np.isnan(self.unbiased).any() else self.unbiased.sum()
        return float(np.clip(total, 0.0, 1.0))

    @property
    def unexplained(self) -> float:
        """Share of respondents whose string is not on the list."""
        return 1 - self.explained

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return the interval of each share, shape (candidates, 2), within 0 and 1.

        The shares from which the unbiased one differs by less than a normal quantile of standard
        errors, these taken at the share itself; cut off at 0 and 1, so that it covers as often as
        the uncut one. All of 0 to 1 where nothing is known.

        References
        ----------
        .. [1] E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
           Journal of the American Statistical Association 22, 1927.
        """
        ends = score_ends(self.unbiased, self.null_errors**2, self.sampling, margin_factor(level))
        ends[np.isnan(ends).any(axis=1)] = 0.0, 1.0
        return np.clip(ends, 0.0, 1.0)


def score_ends(
    estimate: ArrayLike, null_variance: ArrayLike, sampling: ArrayLike, quantile: float
) -> FloatArray:
    """Return the two shares from which an estimate differs by `quantile` standard errors of theirs.

    At a share pi the variance is ``null_variance + sampling pi (1 - pi)``. The square of the
    difference gives ``(1 + a) pi**2 - (2 x + a) pi + x**2 - q**2 null_variance = 0`` with
    ``a = q**2 sampling``.
    """
    added = quantile**2 * np.asarray(sampling)
    linear, leading = np.asarray(estimate) + added / 2, 1 + added
    constant = np.asarray(estimate) ** 2 - quantile**2 * np.asarray(null_variance)
    root = np.sqrt(np.maximum(linear**2 - leading * constant, 0.0))
    return np.stack([linear - root, linear + root], axis=-1) / leading[..., None]
