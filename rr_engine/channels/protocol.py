"""Channel: what estimation, planning and simulation need from any randomizing mechanism.

Signs as in docs/methods/notation.md. A report `u` is counted through a statistic T(u): one count
for each possible report, or zeros and ones for each bit. With P the expected statistic per truth
and G its (left) inverse,

    lam = P pi            apply           P'f     adjoint
    pi_hat = G lam_hat    solve           G'a     scores

so that ``a'pi_hat`` is the mean of the report function ``G'a``, whatever the mechanism. None of the
four needs P itself, and neither do the covariances that follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, IntArray
from rr_engine.device import RandomBytes
from rr_engine.errors import ArgumentError
from rr_engine.precision import CONDITION_LIMIT
from rr_engine.privacy.loss import log_ratio, ratio_at_most

# Truths whose covariances are formed on request.
LARGEST_COVARIANCE = 4096

# Weights of the entries of a tally in an estimate, as in `left_inverse`; None: all the same.
Weights = FloatArray | None


@dataclass(frozen=True, slots=True)
class ReportedShare:
    """One entry of the tally through which a proportion shows.

    Its expected share is ``without + (within - without) x`` when the proportion is x.
    """

    report: int
    without: float
    within: float

    def at(self, share: float) -> float:
        """Return the probability of the report when the proportion is `share`."""
        chance = self.without + (self.within - self.without) * share
        return min(max(chance, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class SingleShares:
    """For each truth the one entry of the tally that it hangs on.

    ``proportion = offset + slope * share of the entry``; `within` is the chance of the entry for
    those who have the truth.
    """

    report: IntArray
    offset: FloatArray
    slope: FloatArray
    within: FloatArray


class Channel(Protocol):
    """A randomizing mechanism; see :class:`rr_engine.channels.counting.CountingChannel`.

    Linear maps act on the last axis of an array; all axes before it are carried along. Lists of
    truths and of the tally are flat, in the order of their shapes (C order).

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.channels import Channel, UniformChannel
    >>> large = UniformChannel(1000, kept=400, other=1, denominator=1399)
    >>> channels: list[Channel] = [k_rr(3, 1), large]
    >>> [(channel.truth_size, round(channel.epsilon, 2)) for channel in channels]
    [(3, 1.0), (1000, 5.99)]
    """

    __slots__ = ()

    @property
    def truth_shape(self) -> tuple[int, ...]:
        """Number of true values; of a tuple, of each of its parts."""

    @property
    def report_shape(self) -> tuple[int, ...]:
        """Number of reports; of a tuple or string of bits, of each of its parts."""

    @property
    def truth_size(self) -> int:
        """Number of proportions that are estimated."""

    @property
    def tally_size(self) -> int:
        """Number of counts that an estimate starts from."""

    @property
    def exclusive(self) -> bool:
        """Whether everybody has exactly one of the truths, so that proportions sum to one."""

    @property
    def saturated(self) -> bool:
        """Whether solving meets every reported share exactly."""

    @property
    def uniform(self) -> tuple[float, float] | None:
        """One value on and one off the diagonal, where that is all there is."""

    @property
    def pair(self) -> tuple[float, float] | None:
        """Chance of a truth's own entry of the tally for those who have it, and for all others.

        None unless each proportion hangs on one entry and the two are the same for all.
        """

    @property
    def cost(self) -> int:
        """About how many operations it takes to apply the channel once."""

    # Beliefs: those that cannot list their reports have formulas of their own, or raise
    # ArgumentError "table_too_large" or "table_not_available".

    def strongest_beliefs(self, prior: ArrayLike) -> FloatArray:
        """Return, per truth, the largest belief in it that any possible report can lead to."""

    def worst_posterior(self, prior: ArrayLike) -> float:
        """Return the largest of them (OptRR Eq. 9)."""

    def privacy(self, prior: ArrayLike) -> float:
        """Return how often the best guess of a truth from its report is wrong (OptRR Eq. 8)."""

    def recovery_probability(self, prior: ArrayLike) -> FloatArray:
        """Return, per truth, how often a guess drawn from the posterior hits it (Wang Eq. 14)."""

    def mse(self, prior: ArrayLike, n: int) -> float:
        """Return the mean squared error of a proportion from `n` reports (OptRR Eq. 10).

        The average over truths; inf when the channel does not identify the proportions. With more
        reports than truths, of the best linear estimate at this prior.
        """
        shares, size = self.check_shares(prior), check.size(n)
        if not self.condition_number < CONDITION_LIMIT:
            return float("inf")
        fitted = self.apply(shares)
        return float(self.variances(shares, fitted, "sample", np.asarray(fitted)).mean() / size)

    # Privacy, in exact arithmetic.
    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """Largest ratio of two probabilities of one report; None when infinite."""

    @property
    def epsilon(self) -> float:
        """Privacy loss of a report; infinite when a report rules a truth out."""
        return log_ratio(self.likelihood_ratio_bound)

    def epsilon_at_most(self, epsilon: Epsilon) -> bool:
        """Tell whether the privacy loss is at most `epsilon`, decided without rounding."""
        return ratio_at_most(self.likelihood_ratio_bound, check.epsilon(epsilon))

    # The linear maps.
    @property
    def condition_number(self) -> float:
        """How much solving can magnify errors of the reported shares; inf when it cannot be."""

    @property
    def tabulated(self) -> bool:
        """Whether :attr:`matrix` can be formed."""

    @property
    def matrix(self) -> FloatArray:
        """The probability of each report for each truth, shape (reports, truths).

        Raises
        ------
        ArgumentError
            When it would be too large, or reports are not counted one by one.
        """

    def apply(self, shares: FloatArray) -> FloatArray:
        """Return the expected shares of the tally, ``P pi``."""

    def adjoint(self, values: FloatArray) -> FloatArray:
        """Return the mean of a function of the tally for each truth, ``P'f``."""

    def solve(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the unbiased estimate ``G lam_hat``; `weights` as in `left_inverse`."""

    def scores(self, contrasts: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the functions of the tally whose means are the contrasts, ``G'a``."""

    def score_squares(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return, per truth v, ``sum_u G[v, u]**2 lam[u]``."""

    def own_score_squares(self, weights: Weights = None) -> FloatArray:
        """Return, per truth v, ``sum_u G[v, u]**2 P[u, v]``."""

    # Errors of one report; divided by the number of reports they are those of the estimate.
    def covariance(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> FloatArray:
        """Return the covariance of the estimate from one report; refused beyond 4,096 truths."""
        check_covariance_size(self)
        scores = self.scores(np.eye(self.truth_size), weights)
        covariance = self.report_covariance(scores, scores, shares, fitted, population)
        return (covariance + covariance.T) / 2

    def variances(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> FloatArray:
        """Return its diagonal, without the matrix where there is a way."""

    def report_covariance(
        self,
        first: FloatArray,
        second: FloatArray,
        shares: FloatArray,
        fitted: FloatArray,
        population: str,
    ) -> FloatArray:
        """Return the covariances (p, q) of p and q functions of a report."""

    def has_negative_variance(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> bool:
        """Tell whether proportions outside the possible range make a variance negative."""

    # Single entries of the tally.
    def reported_share(self, truth: int) -> ReportedShare | None:
        """Return the entry whose share depends on this proportion alone, if there is one."""

    def single_shares(self, weights: Weights = None) -> SingleShares | None:
        """Return the same of all truths; None where one of them needs several entries."""

    def report_bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest chance of each entry; one number where all agree."""

    def report_label(self, index: int) -> str:
        """Return the name of an entry of the tally, for messages."""

    # Counts.
    def tally(self, counts: object, argument: str = "counts") -> IntArray:
        """Return the counts that an estimate starts from, checked.

        Takes a list or table of counts, or a mapping of reports to counts.
        """

    def people(self, counts: IntArray) -> int:
        """Return the number of people behind a tally."""

    def all_alike(self, counts: IntArray) -> bool:
        """Tell whether all of two or more people sent the same."""

    # Truths.
    def check_shares(self, value: object, argument: str = "prior") -> FloatArray:
        """Return true proportions, checked."""

    def equal_shares(self) -> FloatArray:
        """Return the uninformative proportions."""

    def spread_shares(self, share: float, truth: int) -> FloatArray:
        """Return proportions with this share of one truth and uninformative others."""

    def project(self, shares: FloatArray) -> FloatArray:
        """Return the nearest proportions that can exist."""

    def likelihood(self, counts: object, reported: FloatArray) -> tuple[Likelihood, FloatArray]:
        """Return the likelihood of the reports, and the reported shares of its rows.

        `counts` as they were given: where the tally says less than the reports do, they must be a
        mapping of reports to counts. None stands for the tally alone.
        """

    # Chance.
    def draw(self, truths: ArrayLike, random_bytes: RandomBytes) -> IntArray:
        """Draw a report for each true answer, exactly as the served device does."""

    def sample(self, truths: ArrayLike, rng: np.random.Generator) -> IntArray:
        """Draw a report for each true answer."""
        return self.draw(truths, rng.bytes)

    def whole_people(self, shares: FloatArray, n: int) -> IntArray:
        """Return the number of people with each truth, rounded to integers that sum to `n`."""

    def drawn_people(self, shares: FloatArray, n: int, rng: np.random.Generator) -> IntArray:
        """Draw how many of `n` people of a population have each truth."""

    def counts_of(self, people: IntArray, n: int, rng: np.random.Generator) -> IntArray:
        """Draw the tally of `n` people of whom ``people[v]`` have truth v."""

    def survey_counts(
        self, shares: FloatArray, n: int, rng: np.random.Generator, surveys: int
    ) -> IntArray:
        """Draw tallies of surveys of `n` people of a population, shape (surveys, tally)."""


def check_covariance_size(channel: Channel) -> None:
    """Refuse a full covariance of more truths than can be held; variances need none."""
    if channel.truth_size > LARGEST_COVARIANCE:
        rule = f"have at most {LARGEST_COVARIANCE} truths for a full covariance; use covariance_of"
        raise ArgumentError("channel", channel, rule, "too_many_truths")


class Likelihood(Protocol):
    """The likelihood of reports as a function of the proportions.

    Attributes
    ----------
    shape : tuple of int
        Rows (reports that are told apart) and truths.
    cost : int
        About how many operations it takes to apply it.
    normalised : bool
        Whether the rows are all reports, so that columns sum to one; else they are those that came
        in, each up to a factor.
    """

    shape: tuple[int, int]
    cost: int
    normalised: bool

    def apply(self, proportions: FloatArray) -> FloatArray:
        """Return the chance of each row, ``P pi``."""

    def transposed(self, ratios: FloatArray) -> FloatArray:
        """Return ``P' r``."""

    def precondition(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        """Return an approximate inverse of Fisher's information times `slope`: ``G diag(e) G'``."""

    def dense(self) -> FloatArray:
        """Return P itself."""


# One device for all respondents, or several of which each has one.
Designs = Channel | Sequence[Channel]
