"""The one number a plan leaves open: n, the effect, the level or the power of a test."""

from collections.abc import Callable
from math import ceil, sqrt

import numpy as np

from rr_engine import check
from rr_engine.channels.protocol import Channel
from rr_engine.distributions import normal_isf, normal_ppf
from rr_engine.errors import ArgumentError
from rr_engine.planning.proportion import (
    ProportionPlan,
    check_plan,
    deviation,
    people,
    power_at,
    powers_at,
)
from rr_engine.planning.proportion import (
    power as power_of,
)
from rr_engine.roots import halve

# Beyond this the exact tests are not scanned n by n.
LARGEST_EXACT = 10_000_000
# Beyond this number one more respondent changes a power by less than its rounding error.
LARGEST_SETTLED = 10**9
HALVINGS = 60
SMALLEST_ALPHA = 1e-15
# A prevalence nearer to that of the null hypothesis is the same one.
SAME = 1e-12


def solve_sample_size(
    design: Channel,
    prevalence: float,
    null: float,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    category: int | None = None,
    method: str = "exact",
) -> int:
    """Smallest number of respondents from which on a test has the required power.

    Parameters
    ----------
    design, prevalence, null, alpha, alternative, category, method
        As in :func:`rr_engine.power`.
    power : float, default 0.8
        Strictly between 0 and 1.

    Returns
    -------
    int
        One respondent fewer misses the power (for numbers up to 10**9). The true power of "exact"
        and "score" goes up and down by a little as n grows, because counts are whole: from the
        number returned on it stays at or above the power wanted.

    Raises
    ------
    NotIdentifiableError
    ArgumentError
        Also when `prevalence` is no alternative to `null`, and for "exact" and "score" beyond
        10,000,000 respondents.

    Notes
    -----
    For "normal" it is ``((z_alpha s_0 + z_power s_1) / (prevalence - null))^2``, s_0 and s_1 the
    deviations of one report under the null hypothesis and in truth; the others are searched around
    that.

    References
    ----------
    .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110 (2015), 1304-1319.

    Examples
    --------
    >>> from rr_engine.designs import generalized_binary
    >>> forced = generalized_binary(5 / 6, 5 / 6)
    >>> solve_sample_size(forced, 0.05, 0, method="normal")
    1025
    """
    plan = check_plan(design, null, alternative, category, method)
    share = check.probability(prevalence, "prevalence")
    target, level = check.open_unit(power, "power"), check.open_unit(alpha, "alpha")
    _check_effect(plan, share)
    start = _normal_size(plan, share, target, level)
    if plan.share is None:
        return settle_sample_size(lambda n: power_at(plan, share, n, level), start, target)
    if start > LARGEST_EXACT:
        raise ArgumentError(
            "method", method, f'be "normal" beyond {LARGEST_EXACT} respondents', "too_many_people"
        )
    return _from_here_on(plan, share, target, level, start)


def _check_effect(plan: ProportionPlan, share: float) -> None:
    rules = {
        "two-sided": (share != plan.null, "differ from null"),
        "greater": (share > plan.null, 'be above null when the alternative is "greater"'),
        "less": (share < plan.null, 'be below null when the alternative is "less"'),
    }
    holds, rule = rules[plan.alternative]
    if not holds:
        raise ArgumentError("prevalence", share, rule, "no_effect")


def _normal_size(plan: ProportionPlan, share: float, target: float, alpha: float) -> int:
    z = float(normal_isf(alpha / 2 if plan.alternative == "two-sided" else alpha))
    reach = z * deviation(plan, plan.null) + float(normal_ppf(target)) * deviation(plan, share)
    root = max(reach, 0.0) / (share - plan.null)
    return people(root * root, "prevalence", share)


def check_gap(gap: float, alternative: str, prevalence: object) -> None:
    """Refuse a prevalence that no number of respondents tells from that of the null hypothesis."""
    wrong = {"greater": gap <= SAME, "less": gap >= -SAME}
    if abs(gap) <= SAME or wrong.get(alternative, False):
        rule = "differ from that of the null hypothesis in the direction of the test"
        raise ArgumentError("prevalence", prevalence, rule, "no_effect")


def settle_sample_size(power: Callable[[int], float], n: int, target: float) -> int:
    """Search from a guess for the n that reaches the target while n - 1 does not."""
    if n > LARGEST_SETTLED:
        return n
    while power(n) < target:
        n += 1
    while n > 1 and power(n - 1) >= target:
        n -= 1
    return n


def _from_here_on(
    plan: ProportionPlan, share: float, target: float, alpha: float, centre: int
) -> int:
    """Return the n after the last one below the target.

    Where the threshold moves by one, power falls by the probability of one count, f over the root
    of n lam (1 - lam), f the normal density there. Over the upper half of the window it gains more
    than four times as much as long as the two quantiles sum to more than 1.6; the window is widened
    until its upper eighth never falls short and some n in it does.
    """
    chance = min(max(plan.only_share().at(share), 1e-3), 1 - 1e-3)
    width = 64 + ceil(8 * sqrt(centre / (chance * (1 - chance))))
    while True:
        sizes = np.arange(max(1, centre - width), centre + width + 1)
        reached = powers_at(plan, share, sizes, alpha) >= target
        highest = reached[-len(reached) // 8 :]
        missed = np.flatnonzero(~reached)
        if highest.all() and (len(missed) or sizes[0] == 1):
            return int(sizes[missed[-1]] + 1) if len(missed) else 1
        width *= 2


def solve_effect(
    design: Channel,
    null: float,
    n: int,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "greater",
    category: int | None = None,
    method: str = "exact",
) -> float:
    """Share nearest to `null` that a test detects with the required power.

    Parameters
    ----------
    design, null, n, alpha, category, method
        As in :func:`rr_engine.power`.
    power : float, default 0.8
    alternative : {"greater", "less", "two-sided"}
        On which side of `null` to look; "two-sided" takes the test to be two-sided and looks
        above.

    Returns
    -------
    float
        The share reaches the power; one nearer to `null` by 1e-12 does not.

    Raises
    ------
    ArgumentError
        When no share on that side reaches the power.

    References
    ----------
    .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110 (2015), 1304-1319.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> round(solve_effect(k_rr(2, 1), 0, 1000), 4)
    0.0775
    """
    plan = check_plan(design, null, alternative, category, method)
    size, target = check.size(n), check.open_unit(power, "power")
    level = check.open_unit(alpha, "alpha")
    end = 0.0 if plan.alternative == "less" else 1.0
    reached = power_at(plan, end, size, level)
    if reached < target or end == plan.null:
        rule = f"be larger: even a share of {end:g} has a power of {reached}"
        raise ArgumentError("n", n, rule, "too_few_people")
    return nearest(lambda share: power_at(plan, share, size, level) >= target, plan.null, end)


def solve_alpha(
    design: Channel,
    prevalence: float,
    null: float,
    n: int,
    power: float = 0.8,
    alternative: str = "two-sided",
    category: int | None = None,
    method: str = "exact",
) -> float:
    """Smallest significance level at which a test has the required power.

    Parameters
    ----------
    design, prevalence, null, n, alternative, category, method
        As in :func:`rr_engine.power`.
    power : float, default 0.8

    Returns
    -------
    float
        At least 1e-15.

    References
    ----------
    .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110 (2015), 1304-1319.

    Examples
    --------
    >>> from rr_engine.designs import generalized_binary
    >>> forced = generalized_binary(5 / 6, 5 / 6)
    >>> round(solve_alpha(forced, 0.05, 0, 1025, method="normal"), 4)
    0.05
    """
    plan = check_plan(design, null, alternative, category, method)
    share, size = check.probability(prevalence, "prevalence"), check.size(n)
    target = check.open_unit(power, "power")
    _check_effect(plan, share)

    def reaches(exponent: float) -> bool:
        return power_at(plan, share, size, 10.0**exponent) >= target

    smallest, largest = np.log10(SMALLEST_ALPHA), np.log10(1 - SMALLEST_ALPHA)
    if not reaches(largest):
        rule = "be larger: no significance level reaches the power"
        raise ArgumentError("n", n, rule, "too_few_people")
    return 10.0 ** nearest(reaches, float(smallest), float(largest))


def nearest(reaches: Callable[[float], bool], start: float, end: float) -> float:
    """Return the point nearest to `start` that reaches, when `end` does and all in between do."""
    if reaches(start):
        return start
    return float(halve(lambda point: not reaches(point), start, end, HALVINGS)[1])


def solve_power(
    design: Channel,
    *,
    prevalence: float | None,
    null: float,
    n: int | None,
    power: float | None,
    alpha: float | None = 0.05,
    alternative: str = "two-sided",
    category: int | None = None,
    method: str = "exact",
) -> float | int:
    """Solve for the one of prevalence, n, power and alpha that is None.

    Parameters
    ----------
    design, prevalence, null, n, alpha, alternative, category, method
        As in :func:`rr_engine.power`; exactly one of prevalence, n, power and alpha is None.
    power : float or None

    Returns
    -------
    float or int
        What :func:`solve_effect`, :func:`solve_sample_size`, :func:`rr_engine.power` or
        :func:`solve_alpha` returns.

    References
    ----------
    .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110 (2015), 1304-1319.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> solve_power(k_rr(2, 1), prevalence=0.1, null=0, n=None, power=0.8, method="normal")
    744
    """
    arguments = {"prevalence": prevalence, "n": n, "power": power, "alpha": alpha}
    missing = [name for name, value in arguments.items() if value is None]
    if len(missing) != 1:
        raise ArgumentError(
            "prevalence, n, power, alpha", arguments, "leave exactly one None", "not_one_unknown"
        )
    solvers: dict[str, Callable[..., float]] = {
        "prevalence": solve_effect,
        "n": solve_sample_size,
        "power": power_of,
        "alpha": solve_alpha,
    }
    specified = {name: value for name, value in arguments.items() if value is not None}
    rest = {"alternative": alternative, "category": category, "method": method}
    return solvers[missing[0]](design, null=null, **specified, **rest)
