"""Posteriors over truths that are drawn from the prior: intervals have to cover as stated.

    PYTHONPATH=. python tests/engine/bayesian_calibration.py [number of a case]...

Seed 1979. A 95 % interval then holds the truth in 95 % of the surveys, exactly; of 400 surveys
within 0.928 and 0.972 (two Monte Carlo errors).
"""

import sys

import numpy as np
from scipy.special import expit
from scipy.stats import binom

from rr_engine import RRLogit, k_rr, warner
from rr_engine.estimation import posterior
from rr_engine.models import CoefficientPrior, fit_bayesian
from tests.engine.markdown_tables import row

SURVEYS = 400


def two_exactly(epsilon, n, points=1_000_000):
    """Return the mass of each count's interval, over midpoints of the prior, weighted by count."""
    design = k_rr(2, epsilon)
    # Under a prior of 1/2 the angle whose squared sine is the share is uniform.
    shares = np.sin((np.arange(points) + 0.5) / points * np.pi / 2) ** 2
    chances = design.matrix[1, 0] + (design.matrix[1, 1] - design.matrix[1, 0]) * shares
    inside = 0.0
    for count in range(n + 1):
        low, high = posterior(design, [n - count, count]).intervals[1]
        held = (low <= shares) & (shares <= high)
        inside += binom.pmf(count, n, chances[held]).sum() / points
    return [[inside, inside]]


def proportions(generator, k, epsilon, n):
    """Return whether the intervals of all proportions hold the truth, one row for each survey."""
    design = k_rr(k, epsilon)
    for _ in range(SURVEYS):
        truth = generator.dirichlet(np.full(k, 0.5))
        counts = generator.multinomial(n, design.matrix @ truth)
        low, high = posterior(design, counts).intervals.T
        yield (low <= truth) & (truth <= high)


def coefficients(generator, n, prior):
    """Return the same of an intercept, the slope of a number, and that of two groups."""
    x = np.column_stack([generator.normal(size=n), np.arange(n) % 2])
    x[:, 0] = (x[:, 0] - x[:, 0].mean()) / (2 * x[:, 0].std())
    x[:, 1] -= x[:, 1].mean()
    scales = np.array([prior.intercept_scale, prior.scale, prior.scale])
    model = RRLogit(warner(0.8))
    for _ in range(SURVEYS):
        truth = scales * generator.standard_t(prior.degrees, size=3)
        share = 0.2 + 0.6 * expit(truth[0] + x @ truth[1:])
        reports = (generator.random(n) < share).astype(int)
        low, high = fit_bayesian(model, x, reports, prior=prior).intervals.T
        yield (low <= truth) & (truth <= high)


PRIOR = CoefficientPrior(2.5, 2.5, 7)
CASES = {
    "posterior, k = 2, epsilon 1, n = 100 (exact)": lambda rng: two_exactly(1, 100),
    "posterior, k = 3, epsilon 1, n = 100": lambda rng: proportions(rng, 3, 1, 100),
    "posterior, k = 4, epsilon 2, n = 1,000": lambda rng: proportions(rng, 4, 2, 1000),
    "fit_bayesian, n = 60": lambda rng: coefficients(rng, 60, PRIOR),
    "fit_bayesian, n = 300": lambda rng: coefficients(rng, 300, PRIOR),
}


def main(chosen):
    for number, (name, surveys) in enumerate(CASES.items()):
        if not chosen or str(number) in chosen:
            covers = list(surveys(np.random.default_rng([1979, number])))
            cells = ", ".join(f"{share:.3f}" for share in np.mean(covers, axis=0))
            row(name, cells)


if __name__ == "__main__":
    main(sys.argv[1:])
