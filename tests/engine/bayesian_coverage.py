"""Coverage of posteriors in repeated surveys, exactly: every count with its probability.

    PYTHONPATH=. python tests/engine/bayesian_coverage.py

Columns: share of surveys whose interval holds the true share; mean width of the interval; root mean
squared error of the posterior mean, and of the maximum-likelihood estimate.
"""

import numpy as np
from scipy.stats import binom

from rr_engine import estimate, k_rr
from rr_engine.estimation import posterior
from tests.engine.markdown_tables import head, row

SHARES = (0.01, 0.05, 0.1, 0.3, 0.5)


def settings():
    for epsilon in ("1", "2"):
        for n in (50, 200, 1000):
            yield epsilon, n


def figures(epsilon, n):
    """Return, for each true share, coverage, width and two errors; then those of the intervals."""
    design = k_rr(2, epsilon)
    chances = [design.apply(np.array([1 - share, share]))[1] for share in SHARES]
    lowest, highest = binom.ppf([1e-7, 1 - 1e-7], n, [min(chances), max(chances)])
    yes = np.arange(int(lowest), int(highest) + 1)
    rows = []
    for count in yes:
        result = posterior(design, [n - count, count])
        likely = estimate(design, [n - count, count], "mle")
        rows.append(
            [*result.intervals[1], result.means[1], likely.proportions[1], *likely.interval()[1]]
        )
    low, high, mean, likely, first, last = np.array(rows).T
    for share, chance in zip(SHARES, chances, strict=True):
        weights = binom.pmf(yes, n, chance)
        yield (
            share,
            weights @ ((low <= share) & (share <= high)),
            weights @ (high - low),
            np.sqrt(weights @ (mean - share) ** 2),
            np.sqrt(weights @ (likely - share) ** 2),
            weights @ ((first <= share) & (share <= last)),
            weights @ (np.minimum(last, 1) - np.maximum(first, 0)),
        )


def main():
    names = "epsilon, n, true share, covers, width, error of the mean, error of the mle"
    head(*names.split(", "), "default interval covers", "its width")
    for epsilon, n in settings():
        for found in figures(epsilon, n):
            row(epsilon, f"{n:,}", *(f"{value:.3f}" for value in found))


if __name__ == "__main__":
    main()
