"""Channels that never build their table, each beside the dense device that it is."""

from itertools import product

import numpy as np

import rr_engine as rr
from rr_engine.precision import left_inverse

BADGE = rr.DesignMatrix.from_integers([[5, 1], [2, 2], [1, 5]], 8)
UNEVEN = rr.DesignMatrix.from_integers([[9, 2, 1], [4, 11, 3], [3, 3, 12]], 16)
COIN = rr.DesignMatrix.from_integers([[3, 1], [1, 3]], 4)

CHANNELS = {
    "uniform": rr.channels.UniformChannel(5, 4, 1, 8),
    "uniform, answer-reversing": rr.channels.UniformChannel(3, 2, 7, 16),
    "uniform, two answers": rr.channels.UniformChannel(2, 3, 1, 4),
    "uniform over pairs": rr.channels.UniformChannel((2, 3), 11, 1, 16),
    "product of two": rr.channels.ProductChannel([COIN, UNEVEN]),
    "product of three": rr.channels.ProductChannel(
        [COIN, rr.channels.UniformChannel(3, 6, 1, 8), COIN]
    ),
    "product, more reports than truths": rr.channels.ProductChannel([BADGE, COIN]),
    "product of joint and one": rr.channels.ProductChannel(
        [rr.channels.UniformChannel((2, 2), 5, 1, 8), COIN]
    ),
    "joint, by changes": rr.channels.JointChannel((2, 3), (8, 2, 1), 16),
    "joint of three": rr.channels.joint_design([2, 2, 3], 0.6, bits=16),
    "joint, sizes alike": rr.channels.joint_design([3, 3], 0.5, bits=12),
}


def entry(channel, report, truth):
    """Return the chance of a report under a truth, from what defines the channel alone."""
    if isinstance(channel, rr.channels.UniformChannel):
        return (channel.kept if report == truth else channel.other) / channel.denominator
    if isinstance(channel, rr.DesignMatrix):
        return channel.matrix[report, truth]
    if isinstance(channel, rr.channels.JointChannel):
        tuples = [np.unravel_index(index, channel.shape) for index in (report, truth)]
        changed = sum(a != b for a, b in zip(*tuples, strict=True))
        return channel.weights[changed] / channel.denominator
    reports = np.unravel_index(report, [factor.tally_size for factor in channel.factors])
    truths = np.unravel_index(truth, [factor.truth_size for factor in channel.factors])
    parts = zip(channel.factors, reports, truths, strict=True)
    return float(np.prod([entry(factor, u, v) for factor, u, v in parts]))


def dense(channel):
    """Return the same device as a table that is built entry by entry."""
    cells = product(range(channel.tally_size), range(channel.truth_size))
    table = np.array([entry(channel, u, v) for u, v in cells])
    return rr.DesignMatrix(table.reshape(channel.tally_size, channel.truth_size))


def some_shares(size, seed=5):
    shares = np.random.default_rng(seed).random(size) + 0.2
    return shares / shares.sum()


def check_maps(channel, matrix, weights=None, shape=(), size=1.0):
    """Check that every linear map of a channel is that of its table.

    `weights`: of the reports, where there are more of them than truths; `shape`: of many vectors at
    once; `size`: condition number, by which the inverse may lose digits.
    """
    rng = np.random.default_rng(11)
    reports, truths = (rng.normal(size=(*shape, length)) for length in matrix.shape)
    inverse, given = left_inverse(matrix, weights), [] if weights is None else [weights]
    for found, expected in (
        (channel.matrix, matrix),
        (channel.apply(truths), truths @ matrix.T),
        (channel.adjoint(reports), reports @ matrix),
        (channel.solve(reports, *given), reports @ inverse.T),
        (channel.scores(truths, *given), truths @ inverse),
        (channel.score_squares(reports, *given), reports @ (inverse**2).T),
        (channel.own_score_squares(*given), np.einsum("vu,uv->v", inverse**2, matrix)),
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-11 * size)
