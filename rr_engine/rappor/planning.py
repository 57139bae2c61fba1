"""How rare a string may be and still be found, and which filter finds the rarest."""

from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from rr_engine import check
from rr_engine.arrays import Epsilon
from rr_engine.display.shown import Shown
from rr_engine.distributions import normal_isf
from rr_engine.errors import CategoryError
from rr_engine.rappor.candidates import MOST_CANDIDATES
from rr_engine.rappor.rappor import Rappor, score_ends

BITS = (16, 32, 64, 128, 256, 512, 1024)
HASHES = (1, 2, 3, 4)
# With fewer, a string off the list that shares a bit with a candidate would weigh too much.
COHORTS = (4, 8, 16, 32, 64)
# Respondents in a cohort on average, so that its counts are no handful.
COHORT_SIZE = 20
# A smaller filter is preferred when it costs at most this share.
TOLERANCE = 0.02
# At most one of so many lists may have two candidates with the same bits in all cohorts.
LISTS = 100


@dataclass(frozen=True, slots=True)
class RapporPlan(Shown):
    """A device for a survey of short texts, and what it will find.

    Attributes
    ----------
    device : Rappor
    detectable_share : float
        The smallest share that is found with the power asked for; inf where no share is.

    Examples
    --------
    >>> from rr_engine.rappor import suggest_rappor
    >>> plan = suggest_rappor("2", 10_000, 100)
    >>> plan.device.bits, round(plan.detectable_share, 3)
    (128, 0.041)
    """

    device: Rappor
    detectable_share: float


def detectable_share(
    device: Rappor, n: int, candidates: int, false_discovery_rate: float = 0.05, power: float = 0.8
) -> float:
    """Return the smallest share of a string that is found with this power.

    Parameters
    ----------
    device : Rappor
    n : int
        Respondents.
    candidates : int
        Length of the list, fewer than ``cohorts (bits - 1)``.
    false_discovery_rate : float, default 0.05
    power : float, default 0.8

    Returns
    -------
    float
        inf when not even a string that everybody has is found so surely.

    Raises
    ------
    ArgumentError, CategoryError

    Notes
    -----
    By Bonferroni's cut-off, ``false_discovery_rate / candidates``; the one that is used by default
    is never stricter, and finds more the more there is to find. The variance of a candidate is
    that of random filters: the noise of its bits and the strings that share them, over
    ``n h (1 - h/B)``, enlarged by ``1 / (1 - candidates / (cohorts (B - 1)))`` for the other
    candidates.

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 5 (there by
       simulation).

    Examples
    --------
    >>> device = Rappor.for_epsilon("2", bits=128)
    >>> round(detectable_share(device, 20_000, 100), 4)
    0.0301
    """
    check.instance(device, "device", Rappor, "be a Rappor", "not_a_channel")
    people = check.size(n)
    count = check.whole(candidates, "candidates", minimum=1, maximum=MOST_CANDIDATES)
    freedom = device.cohorts * (device.bits - 1)
    if count >= freedom:
        rule = "be fewer than the bits of all cohorts, less one for each cohort"
        raise CategoryError("candidates", count, rule, "too_many_categories", limit=freedom - 1)
    rate = check.open_unit(false_discovery_rate, "false_discovery_rate")
    chance = check.open_unit(power, "power")
    mean = device.hashes / device.bits
    information = people * device.hashes * (1 - mean) * (1 - count / freedom)
    null_variance = (device.bit_variance + mean) / information
    return _smallest_share(null_variance, 1 / people, rate / count, chance)


def _smallest_share(null_variance: float, sampling: float, tail: float, power: float) -> float:
    """Return the share whose estimate exceeds the cut-off with this power."""
    quantile = float(normal_isf(tail))
    cut_off = score_ends(0.0, null_variance, sampling, quantile)[1]
    reserve = float(normal_isf(1 - power))
    share = float(score_ends(cut_off, null_variance, sampling, abs(reserve))[int(reserve > 0)])
    return share if share <= 1 else float("inf")


def suggest_rappor(
    epsilon: Epsilon,
    n: int,
    candidates: int,
    false_discovery_rate: float = 0.05,
    power: float = 0.8,
) -> RapporPlan:
    """Choose bits, hashes and cohorts for a privacy loss: the smallest filter that finds the most.

    Parameters
    ----------
    epsilon : Decimal, str or float
        Of a whole report.
    n : int
        Respondents expected.
    candidates : int
        Length of the list expected.
    false_discovery_rate, power : float

    Returns
    -------
    RapporPlan

    Raises
    ------
    ArgumentError, EpsilonError

    Notes
    -----
    All filters of 16 to 1,024 bits with 1 to 4 hashes and 4 to 64 cohorts, of 20 respondents or
    more on average, are compared by :func:`detectable_share`; among those within 2 % of the best
    the one with the fewest bits, then cohorts, wins. With more hashes each bit gets less of the
    epsilon: its variance grows about as their square, and only as many bits are averaged. So one
    hash wins, at any epsilon up to 8.

    References
    ----------
    .. [1] U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR", CCS 2014, section 5.2.

    Examples
    --------
    >>> plan = suggest_rappor("2", 20_000, 100)
    >>> plan.device.hashes, plan.device.bits, plan.device.cohorts
    (1, 128, 32)
    """
    check.epsilon(epsilon)
    people = check.size(n)
    check.whole(candidates, "candidates", minimum=1, maximum=MOST_CANDIDATES)
    plans = [
        RapporPlan(device, share)
        for device in _devices(epsilon, people, candidates)
        for share in [detectable_share(device, n, candidates, false_discovery_rate, power)]
    ]
    least = min(plan.detectable_share for plan in plans)
    good_plans = [plan for plan in plans if plan.detectable_share <= (1 + TOLERANCE) * least]
    return min(good_plans, key=lambda p: (p.device.bits, p.device.cohorts, p.device.hashes))


def _devices(epsilon: Epsilon, n: int, candidates: int) -> list[Rappor]:
    """Return the devices to compare: enough bits for the list, and people for the cohorts."""
    chances = {hashes: Rappor.for_epsilon(epsilon, 16, hashes).f for hashes in HASHES}
    cohorts = [count for count in COHORTS if count * COHORT_SIZE <= n] or [COHORTS[0]]
    devices = [
        Rappor(bits, hashes, count, chances[hashes])
        for bits, hashes, count in product(BITS, HASHES, cohorts)
        if candidates < count * (bits - 1)
        and LISTS * candidates**2 < 2 * comb(bits, hashes) ** count
    ]
    # A list too long for so few people gets the largest filter that there is: a power of two that
    # is at least twice the candidates.
    bits = int(2 ** np.ceil(np.log2(2 * candidates)))
    return devices or [Rappor(bits, 1, cohorts[-1], chances[1])]
