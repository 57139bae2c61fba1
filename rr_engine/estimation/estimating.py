"""The front door of estimation, of one device or of several behind one set of proportions.

Of several, device s made n_s of the n reports. Stacking their matrices, each times its share n_s/n,
gives one matrix whose rows are (device, report) and whose columns sum to one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_channel, check_invertible
from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, IntArray
from rr_engine.channels.pooled import PooledChannel
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.estimation.covariance import (
    CovarianceOperator,
    UnknownCovariance,
    channel_covariance,
)
from rr_engine.estimation.device_stratum import DeviceStratum
from rr_engine.estimation.likelihood import Solution, invert, iterate_to_maximum, maximise
from rr_engine.estimation.notes import Note, data_notes, note, strata_notes
from rr_engine.estimation.result import Estimate
from rr_engine.precision import is_indefinite, left_inverse
from rr_engine.roots import halve

METHODS: dict[str, Callable[..., Solution]] = {"inversion": invert, "mle": maximise}
# How far below zero rounding alone can push a proportion that is zero.
ROUNDING = 1e-12
# Halvings of the range 0 to 1 in which a bit's likeliest share lies.
HALVINGS = 60
# Rounds and relative size of a step after which the covariance counts as settled.
MAX_ROUNDS = 1000
SETTLED = 1e-14


def estimate(
    design: Channel,
    counts: ArrayLike | Mapping,
    method: str = "inversion",
    population: str = "sample",
    prior: ArrayLike | None = None,
) -> Estimate:
    """Estimate the true proportions behind the reports of a randomizing device.

    Parameters
    ----------
    design : Channel
        The device that made the reports, best with the integers it ran on: a DesignMatrix, or one
        of docs/methods/channels.md, for large or many report spaces.
    counts : array_like of int, shape (reports,); or mapping of reports to counts
        How often each report came in; of a mapping, those that are not in it never. A channel over
        tuples takes tuples, a device of bits strings of 0 and 1 or a table (bits, 2) of how many
        reports had each bit clear and set.
    method : {"inversion", "mle"}, default "inversion"
        "inversion" is unbiased and may leave the range 0 to 1; "mle" stays inside it. Beyond some
        thousand categories "mle" may take some ten seconds, unless the device is of the k-ary
        family.
    population : {"sample", "fixed"}, default "sample"
        Whether the covariance is about a population that the respondents were drawn from, or
        about the respondents themselves, whose only error is the device's.
    prior : array_like of float, shape (truths,), optional
        For "inversion" with more reports than truths: proportions guessed beforehand (never from
        these counts), at which the reports are weighed; equal ones when left out. The estimate is
        unbiased whatever they are, and has the smallest variance where they are right.

    Returns
    -------
    Estimate

    Raises
    ------
    CountsError
        For counts of the wrong length, negative or fractional ones, or a count of a report that
        the device never makes.
    NotIdentifiableError
        When the columns of the design are linearly dependent.
    ArgumentError
        For an unknown method or population.

    Notes
    -----
    docs/methods/estimation.md. A pure function of its arguments: the same counts give the same
    bits, in whatever order or from whatever partial sums they were added up.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 17 and 18.
    .. [2] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Appendix G (covariance with the truth held fixed).

    Examples
    --------
    >>> from rr_engine import estimate, warner
    >>> result = estimate(warner(0.75), [560, 440])
    >>> result.proportions.round(3).tolist(), result.standard_errors.round(4).tolist()
    ([0.62, 0.38], [0.0314, 0.0314])
    """
    channel = check_channel(design)
    solve = _solver(check.choice(method, "method", METHODS), channel, counts, prior)
    check.population(population)
    tallied = channel.tally(counts)
    check_invertible(channel)
    check_possible(channel, tallied)
    if not tallied.any():
        return without_reports(channel, tallied, method, population)
    n = channel.people(tallied)
    solution = solve(channel, tallied / n)
    errors, remarks = _errors(channel, solution, n, population)
    blank = without_reports(channel, tallied, method, population)
    return solved(blank, solution, errors, remarks)


def _solver(
    method: str, channel: Channel, counts: ArrayLike | Mapping, prior: ArrayLike | None
) -> Callable[[Channel, FloatArray], Solution]:
    if method == "mle" and prior is None:
        return partial(maximise, counts=counts)
    if prior is None:
        return METHODS[method]
    if method != "inversion":
        raise ArgumentError(
            "prior", prior, 'be left out, or the method be "inversion"', "prior_not_used"
        )
    return partial(invert, weights=channel.apply(channel.check_shares(prior)))


def check_possible(channel: Channel, counts: IntArray, argument: str = "counts") -> None:
    """Refuse reports that the device never makes."""
    _, highest = channel.report_bounds()
    impossible = (highest == 0) & (counts > 0)
    if impossible.any():
        labels = [channel.report_label(index) for index in impossible.nonzero()[0].tolist()]
        raise CountsError(
            argument, counts.tolist(), f"be 0 for reports never made: {labels}", "impossible_report"
        )


def without_reports(
    channel: Channel,
    counts: IntArray,
    method: str,
    population: str,
    strata: Sequence[DeviceStratum] = (),
    notes: Sequence[Note] | None = None,
) -> Estimate:
    """Return equal proportions with infinite errors."""
    return Estimate(
        design=channel,
        counts=counts,
        proportions=channel.equal_shares(),
        covariance_operator=UnknownCovariance(channel.truth_size),
        method=method,
        population=population,
        notes=tuple(data_notes(channel, counts, population) if notes is None else notes),
        strata=tuple(strata),
    )


def solved(
    blank: Estimate, solution: Solution, errors: CovarianceOperator, remarks: list[Note]
) -> Estimate:
    """Return the estimate that a solution makes of one without reports, with more notes."""
    return replace(
        blank,
        proportions=solution.proportions,
        covariance_operator=errors,
        converged=solution.converged,
        iterations=solution.iterations,
        notes=(*blank.notes, *_solution_notes(solution, blank.method), *remarks),
        weights=solution.weights,
    )


def _solution_notes(solution: Solution, method: str) -> list[Note]:
    """Return the notes on estimated proportions."""
    proportions = solution.proportions
    conditions = {
        "outside_range": proportions.min() < -ROUNDING or proportions.max() > 1 + ROUNDING,
        "boundary": method == "mle"
        and solution.weights is not None
        and proportions.min() <= ROUNDING,
        "not_converged": not solution.converged,
    }
    return [note(code) for code, holds in conditions.items() if holds]


def _errors(
    channel: Channel, solution: Solution, n: int, population: str
) -> tuple[CovarianceOperator, list[Note]]:
    """Return the covariance of the estimate.

    Of a sample Wang Eq. 18, with n - 1; one report leaves it undefined, here infinite. Of a fixed
    group Pan App. G, linear in the proportions and so unbiased at an unbiased estimate of them.
    """
    divisor = n if population == "fixed" else n - 1
    if divisor == 0:
        return UnknownCovariance(channel.truth_size), []
    return channel_covariance(channel, solution, solution.fitted, population, divisor)


def nonnegative_covariance(
    covariance: FloatArray, shares: FloatArray, at_projection: Callable[[], FloatArray]
) -> tuple[FloatArray, list[Note]]:
    """Return the covariance, or the one at the projected proportions if it is indefinite.

    The latter where proportions outside the simplex give a negative variance, which cannot be
    while `shares` (proportions, or shares of reports) are not negative.
    """
    if shares.min() >= 0 or not is_indefinite(covariance):
        return covariance, []
    return at_projection(), [note("covariance_at_projection")]


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
    blank = without_reports(channel, counts, method, population, strata, notes)
    if not counts.any():
        return blank
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
    errors, remarks = _pooled_errors(channel, solution, reported, method, population)
    return solved(blank, solution, errors, remarks)


def _pooled_errors(
    channel: PooledChannel, solution: Solution, reported: FloatArray, method: str, population: str
) -> tuple[CovarianceOperator, list[Note]]:
    """Return the covariance: unbiased at the reported shares, of a likelihood at the fitted."""
    if min(channel.sizes) == 1:
        return UnknownCovariance(channel.truth_size), [note("one_report")]
    fitted = reported if method == "inversion" else solution.fitted
    return channel_covariance(channel, solution, fitted, population, channel.n)


def _likeliest_bits(channel: PooledChannel, reported: FloatArray) -> Solution:
    """Return each bit's most likely share: the slope of its likelihood falls, and is halved."""

    def rises(shares: FloatArray) -> BoolArray:
        expected = channel.apply(shares)
        seen = np.divide(reported, expected, out=np.zeros_like(reported), where=reported > 0)
        return np.asarray(channel.adjoint(seen) > 0)

    ends = np.zeros(channel.truth_size), np.ones(channel.truth_size)
    proportions = np.mean(halve(rises, *ends, HALVINGS), axis=0)
    fitted = channel.apply(proportions)
    return Solution(proportions, fitted, fitted)


def stack(matrices: Sequence[FloatArray], sizes: IntArray) -> FloatArray:
    """Return the stacked matrix, shape (all reports, truths); sizes are the reports per device."""
    shares = np.asarray(sizes) / np.sum(sizes)
    return np.vstack([share * matrix for share, matrix in zip(shares, matrices, strict=True)])


def pooled_covariance(
    stacked: FloatArray,
    blocks: Sequence[IntArray],
    sizes: Sequence[int],
    proportions: FloatArray,
    weights: FloatArray | None = None,
) -> FloatArray | None:
    """Return the covariance for a sample, given the numbers of reports per device.

    `blocks` holds the rows of the stacked matrix that belong to each device, `sizes` its reports.
    With G the left inverse of the stacked matrix A, M_s = G_s A_s (they sum to the identity) and
    ``L(X) = sum_s M_s X M_s' / n_s`` it is ``G diag(A pi) G'/n - L(pi pi')``. The expected product
    of estimated proportions is pi pi' + V, so ``V = G diag(A pi) G'/n - L(pi pi' - V)`` is
    unbiased at unbiased proportions; for one device that is the divisor n - 1. None where strata
    of one report leave no solution.
    """
    inverse = left_inverse(stacked, weights)
    raw = (inverse * (stacked @ proportions)) @ inverse.T / sum(sizes)
    parts = [inverse[:, rows] @ stacked[rows] for rows in blocks]
    start = raw - _estimator_covariance(np.outer(proportions, proportions), parts, sizes)
    return _fixed_point(start, parts, sizes)


def _estimator_covariance(
    square: FloatArray, parts: Sequence[FloatArray], sizes: Sequence[float]
) -> FloatArray:
    """Return L(X) = sum_s M_s X M_s' / n_s."""
    terms = (part @ square @ part.T / size for part, size in zip(parts, sizes, strict=True))
    return sum(terms, start=np.zeros((len(parts[0]), len(parts[0]))))


def _fixed_point(
    start: FloatArray, parts: Sequence[FloatArray], sizes: Sequence[float]
) -> FloatArray | None:
    covariance = start
    for _ in range(MAX_ROUNDS):
        following = start + _estimator_covariance(covariance, parts, sizes)
        moved = float(np.abs(following - covariance).max())
        covariance = following
        if moved <= SETTLED * float(np.abs(covariance).max()):
            return (covariance + covariance.T) / 2
    return None


def fixed_part(covariance: FloatArray, proportions: FloatArray, n: int) -> FloatArray:
    """Return the covariance for a fixed group, from that for a sample.

    Chance assigns the respondents to the devices, so that beside the devices' noise the composition
    of each stratum varies; a sample has the variance of drawing the whole group, Sigma/n, on top.
    """
    sampling = np.diag(proportions) - np.outer(proportions, proportions) + covariance
    return covariance - sampling / n
