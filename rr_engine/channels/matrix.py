"""The channel that is given as a matrix: small enough to hold, with any entries."""

from abc import abstractmethod
from fractions import Fraction

import numpy as np

from rr_engine import precision
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.channels.counting import CountingChannel, Dense
from rr_engine.channels.protocol import Likelihood, ReportedShare, SingleShares, Weights
from rr_engine.codes import check_truths
from rr_engine.device import RandomBytes, draw_reports
from rr_engine.errors import ArgumentError
from rr_engine.kronecker import apply_last, solve_last
from rr_engine.precision import left_inverse, uniform_entries
from rr_engine.privacy import loss

# Probabilities of a report closer than this count as one, for tables rounded to integers.
SAME_SHARE = 1e-9
# Relative size below which two weights of a report count as one and the same number.
SAME_WEIGHT = 1e-9


class MatrixChannel(CountingChannel):
    """A channel by its attribute `matrix`, shape (reports, truths), columns summing to one."""

    __slots__ = ()

    tabulated = True

    @property
    def truth_shape(self) -> tuple[int, ...]:
        """Number of true answers."""
        return (self.matrix.shape[1],)

    @property
    def report_shape(self) -> tuple[int, ...]:
        """Number of reports."""
        return (self.matrix.shape[0],)

    @property
    def uniform(self) -> tuple[float, float] | None:
        """One value on and one off the diagonal, where that is all there is."""
        return uniform_entries(self.matrix)

    @property
    def cost(self) -> int:
        """Number of entries."""
        return self.matrix.size

    @property
    def condition_number(self) -> float:
        """How much solving for the proportions can magnify errors of the reported shares."""
        return precision.condition_number(self.matrix)

    @abstractmethod
    def exact_table(self) -> tuple[IntArray, int]:
        """Return the integers to draw from and their denominator."""

    # -- linear maps ----------------------------------------------------------------------------

    def apply(self, shares: FloatArray) -> FloatArray:
        """Return the expected shares of the reports, ``P pi``."""
        return self.matrix @ shares if shares.ndim == 1 else apply_last(self.matrix, shares)

    def adjoint(self, values: FloatArray) -> FloatArray:
        """Return the mean of a function of the report for each truth, ``P'f``."""
        return values @ self.matrix

    def solve(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the proportions that would give these shares; see `left_inverse`."""
        if self.matrix.shape[0] != self.matrix.shape[1]:
            inverse = left_inverse(self.matrix, weights)
            return reported @ inverse.T if reported.ndim > 1 else inverse @ reported
        if reported.ndim > 1:
            return solve_last(self.matrix, reported)
        return precision.solve_proportions(self.matrix, reported)

    def scores(self, contrasts: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the functions of the report whose means are the contrasts, ``G'a``."""
        return contrasts @ left_inverse(self.matrix, weights)

    def score_squares(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return, per truth v, ``sum_u G[v, u]**2 lam[u]``."""
        return reported @ left_inverse(self.matrix, weights).T ** 2

    def own_score_squares(self, weights: Weights = None) -> FloatArray:
        """Return, per truth v, ``sum_u G[v, u]**2 P[u, v]``."""
        return np.einsum("vu,uv->v", left_inverse(self.matrix, weights) ** 2, self.matrix)

    # -- errors of one report -------------------------------------------------------------------

    def covariance(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> FloatArray:
        """Return G C G', C the covariance of a report (Wang Eq. 18; fixed: Pan App. G)."""
        if population == "fixed":
            spread = precision.noise_covariance(self.matrix, shares, fitted)
        else:
            spread = precision.sample_covariance(fitted)
        return precision.propagate_covariance(self.matrix, spread, weights)

    def variances(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> FloatArray:
        """Return the diagonal of the covariance; in O(truths) for a uniform device."""
        uniform = self.uniform
        if uniform is not None:
            spread = uniform_spread(*uniform, shares, fitted, population)
            return spread / (uniform[0] - uniform[1]) ** 2
        return np.diag(self.covariance(shares, fitted, population, weights))

    def has_negative_variance(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> bool:
        """Tell whether proportions outside the possible range make a variance negative.

        They cannot while the shares that the covariance is linear in are not negative.
        """
        if (shares if population == "fixed" else fitted).min() >= 0:
            return False
        return precision.is_indefinite(self.covariance(shares, fitted, population, weights))

    # -- single entries -------------------------------------------------------------------------

    def reported_share(self, truth: int) -> ReportedShare | None:
        """Return the report that depends on this proportion alone, or None.

        There is one in every binary device and in the k-ary family; elsewhere a proportion shows
        through several reports.
        """
        matrix = self.matrix
        if matrix.shape[0] != matrix.shape[1]:
            return None
        for report in (truth, *range(len(matrix))):
            others = np.delete(matrix[report], truth)
            retention = float(matrix[report, truth])
            if np.ptp(others) <= SAME_SHARE and abs(retention - others[0]) > SAME_SHARE:
                return ReportedShare(report, float(others[0]), retention)
        return None

    def single_shares(self, weights: Weights = None) -> SingleShares | None:
        """Return the report that each proportion depends on; None where one depends on several."""
        if self.uniform is not None:
            return super().single_shares(weights)
        scores = left_inverse(self.matrix, weights)
        shares = []
        for truth, row in enumerate(scores):
            share = _single_share(row, truth)
            if share is None:
                return None
            shares.append(share)
        report, offset, slope = (np.array(part) for part in zip(*shares, strict=True))
        within = self.matrix[report, np.arange(self.truth_size)]
        return SingleShares(report, offset, slope, within)

    def report_bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest chance of each report."""
        return self.matrix.min(axis=1), self.matrix.max(axis=1)

    def likelihood(self, counts: object, reported: FloatArray) -> tuple[Likelihood, FloatArray]:
        """Return the likelihood of the counts: every report is a row."""
        return Dense(self.matrix), reported

    # -- chance ---------------------------------------------------------------------------------

    def counts_of(self, people: IntArray, n: int, rng: np.random.Generator) -> IntArray:
        """Draw the reports of `n` people of whom ``people[v]`` have truth v, and count them."""
        columns = self.matrix / self.matrix.sum(axis=0)
        pairs = zip(people.tolist(), columns.T, strict=True)
        counts = np.zeros(len(columns), dtype=np.int64)
        return sum((rng.multinomial(count, column) for count, column in pairs), start=counts)

    def draw(self, truths: ArrayLike, random_bytes: RandomBytes) -> IntArray:
        """Draw a report for each true answer from the exact table."""
        indices = check_truths(truths, self.truth_size, labels=self.truth_labels)
        integers, denominator = self.exact_table()
        return draw_reports(integers, denominator, indices, random_bytes)


class PlainMatrix(MatrixChannel):
    """A matrix of floats that needs no checks and has no names, inside the engine only."""

    __slots__ = ("matrix",)

    matrix: FloatArray

    def __init__(self, matrix: FloatArray) -> None:
        self.matrix = matrix

    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """Largest ratio of two probabilities of one report, exactly; None when infinite."""
        return loss.likelihood_ratio_bound(self.matrix)

    def exact_table(self) -> tuple[IntArray, int]:
        """Refuse: only tables of integers are drawn from."""
        raise ArgumentError("channel", self, "have a table of integers to draw from", "no_integers")


def uniform_spread(
    retention: float, other: float, shares: FloatArray, fitted: FloatArray, population: str
) -> FloatArray:
    """Return the variance of each count of one report of a uniform channel.

    With g = kept - other and s = sum lam: ``lam (1 - lam)`` for a sample; what the device adds for
    a fixed group, ``(1 - g) lam + g b s - b (2 lam - b s)``.
    """
    if population == "sample":
        return -fitted * fitted + fitted
    gap, base = retention - other, other * fitted.sum()
    mixed = other * (fitted + fitted - base)
    return (1 - gap) * fitted + gap * base - mixed


def _single_share(scores: FloatArray, truth: int) -> tuple[int, float, float] | None:
    # Where the others are all alike the one report has the largest or the smallest weight.
    for report in (truth % len(scores), int(scores.argmax()), int(scores.argmin())):
        others = np.delete(scores, report)
        if np.ptp(others) <= SAME_WEIGHT * np.ptp(scores):
            return report, float(others[0]), float(scores[report] - others[0])
    return None
