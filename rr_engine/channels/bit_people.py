"""Strings of bits: how they are counted, how likely each is, the people behind, and chance."""

from collections.abc import Mapping

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_array
from rr_engine.channels.beliefs import BitBeliefs
from rr_engine.channels.counting import Observed, whole_people
from rr_engine.channels.protocol import Likelihood, ReportedShare, SingleShares, Weights
from rr_engine.channels.tallies import check_count
from rr_engine.codes import check_truths
from rr_engine.device import RandomBytes, draw_by
from rr_engine.errors import ArgumentError, CategoryError, CountsError
from rr_engine.labelled import entries_of, is_labelled
from rr_engine.projection import project_to_simplex

# Entries of the table of reports that came in, for a likelihood.
LARGEST_LIKELIHOOD = 2**22


def bits_of(report: object, size: int, argument: str = "counts") -> tuple[int, ...]:
    """Return the bits of a report: a string of 0 and 1, or a tuple of them."""
    rule = f"name reports by {size} bits, as a string or a tuple of 0 and 1"
    if isinstance(report, str) and len(report) == size and set(report) <= {"0", "1"}:
        return tuple(int(bit) for bit in report)
    bits = report if isinstance(report, tuple) else ()
    fits = all(isinstance(bit, int | np.integer) and bit in (0, 1) for bit in bits)
    if len(bits) != size or not fits:
        raise CountsError(argument, report, rule, "unknown_report")
    return tuple(int(bit) for bit in bits)


def bit_tally(counts: object, size: int, argument: str = "counts") -> IntArray:
    """Return for each bit how many reports had it clear, and how many had it set, in turn.

    Parameters
    ----------
    counts : mapping of reports to counts, or array_like of int, shape (bits, 2)
        In a table the two numbers of each bit sum to the number of reports.
    size : int
        Number of bits.

    Raises
    ------
    CountsError
    """
    if not isinstance(counts, Mapping) and is_labelled(counts):
        # A series of texts to counts; numbers are places in the flat tally.
        named = entries_of(counts)
        counts = dict(named) if any(isinstance(label, str) for label, _ in named) else counts
    if isinstance(counts, Mapping):
        return check.counts(_bit_sums(counts, size, argument), 2 * size, argument)
    array = as_array(counts)
    flat = array.reshape(-1) if array is not None and array.shape == (size, 2) else counts
    tally = check.counts(flat, 2 * size, argument)
    if np.ptp(tally.reshape(size, 2).sum(axis=1)) > 0:
        rule = "have for each bit two numbers, clear and set, that sum to the number of reports"
        raise CountsError(argument, counts, rule, "bits_do_not_add_up")
    return tally


def _bit_sums(counts: Mapping, size: int, argument: str) -> IntArray:
    table, indices = np.zeros((size, 2), dtype=np.int64), np.arange(size)
    for report, count in counts.items():
        table[indices, bits_of(report, size, argument)] += check_count(count, argument)
    return table.reshape(-1)


def observed_rows(
    counts: Mapping, size: int, set_chance: float, clear_chance: float
) -> tuple[FloatArray, IntArray]:
    """Return, for each report that came in, its chance under each truth, up to a factor.

    Truths set one bit each. With p, q the chances of a 1 from a set and from a clear bit, report y
    is proportional to ``p/q`` under truth v where y_v is 1 and ``(1-p)/(1-q)`` where it is 0; a
    chance that is zero is not divided by, and rules a report out where another bit would need it.

    Returns
    -------
    rows : ndarray of float, shape (reports that came in, bits)
    counted : ndarray of int
    """
    reports = np.array([bits_of(report, size) for report in counts], dtype=np.int64)
    counted = np.array([check_count(count, "counts") for count in counts.values()], dtype=np.int64)
    set_probability = np.where(reports == 1, set_chance, 1 - set_chance)
    other = np.where(reports == 1, clear_chance, 1 - clear_chance)
    impossible = other == 0
    rows = set_probability / np.where(impossible, 1.0, other)
    rows[impossible.sum(axis=1, keepdims=True) - impossible > 0] = 0.0
    return rows, counted


class BitPeople(BitBeliefs):
    """Counts, people and reports of a device of bits."""

    __slots__ = ()

    bits: int
    # Chances of a 1 from a set and from a clear bit, times the denominator, at most 2**52.
    kept: int
    raised: int
    denominator: int
    tabulated = False
    # A report has more than one bit.
    uniform = None
    # Every bit's estimate reproduces its reported share.
    saturated = True

    @property
    def cost(self) -> int:
        """Two operations for each bit."""
        return 2 * self.bits

    @property
    def matrix(self) -> FloatArray:
        """Refused: bits are counted, not reports."""
        rule = "count its reports one by one for a table of them"
        raise ArgumentError("channel", self, rule, "table_not_available")

    # -- single entries -------------------------------------------------------------------------

    def reported_share(self, truth: int) -> ReportedShare:
        """Return the count of the truth's own bit where it is set."""
        p, q = self.pair
        return ReportedShare(2 * truth + 1, q, p)

    def single_shares(self, weights: Weights = None) -> SingleShares:
        """Return the same of all bits."""
        p, q = self.pair
        return SingleShares(
            report=2 * np.arange(self.bits) + 1,
            offset=np.full(self.bits, -q / (p - q)),
            slope=np.full(self.bits, 1 / (p - q)),
            within=np.full(self.bits, p),
        )

    def report_bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest chance of a clear and of a set bit, by bit."""
        low, high = sorted(self.pair)
        least, most = np.array([1 - high, low]), np.array([1 - low, high])
        return np.tile(least, self.bits), np.tile(most, self.bits)

    def report_label(self, index: int) -> str:
        """Return the name of an entry of the tally."""
        return f"bit {index // 2} = {index % 2}"

    # -- counts ---------------------------------------------------------------------------------

    def tally(self, counts: object, argument: str = "counts") -> IntArray:
        """Return for each bit how many reports had it clear and how many set, in turn.

        Takes a table of shape (bits, 2), or a mapping of reports, strings of bits, to counts.
        """
        return bit_tally(counts, self.bits, argument)

    def people(self, counts: IntArray) -> int:
        """Return the number of reports."""
        return int(counts[:2].sum())

    def all_alike(self, counts: IntArray) -> bool:
        """Tell whether all of two or more reports are the same."""
        n = self.people(counts)
        return n > 1 and bool((counts.reshape(-1, 2).max(axis=1) == n).all())

    def likelihood(self, counts: object, reported: FloatArray) -> tuple[Likelihood, FloatArray]:
        """Return the likelihood of whole reports, which bits counted one by one do not have.

        Raises
        ------
        CountsError
            Unless `counts` is a mapping of reports to counts.
        """
        if not isinstance(counts, Mapping):
            rule = "be a mapping of reports to counts for a likelihood; bits alone do not have it"
            raise CountsError("counts", type(counts).__name__, rule, "reports_not_kept")
        if len(counts) * self.bits > LARGEST_LIKELIHOOD:
            raise CountsError(
                "counts", len(counts), "hold fewer different reports", "too_many_reports"
            )
        rows, counted = observed_rows(counts, self.bits, *self.pair)
        return Observed(rows), counted / counted.sum()

    # -- truths ---------------------------------------------------------------------------------

    def check_shares(self, value: object, argument: str = "prior") -> FloatArray:
        """Return proportions; of categories they sum to one, of bits each is from 0 to 1."""
        if self.exclusive:
            return check.distribution(value, self.bits, argument)
        rule = f"be {self.bits} proportions from 0 to 1"
        shares = check.reals(value, (self.bits,), argument, rule)
        if shares.min() < 0 or shares.max() > 1:
            raise ArgumentError(argument, value, rule, "not_probabilities")
        return shares

    def equal_shares(self) -> FloatArray:
        """Return equal proportions; of sets, halves."""
        return np.full(self.bits, 1 / self.bits if self.exclusive else 0.5)

    def spread_shares(self, share: float, truth: int) -> FloatArray:
        """Return the share of one bit; the rest spread evenly, or for sets halves."""
        rest = (1 - share) / (self.bits - 1) if self.exclusive else 0.5
        shares = np.full(self.bits, rest)
        shares[truth] = share
        return shares

    def project(self, shares: FloatArray) -> FloatArray:
        """Return the nearest proportions that can exist."""
        return project_to_simplex(shares) if self.exclusive else np.clip(shares, 0.0, 1.0)

    # -- chance ---------------------------------------------------------------------------------

    def draw(self, truths: ArrayLike, random_bytes: RandomBytes) -> IntArray:
        """Draw the bits of a report for each true answer, one exact integer for each bit.

        Parameters
        ----------
        truths : array_like of int, shape (n,); of sets, zeros and ones of shape (n, bits)
        random_bytes : callable

        Returns
        -------
        ndarray of int, shape (n, bits)
            1 where the integer is below ``kept`` (set bit) or ``raised`` (clear bit), as
            static/js/rr/bits.js has it.
        """
        rows = self.truth_bits(truths)

        def bits_at(uniforms: IntArray, bits: IntArray) -> IntArray:
            chances = np.where(bits == 1, self.kept, self.raised)
            return (uniforms < chances).astype(np.int64)

        return draw_by(bits_at, self.denominator, rows.ravel(), random_bytes).reshape(rows.shape)

    def truth_bits(self, truths: ArrayLike) -> IntArray:
        """Return true answers as rows of zeros and ones, shape (n, bits)."""
        if self.exclusive:
            indices = check_truths(truths, self.bits)
            return (indices[:, None] == np.arange(self.bits)).astype(np.int64)
        array = np.asarray(truths)
        fits = array.ndim == 2 and array.shape[1] == self.bits and array.dtype.kind in "iub"
        if not fits or not np.isin(array, (0, 1)).all():
            rule = f"be rows of {self.bits} zeros and ones"
            raise CategoryError("truths", truths, rule, "not_truths")
        return array.astype(np.int64)

    def whole_people(self, shares: FloatArray, n: int) -> IntArray:
        """Return how many of `n` people have each bit set, as nearly as whole people can."""
        return whole_people(shares, n) if self.exclusive else np.rint(shares * n).astype(np.int64)

    def drawn_people(self, shares: FloatArray, n: int, rng: np.random.Generator) -> IntArray:
        """Draw how many of `n` people have each bit set; bits of sets independently."""
        if self.exclusive:
            return rng.multinomial(n, shares / shares.sum())
        return rng.binomial(n, shares)

    def counts_of(self, people: IntArray, n: int, rng: np.random.Generator) -> IntArray:
        """Draw the tally of `n` people of whom ``people[v]`` have bit v set."""
        return self._tally_of(rng.binomial(people, self.pair[0]), people, n, rng)

    def _tally_of(
        self, set_counts: IntArray, people: IntArray, n: int, rng: np.random.Generator
    ) -> IntArray:
        ones = set_counts + rng.binomial(n - people, self.pair[1])
        return np.stack([n - ones, ones], axis=-1).reshape(*ones.shape[:-1], -1)

    def survey_counts(
        self, shares: FloatArray, n: int, rng: np.random.Generator, surveys: int
    ) -> IntArray:
        """Draw tallies of surveys of `n` people of a population, shape (surveys, tally)."""
        if self.exclusive:
            people = rng.multinomial(n, shares / shares.sum(), size=surveys)
        else:
            people = rng.binomial(n, shares, size=(surveys, self.bits))
        return self._tally_of(rng.binomial(people, self.pair[0]), people, n, rng)
