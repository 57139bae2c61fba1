"""What a plan is about: the proportions expected, the category asked about, its reported share."""

from dataclasses import dataclass
from math import ceil, isfinite

import numpy as np
import numpy.typing as npt

from rr_engine.arguments import check_design
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError
from rr_engine.validation import (
    FloatArray,
    check_distribution,
    check_probability,
    check_whole,
    holds_several,
)

# Probabilities of a report closer than this count as one, for tables rounded to integers.
SAME_SHARE = 1e-9


def expected(
    design: DesignMatrix, prevalence: float | npt.ArrayLike, category: int | None
) -> tuple[FloatArray, int | None]:
    """Return all true proportions and the index of the category that the plan is about.

    One number is the share of the category (1 when left out), the rest spread evenly; a list
    leaves the category open.
    """
    size = len(check_design(design).categories)
    if holds_several(prevalence):
        proportions = check_distribution(prevalence, size, "prevalence")
        index = None if category is None else check_category(category, size)
        return proportions, index
    share = check_probability(prevalence, "prevalence")
    index = check_category(1 if category is None else category, size)
    return spread(share, index, size), index


def spread(share: float, index: int, size: int) -> FloatArray:
    """Return the share of one category with the rest spread evenly over the others."""
    proportions = np.full(size, (1 - share) / (size - 1))
    proportions[index] = share
    return proportions


def people(size: float, argument: str, value: object) -> int:
    """Return the whole number of respondents from `size` up; infinitely many are refused."""
    if not isfinite(size):
        raise ArgumentError(argument, value, "be one that some number of respondents reaches")
    return max(1, ceil(size))


def check_category(value: int, size: int) -> int:
    """Return the index of a category."""
    return check_whole(value, "category", maximum=size - 1)


@dataclass(frozen=True, slots=True)
class ReportedShare:
    """One report through which a proportion shows: Pr(report) = without + (within - without) x."""

    report: int
    without: float
    within: float

    def at(self, share: float) -> float:
        """Return the probability of the report when the proportion is `share`."""
        chance = self.without + (self.within - self.without) * share
        return min(max(chance, 0.0), 1.0)


def reported_share(design: DesignMatrix, category: int) -> ReportedShare | None:
    """Return the report whose share depends on this proportion alone, or None.

    There is one in every binary device and in the k-ary family; elsewhere a proportion shows
    through several reports.
    """
    matrix = design.matrix
    if matrix.shape[0] != matrix.shape[1]:
        return None
    for report in (category, *range(len(matrix))):
        others = np.delete(matrix[report], category)
        own = float(matrix[report, category])
        if np.ptp(others) <= SAME_SHARE and abs(own - others[0]) > SAME_SHARE:
            return ReportedShare(report, float(others[0]), own)
    return None
