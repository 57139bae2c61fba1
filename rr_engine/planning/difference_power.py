"""Power and numbers for the difference of one proportion between two groups."""

from collections.abc import Sequence
from math import ceil, sqrt

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_channel, check_invertible
from rr_engine.arrays import as_list
from rr_engine.channels.protocol import Channel, Designs
from rr_engine.distributions import normal_isf, normal_ppf
from rr_engine.errors import ArgumentError
from rr_engine.estimation.common import Curve, null_error
from rr_engine.estimation.difference import ALTERNATIVES
from rr_engine.planning.exact_difference import Pair, exact_power
from rr_engine.planning.proportion import check_category, deviation_of, people
from rr_engine.planning.rejection import normal_power
from rr_engine.planning.solving import LARGEST_EXACT, nearest, settle_sample_size

# Largest ratio of group sizes.
MOST_UNEQUAL = 1e6
VARIANCES = ("separate", "null")


def power_difference(
    designs: Designs,
    prevalences: Sequence[float],
    ns: Sequence[int],
    alpha: float = 0.05,
    alternative: str = "two-sided",
    category: int | None = None,
    method: str = "normal",
    variance: str = "separate",
) -> float:
    """Probability that a test finds the difference of a proportion between two groups.

    Parameters
    ----------
    designs : Channel or two of them
        The device of both groups, or of each.
    prevalences : two floats
        The true share of the category in each group, the rest spread evenly.
    ns : two ints
        Respondents in each group: at least 1 and for "exact" at most 10,000,000; at least 2 for
        "exact" with separate variances.
    alpha : float, default 0.05
    alternative : {"two-sided", "greater", "less"}
        What is looked for in the first group's share less the second's.
    category : int, optional
        1 when left out.
    method : {"normal", "exact"}
        How the power is computed; the test is the same. "exact" sums over every pair of counts
        that is at all likely, where the proportion shows through one report.
    variance : {"separate", "null"}
        Which test: the difference divided by its standard error against the normal quantile.
        "separate" estimates each group's variance for itself and rejects when the normal interval
        of the difference leaves 0 out. "null" takes the variance at the share that the groups have
        in common if they do not differ (for equal devices, the pooled one), as
        :meth:`Difference.score_test` and :func:`rr_engine.compare_with_direct` do.

    Returns
    -------
    float

    Raises
    ------
    NotIdentifiableError, ArgumentError

    References
    ----------
    .. [1] J. L. Fleiss, B. Levin and M. C. Paik, "Statistical Methods for Rates and
       Proportions", third edition, Wiley 2003, section 4.2.
    .. [2] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110 (2015), 1304-1319.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> round(power_difference(k_rr(2, 2), (0.3, 0.2), (800, 800)), 3)
    0.911
    >>> round(power_difference(k_rr(2, 2), (0.3, 0.2), (800, 800), variance="null"), 3)
    0.91
    """
    test = check.choice(method, "method", ("normal", "exact"))
    pair = _pair(designs, alternative, category, variance)
    least = 2 if test == "exact" and pair.variance == "separate" else 1
    most = LARGEST_EXACT if test == "exact" else check.MAX_PEOPLE
    sizes = [check.whole(n, "ns", minimum=least, maximum=most) for n in _two(ns, "ns")]
    shares = [check.probability(share, "prevalences") for share in _two(prevalences, "prevalences")]
    level = check.open_unit(alpha, "alpha")
    if test == "normal":
        return _normal(pair, shares, sizes, level)
    return exact_power(pair, shares, sizes, level)


def solve_sample_size_difference(
    designs: Designs,
    prevalences: Sequence[float],
    power: float = 0.8,
    ratio: float = 1.0,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    category: int | None = None,
    variance: str = "separate",
) -> tuple[int, int]:
    """Smallest groups in which a test detects a difference with the required power.

    Parameters
    ----------
    designs, prevalences, alpha, alternative, category, variance
        As in :func:`power_difference`, with method "normal".
    power : float, default 0.8
    ratio : float, default 1
        Size of the second group divided by the first's; the second is rounded up.

    Returns
    -------
    tuple of int
        One respondent fewer in the first group, and the second's in proportion, misses the power.

    References
    ----------
    .. [1] J. L. Fleiss, B. Levin and M. C. Paik, "Statistical Methods for Rates and
       Proportions", third edition, Wiley 2003, section 4.2.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> solve_sample_size_difference(k_rr(2, 2), (0.3, 0.2))
    (575, 575)
    >>> from rr_engine.designs import direct
    >>> solve_sample_size_difference(direct(2), (0.5, 0.75), power=0.9, variance="null")
    (77, 77)
    """
    pair = _pair(designs, alternative, category, variance)
    shares = [check.probability(share, "prevalences") for share in _two(prevalences, "prevalences")]
    target, level = check.open_unit(power, "power"), check.open_unit(alpha, "alpha")
    times = check.real(ratio, "ratio")
    if not 1 / MOST_UNEQUAL <= times <= MOST_UNEQUAL:
        rule = f"lie from {1 / MOST_UNEQUAL:g} to {MOST_UNEQUAL:g}"
        raise ArgumentError("ratio", ratio, rule, "out_of_range")
    _check_difference(pair, shares)
    guess = _guess(pair, shares, times, target, level)

    def power_of(n: int) -> float:
        return _normal(pair, shares, [n, _second(n, times)], level)

    first = settle_sample_size(power_of, guess, target)
    return first, _second(first, times)


def solve_effect_difference(
    designs: Designs,
    baseline: float,
    ns: Sequence[int],
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "greater",
    category: int | None = None,
    variance: str = "separate",
) -> float:
    """Share of the first group nearest to the second's that a test detects with the required power.

    Parameters
    ----------
    designs, ns, alpha, category, variance
        As in :func:`power_difference`, with method "normal".
    baseline : float
        The share in the second group.
    power : float, default 0.8
    alternative : {"greater", "less", "two-sided"}
        "two-sided" takes the test to be two-sided and looks above the baseline.

    Returns
    -------
    float

    References
    ----------
    .. [1] J. L. Fleiss, B. Levin and M. C. Paik, "Statistical Methods for Rates and
       Proportions", third edition, Wiley 2003, section 4.2.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> round(solve_effect_difference(k_rr(2, 2), 0.2, (575, 575), alternative="two-sided"), 3)
    0.3
    """
    pair = _pair(designs, alternative, category, variance)
    base = check.probability(baseline, "baseline")
    sizes = [check.size(n, "ns") for n in _two(ns, "ns")]
    target, level = check.open_unit(power, "power"), check.open_unit(alpha, "alpha")
    end = 0.0 if pair.alternative == "less" else 1.0

    def reaches(share: float) -> bool:
        return _normal(pair, [share, base], sizes, level) >= target

    if end == base or not reaches(end):
        rule = f"be larger: even a share of {end:g} misses the power"
        raise ArgumentError("ns", ns, rule, "too_few_people")
    return nearest(reaches, base, end)


def _pair(designs: Designs, alternative: str, category: int | None, variance: str) -> Pair:
    channels = as_list(designs)
    pair = _two(channels or [designs] * 2, "designs")
    first, second = (check_channel(design, "designs") for design in pair)
    for design in (first, second):
        check_invertible(design)
    if first.truth_size != second.truth_size:
        rule = "have the same number of categories"
        raise ArgumentError("designs", designs, rule, "categories_differ")
    index = check_category(1 if category is None else category, first.truth_size)
    return Pair(
        designs=(first, second),
        alternative=check.choice(alternative, "alternative", ALTERNATIVES),
        category=index,
        variance=check.choice(variance, "variance", VARIANCES),
        curves=(_curve(first, index), _curve(second, index)),
    )


def _curve(design: Channel, category: int) -> Curve:
    """Return the variance of one report's estimate as a function of the share, a parabola."""
    none, half, every = (deviation_of(design, share, category) ** 2 for share in (0.0, 0.5, 1.0))
    square = 2 * (none - 2 * half + every)
    base, slope = none, every - none - square
    return np.asarray(base), np.asarray(slope), np.asarray(square)


def _two(values: Sequence, argument: str) -> list:
    rule = "hold one entry for each of two groups"
    return list(check.entries(values, argument, 2, rule, "not_two_groups"))


def _check_difference(pair: Pair, shares: list[float]) -> None:
    gap = shares[0] - shares[1]
    holds = {"two-sided": gap != 0, "greater": gap > 0, "less": gap < 0}[pair.alternative]
    if not holds:
        raise ArgumentError(
            "prevalences", tuple(shares), "differ in the direction looked for", "no_effect"
        )


def _normal(pair: Pair, shares: list[float], sizes: list[int], alpha: float) -> float:
    spreads = _deviations(pair, shares)
    error = sqrt(sum(spread**2 / n for spread, n in zip(spreads, sizes, strict=True)))
    null = error
    if pair.variance == "null":
        null = _null(pair, shares, sizes)
    return normal_power(1, shares[0] - shares[1], null, error, alpha, pair.alternative)


def _null(pair: Pair, shares: list[float], sizes: Sequence[float]) -> float:
    values = [np.asarray(share) for share in shares]
    return float(null_error(values, pair.curves, sizes))


def _deviations(pair: Pair, shares: list[float]) -> list[float]:
    each = zip(pair.designs, shares, strict=True)
    return [deviation_of(design, share, pair.category) for design, share in each]


def _second(first: int, ratio: float) -> int:
    return max(1, ceil(first * ratio))


def _guess(pair: Pair, shares: list[float], ratio: float, target: float, alpha: float) -> int:
    first, second = _deviations(pair, shares)
    z = float(normal_isf(alpha / 2 if pair.alternative == "two-sided" else alpha))
    spread = sqrt(first**2 + second**2 / ratio)
    null = spread
    if pair.variance == "null":
        null = _null(pair, shares, [1, ratio])
    reach = max(z * null + float(normal_ppf(target)) * spread, 0.0) / abs(shares[0] - shares[1])
    return people(reach * reach, "prevalences", tuple(shares))
