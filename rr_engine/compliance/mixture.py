"""Shares of several types of respondents behind groups of reports, on plain arrays.

A group's matrix has one column per type: the reports' probabilities for respondents of that type.
Groups with different devices share one set of type shares; their sizes carry no information.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.channels.matrix import PlainMatrix
from rr_engine.channels.protocol import Channel
from rr_engine.distributions import chi2_ppf, chi2_sf
from rr_engine.errors import CountsError
from rr_engine.estimation.likelihood import log_likelihood, maximise
from rr_engine.estimation.notes import FALSE_ALARM
from rr_engine.precision import left_inverse, propagate_covariance, sample_covariance
from rr_engine.roots import halve

HALVINGS = 50
# Differences of two log-likelihoods below this are rounding.
ROUNDING = 1e-9
AT_ZERO = 1e-9
# How far below zero a profile is followed, in heights of its top.
DEEP = 10.0
# Proportion of equal shares in the weights of the reports.
EQUAL = 0.01


@dataclass(frozen=True, slots=True)
class TypeShares:
    """Shares of types: unconstrained with covariance, inside the range, and intervals."""

    values: FloatArray
    covariance: FloatArray
    maximum_likelihood: FloatArray
    intervals: FloatArray


def stack_groups(
    matrices: Sequence[FloatArray], counts: Sequence[IntArray]
) -> tuple[FloatArray, FloatArray]:
    """Return one matrix and one list of shares for all groups.

    Each group's rows are scaled by its share of the reports, so that columns sum to one again and
    the likelihood is that of the groups together.
    """
    total = sum(int(count.sum()) for count in counts)
    parts = [matrix * (count.sum() / total) for matrix, count in zip(matrices, counts, strict=True)]
    return np.vstack(parts), np.concatenate(counts) / total


def check_possible_reports(matrices: Sequence[FloatArray], counts: Sequence[IntArray]) -> None:
    """Refuse counts of reports that no type of respondent makes."""
    for matrix, count in zip(matrices, counts, strict=True):
        if (count[matrix.max(axis=1) <= 0] > 0).any():
            rule = "be 0 for reports never made"
            raise CountsError("counts", count.tolist(), rule, "impossible_report")


def share_types(
    matrices: Sequence[FloatArray], counts: Sequence[IntArray], level: float
) -> TypeShares:
    """Estimate the shares of types; every group has reports, and the columns are independent."""
    matrix, reported = stack_groups(matrices, counts)
    n = sum(int(count.sum()) for count in counts)
    inside = maximum_likelihood_shares(matrix, reported)
    # Any weights are unbiased; a little of equal shares keeps them away from zero.
    weights = matrix @ ((1 - EQUAL) * inside + EQUAL / len(inside))
    return TypeShares(
        values=left_inverse(matrix, weights) @ reported,
        covariance=_covariance(matrix, counts, weights),
        maximum_likelihood=inside,
        intervals=np.array(
            [profile_interval(matrix, reported, n, column, level) for column in range(len(inside))]
        ),
    )


def unknown_shares(types: int) -> TypeShares:
    """Return equal shares with infinite errors, for no reports."""
    equal = np.full(types, 1 / types)
    unknown = np.diag(np.full(types, np.inf))
    return TypeShares(equal, unknown, equal, np.tile([0.0, 1.0], (types, 1)))


def _covariance(matrix: FloatArray, counts: Sequence[IntArray], weights: FloatArray) -> FloatArray:
    """Propagate the multinomial covariance of each group, estimated with divisor size - 1."""
    sizes = [int(count.sum()) for count in counts]
    if min(sizes) == 1:
        return np.diag(np.full(matrix.shape[1], np.inf))
    blocks = [
        sample_covariance(count / size) * (size / sum(sizes)) ** 2 / (size - 1)
        for count, size in zip(counts, sizes, strict=True)
    ]
    return propagate_covariance(matrix, scipy.linalg.block_diag(*blocks), weights)


def maximum_likelihood_shares(matrix: FloatArray, reported: FloatArray) -> FloatArray:
    """Return the shares, none negative, under which the reports are most likely."""
    return (
        np.ones(1) if matrix.shape[1] == 1 else maximise(PlainMatrix(matrix), reported).proportions
    )


def best_log_likelihood(matrix: FloatArray, reported: FloatArray) -> float:
    """Return the largest mean log-likelihood of a report over all shares of the types.

    -inf when a report came in that no type ever makes.
    """
    if (reported[matrix.max(axis=1) <= 0] > 0).any():
        return float("-inf")
    return log_likelihood(matrix, reported, maximum_likelihood_shares(matrix, reported))


def absence_test(matrix: FloatArray, reported: FloatArray, n: int) -> tuple[float, float]:
    """Return statistic and p-value of the likelihood-ratio test that the last share is zero.

    Zero is at the border, so the statistic is 0 with chance one half and otherwise chi-square with
    one degree of freedom.
    """
    gained = best_log_likelihood(matrix, reported) - best_log_likelihood(matrix[:, :-1], reported)
    statistic = 2 * n * gained
    if not statistic > ROUNDING:
        return 0.0, 1.0
    return statistic, float(chi2_sf(statistic, 1) / 2)


def degrees_of_freedom(matrices: Sequence[FloatArray], proportions: FloatArray) -> int:
    """Return the cells in excess of the shares, plus one for each share at zero.

    Given how many shares the likelihood puts at zero, the statistic is chi-square with so many
    degrees of freedom (Susko 2013).
    """
    cells = sum(int((rows.max(axis=1) > 0).sum()) - 1 for rows in matrices)
    zeros = int((proportions <= AT_ZERO).sum())
    return max(cells - (len(proportions) - 1) + zeros, 0)


def fit_statistics(observed: FloatArray | IntArray, expected: FloatArray) -> tuple[float, float]:
    """Return G^2 and X^2; infinite when a report came in that is impossible."""
    if ((expected <= 0) & (observed > 0)).any():
        return float("inf"), float("inf")
    cells = expected > 0
    observed_cells = cells & (observed > 0)
    ratio = 2 * float(
        observed[observed_cells] @ np.log(observed[observed_cells] / expected[observed_cells])
    )
    pearson = float(((observed - expected)[cells] ** 2 / expected[cells]).sum())
    return 0.0 if ratio < ROUNDING else ratio, 0.0 if pearson < ROUNDING else pearson


def implausible(
    matrices: Sequence[FloatArray], counts: Sequence[IntArray], proportions: FloatArray
) -> bool:
    """Tell whether the reports contradict even the most likely shares."""
    matrix, reported = stack_groups(matrices, counts)
    n = sum(int(count.sum()) for count in counts)
    statistic, _ = fit_statistics(reported * n, matrix @ proportions * n)
    freedom = degrees_of_freedom(matrices, proportions)
    return freedom > 0 and bool(chi2_sf(statistic, freedom) < FALSE_ALARM)


def share_remarks(
    matrices: Sequence[FloatArray], counts: Sequence[IntArray], shares: TypeShares
) -> dict[str, bool]:
    """Return the conditions of the remarks on shares of types."""
    sizes = [int(count.sum()) for count in counts]
    empty = min(sizes) == 0
    return {
        "no_reports": empty,
        "one_report": 1 in sizes,
        "all_alike": any(
            1 < size == count.max() for size, count in zip(sizes, counts, strict=True)
        ),
        "outside_range": bool(shares.values.min() < -ROUNDING),
        "implausible": not empty and implausible(matrices, counts, shares.maximum_likelihood),
    }


def profile_interval(
    matrix: FloatArray, reported: FloatArray, n: int, column: int, level: float
) -> tuple[float, float]:
    """Return the shares of one type that the likelihood-ratio test does not reject."""
    others = np.delete(matrix, column, axis=1)
    centre = maximum_likelihood_shares(matrix, reported)
    top = log_likelihood(matrix, reported, centre)
    cut = top - chi_square_cut(level, n)

    def height(share: float) -> float:
        # The type's share is fixed; the others are the most likely ones given it.
        type_column = matrix[:, [column]]
        fixed = type_column if share == 1 else share * type_column + (1 - share) * others
        return best_log_likelihood(fixed, reported) - cut

    middle = float(centre[column])
    return zero_of(height, middle, 0.0), zero_of(height, middle, 1.0)


def chi_square_cut(level: float, n: int) -> float:
    """Return the decrease of the mean log-likelihood at the ends of an interval."""
    return float(chi2_ppf(level, 1)) / (2 * n)


def zero_of(height: Callable[[float], float], start: float, end: float) -> float:
    """Return the point between `start`, where the height is positive, and `end` where it is zero.

    `end` where the height is not negative there. A tenth of the steps of :func:`crossing`.
    """
    # Minus infinity, where reports rule a share out, has no line to follow.
    lowest = -DEEP * max(height(start), ROUNDING)

    def bounded(at: float) -> float:
        return max(height(at), lowest)

    if bounded(end) >= 0:
        return end
    return float(scipy.optimize.brentq(bounded, start, end, xtol=1e-14))


def crossing(inside: Callable[[float], bool], start: float, end: float) -> float:
    """Return the point between `start`, which is inside, and `end` at which the inside ends."""
    if inside(end):
        return end
    return float(np.mean(halve(inside, start, end, HALVINGS)))


def other_reports(design: Channel, otherwise: ArrayLike | None) -> FloatArray:
    """Return the chances of reports of those who do not follow the device; equal if not told."""
    size = design.tally_size
    if otherwise is None:
        return np.full(size, 1 / size)
    labels = getattr(design, "report_labels", ())
    return check.distribution(otherwise, size, "otherwise", labels)
