"""The front door of estimation."""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from rr_engine.arguments import check_design
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.estimation.inversion import invert
from rr_engine.estimation.likelihood import maximise
from rr_engine.estimation.notes import Note, data_notes, note
from rr_engine.estimation.projection import project_to_simplex
from rr_engine.estimation.result import Estimate
from rr_engine.estimation.solution import Solution
from rr_engine.precision import (
    check_identifiable,
    noise_covariance,
    pull_back,
    sample_covariance,
)
from rr_engine.validation import (
    FloatArray,
    IntArray,
    check_choice,
    check_counts,
    check_distribution,
    check_population,
)

METHODS: dict[str, Callable[[FloatArray, FloatArray], Solution]] = {
    "inversion": invert,
    "mle": maximise,
}
# How far below zero rounding alone can push a proportion that is zero.
ROUNDING = 1e-12


def estimate(
    design: DesignMatrix,
    counts: npt.ArrayLike,
    method: str = "inversion",
    population: str = "sample",
    prior: npt.ArrayLike | None = None,
) -> Estimate:
    """Estimate the true proportions behind the reports of a randomizing device.

    Parameters
    ----------
    design : DesignMatrix
        The device that made the reports, best with the integers it ran on. The covariance of 10,000
        categories takes 800 MB, and with it an estimate two to three seconds.
    counts : array_like of int, shape (reports,)
        How often each report came in.
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
    check_design(design)
    solve = _solver(check_choice(method, "method", METHODS), design, prior)
    check_population(population)
    tallied = check_counts(counts, len(design.reports))
    check_identifiable(design.matrix)
    check_possible(design, tallied)
    if not tallied.any():
        return without_reports(design, tallied, method, population)
    return _with_reports(design, tallied, solve, method, population)


def _solver(
    method: str, design: DesignMatrix, prior: npt.ArrayLike | None
) -> Callable[[FloatArray, FloatArray], Solution]:
    if prior is None:
        return METHODS[method]
    if method != "inversion":
        raise ArgumentError("prior", prior, 'be left out, or the method be "inversion"')
    shares = check_distribution(prior, len(design.categories))
    return partial(invert, weights=design.matrix @ shares)


def check_possible(design: DesignMatrix, counts: IntArray, argument: str = "counts") -> None:
    """Refuse reports that the device never makes."""
    impossible = (design.matrix.max(axis=1) == 0) & (counts > 0)
    if impossible.any():
        labels = [label for label, bad in zip(design.reports, impossible, strict=True) if bad]
        raise CountsError(argument, counts.tolist(), f"be 0 for reports never made: {labels}")


def without_reports(
    design: DesignMatrix, counts: IntArray, method: str, population: str
) -> Estimate:
    """Return equal proportions of which nothing is known."""
    size = len(design.categories)
    return Estimate(
        design=design,
        counts=counts,
        proportions=np.full(size, 1 / size),
        covariance=np.diag(np.full(size, np.inf)),
        method=method,
        population=population,
        notes=tuple(data_notes(design.matrix, counts, population)),
    )


def _with_reports(
    design: DesignMatrix,
    counts: IntArray,
    solve: Callable[[FloatArray, FloatArray], Solution],
    method: str,
    population: str,
) -> Estimate:
    solution = solve(design.matrix, counts / counts.sum())
    covariance, remarks = COVARIANCES[population](design.matrix, solution, counts)
    notes = data_notes(design.matrix, counts, population) + solution_notes(solution, method)
    return Estimate(
        design=design,
        counts=counts,
        proportions=solution.proportions,
        covariance=covariance,
        method=method,
        population=population,
        converged=solution.converged,
        iterations=solution.iterations,
        notes=tuple(notes + remarks),
        weights=solution.weights,
    )


def solution_notes(solution: Solution, method: str) -> list[Note]:
    """Return what the proportions found give reason to say."""
    proportions = solution.proportions
    found = {
        "outside_range": proportions.min() < -ROUNDING or proportions.max() > 1 + ROUNDING,
        "boundary": method == "mle"
        and solution.weights is not None
        and proportions.min() <= ROUNDING,
        "not_converged": not solution.converged,
    }
    return [note(code) for code, holds in found.items() if holds]


def _sample_covariance(
    matrix: FloatArray, solution: Solution, counts: IntArray
) -> tuple[FloatArray, list[Note]]:
    """Wang Eq. 18, with n - 1; one report leaves it undefined, here infinite."""
    n = int(counts.sum())
    if n == 1:
        return np.diag(np.full(matrix.shape[1], np.inf)), []

    def spread(fitted: FloatArray) -> FloatArray:
        return pull_back(matrix, sample_covariance(fitted), solution.weights)

    covariance, remarks = never_negative(
        spread(solution.fitted),
        solution.fitted,
        lambda: spread(matrix @ project_to_simplex(solution.proportions)),
    )
    # In place: of 10,000 categories it takes 800 MB.
    covariance /= n - 1
    return covariance, remarks


def _fixed_covariance(
    matrix: FloatArray, solution: Solution, counts: IntArray
) -> tuple[FloatArray, list[Note]]:
    """Pan App. G, linear in the proportions and so unbiased at an unbiased estimate of them."""

    def spread(proportions: FloatArray, fitted: FloatArray | None = None) -> FloatArray:
        return pull_back(matrix, noise_covariance(matrix, proportions, fitted), solution.weights)

    covariance, remarks = never_negative(
        spread(solution.proportions, solution.fitted),
        solution.proportions,
        lambda: spread(project_to_simplex(solution.proportions)),
    )
    return covariance / int(counts.sum()), remarks


def never_negative(
    covariance: FloatArray, shares: FloatArray, at_projection: Callable[[], FloatArray]
) -> tuple[FloatArray, list[Note]]:
    """Return the covariance, or that at the nearest proportions that can exist.

    The latter where proportions outside the simplex give a negative variance, which cannot be
    while `shares` (proportions, or shares of reports) are not negative.
    """
    if shares.min() >= 0 or not _has_negative_variance(covariance):
        return covariance, []
    return at_projection(), [note("covariance_at_projection")]


def _has_negative_variance(covariance: FloatArray) -> bool:
    """Try to factor it, which works while no variance is negative and beats finding its roots."""
    floor = ROUNDING * max(1.0, float(np.abs(covariance).max()))
    try:
        np.linalg.cholesky(covariance + floor * np.eye(len(covariance)))
    except np.linalg.LinAlgError:
        return True
    return False


COVARIANCES: dict[str, Callable[..., tuple[FloatArray, list[Note]]]] = {
    "sample": _sample_covariance,
    "fixed": _fixed_covariance,
}
