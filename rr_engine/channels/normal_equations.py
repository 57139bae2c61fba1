"""Weighted least squares over the reports of several devices, by their linear maps.

With w_s the share of stratum s of all reports, P_s its channel and R_s the expected shares of its
reports, the normal equations of the stacked shares y_s are

    N pi = sum_s P_s' R_s^-1 y_s        N = sum_s w_s P_s' R_s^-1 P_s

A device of bits stands in them with one report for each bit, of clear and set: with the chances
p, q and the share lam of ones, ``P' R^-1 P`` is ``d = (p - q)**2 / (lam (1 - lam))`` on the
diagonal, the Fisher information of the bit.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from rr_engine.arrays import BoolArray, FloatArray
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.protocol import Channel
from rr_engine.precision import WEIGHT_FLOOR

# Steps of the conjugate gradients at most, and the relative size of what is left at their end.
MOST_STEPS = 200
SETTLED = 1e-14


class NormalEquations(ABC):
    """The equations of some strata; all maps act on the last axis.

    Attributes
    ----------
    channels : sequence of Channel
    shares : ndarray of float
        w_s.
    expected : list of ndarray of float
        R_s, each of the size of the stratum's tally.
    """

    def __init__(
        self, channels: Sequence[Channel], shares: FloatArray, expected: Sequence[FloatArray]
    ) -> None:
        self.channels, self.shares = channels, shares
        pairs = zip(shares.tolist(), expected, strict=True)
        self.expected = [np.maximum(w * part, WEIGHT_FLOOR) / w for w, part in pairs]

    def pull_one(self, stratum: int, tally: FloatArray) -> FloatArray:
        """Return ``P_s' R_s^-1 y_s``."""
        return self.channels[stratum].adjoint(tally / self.expected[stratum])

    def pull(self, tallies: Sequence[FloatArray]) -> FloatArray:
        """Return the right-hand side, ``sum_s P_s' R_s^-1 y_s``."""
        parts = [self.pull_one(stratum, tally) for stratum, tally in enumerate(tallies)]
        return np.sum(parts, axis=0)

    def push(self, values: FloatArray) -> list[FloatArray]:
        """Return ``R_s^-1 P_s z`` for every stratum: of ``z = N^-1 a`` the scores of ``a``."""
        pairs = zip(self.channels, self.expected, strict=True)
        return [channel.apply(values) / expected for channel, expected in pairs]

    @abstractmethod
    def solve(self, values: FloatArray) -> FloatArray:
        """Return ``N^-1 x``."""


class BitEquations(NormalEquations):
    """Normal equations of devices of bits, which are diagonal."""

    def __init__(
        self, channels: Sequence[BitPeople], shares: FloatArray, expected: Sequence[FloatArray]
    ) -> None:
        super().__init__(channels, shares, expected)
        pairs = zip(channels, self.expected, strict=True)
        self.information = [_bit_information(channel, part) for channel, part in pairs]
        self.diagonal = shares @ np.array(self.information)

    def pull_one(self, stratum: int, tally: FloatArray) -> FloatArray:
        return self.information[stratum] * self.channels[stratum].solve(tally)

    def push(self, values: FloatArray) -> list[FloatArray]:
        pairs = zip(self.channels, self.information, strict=True)
        return [channel.scores(information * values) for channel, information in pairs]

    def solve(self, values: FloatArray) -> FloatArray:
        return values / self.diagonal


def _bit_information(channel: BitPeople, expected: FloatArray) -> FloatArray:
    clear, ones = expected[0::2], expected[1::2]
    p, q = channel.pair
    return (p - q) ** 2 * (clear + ones) ** 2 / (clear * ones)


class UniformEquations(NormalEquations):
    """Normal equations of uniform channels: a diagonal and a matrix of low rank.

    With ``P_s = g I + b 11'`` and ``r_s = 1/R_s``,

        N = diag(sum_s w_s g**2 r_s) + Z C Z'       Z = (1, r_1, r_2, ...)

    where C holds ``w_s g b`` beside 1 and r_s, and ``sum_s w_s b**2 sum(r_s)`` for 1 and 1.
    Woodbury's identity gives ``N^-1 = diag(e) - E K E'``, e one over the diagonal,
    ``E = diag(e) Z`` and ``K = (I + C Z'E)^-1 C``.
    """

    def __init__(
        self, channels: Sequence[Channel], shares: FloatArray, expected: Sequence[FloatArray]
    ) -> None:
        super().__init__(channels, shares, expected)
        self.pairs = [channel.uniform or (0.0, 0.0) for channel in channels]
        self.inverses = [1 / part for part in self.expected]
        size, rank = channels[0].truth_size, len(channels) + 1
        diagonal, corner = np.zeros(size), np.zeros((rank, rank))
        for stratum, ((kept, other), w) in enumerate(zip(self.pairs, shares, strict=True), 1):
            gap, inverse = kept - other, self.inverses[stratum - 1]
            diagonal += w * gap**2 * inverse
            corner[0, 0] += w * other**2 * inverse.sum()
            corner[0, stratum] = corner[stratum, 0] = w * gap * other
        columns = np.column_stack([np.ones(size), *self.inverses])
        self.reciprocal = 1 / diagonal
        self.factor = self.reciprocal[:, None] * columns
        self.core = np.linalg.solve(np.eye(rank) + corner @ (columns.T @ self.factor), corner)

    def solve(self, values: FloatArray) -> FloatArray:
        return self.reciprocal * values - (values @ self.factor) @ self.core.T @ self.factor.T


class IterativeEquations(NormalEquations):
    """Normal equations of any channels that count reports one by one, by conjugate gradients.

    The equations of one stratum alone are undone by its own linear maps, ``P' R^-1 P`` by
    ``G R G'``; those of the best-conditioned channel are the preconditioner.
    """

    def __init__(
        self, channels: Sequence[Channel], shares: FloatArray, expected: Sequence[FloatArray]
    ) -> None:
        super().__init__(channels, shares, expected)
        self.best = int(np.argmin([channel.condition_number for channel in channels]))

    def multiply(self, values: FloatArray) -> FloatArray:
        """Return ``N x``."""
        tallies = zip(self.shares.tolist(), self.push(values), strict=True)
        parts = [
            w * channel.adjoint(tally)
            for channel, (w, tally) in zip(self.channels, tallies, strict=True)
        ]
        return np.sum(parts, axis=0)

    def precondition(self, values: FloatArray) -> FloatArray:
        """Return ``G R G' x / w`` of one stratum."""
        channel, expected = self.channels[self.best], self.expected[self.best]
        scores = channel.scores(values, expected)
        return channel.solve(expected * scores, expected) / self.shares[self.best]

    def solve(self, values: FloatArray) -> FloatArray:
        """Return ``N^-1 x``, every row of `values` with steps of its own."""
        x, residual = np.zeros_like(values), values
        direction = scaled = self.precondition(residual)
        size = _dot(residual, scaled)
        limit = SETTLED**2 * size
        for _ in range(MOST_STEPS):
            open_rows = size > limit
            if not open_rows.any():
                break
            curved = self.multiply(direction)
            curvature = _dot(direction, curved)
            step = _ratio(size, curvature, open_rows & (curvature > 0))
            x, residual = x + step * direction, residual - step * curved
            scaled = self.precondition(residual)
            size, before = _dot(residual, scaled), size
            kept: FloatArray = _ratio(size, before, open_rows) * direction
            direction = scaled + kept
        return x


def _dot(first: FloatArray, second: FloatArray) -> FloatArray:
    return (first * second).sum(axis=-1, keepdims=True)


def _ratio(numerator: FloatArray, denominator: FloatArray, where: BoolArray) -> FloatArray:
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=where)


def normal_equations(
    channels: Sequence[Channel], shares: FloatArray, expected: Sequence[FloatArray]
) -> NormalEquations:
    """Return the equations in the form that the kinds of channels allow."""
    bits = [channel for channel in channels if isinstance(channel, BitPeople)]
    if len(bits) == len(channels):
        return BitEquations(bits, shares, expected)
    if all(channel.uniform is not None for channel in channels):
        return UniformEquations(channels, shares, expected)
    return IterativeEquations(channels, shares, expected)
