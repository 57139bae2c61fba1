"""Exact coverage of the recommended interval: python -m tests.engine.guarded_coverage

A reported share hangs on a binomial count, so that the coverage at a true share is the sum of the
chances of the counts whose interval holds it. Writes the tables of docs/methods/intervals.md about
small surveys: of binary devices, whose coverage of yes and no is the same.
"""

import sys

import numpy as np
from scipy.stats import beta, binom, norm

from rr_engine import estimate, k_rr
from rr_engine.estimation.moment_guard import guard_shares
from tests.engine.markdown_tables import head, row

SHARES = np.array([0, 0.005, 0.01, 0.02, 0.05, 0.5])
EPSILONS = np.arange(1, 81) / 10
SIZES = (*range(20, 61), 75, 100, 150, 200, 300, 400, 500, 700, 1000)
# Reports of the rarer kind below which there is, at some shares, no better interval.
TOO_FEW = 1.62


def reported_shares():
    """Return the shares of yes that a binary device makes of SHARES, at all epsilons."""
    changed = 1 / (1 + np.exp(EPSILONS[:, None]))
    return np.unique(changed + (1 - 2 * changed) * SHARES)


def score_ends(n, level=0.95):
    counts, z2 = np.arange(n + 1), norm.isf((1 - level) / 2) ** 2
    middle, root = counts + z2 / 2, np.sqrt(z2 * (counts * (n - counts) / n + z2 / 4))
    return np.column_stack([middle - root, middle + root]) / (n + z2)


def ends_of_all_counts(n, level=0.95):
    return guard_shares(np.arange(n + 1), n, score_ends(n, level), 1 - level)


def exact_coverage(ends, n, shares):
    first = np.searchsorted(ends[:, 1], shares, side="left")
    end = np.searchsorted(ends[:, 0], shares, side="right")
    return binom.cdf(end - 1, n, shares) - binom.cdf(first - 1, n, shares)


def chances_of_runs(n, share):
    """Return the chance of every run of counts."""
    sums = np.concatenate([[0], np.cumsum(binom.pmf(np.arange(n + 1), n, share))])
    return sums[None] - sums[:, None]


def can_be_covered(n, share, least=0.93, most=0.98):
    """Tell whether any run of counts has a chance in between."""
    runs = chances_of_runs(n, share)
    return bool(((runs >= least) & (runs <= most)).any())


def exact_ends(n):
    counts = np.arange(n + 1)
    low = np.where(counts > 0, beta.ppf(0.025, np.maximum(counts, 1), n - counts + 1), 0)
    return np.column_stack([low, 1 - low[::-1]])


def profile_ends(n, epsilon):
    """Return the ends of the reported share; the likelihood's end at the range's end."""
    design = k_rr(2, epsilon)
    kept, changed = design.matrix[0]
    found = [estimate(design, [n - x, x]).interval(method="profile")[1] for x in range(n + 1)]
    return changed + (kept - changed) * np.array(found)


def summary_table():
    shares = reported_shares()
    head("method", "n", "lowest", "highest", "below .93", "above .98")
    ways = {"wilson": score_ends, "exact": exact_ends, "guarded": ends_of_all_counts}
    for name, ends in ways.items():
        for n in (20, 50, 100, 200, 500, 1000):
            found = exact_coverage(ends(n), n, shares)
            outside = ((found < 0.93 - 1e-9).sum(), (found > 0.98).sum())
            row(name, f"{n:,}", f"{found.min():.4f}", f"{found.max():.4f}", *outside)
    sys.stdout.write(f"of {len(shares)} shares of yes each\n")


def profile_table():
    head("n", "lowest of profile", "at epsilon", "share")
    for n in (20, 50, 100, 200):
        found = []
        for epsilon in (0.1, 0.5, 1, 2, 3, 4, 5, 6, 7, 8):
            changed = 1 / (1 + np.exp(epsilon))
            shares = changed + (1 - 2 * changed) * SHARES
            # Rounding must not leave the ends of the range outside.
            ends = profile_ends(n, epsilon) + np.array([-1e-12, 1e-12])
            found += zip(exact_coverage(ends, n, shares), [epsilon] * 6, SHARES, strict=True)
        least, epsilon, share = min(found)
        row(n, f"{least:.4f}", epsilon, share)


def exceptions_table():
    """Every cell above .98: the coverage, and the least above .93 that any counts would give."""
    head("epsilon", "share", "n", "expected", "coverage", "least possible")
    for epsilon in (0.1, 0.5, 1, 2, 3, 4, 5, 6, 7, 8):
        changed = 1 / (1 + np.exp(epsilon))
        for share in SHARES:
            reported = changed + (1 - 2 * changed) * share
            for n in (20, 50, 100, 200, 500, 1000):
                (found,) = exact_coverage(ends_of_all_counts(n), n, np.array([reported]))
                if found > 0.98:
                    runs = chances_of_runs(n, reported)
                    least = runs[runs >= 0.93].min()
                    cells = (f"{n * reported:.2f}", f"{found:.4f}", f"{least:.4f}")
                    row(f"{epsilon:g}", f"{share:g}", f"{n:,}", *cells)


if __name__ == "__main__":
    exceptions_table()
    summary_table()
    profile_table()
