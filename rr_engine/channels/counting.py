"""Channels whose reports are counted one by one, from their linear maps alone."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import prod

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray, as_array, freeze
from rr_engine.channels.beliefs import TableBeliefs
from rr_engine.channels.protocol import Channel, Likelihood, ReportedShare, SingleShares, Weights
from rr_engine.channels.tallies import dense_tally
from rr_engine.errors import ArgumentError
from rr_engine.precision import ROUNDING, is_indefinite, left_inverse
from rr_engine.projection import project_to_simplex


class Dense:
    """A device given as a matrix, shape (reports, truths)."""

    normalised = True

    def __init__(self, matrix: FloatArray) -> None:
        self.matrix, self.shape, self.cost = matrix, matrix.shape, matrix.size

    def apply(self, proportions: FloatArray) -> FloatArray:
        return self.matrix @ proportions

    def transposed(self, ratios: FloatArray) -> FloatArray:
        return ratios @ self.matrix

    def precondition(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        return self._inverse @ (expected * (slope @ self._inverse))

    def dense(self) -> FloatArray:
        return self.matrix

    @cached_property
    def _inverse(self) -> FloatArray:
        return left_inverse(self.matrix)


class Structured:
    """Any channel, by its linear maps."""

    normalised = True

    def __init__(self, channel: Channel) -> None:
        self.channel, self.cost = channel, channel.cost
        self.shape = channel.tally_size, channel.truth_size

    def apply(self, proportions: FloatArray) -> FloatArray:
        return self.channel.apply(proportions)

    def transposed(self, ratios: FloatArray) -> FloatArray:
        return self.channel.adjoint(ratios)

    def precondition(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        return self.channel.solve(expected * self.channel.scores(slope))

    def dense(self) -> FloatArray:
        return self.channel.matrix


class Observed(Dense):
    """The reports that came in, of a report space too large to list.

    Rows may be scaled, each by a number of its own: that adds a constant to the log-likelihood.
    """

    normalised = False

    def precondition(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        return slope


class Stacked:
    """The product of the likelihoods of several strata: their rows follow each other.

    Attributes
    ----------
    parts : sequence of Likelihood
    shares : sequence of float
        Share of each stratum of all reports, by which its rows are multiplied.
    best : int
        The stratum whose device undoes the information of all of them best.
    """

    def __init__(self, parts: Sequence[Likelihood], shares: Sequence[float], best: int) -> None:
        self.parts, self.shares, self.best = parts, shares, best
        self.shape = sum(part.shape[0] for part in parts), parts[0].shape[1]
        self.cost = sum(part.cost for part in parts)
        self.normalised = all(part.normalised for part in parts)
        self.ends = np.cumsum([part.shape[0] for part in parts])[:-1]

    def apply(self, proportions: FloatArray) -> FloatArray:
        pairs = zip(self.shares, self.parts, strict=True)
        return np.concatenate([share * part.apply(proportions) for share, part in pairs])

    def transposed(self, ratios: FloatArray) -> FloatArray:
        strata = zip(self.shares, self.parts, np.split(ratios, self.ends), strict=True)
        return np.sum([share * part.transposed(own) for share, part, own in strata], axis=0)

    def precondition(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        share = self.shares[self.best]
        own = np.split(expected, self.ends)[self.best] / share
        return self.parts[self.best].precondition(slope, own) / share

    def dense(self) -> FloatArray:
        pairs = zip(self.shares, self.parts, strict=True)
        return np.vstack([share * part.dense() for share, part in pairs])


# Entries of a table that is formed on request: 128 MB.
LARGEST_MATRIX = 2**24
# Truths up to which a covariance is examined in full.
EXAMINED = 400


class CountingChannel(TableBeliefs):
    """A channel with one count for each report; a subclass says what its linear maps are."""

    __slots__ = ()

    exclusive = True

    @property
    def uniform(self) -> tuple[float, float] | None:
        """None; a subclass with only two values overrides it."""
        return None

    @property
    def pair(self) -> tuple[float, float] | None:
        """The two values of a uniform channel."""
        return self.uniform

    @property
    def truth_size(self) -> int:
        return prod(self.truth_shape)

    @property
    def tally_size(self) -> int:
        return prod(self.report_shape)

    @property
    def saturated(self) -> bool:
        """Whether there are as many reports as truths, so that solving meets all shares."""
        return self.truth_size == self.tally_size

    # -- the table ------------------------------------------------------------------------------

    @property
    def tabulated(self) -> bool:
        """Whether :attr:`matrix` can be formed."""
        return self.truth_size * self.tally_size <= LARGEST_MATRIX

    @property
    def matrix(self) -> FloatArray:
        """The probability of each report for each truth; refused beyond 2**24 entries."""
        if not self.tabulated:
            raise table_too_large(self)
        return freeze(np.ascontiguousarray(self.apply(np.eye(self.truth_size)).T))

    def report_label(self, index: int) -> str:
        """Return the number of a report; of a tuple, the numbers of its parts."""
        parts = np.unravel_index(index, self.report_shape)
        return ", ".join(str(part) for part in parts)

    # -- errors of one report -------------------------------------------------------------------

    def report_covariance(
        self,
        first: FloatArray,
        second: FloatArray,
        shares: FloatArray,
        fitted: FloatArray,
        population: str,
    ) -> FloatArray:
        """Return the covariances (p, q) of p and q functions of a report.

        Of a sample ``sum_u f_u g_u lam_u`` of centred functions; of a fixed group less
        ``sum_v pi_v (P'f)_v (P'g)_v``, the spread of what the truths alone would send.
        """
        # Centring first makes the variance of a constant function exactly zero.
        first_centred = first - (first @ fitted)[:, None]
        second_centred = first_centred if second is first else second - (second @ fitted)[:, None]
        raw = (first_centred * fitted) @ second_centred.T
        if population == "sample":
            return raw
        first_means = self.adjoint(first_centred)
        second_means = first_means if second is first else self.adjoint(second_centred)
        return raw - (first_means * shares) @ second_means.T

    def variances(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> FloatArray:
        """Return ``sum_u G[v,u]**2 lam_u`` less pi_v**2, or for a fixed group less pi_v."""
        raw = self.score_squares(fitted, weights)
        subtrahend = shares if population == "fixed" else self.solve(fitted, weights) ** 2
        return np.maximum(raw - subtrahend, 0)

    def has_negative_variance(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> bool:
        """Examine the covariance of up to 400 truths; of more it is taken for granted.

        It cannot be while the shares that the covariance is linear in are not negative.
        """
        leading = shares if population == "fixed" else fitted
        if leading.min() >= -ROUNDING or self.truth_size > EXAMINED:
            return bool(leading.min() < -ROUNDING)
        return is_indefinite(self.covariance(shares, fitted, population, weights))

    # -- single entries -------------------------------------------------------------------------

    def reported_share(self, truth: int) -> ReportedShare | None:
        """Return the report that shows this proportion alone: that of a uniform channel."""
        if self.uniform is None:
            return None
        retention, other = self.uniform
        return ReportedShare(truth, other, retention)

    def single_shares(self, weights: Weights = None) -> SingleShares | None:
        """Return the same of all truths."""
        if self.uniform is None:
            return None
        retention, other = self.uniform
        size, gap = self.truth_size, retention - other
        return SingleShares(
            report=np.arange(size),
            offset=np.full(size, -other / gap),
            slope=np.full(size, 1 / gap),
            within=np.full(size, retention),
        )

    # -- labels ---------------------------------------------------------------------------------

    @property
    def report_labels(self) -> tuple[str, ...]:
        """Texts by which reports may be named; none where they only have numbers."""
        return getattr(self, "reports", ())

    @property
    def truth_labels(self) -> tuple[str, ...]:
        """Texts by which truths may be named; none where they only have numbers."""
        return getattr(self, "categories", ())

    # -- counts ---------------------------------------------------------------------------------

    def tally(self, counts: object, argument: str = "counts") -> IntArray:
        """Return one count for each report; takes a list, a table, a mapping or a series.

        Labels of a mapping or series are numbers of reports, or texts where the reports have them.
        """
        return dense_tally(counts, self.report_shape, argument, self.report_labels)

    def people(self, counts: IntArray) -> int:
        """Return the number of reports."""
        return int(counts.sum())

    def all_alike(self, counts: IntArray) -> bool:
        """Tell whether all of two or more reports are the same."""
        return int(counts.max()) == self.people(counts) > 1

    # -- truths ---------------------------------------------------------------------------------

    def check_shares(self, value: object, argument: str = "prior") -> FloatArray:
        """Return proportions that sum to one, flat or in the shape of the truths."""
        array = as_array(value)
        if len(self.truth_shape) > 1 and array is not None and array.shape == self.truth_shape:
            value = array.reshape(-1)
        return check.distribution(value, self.truth_size, argument, self.truth_labels)

    def equal_shares(self) -> FloatArray:
        """Return equal proportions."""
        return np.full(self.truth_size, 1 / self.truth_size)

    def spread_shares(self, share: float, truth: int) -> FloatArray:
        """Return the share of one truth with the rest spread evenly over the others."""
        shares = np.full(self.truth_size, (1 - share) / (self.truth_size - 1))
        shares[truth] = share
        return shares

    def project(self, shares: FloatArray) -> FloatArray:
        """Return the nearest point of the simplex."""
        return project_to_simplex(shares)

    def likelihood(self, counts: object, reported: FloatArray) -> tuple[Likelihood, FloatArray]:
        """Return the likelihood of the counts: every report is a row."""
        return Structured(self), reported

    # -- chance ---------------------------------------------------------------------------------

    def whole_people(self, shares: FloatArray, n: int) -> IntArray:
        """Return how many of `n` people have each truth, by largest remainders."""
        return whole_people(shares, n)

    def drawn_people(self, shares: FloatArray, n: int, rng: np.random.Generator) -> IntArray:
        """Draw how many of `n` people of a population have each truth."""
        return rng.multinomial(n, shares / shares.sum())

    def counts_of(self, people: IntArray, n: int, rng: np.random.Generator) -> IntArray:
        """Draw the reports of `n` people of whom ``people[v]`` have truth v, and count them."""
        truths = np.repeat(np.arange(self.truth_size), people)
        return np.bincount(self.sample(truths, rng), minlength=self.tally_size)

    def survey_counts(
        self, shares: FloatArray, n: int, rng: np.random.Generator, surveys: int
    ) -> IntArray:
        """Draw tallies of surveys of `n` people of a population, shape (surveys, reports)."""
        reported = np.maximum(self.apply(shares), 0)
        return rng.multinomial(n, reported / reported.sum(), size=surveys)


def table_too_large(channel: object) -> ArgumentError:
    """Return the error for a channel whose table would not fit in memory."""
    rule = f"have at most {LARGEST_MATRIX} entries for a table of them"
    return ArgumentError("channel", channel, rule, "table_too_large")


def product_of(ratios: list[Fraction | None]) -> Fraction | None:
    """Return the likelihood-ratio bound of independent reports together; None for infinity."""
    product = Fraction(1)
    for ratio in ratios:
        if ratio is None:
            return None
        product *= ratio
    return product


def whole_people(shares: FloatArray, n: int) -> IntArray:
    """Return whole numbers that sum to `n` and follow `shares`, by largest remainders."""
    quotas = shares / shares.sum() * n
    people = np.floor(quotas).astype(np.int64)
    order = np.argsort(people - quotas, kind="stable")
    people[order[: n - people.sum()]] += 1
    return people
