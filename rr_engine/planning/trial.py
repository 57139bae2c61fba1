"""Simulation of a survey before it is launched."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, RandomSource
from rr_engine.channels.protocol import Channel
from rr_engine.estimation.estimating import METHODS, estimate
from rr_engine.planning.proportion import expected
from rr_engine.simulation import simulate_counts

# How far below zero rounding alone can push a proportion that is zero.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class CoverageTrial(FrozenArrays):
    """Results of many simulated surveys; every array has one entry per category.

    Attributes
    ----------
    truth : ndarray of float
        The true proportions.
    repetitions : int
    level : float
        Coverage aimed at.
    method : str
        The interval's method.
    coverage : ndarray of float
        Share of the surveys whose interval held the true proportion.
    coverage_error : ndarray of float
        Its Monte Carlo standard error.
    mean : ndarray of float
        Mean of the estimates.
    bias, bias_error : ndarray of float
        Mean less truth, and its Monte Carlo standard error.
    deviation : ndarray of float
        Standard deviation of the estimates.
    width : ndarray of float
        Mean width of the intervals.
    outside : ndarray of float
        Share of the estimates below 0 or above 1.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.planning import simulate_coverage
    >>> trial = simulate_coverage(k_rr(2, 1), 0.1, 1000, repetitions=400, rng=1)
    >>> trial.repetitions, trial.truth.tolist(), trial.mean.round(1).tolist()
    (400, [0.9, 0.1], [0.9, 0.1])
    """

    truth: FloatArray
    repetitions: int
    level: float
    method: str
    coverage: FloatArray
    coverage_error: FloatArray
    mean: FloatArray
    bias: FloatArray
    bias_error: FloatArray
    deviation: FloatArray
    width: FloatArray
    outside: FloatArray


def simulate_coverage(
    design: Channel,
    prevalence: float | ArrayLike,
    n: int,
    repetitions: int = 1000,
    level: float = 0.95,
    method: str = "default",
    rng: RandomSource = None,
    population: str = "sample",
    estimator: str = "inversion",
    prior: ArrayLike | None = None,
) -> CoverageTrial:
    """Simulate surveys of known truth, and report how often the interval covers the truth.

    Parameters
    ----------
    design : Channel
    prevalence : float or array_like, shape (truths,)
        True proportions; one number is the share of category 1, the rest spread evenly.
    n : int
        Respondents of each survey, at least 1.
    repetitions : int, default 1000
        Number of surveys, from 2 to 1,000,000. Each that differs from the others is estimated,
        which takes a millisecond, and with "bootstrap" and "profile" some ten: 10,000 of many
        people take up to minutes.
    level : float, default 0.95
    method : str, default "default"
        As in :meth:`Estimate.interval`.
    rng : Generator, int or None
        Source of chance, or its seed.
    population : {"sample", "fixed"}
        For "fixed" the same respondents answer every time; the truth is theirs, in whole people.
    estimator : {"inversion", "mle"}
    prior : array_like of float, optional
        As for :func:`rr_engine.estimate`.

    Returns
    -------
    CoverageTrial

    Raises
    ------
    NotIdentifiableError, DistributionError, ArgumentError

    References
    ----------
    .. [1] T. P. Morris, I. R. White and M. J. Crowther, "Using simulation studies to evaluate
       statistical methods", Statistics in Medicine 38 (2019), 2074-2102, Table 6.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> trial = simulate_coverage(k_rr(2, 1), 0.1, 1000, repetitions=400, rng=1)
    >>> bool((abs(trial.coverage - 0.95) < 4 * trial.coverage_error).all())
    True
    """
    shares, _ = expected(design, prevalence, None)
    size, times = check.size(n), check.whole(repetitions, "repetitions", minimum=2, maximum=10**6)
    check.open_unit(level, "level")
    check.choice(estimator, "estimator", METHODS)
    truth, source = shares, check.rng(rng)
    if check.population(population) == "sample":
        tables = design.survey_counts(shares, size, source, times)
    else:
        truth = design.whole_people(shares, size) / size
        fixed = partial(simulate_counts, design, shares, size, source, population="fixed")
        tables = np.array([fixed() for _ in range(times)])
    # Surveys with the same counts have the same estimate.
    kinds, indices = np.unique(tables, axis=0, return_inverse=True)
    estimates = [estimate(design, counts, estimator, population, prior) for counts in kinds]
    values = np.array([result.proportions for result in estimates])
    ends = np.array([result.interval(level, method) for result in estimates])
    indices = indices.reshape(-1)
    return _summary(truth, values[indices], ends[indices], level, method)


def _summary(
    truth: FloatArray, values: FloatArray, ends: FloatArray, level: float, method: str
) -> CoverageTrial:
    times = len(values)
    covered = (ends[:, :, 0] <= truth + ROUNDING) & (truth - ROUNDING <= ends[:, :, 1])
    coverage, deviation = covered.mean(axis=0), values.std(axis=0, ddof=1)
    mean = values.mean(axis=0)
    return CoverageTrial(
        truth=truth,
        repetitions=times,
        level=float(level),
        method=method,
        coverage=coverage,
        coverage_error=np.sqrt(coverage * (1 - coverage) / times),
        mean=mean,
        bias=mean - truth,
        bias_error=deviation / np.sqrt(times),
        deviation=deviation,
        width=np.ptp(ends, axis=2).mean(axis=0),
        outside=((values < -ROUNDING) | (values > 1 + ROUNDING)).mean(axis=0),
    )
