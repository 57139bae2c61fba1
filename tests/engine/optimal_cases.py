"""OPTIMAL's three priors of ten categories, and an evaluation that shares no code with the engine.

Ten equal bins on the mean and three standard deviations to each side, cut to the support.
"""

from fractions import Fraction

import numpy as np
from scipy.stats import gamma, norm

N = 10_000
DELTA = 0.75


def binned(cdf, low, high):
    masses = np.diff(cdf(np.linspace(low, high, 11)))
    return masses / masses.sum()


PRIORS = {
    "normal": binned(norm.cdf, -3, 3),
    "gamma": binned(gamma(1, scale=2).cdf, 0, 8),
    "uniform": np.full(10, 0.1),
}


def exact_measures(matrix, prior):
    """Privacy, error (Eq. 10, one respondent) and worst posterior of a square matrix in rationals.

    The error by the inverse matrix and the multinomial covariance, each unordered pair of reports
    counted twice as a variance has it: Theorem 6 without its misprint.
    """
    table = [[Fraction(entry) for entry in row] for row in matrix.tolist()]
    shares = [Fraction(share) for share in prior.tolist()]
    joint = [[p * s for p, s in zip(row, shares, strict=True)] for row in table]
    reported = [sum(row) for row in joint]
    error = Fraction(0)
    for row in inverse(table):
        first = sum(b * b * share for b, share in zip(row, reported, strict=True))
        second = sum(b * share for b, share in zip(row, reported, strict=True)) ** 2
        error += first - second
    worst = max(max(row) / total for row, total in zip(joint, reported, strict=True))
    return 1 - sum(map(max, joint)), error / len(shares), worst


def inverse(table):
    """Gauss and Jordan."""
    size = len(table)
    rows = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(table)]
    for place in range(size):
        pivot = next(i for i in range(place, size) if rows[i][place] != 0)
        rows[place], rows[pivot] = rows[pivot], rows[place]
        head = rows[place][place]
        rows[place] = [entry / head for entry in rows[place]]
        for other in range(size):
            if other != place and rows[other][place] != 0:
                factor = rows[other][place]
                pairs = zip(rows[other], rows[place], strict=True)
                rows[other] = [entry - factor * by for entry, by in pairs]
    return [row[size:] for row in rows]
