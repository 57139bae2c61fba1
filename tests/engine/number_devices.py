"""Worst-case variances of devices for a mean, for a range of width 1.

The largest over the numbers of the variance of one unbiased report. The one-bit device is the
engine's; the others are formulas of the papers named, for comparison.
"""

import sys
from math import exp, expm1, tanh

import numpy as np
from scipy.optimize import brentq, linprog

EPSILONS = (0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
LEVELS = (3, 4, 5, 7)


def one_bit(epsilon: float) -> float:
    """Duchi, Jordan and Wainwright 2018 (Pan Eq. 69): largest in the middle of the range."""
    return 1 / (4 * tanh(epsilon / 2) ** 2)


def laplace_noise(epsilon: float) -> float:
    """The number itself with Laplace noise of scale 1/epsilon."""
    return 2 / epsilon**2


def piecewise(epsilon: float) -> float:
    """Wang et al. 2019, ICDE, Eq. for the piecewise mechanism at an end of -1 to 1, halved."""
    power = expm1(epsilon / 2)
    return (1 / power + (power + 4) / (3 * power**2)) / 4


def piecewise_at(number: float, epsilon: float) -> float:
    power = expm1(epsilon / 2)
    return (number**2 / power + (power + 4) / (3 * power**2)) / 4


def one_bit_at(number: float, epsilon: float) -> float:
    """The one-bit device at a number from -1 to 1."""
    return (1 / tanh(epsilon / 2) ** 2 - number**2) / 4


def hybrid(epsilon: float) -> float:
    """Wang et al. 2019: the piecewise mechanism with chance 1 - exp(-epsilon/2), else one bit."""
    if epsilon <= 0.61:
        return one_bit(epsilon)
    share = 1 - exp(-epsilon / 2)
    return max(
        share * piecewise_at(number, epsilon) + (1 - share) * one_bit_at(number, epsilon)
        for number in (0.0, 1.0)
    )


def rounded_k_ary(epsilon: float, levels: int) -> float:
    """Rounding at random to one of k evenly spaced numbers, then k-ary randomized response.

    The best linear score of a report is its number over the gap of the device.
    """
    power = exp(epsilon)
    gap = (power - 1) / (power + levels - 1)
    numbers = np.linspace(-0.5, 0.5, levels)
    # Within a step the second moment of the rounded number is that of the ends, in a line.
    second = (1 - gap) * (numbers**2).mean() + gap * numbers**2
    worst = 0.0
    for left in range(levels - 1):
        part = np.linspace(0, 1, 201)
        place = (1 - part) * numbers[left] + part * numbers[left + 1]
        moment = (1 - part) * second[left] + part * second[left + 1]
        worst = max(worst, float((moment / gap**2 - place**2).max()))
    return worst


def best_table(epsilon: float, reports: np.ndarray, grid: np.ndarray) -> float:
    """Least worst-case variance of an unbiased device whose reports are these numbers.

    A linear programme over the chances of the reports at each number of the grid, with lowest
    chances as variables: ``low[u] <= P[u, v] <= e**epsilon low[u]``.
    """
    size, places = len(reports), len(grid)
    total = size * places + size + 1
    power = exp(epsilon)
    rows, bounds, equal, values = [], [], [], []
    for v, number in enumerate(grid):
        block = slice(v * size, (v + 1) * size)
        for weights, value in ((np.ones(size), 1.0), (reports, number)):
            line = np.zeros(total)
            line[block] = weights
            equal.append(line)
            values.append(value)
        line = np.zeros(total)
        line[block], line[-1] = reports**2, -1.0
        rows.append(line)
        bounds.append(number**2)
        for u in range(size):
            under, over = np.zeros(total), np.zeros(total)
            under[v * size + u], under[size * places + u] = -1.0, 1.0
            over[v * size + u], over[size * places + u] = 1.0, -power
            rows += [under, over]
            bounds += [0.0, 0.0]
    objective = np.zeros(total)
    objective[-1] = 1.0
    solved = linprog(objective, rows, bounds, equal, values, bounds=(0, None), method="highs")
    return float(solved.fun) if solved.success else float("inf")


def crossing(other) -> float:
    """Return the epsilon from which on the other device is better than one bit."""
    return brentq(lambda epsilon: one_bit(epsilon) - other(epsilon), 0.2, 6)


def devices_table() -> None:
    names = ("one bit", "Laplace", "piecewise", "hybrid", *[f"{k} levels" for k in LEVELS])
    lines = [("epsilon", *names), ("---",) * (len(names) + 1)]
    for epsilon in EPSILONS:
        found = [one_bit(epsilon), laplace_noise(epsilon), piecewise(epsilon), hybrid(epsilon)]
        found += [rounded_k_ary(epsilon, levels) for levels in LEVELS]
        lines.append((str(epsilon), *[f"{value:.4g}" for value in found]))
    sys.stdout.write("\n" + "".join("| " + " | ".join(line) + " |\n" for line in lines))
    for name, other in (("Laplace", laplace_noise), ("piecewise", piecewise)):
        sys.stdout.write(f"{name} is better from epsilon {crossing(other):.2f} on.\n")
