"""Coverage of all categories at once: PYTHONPATH=. python tests/engine/simultaneous_coverage.py

20,000 surveys of each setting of docs/methods/intervals.md, drawn with seed 1967; writes the table
of that page. A setting's coverage has a standard error of 0.0015.
"""

import sys
from functools import cache

import numpy as np

from rr_engine import estimate, k_rr
from rr_engine.arrays import FloatArray
from rr_engine.estimation import simultaneous_intervals
from tests.engine.interval_coverage import SETTINGS

SIZES = (50, 100, 200, 500, 1000, 5000)
SURVEYS, SEED = 20_000, 1967


@cache
def ends(k: int, epsilon: float, count: int, n: int) -> FloatArray:
    """Ends of category 0 reported `count` times: by itself, and with all others."""
    found = estimate(k_rr(k, epsilon), [count, *[0] * (k - 2), n - count])
    return np.array([found.interval(method="default")[0], simultaneous_intervals(found)[0]])


def coverages(k: int, epsilon: float, share: float, n: int, surveys: int = SURVEYS) -> FloatArray:
    """How often the separate and the simultaneous intervals all hold the truth."""
    truth = np.full(k, (1 - share) / (k - 1))
    truth[0] = share
    reported = k_rr(k, epsilon).matrix @ truth
    drawn = np.random.default_rng(SEED).multinomial(n, reported / reported.sum(), size=surveys)
    kinds, which = np.unique(drawn, return_inverse=True)
    every = np.array([ends(k, epsilon, int(count), n) for count in kinds])
    low, high = np.moveaxis(every[which.reshape(drawn.shape)], (2, 3), (1, 0))
    held = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    return held.all(axis=2).mean(axis=1)


def row(k: int, n: int, surveys: int = SURVEYS) -> str:
    found = np.array([coverages(*one, n, surveys) for one in SETTINGS if one[0] == k])
    cells = [f"{value:.3f}" for value in (*found.min(axis=0), *found.max(axis=0))]
    return f"| {k} | {n:,} | {cells[0]} to {cells[2]} | {cells[1]} to {cells[3]} |\n"


def main() -> None:
    sys.stdout.write("| k | n | separate | simultaneous |\n|---|---|---|---|\n")
    for k in (2, 5, 20):
        for n in SIZES:
            sys.stdout.write(row(k, n))


if __name__ == "__main__":
    main()
