"""Exact coverage of the engine's intervals: python tests/engine/interval_coverage.py

The reported count of a category is binomial, so the coverage at a true share is the probability
that the count falls where the interval covers the share. The interval's ends rise with the count;
bisection finds the first and last count that cover, with the engine's own intervals.
Writes the tables of docs/methods/intervals.md.
"""

import sys
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.special import xlogy
from scipy.stats import beta, binom, norm

from rr_engine import DesignMatrix, estimate, k_rr

SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)
METHODS = ("normal", "chebyshev", "wilson", "guarded", "exact")
SETTINGS = [(k, e, share) for k in (2, 5, 20) for e in (0.5, 1, 3) for share in (0, 0.05, 0.5)]


def ends(design: DesignMatrix, count: int, n: int, method: str, population: str) -> np.ndarray:
    """Return the interval of category 0 when it is reported `count` times."""
    counts = [count, *[0] * (len(design.reports) - 2), n - count]
    return estimate(design, counts, population=population).interval(method=method)[0]


def first(holds: Callable[[int], bool], n: int, near: float | None = None) -> int:
    """Return the least count from 0 to n for which a rising condition holds; n + 1 if none.

    `near`: about where it is, to be found in fewer steps.
    """
    low, high = (0, n + 1) if near is None else _around(holds, n, near)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _around(holds: Callable[[int], bool], n: int, near: float) -> tuple[int, int]:
    """Return counts between which the first one lies, by steps of double lengths from a place."""
    place, step = min(max(round(near), 0), n), 1
    side = holds(place)
    end = 0 if side else n
    while place != end:
        farther = max(place - step, 0) if side else min(place + step, n)
        if holds(farther) is not side:
            return (farther + 1, place) if side else (place + 1, farther)
        place, step = farther, 2 * step
    return (0, 0) if side else (n + 1, n + 1)


@cache
def covering(
    design: DesignMatrix, share: float, n: int, method: str, population: str
) -> tuple[int, int]:
    """Return the first count that covers the share, and the first after those."""

    retention, changed = design.matrix[0, 0], design.matrix[0, 1]
    reported = changed + (retention - changed) * share
    variance = reported * (1 - reported)
    if population == "fixed":
        variance -= (retention - changed) ** 2 * share * (1 - share)
    reach = norm.isf(0.025) * np.sqrt(n * variance)

    def end(count: int, side: int) -> float:
        return float(ends(design, count, n, method, population)[side])

    return (
        first(lambda x: end(x, 1) >= share, n, n * reported - reach),
        first(lambda x: end(x, 0) > share, n, n * reported + reach + 1),
    )


def coverage(design: DesignMatrix, share: float, n: int, method: str) -> float:
    """Return the probability of covering for a sample of a population."""
    retention, changed = design.matrix[0, 0], design.matrix[0, 1]
    reported = changed + (retention - changed) * share
    start, stop = covering(design, share, n, method, "sample")
    return float(binom.cdf(stop - 1, n, reported) - binom.cdf(start - 1, n, reported))


def fixed_coverage(design: DesignMatrix, people: int, n: int, method: str) -> float:
    """Return the probability of covering when `people` of the n respondents are carriers."""
    retention, changed = design.matrix[0, 0], design.matrix[0, 1]
    chances = np.convolve(
        binom.pmf(np.arange(people + 1), people, retention),
        binom.pmf(np.arange(n - people + 1), n - people, changed),
    )
    start, stop = covering(design, people / n, n, method, "fixed")
    return float(chances[start:stop].sum())


def row(method: str, n: int) -> str:
    found = [coverage(k_rr(k, e), share, n, method) for k, e, share in SETTINGS]
    outside = sum(not 0.94 <= value <= 0.96 for value in found)
    return f"| {method} | {n:,} | {min(found):.4f} | {max(found):.4f} | {outside} |\n"


def exceptions() -> list[str]:
    lines = []
    for k, e, share in SETTINGS:
        for n in SIZES:
            found = coverage(k_rr(k, e), share, n, "wilson")
            if not 0.94 <= found <= 0.96:
                lines.append(f"| {k} | {e} | {share} | {n} | {found:.4f} |\n")
    return lines


def fixed_row(method: str, n: int) -> str:
    found = [
        fixed_coverage(k_rr(k, e), round(n * share), n, method)
        for k, e, share in SETTINGS
        if n <= 10_000
    ]
    outside = sum(not 0.94 <= value <= 0.96 for value in found)
    return f"| {method} | {n:,} | {min(found):.4f} | {max(found):.4f} | {outside} |\n"


def mid_p(count: np.ndarray, n: int, share: float) -> np.ndarray:
    half = binom.pmf(count, n, share) / 2
    return np.minimum(binom.sf(count, n, share), binom.cdf(count - 1, n, share)) + half >= 0.025


def jeffreys(count: np.ndarray, n: int, share: float) -> np.ndarray:
    low = np.where(count == 0, 0, beta.ppf(0.025, count + 0.5, n - count + 0.5))
    high = np.where(count == n, 1, beta.isf(0.025, count + 0.5, n - count + 0.5))
    return (low <= share) & (share <= high)


def likelihood_ratio(count: np.ndarray, n: int, share: float) -> np.ndarray:
    seen = xlogy(count, count / n) + xlogy(n - count, 1 - count / n)
    expected = xlogy(count, share) + xlogy(n - count, 1 - share)
    return 2 * (seen - expected) <= norm.isf(0.025) ** 2


def arcsine(count: np.ndarray, n: int, share: float) -> np.ndarray:
    angle = np.arcsin(np.sqrt((count + 3 / 8) / (n + 3 / 4)))
    return np.abs(angle - np.arcsin(np.sqrt(share))) * 2 * np.sqrt(n + 0.5) <= norm.isf(0.025)


def alternative(covers: Callable[..., np.ndarray]) -> str:
    """Return a row for an interval that the engine does not offer, counted the same way."""
    found = []
    for k, e, share in SETTINGS:
        retention, changed = k_rr(k, e).matrix[0, :2]
        reported = changed + (retention - changed) * share
        for n in SIZES:
            middle, reach = n * reported, 10 + 9 * np.sqrt(n * reported)
            count = np.arange(max(0, int(middle - reach)), min(n, int(middle + reach)) + 1)
            hit = covers(count, n, reported)
            found.append(binom.pmf(count, n, reported)[hit].sum())
    return summary(covers.__name__.replace("_", " "), found)


def summary(name: str, found: list[float]) -> str:
    outside = sum(not 0.94 <= value <= 0.96 for value in found)
    return f"| {name} | {outside} | {min(found):.4f} | {max(found):.4f} |\n"


def main() -> None:
    sys.stdout.write("| method | outside, of 270 | lowest | highest |\n|---|---|---|---|\n")
    for method in METHODS:
        every = [coverage(k_rr(k, e), s, n, method) for k, e, s in SETTINGS for n in SIZES]
        sys.stdout.write(summary(method, every))
    for covers in (mid_p, jeffreys, likelihood_ratio, arcsine):
        sys.stdout.write(alternative(covers))
    sys.stdout.write("\n")
    head = "| method | n | lowest | highest | outside .94 to .96, of 27 |\n|---|---|---|---|---|\n"
    sys.stdout.write(head + "".join(row(method, n) for method in METHODS for n in SIZES))
    listed = "\n| k | epsilon | share | n | coverage |\n|---|---|---|---|---|\n"
    sys.stdout.write(listed + "".join(exceptions()))
    sizes = (60, 100, 200, 500, 1000, 10_000)
    fixed = "".join(
        fixed_row(method, n) for method in ("normal", "wilson", "guarded") for n in sizes
    )
    sys.stdout.write("\n" + head + fixed)


if __name__ == "__main__":
    main()
