"""A list of candidates as a linear model: which bits each of them sets in each cohort."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray, RandomSource
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.rappor.bloom import normalize_text, positions_of
from rr_engine.rappor.rappor import Rappor

# Normal equations of more would not fit into memory.
MOST_CANDIDATES = 5000


def check_candidates(value: object, argument: str = "candidates") -> tuple[str, ...]:
    """Return the candidates as they were written; refuse two that are the same text."""
    rule = "be a list of one or more texts"
    texts = check.entries(value, argument, None, rule, "not_labels", CategoryError)
    if len(texts) > MOST_CANDIDATES:
        rule = f"be at most {MOST_CANDIDATES}"
        raise CategoryError(
            argument, len(texts), rule, "too_many_categories", limit=MOST_CANDIDATES
        )
    forms = [normalize_text(text, argument) for text in texts]
    often = {form for form, count in Counter(forms).items() if count > 1}
    if often:
        named = [text for text, form in zip(texts, forms, strict=True) if form in often]
        rule = "hold each text once, upper and lower case alike"
        raise CategoryError(argument, named, rule, "repeated_label")
    return tuple(texts)


@dataclass(frozen=True, eq=False)
class CandidateDesign:
    """The linear model of bit counts, and its normal equations.

    A cell is a bit of a cohort. The share of a cohort's respondents whose filter has the bit set
    is, in expectation, ``y = h/B + sum_s pi_s (X_s - h/B)``: the strings off the list set each bit
    as often as the other on average. Z is ``X - h/B``.

    Attributes
    ----------
    bits, hashes : int
    positions : ndarray of int, shape (candidates, cohorts, hashes)
    weights : ndarray of float, shape (cohorts, bits)
        Respondents of the cohort; 0 for a cell that is left out.
    """

    bits: int
    hashes: int
    positions: IntArray
    weights: FloatArray

    @cached_property
    def _tables(self) -> list[scipy.sparse.csr_array]:
        """X of each cohort with respondents, a row for each bit; cells left out are zero."""
        count = len(self.positions)
        columns = np.repeat(np.arange(count), self.hashes)
        tables = []
        for cohort in self.cohorts:
            rows = self.positions[:, cohort].ravel()
            used = (self.weights[cohort, rows] > 0).astype(np.float64)
            tables.append(scipy.sparse.csr_array((used, (rows, columns)), shape=(self.bits, count)))
        return tables

    @property
    def mean(self) -> float:
        """Share of the bits that a text sets."""
        return self.hashes / self.bits

    @property
    def cohorts(self) -> list[int]:
        """Those that have respondents."""
        return np.flatnonzero(self.weights.any(axis=1)).tolist()

    @cached_property
    def normal_matrix(self) -> FloatArray:
        """``sum_m N_m Z_m' Z_m``, dense, from the sparse X."""
        total = np.zeros((len(self.positions), len(self.positions)))
        for cohort, table in zip(self.cohorts, self._tables, strict=True):
            people = self.weights[cohort].max()
            total += people * self._centred_product(table, cohort)
        return total

    def _centred_product(self, table: scipy.sparse.csr_array, cohort: int) -> FloatArray:
        """Return Z'Z of a cohort, from the few bits that are set."""
        sums = table.sum(axis=0)
        cells = np.count_nonzero(self.weights[cohort])
        product = (table.T @ table).toarray()
        product -= self.mean * (sums[:, None] + (sums - self.mean * cells))
        return product

    def right_side(self, shares: FloatArray) -> FloatArray:
        """Return ``Z' W (y - h/B)`` for the shares of set bits by cell."""
        excess = self.weights * (shares - self.mean)
        total = np.full(len(self.positions), -self.mean * excess.sum())
        for cohort, table in zip(self.cohorts, self._tables, strict=True):
            total += table.T @ excess[cohort]
        return total

    def expected_shares(self, shares: FloatArray) -> FloatArray:
        """Return the expected shares of set bits by cell, shape (cohorts, bits)."""
        expected = np.full(self.weights.shape, self.mean * (1 - shares.sum()))
        for cohort, table in zip(self.cohorts, self._tables, strict=True):
            expected[cohort] += table @ shares
        return expected

    def sampling_variances(
        self, inverse: FloatArray, shares: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the variances that the strings of a sample give, and what a share adds to its own.

        Parameters
        ----------
        inverse : ndarray of float, shape (candidates, candidates)
            Of the normal matrix.
        shares : ndarray of float, shape (candidates,)
            Not negative.

        Returns
        -------
        variances : ndarray of float, shape (candidates + 1,)
            Of the unbiased shares and, at the end, of their sum.
        own : ndarray of float, shape (candidates,)
            A share pi adds ``own pi (1 - pi)``; with cohorts alike ``own`` is 1/n.

        Notes
        -----
        A respondent with string s contributes ``H_s = inverse Z_m' Z_m e_s`` to the estimates: the
        variance in a cohort is ``sum_s pi_s H_s**2 - (sum_s pi_s H_s)**2``. The bits of one string
        are set together, and this is where their covariances within a cohort come in. A string off
        the list has a random filter.
        """
        occurring = np.flatnonzero(shares > 0)
        unlisted = max(0.0, 1 - shares.sum())
        spread = self.mean * (1 - self.mean) * self.bits / (self.bits - 1)
        variances = unlisted * spread * np.append(np.diag(inverse), inverse.sum())
        own = np.zeros(len(shares))
        for cohort, table in zip(self.cohorts, self._tables, strict=True):
            people = self.weights[cohort].max()
            product = self._centred_product(table, cohort)
            own += people * np.einsum("ij,ji->i", inverse, product) ** 2
            effects = inverse @ product[:, occurring]
            effects = np.vstack([effects, effects.sum(axis=0)])
            mean = effects @ shares[occurring]
            variances += people * np.maximum(effects**2 @ shares[occurring] - mean**2, 0)
        return variances, own


def candidate_positions(
    device: Rappor, candidates: Sequence[str], *, refusal: bool = False
) -> IntArray:
    """Return the bits that candidates set, shape (candidates, cohorts, hashes).

    With a refusal its bits come last: it is hashed as the empty text, which no candidate is.
    """
    words = [normalize_text(text) for text in candidates] + [""] * refusal
    cohorts, size = range(device.cohorts), (device.bits, device.hashes)
    rows = [[positions_of(word, cohort, *size) for cohort in cohorts] for word in words]
    return np.array(rows, dtype=np.int64)


def simulate_string_tallies(
    device: Rappor,
    strings: Sequence[str],
    shares: Sequence[float] | FloatArray,
    n: int,
    rng: RandomSource = None,
    *,
    refusal: bool = False,
) -> IntArray:
    """Simulate the tallies of a survey whose respondents have these strings.

    Parameters
    ----------
    device : Rappor
    strings : sequence of str
        All that occur, different after :func:`normalize_text`.
    shares : sequence of float
        Of the population; they sum to 1.
    n : int
        Respondents.
    rng : numpy.random.Generator, int or None
    refusal : bool, default False
        Whether the last share, one more than there are strings, is that of a refusal.

    Returns
    -------
    ndarray of int, shape (cohorts, bits, 2)
        Clear and set counts, as :func:`decode_strings` takes them.

    Notes
    -----
    Given who has which string in which cohort, all bits are independent: a bit is set in a
    binomial number of the reports of those whose filter has it, and of the others'.

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 3.

    Examples
    --------
    >>> device = Rappor.for_epsilon("2", bits=16, cohorts=2)
    >>> simulate_string_tallies(device, ["tea", "wine"], [0.5, 0.5], 100, 1).shape
    (2, 16, 2)
    """
    check.instance(device, "device", Rappor, "be a Rappor", "not_a_channel")
    texts = check_candidates(strings, "strings")
    if not isinstance(refusal, bool):
        raise ArgumentError("refusal", refusal, "be True or False", "unknown_choice")
    positions = candidate_positions(device, texts, refusal=refusal)
    chances = check.distribution(shares, len(positions), "shares") / device.cohorts
    generator = check.rng(rng)
    flat = np.tile(chances, (device.cohorts, 1)).ravel()
    people = generator.multinomial(check.size(n), flat / flat.sum())
    return _draw_tallies(device, positions, people.reshape(device.cohorts, -1), generator)


def _draw_tallies(
    device: Rappor, positions: IntArray, people: IntArray, rng: np.random.Generator
) -> IntArray:
    """Draw the tallies of respondents, shape (cohorts, strings), with these strings."""
    holders = np.zeros((device.cohorts, device.bits), dtype=np.int64)
    cohorts = np.arange(device.cohorts)[None, :, None]
    np.add.at(holders, (cohorts, positions), people.T[:, :, None])
    sizes = people.sum(axis=1, keepdims=True)
    set_chance, clear_chance = device.channel.pair
    ones = rng.binomial(holders, set_chance) + rng.binomial(sizes - holders, clear_chance)
    return np.stack([sizes - ones, ones], axis=-1)
