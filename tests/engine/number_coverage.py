"""Coverage of the intervals of numbers at 95 %, and the errors of devices for a mean.

    nice -n 10 python -m tests.engine.number_coverage [part ...]

Writes the tables of docs/methods/numbers.md; the parts are "means", "finer", "fixed", "strata",
"quantiles", "devices" and "comparison". Means are enumerated: the reported ones are binomial, and
the ends of the interval rise with them. Strata and quantiles are simulated.
"""

import sys
from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np
from scipy.stats import binom, norm

import rr_engine as rr
from tests.engine.interval_coverage import first, jeffreys, mid_p
from tests.engine.markdown_tables import head, row
from tests.engine.number_devices import devices_table

SEED = 20240701
SIZES = (200, 1000, 10_000)
EPSILONS = ("0.1", "0.5", "1", "2", "3", "4")
MEANS = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5)
STEPS = 100
REPETITIONS = 2000
# Ends and the mean differ by rounding when the mean is at an end.
ROUNDING = 1e-12


@cache
def device(epsilon: str) -> rr.bounded.MeanDevice:
    return rr.bounded.MeanDevice.from_epsilon(STEPS, epsilon)


def mean_coverage(epsilon: str, mean: float, n: int, method: str = "default") -> float:
    """Return the chance that the interval of a sample's mean holds the mean, without simulation."""

    def end(ones: int, side: int) -> float:
        found = rr.bounded.mean_from_reports(device(epsilon), [n - ones, ones])
        return float(found.interval(method=method)[side])

    chance = ones_share(epsilon, mean)
    reach = norm.isf(0.025) * np.sqrt(n * chance * (1 - chance))
    start = first(lambda ones: end(ones, 1) >= mean - ROUNDING, n, n * chance - reach)
    stop = first(lambda ones: end(ones, 0) > mean + ROUNDING, n, n * chance + reach + 1)
    return float(binom.cdf(stop - 1, n, chance) - binom.cdf(start - 1, n, chance))


def ones_share(epsilon: str, mean: float) -> float:
    """Return the chance of a one from numbers of this mean."""
    return float(device(epsilon).chance(round(mean * STEPS)))


def fixed_variance(values: Sequence[int], epsilon: str) -> tuple[float, float]:
    """Return the variance of a fixed group's mean of one report each, and the bound given for it.

    The values are places on the grid, one per person; in units of the squared range.
    """
    chances = np.array([float(device(epsilon).chance(value)) for value in values])
    gap, share = float(device(epsilon).gap), chances.mean()
    return float((chances * (1 - chances)).mean() / gap**2), float(share * (1 - share) / gap**2)


GROUPS = {
    "all the same, in the middle": [50] * 12,
    "spread evenly": list(range(0, 101)),
    "a third at each of 25, 50, 75": [25, 50, 75],
    "falling (0 to 100, mean 20)": [
        value for value in range(101) for _ in range(120 // (value + 6))
    ],
    "half at each end": [0, 100],
    "all at one end": [0] * 12,
}


def strata_coverage(epsilons: Sequence[str], mean: float, n: int) -> float:
    """Return how often the interval of a mean pooled over devices held it, `n` reports each."""
    rng, value = np.random.default_rng(SEED), round(mean * STEPS)
    used = [device(epsilon) for epsilon in epsilons]
    ones = [rng.binomial(n, float(each.chance(value)), size=REPETITIONS) for each in used]
    held = [
        covers(
            rr.bounded.mean_from_reports(used, [[n - one, one] for one in pair]).interval(), mean
        )
        for pair in np.transpose(ones).tolist()
    ]
    return float(np.mean(held))


def covers(ends: np.ndarray, value: float) -> bool:
    return bool(ends[0] <= value + ROUNDING and value - ROUNDING <= ends[1])


def falling(count: int) -> np.ndarray:
    """Return shares of which each is .7 of the one before."""
    shares = 0.7 ** np.arange(count)
    return shares / shares.sum()


def even(count: int) -> np.ndarray:
    return np.full(count, 1 / count)


SHAPES = {"even": even, "falling": falling}
CHANCES = (0.1, 0.25, 0.5, 0.9)


def quantile_coverage(
    shape: str,
    count: int,
    epsilon: str,
    chance: float,
    n: int,
    repetitions: int = REPETITIONS,
    method: str = "even",
) -> float:
    """Return how often the interval held the quantile of numbers spread evenly in their bins."""
    rng = np.random.default_rng(SEED)
    design, bins = rr.k_rr(count, epsilon).quantized(), rr.bounded.Bins.equal(0, 1, 10**6, count)
    shares = SHAPES[shape](count)
    cumulative = np.concatenate([[0.0], np.cumsum(shares)])
    truth = float(np.interp(chance, cumulative, bins.boundaries))
    counts = rng.multinomial(n, design.matrix @ shares, size=repetitions)
    intervals = [
        rr.bounded.quantile_from_bins(rr.estimate(design, each), bins, chance).interval(
            method=method
        )
        for each in counts
    ]
    return float(np.mean([covers(ends, truth) for ends in intervals]))


def means_table() -> None:
    head("n", "mean", *[f"epsilon {epsilon}" for epsilon in EPSILONS])
    for n, mean in product(SIZES, MEANS):
        found = [mean_coverage(epsilon, mean, n) for epsilon in EPSILONS]
        row(f"{n:,}", mean, *[f"{value:.4f}" for value in found])
    head("n", "method", "lowest", "highest", "outside .94 to .96, of 36")
    for n, method in product(SIZES, ("default", "exact", "normal")):
        found = [mean_coverage(e, mean, n, method) for e, mean in product(EPSILONS, MEANS)]
        outside = sum(not 0.94 <= value <= 0.96 for value in found)
        row(f"{n:,}", method, f"{min(found):.4f}", f"{max(found):.4f}", outside)


def finer_table() -> None:
    """Many epsilons and means; also for intervals of the share that the engine does not offer."""
    settings = [
        (f"{percent / 100:.2f}", mean)
        for percent, mean in product(range(10, 401, 5), (*MEANS, 0.02, 0.2, 0.3, 0.4))
    ]
    head("n", "interval", "lowest", "highest", f"outside .94 to .96, of {len(settings)}")
    for n in (200, 500, 1000):
        chances = {"default": [mean_coverage(epsilon, mean, n) for epsilon, mean in settings]}
        counts = np.arange(n + 1)
        for covering in (mid_p, jeffreys):
            shares = [ones_share(epsilon, mean) for epsilon, mean in settings]
            chances[covering.__name__] = [
                float(binom.pmf(counts, n, share)[covering(counts, n, share)].sum())
                for share in shares
            ]
        for name, found in chances.items():
            outside = sum(not 0.94 <= value <= 0.96 for value in found)
            row(f"{n:,}", name, f"{min(found):.4f}", f"{max(found):.4f}", outside)


def fixed_table() -> None:
    head("numbers", *[f"epsilon {epsilon}" for epsilon in EPSILONS])
    for name, values in GROUPS.items():
        pairs = [fixed_variance(values, epsilon) for epsilon in EPSILONS]
        row(name, *[f"{np.sqrt(bound / variance):.3f}" for variance, bound in pairs])


def strata_table() -> None:
    head("epsilons", "n of each", *[f"mean {mean}" for mean in MEANS])
    for epsilons, n in product((("0.5", "1"), ("1", "3")), SIZES):
        found = [strata_coverage(epsilons, mean, n) for mean in MEANS]
        row(" and ".join(epsilons), f"{n:,}", *[f"{value:.3f}" for value in found])


def quantiles_table() -> None:
    head("n", "epsilon", "bins", "shares", *[f"p {chance}" for chance in CHANCES])
    for n, epsilon, count, shape in product(SIZES, ("0.5", "1", "2", "4"), (5, 10), SHAPES):
        found = [quantile_coverage(shape, count, epsilon, chance, n) for chance in CHANCES]
        row(f"{n:,}", epsilon, count, shape, *[f"{value:.3f}" for value in found])


def comparison_table() -> None:
    head(
        "epsilon", "n", "one bit", "best for the mean", "its error", "best for the median", "error"
    )
    for epsilon, n in product(EPSILONS[1:], SIZES):
        found = rr.bounded.compare_number_devices(0, 100, epsilon, n)
        mean, median = found.best_for_mean, found.best_for_median
        row(
            epsilon,
            f"{n:,}",
            f"{found.devices[0].mean.standard_error:.2f}",
            "one bit" if mean.bins is None else f"{mean.bins} bins",
            f"{mean.mean.largest:.2f}",
            f"{median.bins} bins",
            f"{median.median.standard_error:.2f} and {median.median.discretisation:.2f}",
        )


PARTS = {
    "means": means_table,
    "finer": finer_table,
    "fixed": fixed_table,
    "strata": strata_table,
    "quantiles": quantiles_table,
    "devices": devices_table,
    "comparison": comparison_table,
}


def main() -> None:
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
