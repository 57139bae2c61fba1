"""The devices of several strata as one channel, never formed as a table."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rr_engine.arrays import FloatArray, freeze
from rr_engine.channels.counting import LARGEST_MATRIX, table_too_large
from rr_engine.channels.normal_equations import NormalEquations, normal_equations
from rr_engine.channels.pooled_people import PooledPeople
from rr_engine.channels.pooled_scores import own_scores
from rr_engine.channels.protocol import Channel, Weights
from rr_engine.precision import ROUNDING

# Constant, slope and square term of a variance in its proportion.
Curve = tuple[FloatArray, FloatArray, FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class PooledChannel(PooledPeople):
    """Several channels with the same truths, each used by a stratum of known size.

    With w_s the share of stratum s of all reports, its tally lies in the rows ``w_s P_s`` of
    ``A``; the tallies follow each other. Solving is weighted least squares,

        G = N^-1 A' W^-1      N = A' W^-1 A = sum_s w_s P_s' R_s^-1 P_s      W = diag(w_s R_s)

    with the expected shares R_s of the reports, by default those under equal proportions. One of
    the channels must determine the proportions by itself.

    Parameters
    ----------
    channels : tuple of Channel
        All of them count reports one by one, or all are devices of bits.
    sizes : tuple of int
        Number of reports of each, at least 1.

    Notes
    -----
    docs/methods/channels.md, "Several devices".

    References
    ----------
    .. [1] A. C. Aitken, "On Least Squares and Linear Combination of Observations", Proceedings of
       the Royal Society of Edinburgh 55, 1935.
    """

    channels: tuple[Channel, ...]
    sizes: tuple[int, ...]

    @property
    def truth_shape(self) -> tuple[int, ...]:
        """That of the channels; where one says how truths are made up of parts, its own."""
        return max((channel.truth_shape for channel in self.channels), key=len)

    @property
    def report_shape(self) -> tuple[int, ...]:
        """Number of entries of all tallies."""
        return (self.tally_size,)

    @property
    def truth_size(self) -> int:
        """Number of proportions."""
        return self.channels[0].truth_size

    @property
    def tally_size(self) -> int:
        """Number of entries of all tallies."""
        return sum(channel.tally_size for channel in self.channels)

    @property
    def exclusive(self) -> bool:
        """Whether everybody has exactly one of the truths."""
        return self.channels[0].exclusive

    @property
    def cost(self) -> int:
        """That of all channels together."""
        return sum(channel.cost for channel in self.channels)

    # -- privacy: a person uses one of the devices -----------------------------------------------

    @property
    def likelihood_ratio_bound(self) -> Fraction | None:
        """The largest of the channels' bounds; None when one is infinite."""
        bounds = [channel.likelihood_ratio_bound for channel in self.channels]
        finite = [bound for bound in bounds if bound is not None]
        return max(finite) if len(finite) == len(bounds) else None

    # -- the table ------------------------------------------------------------------------------

    @property
    def condition_number(self) -> float:
        """The smallest of the channels', which bounds that of all together by its stratum."""
        return min(channel.condition_number for channel in self.channels)

    @property
    def tabulated(self) -> bool:
        """Whether :attr:`matrix` can be formed."""
        entries = self.truth_size * self.tally_size
        return entries <= LARGEST_MATRIX and all(each.tabulated for each in self.channels)

    @property
    def matrix(self) -> FloatArray:
        """The stacked matrix A, refused where a channel's own is."""
        if not self.tabulated and all(channel.tabulated for channel in self.channels):
            raise table_too_large(self)
        return freeze(np.vstack([w * each.matrix for w, each in self.weighted_channels()]))

    # -- linear maps ----------------------------------------------------------------------------

    def apply(self, shares: FloatArray) -> FloatArray:
        """Return the expected shares of the stacked tally, ``A pi``."""
        return np.concatenate(
            [w * each.apply(shares) for w, each in self.weighted_channels()], axis=-1
        )

    def adjoint(self, values: FloatArray) -> FloatArray:
        """Return the mean of a function of the report for each truth, ``A'f``."""
        parts = zip(self.weighted_channels(), self.split(values), strict=True)
        return sum(
            (w * each.adjoint(part) for (w, each), part in parts), start=np.zeros(self.truth_size)
        )

    def solve(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return ``G y`` of stacked shares y, n_s/n of them from stratum s."""
        equations = self.equations(weights)
        return equations.solve(equations.pull(self.split(reported)))

    def scores(self, contrasts: FloatArray, weights: Weights = None) -> FloatArray:
        """Return the functions of the stacked tally whose means are the contrasts, ``G'a``."""
        equations = self.equations(weights)
        return np.concatenate(equations.push(equations.solve(contrasts)), axis=-1)

    def score_squares(self, reported: FloatArray, weights: Weights = None) -> FloatArray:
        """Return, per truth v, ``sum_u G[v, u]**2 y[u]``."""
        scores = own_scores(self.equations(weights))
        return np.sum(scores.squares(self.split(reported)), axis=0)

    def own_score_squares(self, weights: Weights = None) -> FloatArray:
        """Return, per truth v, ``sum_u G[v, u]**2 A[u, v]``."""
        own = own_scores(self.equations(weights)).own()
        pairs = zip(self.shares_of_strata, own, strict=True)
        return np.sum([w * squares for w, (squares, _) in pairs], axis=0)

    def variance_curves(self, shares: FloatArray, weights: Weights = None) -> Curve:
        """Return c0, c1, c2 of n times the variance of each estimate when its proportion is x.

        The other proportions keep their ratios to each other. With the mean squares and means of
        the scores of those who have the truth (s, m) and of the others (r, l), a stratum adds
        ``w_s (r + (s - r) x - (l + (m - l) x)**2)``.
        """
        scores, curve = own_scores(self.equations(weights)), np.zeros((3, self.truth_size))
        strata = zip(self.shares_of_strata, scores.own(), scores.others(shares), strict=True)
        for w, (squares, means), (other_squares, other_means) in strata:
            rise = means - other_means
            curve[0] += w * (other_squares - other_means**2)
            curve[1] += w * (squares - other_squares - 2 * other_means * rise)
            curve[2] -= w * rise**2
        return curve[0], curve[1], curve[2]

    def equations(self, weights: Weights = None) -> NormalEquations:
        """Return the normal equations at expected shares, by default at equal proportions."""
        at = self.apply(self.equal_shares()) if weights is None else weights
        expected = [part / w for w, part in zip(self.shares_of_strata, self.split(at), strict=True)]
        return normal_equations(self.channels, self.shares_of_strata, expected)

    # -- errors of one report, the sizes of the strata as given ---------------------------------

    def report_covariance(
        self,
        first: FloatArray,
        second: FloatArray,
        shares: FloatArray,
        fitted: FloatArray,
        population: str,
    ) -> FloatArray:
        """Return the covariances (p, q) of p and q functions of a report, times n_s/(n_s - 1).

        Each stratum's covariance is taken at its own shares `fitted`; at those that came in, the
        factors make the covariance of an estimate unbiased. A fixed group came to its devices by
        chance, and lacks the variance of drawing the whole of it.
        """
        weighed = zip(self._corrected(), *map(self.split, (first, second, fitted)), strict=True)
        covariance: FloatArray = sum(
            (
                factor * each.report_covariance(f, g, shares, part / w, "sample")
                for (factor, w, each), f, g, part in weighed
            ),
            start=np.zeros((len(first), len(second))),
        )
        if population == "sample":
            return covariance
        a, b = self.adjoint(first), self.adjoint(second)
        drawing = (a * shares) @ b.T - np.outer(a @ shares, b @ shares)
        return covariance - drawing - covariance / self.n

    def variances(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> FloatArray:
        """Return its diagonal, none below zero."""
        return np.maximum(self._variances(shares, fitted, population, weights), 0)

    def _variances(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights
    ) -> FloatArray:
        equations = self.equations(weights)
        own = [part / w for w, part in zip(self.shares_of_strata, self.split(fitted), strict=True)]
        squares = own_scores(equations).squares(own)
        means = [equations.solve(equations.pull_one(s, part)) for s, part in enumerate(own)]
        strata = zip(self._corrected(), squares, means, strict=True)
        variances = np.sum([f * (square - mean**2) for (f, _, _), square, mean in strata], axis=0)
        if population == "sample":
            return variances
        return variances - (shares - shares**2) - variances / self.n

    def _corrected(self) -> list[tuple[float, float, Channel]]:
        """Return ``w_s n_s/(n_s - 1)``, infinite for one report, w_s and the channel."""
        return [
            (w * size / (size - 1) if size > 1 else np.inf, w, each)
            for size, (w, each) in zip(self.sizes, self.weighted_channels(), strict=True)
        ]

    def has_negative_variance(
        self, shares: FloatArray, fitted: FloatArray, population: str, weights: Weights = None
    ) -> bool:
        """Tell whether the variance of a proportion in a fixed group is negative."""
        if population == "sample" or min(self.sizes) == 1:
            return False
        return bool(self._variances(shares, fitted, population, weights).min() < -ROUNDING)
