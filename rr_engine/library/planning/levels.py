"""The epsilon and the level that a margin leaves open."""

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from math import sqrt

from rr_engine import check
from rr_engine.arrays import ArrayLike
from rr_engine.design import DesignMatrix
from rr_engine.designs.categorical import direct, k_rr
from rr_engine.distributions import normal_sf
from rr_engine.errors import ArgumentError
from rr_engine.planning.margins import estimate_variance, margin_of_error

# An epsilon is returned in ten-thousandths.
STEPS = 10_000


def solve_epsilon(
    categories: int | Sequence[str],
    prevalence: float | ArrayLike,
    margin: float,
    n: int,
    level: float = 0.95,
    category: int | None = None,
    population: str = "sample",
) -> Decimal:
    """Smallest epsilon at which k-ary randomized response reaches a margin of error.

    Parameters
    ----------
    categories : int or sequence of str
        As in :func:`rr_engine.k_rr`.
    prevalence, n, level, category, population
        As in :func:`rr_engine.margin_of_error`.
    margin : float
        Half width wanted, above 0.

    Returns
    -------
    Decimal
        A multiple of 0.0001; one step less misses the margin.

    Raises
    ------
    ArgumentError
        When direct questions to `n` respondents would miss the margin too.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 18 and 19, solved for epsilon.

    Examples
    --------
    >>> solve_epsilon(2, 0.1, 0.05, 1553)
    Decimal('1.0000')
    """
    target = check.positive(margin, "margin")

    def reaches(design: DesignMatrix) -> bool:
        return margin_of_error(design, prevalence, n, level, category, population) <= target

    if not reaches(direct(categories)):
        best = margin_of_error(direct(categories), prevalence, n, level, category, population)
        rule = f"be at least {best:.6g}, that of direct questions"
        raise ArgumentError("margin", margin, rule, "margin_unreachable", best)

    def enough(steps: int) -> bool:
        return reaches(k_rr(categories, _epsilon(steps)))

    most = int(check.EPSILON_LIMIT) * STEPS
    return _epsilon(bisect_left(range(most), True, lo=1, key=enough))


def _epsilon(steps: int) -> Decimal:
    return (Decimal(steps) / STEPS).quantize(Decimal(1) / STEPS)


def solve_level(
    design: DesignMatrix,
    prevalence: float | ArrayLike,
    n: int,
    margin: float,
    category: int | None = None,
    population: str = "sample",
) -> float:
    """Level at which `n` respondents have a margin of error of exactly `margin`.

    Parameters
    ----------
    design, prevalence, n, category, population
        As in :func:`rr_engine.margin_of_error`.
    margin : float
        Half width, above 0.

    Returns
    -------
    float
        1 where the estimate has no error at all.

    References
    ----------
    .. [1] N. Holohan, D. J. Leith and O. Mason, "Optimal Differentially Private Mechanisms for
       Randomised Response", IEEE TIFS 12, 2017, Eq. 6 (the variance), solved for the level.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> round(solve_level(k_rr(2, 1), 0.1, 1553, 0.05), 4)
    0.95
    """
    size, half = check.size(n), check.positive(margin, "margin")
    variance = estimate_variance(design, prevalence, category, population)
    return 1 - 2 * float(normal_sf(half / sqrt(variance / size))) if variance > 0 else 1.0
