"""The score of each report for each proportion, and its variance as the proportion varies."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.channels.matrix import MatrixChannel
from rr_engine.channels.pooled import PooledChannel
from rr_engine.channels.protocol import Channel, SingleShares
from rr_engine.estimation.common import Curve
from rr_engine.precision import left_inverse


class Measured(Protocol):
    """The part of an :class:`Estimate` that its intervals read."""

    @property
    def design(self) -> Channel: ...
    @property
    def counts(self) -> IntArray: ...
    @property
    def proportions(self) -> FloatArray: ...
    @property
    def standard_errors(self) -> FloatArray: ...
    @property
    def n(self) -> int: ...
    @property
    def population(self) -> str: ...
    @property
    def matrix(self) -> FloatArray: ...
    @property
    def weights(self) -> FloatArray | None: ...
    @property
    def blocks(self) -> tuple[slice, ...]: ...

    def projected(self) -> FloatArray: ...


# Largest remainder beside a share that is one up to rounding.
ALONE = 1e-12


def centres(estimate: Measured) -> FloatArray:
    """Return the unbiased estimate of each proportion, a mean of scores of the reports."""
    return estimate.design.solve(estimate.counts / estimate.n, estimate.weights)


def ends_around(values: FloatArray, reach: FloatArray) -> FloatArray:
    """Return both ends of intervals on a last axis; the whole range where no error is known."""
    ends = np.stack([values - reach, values + reach], axis=-1)
    ends[np.isinf(reach)] = [0.0, 1.0]
    return ends


def variance_curves(estimate: Measured, population: str) -> Curve:
    """Return c0, c1, c2 of n times the variance of each estimate when its proportion is x.

    The other proportions keep their ratios to each other. For a device in which the proportion
    depends on one reported share (every binary one, the k-ary family) they do not matter at all.
    """
    pair = estimate.design.pair
    if pair is not None:
        base, slope, square = _pair_curves(*pair, len(estimate.proportions))
    elif isinstance(estimate.design, PooledChannel):
        base, slope, square = estimate.design.variance_curves(
            estimate.projected(), estimate.weights
        )
    elif isinstance(estimate.design, MatrixChannel):
        base, slope, square = _general_curves(estimate)
    else:
        channel, weights = estimate.design, estimate.weights
        base, slope, square = structured_curves(
            lambda table: channel.score_squares(channel.apply(table), weights),
            channel.own_score_squares(weights),
            estimate.projected(),
        )
    # For a fixed group the sampling variance x - x**2 is subtracted.
    return (base, slope - 1.0, square + 1.0) if population == "fixed" else (base, slope, square)


def _pair_curves(retention: float, changed: float, size: int) -> Curve:
    own_score, other = (1 - changed) / (retention - changed), -changed / (retention - changed)
    low = changed * own_score**2 + (1 - changed) * other**2
    slope = retention * own_score**2 + (1 - retention) * other**2 - low
    return np.full(size, low), np.full(size, slope), np.full(size, -1.0)


def structured_curves(
    squares: Callable[[FloatArray], FloatArray], own_squares: FloatArray, shares: FloatArray
) -> Curve:
    """Return the same by squared scores, in a few passes over the cells.

    The mean squared score of truth v is ``s_v x + (1 - x) r_v``: s_v for those who have it, r_v for
    the others, ``(sum_w pi_w S_vw - pi_v s_v) / (1 - pi_v)`` with S the squared scores' means.
    """
    rest = 1 - shares
    others = squares(shares) - own_squares * shares
    even = squares(np.ones(shares.shape)) - own_squares
    # If one truth has share one, the others have ratios 0 / 0 and are taken as equal.
    alone = rest <= ALONE
    low = np.where(alone, even / (shares.size - 1), others / np.where(alone, 1, rest))
    return low, own_squares - low, np.full(low.shape, -1.0)


def _general_curves(estimate: Measured) -> Curve:
    scores = left_inverse(estimate.matrix, estimate.weights)
    rest = _other_proportions(estimate.projected())
    squares = scores**2 @ estimate.matrix
    low, own_squares = (squares * rest).sum(axis=1), np.diag(squares)
    base, slope, square = low, own_squares - low, np.zeros(len(low))
    for rows in estimate.blocks:
        part, share = estimate.matrix[rows], estimate.counts[rows].sum() / estimate.n
        means = scores[:, rows] @ part
        start = (means * rest).sum(axis=1)
        rise = np.diag(means) - start
        base = base - start**2 / share
        slope = slope - 2 * start * rise / share
        square = square - rise**2 / share
    return base, slope, square


def _other_proportions(projected: FloatArray) -> FloatArray:
    """Return at [v, w] the share of w among all truths but v."""
    size = len(projected)
    rest = np.where(np.eye(size, dtype=bool), 0.0, projected)
    totals = rest.sum(axis=1, keepdims=True)
    equal = (1 - np.eye(size)) / (size - 1)
    return np.where(totals > 0, rest / np.where(totals > 0, totals, 1), equal)


def single_shares(estimate: Measured) -> SingleShares | None:
    """Return the report that each proportion depends on; None where one depends on several."""
    if len(estimate.blocks) > 1:
        return None
    return estimate.design.single_shares(estimate.weights)
