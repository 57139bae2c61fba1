"""Data for models with groups."""

import numpy as np

# Contagious bovine pleuropneumonia: (herd, new cases, animals, period). Data set cbpp of lme4,
# after M. Lesnoff et al., Preventive Veterinary Medicine 64 (2004).
CBPP = """
1,2,14,1 1,3,12,2 1,4,9,3 1,0,5,4 2,3,22,1 2,1,18,2 2,1,21,3 3,8,22,1 3,2,16,2 3,0,16,3 3,2,20,4
4,2,10,1 4,0,10,2 4,2,9,3 4,0,6,4 5,5,18,1 5,0,25,2 5,0,24,3 5,1,4,4 6,3,17,1 6,0,17,2 6,0,18,3
6,1,20,4 7,8,16,1 7,1,10,2 7,3,9,3 7,0,5,4 8,12,34,1 9,2,9,1 9,0,6,2 9,0,8,3 9,0,6,4 10,1,22,1
10,1,22,2 10,0,18,3 10,2,22,4 11,0,25,1 11,5,27,2 11,3,22,3 11,1,22,4 12,2,10,1 12,1,8,2 12,0,6,3
12,0,5,4 13,1,21,1 13,2,24,2 13,0,19,3 13,0,23,4 14,11,19,1 14,0,2,2 14,0,3,3 14,0,2,4 15,1,19,1
15,1,15,2 15,1,15,3 15,0,15,4
"""


def herds():
    """Return columns (periods 2, 3 and 4), outcomes and herds of all animals."""
    rows = np.array([[int(n) for n in row.split(",")] for row in CBPP.split()])
    herd, cases, animals, period = rows.T
    outcomes = np.concatenate(
        [np.repeat([1, 0], [c, n - c]) for c, n in zip(cases, animals, strict=True)]
    )
    periods = np.repeat(period, animals)
    columns = (periods[:, None] == [2, 3, 4]).astype(float)
    return columns, outcomes, np.repeat(herd, animals), rows


def schools(groups=8, size=25, deviation=0.8, seed=15):
    """Return covariates, reports, groups and devices of pupils: Warner's, a coin's, direct."""
    generator = np.random.default_rng(seed)
    school = np.repeat(np.arange(groups), size)
    x = np.column_stack([generator.normal(size=len(school)) * 4 + 40, school % 2])
    eta = -0.6 + 0.2 * (x[:, 0] - 40) + 0.5 * x[:, 1]
    eta += deviation * generator.normal(size=groups)[school]
    truths = generator.random(len(school)) < 1 / (1 + np.exp(-eta))
    which = generator.integers(0, 3, len(school))
    yes = np.array([[0.2, 0.8], [1 / 6, 5 / 6], [0.0, 1.0]])[which, truths.astype(int)]
    reports = (generator.random(len(school)) < yes).astype(int)
    return x, reports, school, which


def marginal_likelihood(columns, likelihoods, groups, points=801, curve=None):
    """Return the marginal log-likelihood of (coefficients, sigma) by a dense sum over (-9, 9)."""
    curve = curve or (lambda eta: 1 / (1 + np.exp(-eta)))
    grid = np.linspace(-9, 9, points)
    density = np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi) * (grid[1] - grid[0])

    def value(theta, means=False):
        share = curve((columns @ theta[:-1])[:, None] + theta[-1] * grid)
        chances = likelihoods[:, :1] * (1 - share) + likelihoods[:, 1:] * share
        logs = np.log(np.maximum(chances, 1e-300))
        parts = [np.exp(logs[groups == group].sum(axis=0)) * density for group in np.unique(groups)]
        if means:
            first = np.array([part @ grid / part.sum() for part in parts]) * theta[-1]
            second = np.array([part @ grid**2 / part.sum() for part in parts]) * theta[-1] ** 2
            return first, np.sqrt(second - first**2)
        return float(sum(np.log(part.sum()) for part in parts))

    return value
