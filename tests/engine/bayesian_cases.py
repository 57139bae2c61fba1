"""Posteriors of proportions by other routes: exact sums, and sums over a fine grid."""

from fractions import Fraction
from math import prod

import numpy as np


def exact_moments(table, counts, prior):
    """Return posterior means and second moments as fractions, by who may have sent which report.

    `table[u][v]` in fractions: the product of ``(sum_v table[u][v] pi_v)^n_u`` is multiplied out,
    and each term is a Dirichlet integral.
    """
    terms = {(0,) * len(prior): Fraction(1)}
    for row, count in zip(table, counts, strict=True):
        for _ in range(count):
            longer = {}
            for powers, factor in terms.items():
                for truth, chance in enumerate(row):
                    key = (*powers[:truth], powers[truth] + 1, *powers[truth + 1 :])
                    longer[key] = longer.get(key, Fraction(0)) + factor * Fraction(chance)
            terms = longer
    weights = {
        powers: factor * prod(rising(a, m) for a, m in zip(prior, powers, strict=True))
        for powers, factor in terms.items()
    }
    total, size = sum(weights.values()), sum(prior) + sum(counts)
    means = [
        sum(w * (prior[v] + p[v]) for p, w in weights.items()) / size / total
        for v in range(len(prior))
    ]
    squares = [
        sum(w * (prior[v] + p[v]) * (prior[v] + p[v] + 1) for p, w in weights.items())
        / (size * (size + 1))
        / total
        for v in range(len(prior))
    ]
    return np.array(means, dtype=float), np.array(squares, dtype=float)


def rising(start, steps):
    """Return ``start (start + 1) ...`` with as many factors as steps."""
    return prod((Fraction(start) + step for step in range(steps)), start=Fraction(1))


def simplex_grid(matrix, counts, prior, points=800):
    """Return means, deviations and marginals of three proportions, on a grid of two angles.

    ``pi = (cos^2 f, sin^2 f cos^2 g, sin^2 f sin^2 g)``: under a prior of 1/2 nothing is left of
    its poles at the border.
    """
    angles = (np.arange(points) + 0.5) / points * np.pi / 2
    f, g = np.meshgrid(angles, angles, indexing="ij")
    shares = [np.cos(f) ** 2, (np.sin(f) * np.cos(g)) ** 2, (np.sin(f) * np.sin(g)) ** 2]
    log_density = np.log(np.sin(f))
    for parameter, share in zip(prior, shares, strict=True):
        log_density += (parameter - 0.5) * np.log(share)
    for row, count in zip(matrix, counts, strict=True):
        log_density += count * np.log(sum(c * x for c, x in zip(row, shares, strict=True)))
    weights = np.exp(log_density - log_density.max())
    weights /= weights.sum()
    means = np.array([(weights * x).sum() for x in shares])
    deviations = np.array(
        [np.sqrt((weights * (x - m) ** 2).sum()) for x, m in zip(shares, means, strict=True)]
    )
    return means, deviations, lambda truth, cut: weights[shares[truth] <= cut].sum()
