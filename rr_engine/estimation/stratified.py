"""One set of proportions behind the reports of several devices."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rr_engine.arguments import check_design_list, check_tallies
from rr_engine.channels.matrix import PlainMatrix
from rr_engine.design import DesignMatrix
from rr_engine.errors import CategoryError
from rr_engine.estimation.covariance import KnownCovariance
from rr_engine.estimation.estimate import (
    METHODS,
    check_possible,
    estimate,
    nonnegative_covariance,
    solution_notes,
    without_reports,
)
from rr_engine.estimation.notes import Note, note, strata_notes
from rr_engine.estimation.pooling import fixed_part, pooled_covariance, stack
from rr_engine.estimation.result import Estimate, Stratum
from rr_engine.estimation.solution import Solution
from rr_engine.precision import check_identifiable
from rr_engine.projection import project_to_simplex
from rr_engine.validation import FloatArray, IntArray, check_choice, check_population


def estimate_strata(
    designs: Sequence[DesignMatrix],
    counts: Sequence[npt.ArrayLike],
    method: str = "inversion",
    population: str = "sample",
) -> Estimate:
    """Estimate the true proportions behind the reports of several devices together.

    The respondents of each device are taken to have the same proportions: who used which device
    must not depend on the true answer.

    Parameters
    ----------
    designs : sequence of DesignMatrix
        One per stratum, with the same categories; the reports may differ in kind and number. A
        device by itself need not identify the proportions if all together do.
    counts : sequence of array_like of int, one of shape (reports,) per stratum
        Their sums, the sizes of the strata, count as given.
    method : {"inversion", "mle"}, default "inversion"
        "inversion" is linear in the reports and exactly unbiased, whatever the sizes; "mle" has
        the smallest error in large surveys.
    population : {"sample", "fixed"}, default "sample"
        As for :func:`estimate`; the fixed group is one whose members came to their devices by
        chance.

    Returns
    -------
    Estimate
        With `strata`. Strata without reports leave no trace, strata with equal devices are one,
        and one stratum gives what :func:`estimate` gives.

    Raises
    ------
    ArgumentError
        For no designs at all, or as many counts as there are no designs.
    CategoryError
        When the categories differ.
    CountsError
        As for :func:`estimate`, naming the stratum.
    NotIdentifiableError
        When the devices that made reports do not determine the proportions together.

    Notes
    -----
    docs/methods/estimation.md, "Several devices". Weighted least squares over all shares, the
    weights being those expected under equal proportions; the likelihood of "mle" is the product
    over the strata.

    References
    ----------
    .. [1] A. C. Aitken, "On Least Squares and Linear Combination of Observations", Proceedings of
       the Royal Society of Edinburgh 55, 1935.
    .. [2] Z. Huang and W. Du, "OptRR: Optimizing Randomized Response Schemes for
       Privacy-Preserving Data Mining", ICDE, 2008, Eq. 3 (the likelihood, for one device).

    Examples
    --------
    >>> from rr_engine import estimate_strata, warner
    >>> result = estimate_strata([warner(0.75), warner(0.9)], [[560, 440], [280, 120]])
    >>> result.n, result.proportions.round(3).tolist(), result.standard_errors.round(4).tolist()
    (1400, [0.686, 0.314], [0.0215, 0.0215])
    """
    check_choice(method, "method", METHODS)
    check_population(population)
    strata = _merge_equal_devices(_check_strata(designs, counts))
    used = [stratum for stratum in strata if stratum.n] or strata
    if len(used) == 1:
        return estimate(used[0].design, used[0].counts, method, population)
    return _pool(used, method, population)


def _check_strata(
    designs: Sequence[DesignMatrix], counts: Sequence[npt.ArrayLike]
) -> list[tuple[DesignMatrix, IntArray]]:
    channels = check_design_list(designs)
    tallies = check_tallies(channels, counts)
    categories = channels[0].categories
    if any(design.categories != categories for design in channels):
        rule = f"all have the categories of the first, {categories}"
        raise CategoryError(
            "designs", [design.categories for design in channels], rule, "categories_differ"
        )
    for position, (design, tally) in enumerate(zip(channels, tallies, strict=True)):
        check_possible(design, tally, f"counts[{position}]")
    return list(zip(channels, tallies, strict=True))


def _merge_equal_devices(
    pairs: Sequence[tuple[DesignMatrix, IntArray]],
) -> list[Stratum]:
    """Add up the counts of equal devices: together they are sufficient, so nothing is lost."""
    sums: dict[DesignMatrix, IntArray] = {}
    for design, counts in pairs:
        sums[design] = sums[design] + counts if design in sums else counts
    return [Stratum(design, counts) for design, counts in sums.items()]


def _pool(strata: list[Stratum], method: str, population: str) -> Estimate:
    matrices = [stratum.design.matrix for stratum in strata]
    # Without any reports the strata count as equal; the errors are infinite anyway.
    sizes = np.maximum([stratum.n for stratum in strata], not any(s.n for s in strata))
    stacked = stack(matrices, sizes)
    check_identifiable(stacked)
    counts = np.concatenate([stratum.counts for stratum in strata])
    design = DesignMatrix(stacked, strata[0].design.categories, _labels(strata))
    notes = strata_notes(matrices, [stratum.counts for stratum in strata], stacked)
    if not counts.any():
        empty = without_reports(design, counts, method, population)
        return replace(empty, strata=tuple(strata), notes=tuple(notes))
    solution = METHODS[method](PlainMatrix(stacked), counts / counts.sum())
    covariance, remarks = _covariance(stacked, strata, solution, population)
    return Estimate(
        design=design,
        counts=counts,
        proportions=solution.proportions,
        covariance_operator=KnownCovariance(covariance),
        method=method,
        population=population,
        converged=solution.converged,
        iterations=solution.iterations,
        notes=tuple(notes + solution_notes(solution, method) + remarks),
        weights=solution.weights,
        strata=tuple(strata),
    )


def _labels(strata: Sequence[Stratum]) -> tuple[str, ...]:
    return tuple(
        f"{number}: {label}"
        for number, stratum in enumerate(strata, start=1)
        for label in stratum.design.reports
    )


def _covariance(
    stacked: FloatArray, strata: Sequence[Stratum], solution: Solution, population: str
) -> tuple[FloatArray, list[Note]]:
    sizes = [stratum.n for stratum in strata]
    ends = np.cumsum([len(stratum.counts) for stratum in strata])[:-1]
    share_parts = np.split(np.arange(len(stacked)), ends)
    size, n = stacked.shape[1], sum(sizes)

    def covariance_at(proportions: FloatArray) -> FloatArray:
        covariance = pooled_covariance(stacked, share_parts, sizes, proportions, solution.weights)
        if covariance is None:
            return np.full((size, size), np.inf)
        return fixed_part(covariance, proportions, n) if population == "fixed" else covariance

    result = covariance_at(solution.proportions)
    if np.isinf(result).any():
        return np.diag(np.full(size, np.inf)), [note("one_report")]
    return nonnegative_covariance(
        result,
        solution.proportions,
        lambda: covariance_at(project_to_simplex(solution.proportions)),
    )
