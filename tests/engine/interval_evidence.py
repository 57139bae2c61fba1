"""Coverage of the likelihood, bootstrap intervals and of confidence sequences beside the others:

PYTHONPATH=. python tests/engine/interval_evidence.py

Yes/no devices and two of them pooled are enumerated exactly, five categories are simulated.
Writes tables of docs/methods/intervals.md.
"""

import sys
from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
from scipy.stats import binom, norm

import rr_engine as rr
from rr_engine.estimation.confidence_sequence import log_mixture, share_evidence
from tests.engine.interval_coverage import coverage, first
from tests.engine.markdown_tables import head, row

METHODS = ("normal", "wilson", "guarded", "exact", "profile", "bootstrap", "sequence")
SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)
# k_rr at three epsilons, a coin that rather forces yes than no, an unrelated question of 20 %.
DEVICES = {
    "k_rr(2, 0.5)": rr.k_rr(("No", "Yes"), 0.5),
    "k_rr(2, 1)": rr.k_rr(("No", "Yes"), 1),
    "k_rr(2, 3)": rr.k_rr(("No", "Yes"), 3),
    "forced_response(0.6, 0.3)": rr.forced_response(0.6, 0.3),
    "unrelated_question(0.7, 0.2)": rr.unrelated_question(0.7, 0.2),
}
SHARES = (0, 0.05, 0.5)
SETTINGS = [(device, share) for device in DEVICES.values() for share in SHARES]
# Two arms of unlike devices, two fifths of the respondents in the first.
ARMS = (DEVICES["k_rr(2, 1)"], DEVICES["forced_response(0.6, 0.3)"])
# Counts this unlikely are left out of the enumeration of pairs.
NEGLIGIBLE = 1e-7


def pooled_coverage(share: float, n: int, method: str) -> float:
    """Return the coverage of the share of yes behind both arms, over all pairs of counts."""
    sizes = (2 * n // 5, n - 2 * n // 5)
    chances = [
        binom.pmf(np.arange(size + 1), size, arm.matrix[1] @ [1 - share, share])
        for arm, size in zip(ARMS, sizes, strict=True)
    ]
    total = 0.0
    for yes in np.flatnonzero(chances[0] > NEGLIGIBLE):
        start, stop = pooled_covering(share, sizes, method, int(yes))
        total += chances[0][yes] * chances[1][start:stop].sum()
    return float(total)


def pooled_covering(share: float, sizes: tuple[int, int], method: str, yes: int) -> tuple[int, int]:
    """Return the first yes of the second arm that covers the share, and the first after those."""

    @cache
    def ends(second: int) -> np.ndarray:
        counts = [[sizes[0] - yes, yes], [sizes[1] - second, second]]
        return rr.estimate_strata(ARMS, counts).interval(method=method)[1]

    return (
        first(lambda second: ends(second)[1] >= share, sizes[1]),
        first(lambda second: ends(second)[0] > share, sizes[1]),
    )


def simulated_coverage(design: rr.DesignMatrix, share: float, n: int, method: str) -> float:
    """Return how often the share of the first category is covered in 2,000 drawn surveys."""
    size, runs = len(design.categories), 2000
    shares = np.array([share, *[(1 - share) / (size - 1)] * (size - 1)])
    rng, hits = np.random.default_rng(n), 0
    for _ in range(runs):
        result = rr.estimate(design, rr.simulate_counts(design, shares, n, rng))
        low, high = result.interval(method=method)[0]
        hits += low <= share <= high
    return hits / runs


def confidence_sequence_covers(share: float, n: int) -> np.ndarray:
    """Return by count of n reports whether the confidence sequence covers the reported share.

    The engine's own mixture, compared at the share itself instead of solved for the ends.
    """
    rising, falling = share_evidence(np.arange(n + 1), n)
    above, below = log_mixture([rising], np.array(share)), log_mixture([falling], 1 - share)
    return np.maximum(above, below) < np.log(2 / 0.05)


def wilson_covers(share: float, n: int) -> np.ndarray:
    """Return the same for the score interval of the share."""
    error = np.sqrt(share * (1 - share) / n)
    return np.abs(np.arange(n + 1) / n - share) <= norm.isf(0.025) * error


def ever_missed(covers: Callable[[float, int], np.ndarray], share: float, last: int) -> float:
    """Return the chance that a look after any of the first `last` reports misses the share.

    Surveys that are missed are dropped from the distribution of the count, which each report
    carries on: exact but for rounding.
    """
    alive = np.array([1.0])
    for n in range(1, last + 1):
        alive = np.append(alive * (1 - share), 0.0) + np.append(0.0, alive * share)
        alive = np.where(covers(share, n), alive, 0.0)
    return 1 - float(alive.sum())


def write_binary(method: str, n: int) -> None:
    # Category 0 is "No", whose interval is the mirror image of that of "Yes".
    found = [coverage(device, 1 - share, n, method) for device, share in SETTINGS]
    write_coverage(method, n, found)


def write_coverage(method: str, n: int, found: list[float]) -> None:
    low = sum(value < 0.94 for value in found)
    high = sum(value > 0.96 for value in found)
    row(method, f"{n:,}", f"{min(found):.4f}", f"{max(found):.4f}", low, high)


HEAD = ("method", "n", "lowest", "highest", "below .94", "above .96")


def main() -> None:
    wanted = sys.argv[1:] or ["binary", "pooled", "simulated", "watched"]
    if "binary" in wanted:
        head(*HEAD)
        for method, n in product(METHODS, SIZES):
            write_binary(method, n)
    if "pooled" in wanted:
        head(*HEAD)
        for method in ("normal", "wilson", "profile", "bootstrap", "sequence"):
            for n in (50, 200, 1000):
                found = [pooled_coverage(share, n, method) for share in SHARES]
                write_coverage(method, n, found)
    if "simulated" in wanted:
        head(*HEAD)
        for method in ("wilson", "profile", "bootstrap", "sequence"):
            for n in (50, 200, 1000):
                found = [simulated_coverage(rr.k_rr(5, 1), share, n, method) for share in SHARES]
                write_coverage(method, n, found)
    if "watched" in wanted:
        head("device", "share", "sequence", "wilson")
        for name in ("k_rr(2, 1)", "forced_response(0.6, 0.3)"):
            for share in SHARES:
                yes = float(DEVICES[name].matrix[1] @ [1 - share, share])
                missed = [
                    ever_missed(c, yes, 5000) for c in (confidence_sequence_covers, wilson_covers)
                ]
                row(name, share, f"{missed[0]:.4f}", f"{missed[1]:.4f}")


if __name__ == "__main__":
    main()
