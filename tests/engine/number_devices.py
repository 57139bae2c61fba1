"""Worst-case variances of devices for a mean, for a range of width 1.

The largest variance of one unbiased report, over the numbers of the range. The device of one bit is
the engine's; the others are of the papers named, or computed here, to compare it with.
"""

import sys
from collections.abc import Callable
from math import exp, expm1, tanh

import numpy as np
from scipy.optimize import brentq, linprog

from tests.engine.markdown_tables import head, row

EPSILONS = (0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
LEVELS = (3, 4, 5, 7)
# Numbers at which the least possible variance is bounded, and half the number of its reports.
PLACES, REPORTS = 17, 26


def one_bit(epsilon: float) -> float:
    """Pan Eq. 69; Duchi, Jordan and Wainwright 2018: largest in the middle of the range."""
    return one_bit_at(0.0, epsilon)


def one_bit_at(number: float, epsilon: float) -> float:
    """At a number from -1 to 1, in a quarter of its square, as the range has width 1."""
    return (1 / tanh(epsilon / 2) ** 2 - number**2) / 4


def laplace_noise(epsilon: float) -> float:
    """The number itself with Laplace noise of scale 1/epsilon (Dwork & Roth 2014, 3.3)."""
    return 2 / epsilon**2


def piecewise(epsilon: float) -> float:
    """Wang et al. 2019, ICDE, section III-B: largest at the ends of the range."""
    return piecewise_at(1.0, epsilon)


def piecewise_at(number: float, epsilon: float) -> float:
    power = expm1(epsilon / 2)
    return (number**2 / power + (power + 4) / (3 * power**2)) / 4


def hybrid(epsilon: float) -> float:
    """Wang et al. 2019, section III-C: piecewise with chance 1 - exp(-epsilon/2), else one bit."""
    share = 1 - exp(-epsilon / 2) if epsilon > 0.61 else 0.0
    return max(
        share * piecewise_at(number, epsilon) + (1 - share) * one_bit_at(number, epsilon)
        for number in (0.0, 1.0)
    )


def rounded_k_ary(epsilon: float, levels: int) -> float:
    """Rounding at random to one of k evenly spaced numbers, then k-ary randomized response.

    The score of a report is its number over the gap of the device: unbiased by symmetry.
    """
    gap = expm1(epsilon) / (expm1(epsilon) + levels)
    numbers = np.linspace(-0.5, 0.5, levels)
    second = (1 - gap) * (numbers**2).mean() + gap * numbers**2
    places = np.linspace(-0.5, 0.5, 200 * (levels - 1) + 1)
    # Between two levels the second moment of a report is that of the levels, in a line.
    return float((np.interp(places, numbers, second) / gap**2 - places**2).max())


def least_possible(epsilon: float) -> float:
    """The least worst-case variance of any unbiased device with these evenly spaced reports.

    A linear programme over the chances P[v, u] of the reports at each number, the least chance of
    each report, ``low[u] <= P[v, u] <= exp(epsilon) low[u]``, and the variance itself.
    """
    reach = 0.65 / tanh(epsilon / 2)
    reports = np.linspace(-reach, reach, 2 * REPORTS + 1)
    numbers, size = np.linspace(-0.5, 0.5, PLACES), len(reports)
    each, none = np.eye(PLACES), np.zeros((PLACES, size + 1))
    equalities = np.vstack(
        [np.hstack([np.kron(each, weights), none]) for weights in (np.ones(size), reports)]
    )
    lows = np.tile(np.eye(size), (PLACES, 1))
    chances, zero = np.eye(PLACES * size), np.zeros((PLACES * size, 1))
    inequalities = np.vstack(
        [
            np.hstack([np.kron(each, reports**2), none[:, 1:], -np.ones((PLACES, 1))]),
            np.hstack([-chances, lows, zero]),
            np.hstack([chances, -exp(epsilon) * lows, zero]),
        ]
    )
    limits = np.concatenate([numbers**2, np.zeros(2 * PLACES * size)])
    cost = np.append(np.zeros(PLACES * size + size), 1.0)
    means = np.concatenate([np.ones(PLACES), numbers])
    return float(linprog(cost, inequalities, limits, equalities, means, method="highs").fun)


def crossing(other: Callable[[float], float]) -> float:
    """Return the epsilon from which on the other device is better than one bit."""
    return float(brentq(lambda epsilon: one_bit(epsilon) - other(epsilon), 0.2, 6))


def devices_table() -> None:
    names = ("one bit", "Laplace", "piecewise", "hybrid", *[f"{k} levels" for k in LEVELS])
    head("epsilon", *names, "least possible")
    for epsilon in EPSILONS:
        found = [one_bit(epsilon), laplace_noise(epsilon), piecewise(epsilon), hybrid(epsilon)]
        found += [rounded_k_ary(epsilon, levels) for levels in LEVELS]
        found.append(least_possible(epsilon))
        row(epsilon, *[f"{value:.4g}" for value in found])
    others = {"Laplace": laplace_noise, "piecewise": piecewise}
    others |= {f"{k} levels": lambda epsilon, k=k: rounded_k_ary(epsilon, k) for k in LEVELS}
    for name, other in others.items():
        sys.stdout.write(f"{name} is better than one bit from epsilon {crossing(other):.2f} on.\n")
