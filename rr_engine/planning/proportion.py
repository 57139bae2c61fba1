"""Power of a test of one proportion, and the proportions and the category that a plan is about."""

from dataclasses import dataclass
from math import ceil, isfinite, sqrt

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_channel, check_invertible, holds_several
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.channels.protocol import Channel, ReportedShare
from rr_engine.errors import ArgumentError
from rr_engine.estimation.difference import ALTERNATIVES
from rr_engine.planning.rejection import binomial_power, normal_power


def expected(
    design: Channel, prevalence: float | ArrayLike, category: int | None
) -> tuple[FloatArray, int | None]:
    """Return all true proportions and the index of the category that the plan is about.

    One number is the share of the category (1 when left out), the rest spread evenly; a list
    leaves the category open.
    """
    channel = check_channel(design)
    size = channel.truth_size
    if holds_several(prevalence):
        proportions = channel.check_shares(prevalence, "prevalence")
        index = None if category is None else check_category(category, size)
        return proportions, index
    share = check.probability(prevalence, "prevalence")
    index = check_category(1 if category is None else category, size)
    return channel.spread_shares(share, index), index


def people(size: float, argument: str, value: object) -> int:
    """Return the whole number of respondents from `size` up; infinitely many are refused."""
    if not isfinite(size):
        rule = "be one that some number of respondents reaches"
        raise ArgumentError(argument, value, rule, "unreachable")
    return max(1, ceil(size))


def check_category(value: int, size: int) -> int:
    """Return the index of a category."""
    return check.whole(value, "category", maximum=size - 1)


OPPOSITE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
METHODS = ("exact", "score", "normal")


def power(
    design: Channel,
    prevalence: float,
    null: float,
    n: int,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    category: int | None = None,
    method: str = "exact",
) -> float:
    """Probability that a test of one proportion rejects the value of the null hypothesis.

    Parameters
    ----------
    design : Channel
    prevalence : float
        The true share of the category, the rest spread evenly over the others.
    null : float
        The share under the null hypothesis, such as 0: nobody.
    n : int
        Number of respondents, at least 1.
    alpha : float, default 0.05
        Significance level, strictly between 0 and 1.
    alternative : {"two-sided", "greater", "less"}
        What the test looks for: a share that differs from, exceeds, or falls short of `null`.
    category : int, optional
        1 ("yes" in a binary design) when left out.
    method : {"exact", "score", "normal"}
        Which test, and how its power is computed. "exact": the binomial test of the reported share,
        never above `alpha` when the null hypothesis holds, and its true power; two-sided it rejects
        when the interval "exact" leaves `null` out. "score": the test behind the interval "wilson",
        and its true power. "normal": the score test with its power by normal approximation, for
        every design.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    NotIdentifiableError
    ArgumentError
        Also for "exact" or "score" where the proportion shows through several reports.

    Notes
    -----
    docs/methods/planning.md.

    References
    ----------
    .. [1] G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response
       Technique", Journal of the American Statistical Association 110 (2015), 1304-1319 (the
       approximation of "normal").

    Examples
    --------
    >>> from rr_engine.designs import generalized_binary
    >>> forced = generalized_binary(5 / 6, 5 / 6)
    >>> [round(power(forced, 0.05, 0, 1025, method=m), 4) for m in ("exact", "score", "normal")]
    [0.7698, 0.7931, 0.8001]
    """
    size = check.size(n)
    plan = check_plan(design, null, alternative, category, method)
    share, level = check.probability(prevalence, "prevalence"), check.open_unit(alpha, "alpha")
    return power_at(plan, share, size, level)


@dataclass(frozen=True, slots=True)
class ProportionPlan:
    """A test whose arguments are checked; `share` is None for the normal approximation."""

    design: Channel
    null: float
    alternative: str
    category: int
    method: str
    share: ReportedShare | None

    def only_share(self) -> ReportedShare:
        """Return the reported share that an exact or a score test looks at."""
        if self.share is None:
            rule = 'be "normal" where a proportion shows through several reports'
            raise ArgumentError("method", self.method, rule, "method_needs_one_report")
        return self.share


def check_plan(
    design: Channel, null: float, alternative: str, category: int | None, method: str
) -> ProportionPlan:
    """Return the plan of a test, or raise for what it cannot be."""
    check_invertible(check_channel(design))
    index = check_category(1 if category is None else category, design.truth_size)
    test = check.choice(method, "method", METHODS)
    share = None if test == "normal" else design.reported_share(index)
    if test != "normal" and share is None:
        rule = 'be "normal" where a proportion shows through several reports'
        raise ArgumentError("method", method, rule, "method_needs_one_report")
    side = check.choice(alternative, "alternative", ALTERNATIVES)
    return ProportionPlan(design, check.probability(null, "null"), side, index, test, share)


def deviation(plan: ProportionPlan, prevalence: float) -> float:
    """Return the standard deviation of the plan's estimate from one report."""
    return deviation_of(plan.design, prevalence, plan.category)


def deviation_of(design: Channel, prevalence: float, category: int) -> float:
    """Return the standard deviation of a category's estimate from one report."""
    proportions = design.spread_shares(prevalence, category)
    variances = design.variances(proportions, design.apply(proportions), "sample")
    return sqrt(max(0.0, float(variances[category])))


def power_at(plan: ProportionPlan, prevalence: float, n: int, alpha: float) -> float:
    """Return the power for one n."""
    if plan.share is not None:
        return float(powers_at(plan, prevalence, np.array([n]), alpha)[0])
    gap, spreads = prevalence - plan.null, (deviation(plan, plan.null), deviation(plan, prevalence))
    return normal_power(n, gap, *spreads, alpha, plan.alternative)


def powers_at(plan: ProportionPlan, prevalence: float, n: IntArray, alpha: float) -> FloatArray:
    """Return the power of an exact or score test for many n."""
    share = plan.only_share()
    falling = share.within < share.without
    alternative = OPPOSITE[plan.alternative] if falling else plan.alternative
    null, true = share.at(plan.null), share.at(prevalence)
    return binomial_power(n, null, true, alpha, alternative, plan.method)
