"""Several devices behind one set of proportions, by their linear maps alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rr_engine.arguments import check_invertible
from rr_engine.channels.pooled import PooledChannel
from rr_engine.estimation.covariance import (
    ChannelCovariance,
    CovarianceOperator,
    UnknownCovariance,
)
from rr_engine.estimation.estimate import solution_notes, without_reports
from rr_engine.estimation.inversion import invert
from rr_engine.estimation.likelihood import iterate_to_maximum
from rr_engine.estimation.notes import Note, note, strata_notes
from rr_engine.estimation.result import DeviceStratum, Estimate
from rr_engine.estimation.solution import Solution
from rr_engine.validation import FloatArray, IntArray

# Halvings of the range 0 to 1 in which a bit's likeliest share lies.
HALVINGS = 60


def estimate_pooled(
    strata: Sequence[DeviceStratum],
    reports: Sequence[IntArray | Mapping],
    method: str,
    population: str,
) -> Estimate:
    """Return the estimate of two or more different devices; see :func:`estimate_strata`."""
    # Without any reports the strata count as equal; the errors are infinite anyway.
    sizes = tuple(stratum.n or 1 for stratum in strata)
    channel = PooledChannel(tuple(stratum.design for stratum in strata), sizes)
    check_invertible(channel)
    counts = np.concatenate([stratum.counts for stratum in strata])
    notes = strata_notes([(s.design, s.counts) for s in strata], channel.condition_number)
    if not counts.any():
        empty = without_reports(channel, counts, method, population)
        return _with_strata(empty, strata, notes)
    reported = counts / channel.n
    if method == "inversion":
        solution = invert(channel, reported)
    elif channel.exclusive:
        likelihood, rows = channel.likelihood(reports, reported)
        maximum = iterate_to_maximum(likelihood, rows)
        fitted = channel.apply(maximum.proportions)
        solution = Solution(
            maximum.proportions, fitted, fitted, maximum.converged, maximum.iterations
        )
    else:
        solution = _likeliest_bits(channel, reported)
    errors, remarks = _errors(channel, solution, reported, method, population)
    result = Estimate(
        design=channel,
        counts=counts,
        proportions=solution.proportions,
        covariance_operator=errors,
        method=method,
        population=population,
        converged=solution.converged,
        iterations=solution.iterations,
        weights=solution.weights,
    )
    return _with_strata(result, strata, notes + solution_notes(solution, method) + remarks)


def _with_strata(
    result: Estimate, strata: Sequence[DeviceStratum], notes: Sequence[Note]
) -> Estimate:
    return replace(result, strata=tuple(strata), notes=tuple(notes))


def _errors(
    channel: PooledChannel,
    solution: Solution,
    reported: FloatArray,
    method: str,
    population: str,
) -> tuple[CovarianceOperator, list[Note]]:
    """Return the covariance: unbiased at the reported shares, of a likelihood at the fitted."""
    if min(channel.sizes) == 1:
        return UnknownCovariance(channel.truth_size), [note("one_report")]

    def at(shares: FloatArray, fitted: FloatArray) -> ChannelCovariance:
        return ChannelCovariance(channel, shares, fitted, population, channel.n, solution.weights)

    operator = at(solution.proportions, reported if method == "inversion" else solution.fitted)
    if not operator.impossible:
        return operator, []
    nearest = channel.project(solution.proportions)
    return at(nearest, channel.apply(nearest)), [note("covariance_at_projection")]


def _likeliest_bits(channel: PooledChannel, reported: FloatArray) -> Solution:
    """Return each bit's most likely share: the slope of its likelihood falls, and is halved."""
    low, high = np.zeros(channel.truth_size), np.ones(channel.truth_size)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        expected = channel.apply(middle)
        seen = np.divide(reported, expected, out=np.zeros_like(reported), where=reported > 0)
        rises = channel.adjoint(seen) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    proportions = (low + high) / 2
    fitted = channel.apply(proportions)
    return Solution(proportions, fitted, fitted)
