"""The weighted likelihood of proportions that all devices share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine.arguments import check_table
from rr_engine.channels.matrix import PlainMatrix
from rr_engine.channels.protocol import Channel
from rr_engine.estimation.likelihood import maximise
from rr_engine.precision import WEIGHT_FLOOR
from rr_engine.sampling.report_scores import ReportScores
from rr_engine.validation import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class PseudoLikelihood:
    """The maximum of a weighted likelihood, and what each report adds to it.

    Attributes
    ----------
    proportions : ndarray of float, shape (k,)
    influence : ndarray of float, shape (m, k)
        What one unit of weight on each report moves the proportions by.
    noise_by_device : tuple of ndarray of float, shape (k, k)
        Covariance that each device's chance adds to the influence of one report.
    stopped : bool
        Whether the iterations ended before the maximum.
    """

    proportions: FloatArray
    influence: FloatArray
    noise_by_device: tuple[FloatArray, ...]
    stopped: bool

    def noise(self, answers: ReportScores, factors: FloatArray) -> FloatArray:
        """Return what the devices add to the covariance; `factors` as of `ReportScores.noise`."""
        order = np.lexsort((factors, answers.device_of))
        order = order[answers.reported[order]]
        size = len(self.noise_by_device)
        sums = np.bincount(answers.device_of[order], factors[order], minlength=size)
        parts = zip(sums, self.noise_by_device, strict=True)
        return np.asarray(sum(each * table for each, table in parts))


def pseudo_likelihood(
    channels: Sequence[Channel], answers: ReportScores, weights: FloatArray
) -> PseudoLikelihood:
    """Maximise ``sum w ln(P pi)[report]`` over proportions.

    With s a report's row of P over its chance and A the sum of ss' expected of the weight on each
    device, one unit of weight on the report moves the proportions by A^-1 s, within the plane of
    proportions that sum to one.
    """
    matrices = [check_table(channel, "designs").matrix for channel in channels]
    sums = answers.sums(weights)
    device = np.repeat(np.arange(len(matrices)), [len(matrix) for matrix in matrices])
    by_device = np.bincount(device, sums, minlength=len(matrices)) / sums.sum()
    used = by_device[device] > 0
    stacked = np.vstack(matrices)
    pooled = PlainMatrix((stacked * by_device[device][:, None])[used])
    solution = maximise(pooled, sums[used] / sums.sum())
    proportions = solution.proportions
    # A report that nobody is expected to make tells much; the floor keeps that a number.
    chances = np.maximum(stacked @ proportions, WEIGHT_FLOOR)
    slopes = stacked / chances[:, None]
    plane = np.vstack([np.eye(len(proportions) - 1), -np.ones(len(proportions) - 1)])
    inner = slopes @ plane
    expected = chances * by_device[device] * sums.sum()
    information = (inner * expected[:, None]).T @ inner
    influence = np.linalg.solve(information, inner.T).T @ plane.T
    noise = tuple(
        _noise_of(matrix, influence[device == index], proportions)
        for index, matrix in enumerate(matrices)
    )
    return PseudoLikelihood(proportions, influence, noise, not solution.converged)


def _noise_of(matrix: FloatArray, influence: FloatArray, proportions: FloatArray) -> FloatArray:
    """Return ``sum_v pi_v Cov(influence of the report | truth v)``."""
    means = matrix.T @ influence
    reported = matrix @ proportions
    squares = (influence * reported[:, None]).T @ influence
    return squares - (means * proportions[:, None]).T @ means
