"""Coverage of the intervals of a crowd's statistics at 95 %, where the cluster model is true.

    nice -n 10 python -m tests.engine.crowd_coverage [surveys]

Writes the table of docs/methods/pooled.md: of each statistic the share of surveys whose interval
holds the truth, and after a stroke the same of percentiles of the fitted statistic, which are not
used.
"""

import sys

import numpy as np

from rr_engine import (
    ClusterReports,
    CrowdAttribute,
    PooledDistribution,
    direct,
    joint_design,
    k_rr,
    pooled_distribution,
)
from rr_engine.crowd.computing import SimulatedSurveys
from rr_engine.crowd.view import CrowdTables

SEED, REPETITIONS, SURVEYS = 20180, 199, 1000
A, B = CrowdAttribute("a", 2, (0, 1)), CrowdAttribute("b", 5, (1, 2, 3, 4, 5))
C = CrowdAttribute("c", 3, (0, 5, 10), (-2.5, 2.5, 7.5, 12.5))
D = CrowdAttribute("d", 4, (1, 2, 3, None))
EXACT = 10**12
# People and the epsilon of the device over a, b and c together; d is asked at epsilon 1.
SURVEYED = ((5000, 3.0), (1000, 2.0))
STATISTICS = {
    "mean of b": lambda crowd, **how: crowd.mean("b", **how),
    "mean of d, of which some refuse": lambda crowd, **how: crowd.mean("d", **how),
    "mean of b where a is yes": lambda crowd, **how: crowd.mean("b", where={"a": [1]}, **how),
    "variance of b": lambda crowd, **how: crowd.variance("b", **how),
    "median of b": lambda crowd, **how: crowd.quantile("b", **how),
    "median of c, in bins": lambda crowd, **how: crowd.quantile("c", **how),
    "share of a": lambda crowd, **how: crowd.share({"a": [1]}, **how),
    "share of a and one b": lambda crowd, **how: crowd.share({"a": [1], "b": [4]}, **how),
    "share of a and one d": lambda crowd, **how: crowd.share({"a": [1], "d": [0]}, **how),
    "a in the highest c": lambda crowd, **how: crowd.share({"a": [1]}, where={"c": [2]}, **how),
    "correlation of b and c": lambda crowd, **how: crowd.correlation(["b", "c"], **how),
    "slope of c for a, beside b": lambda crowd, **how: crowd.regression("a", ["b", "c"], **how),
}


def truths(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """The joint table of a, b and c, and the shares of d: even, or with rare combinations."""
    b, c = np.linspace(-1, 1, 5), np.linspace(-1, 1, 3)
    table = np.ones((2, 5, 3))
    if kind == "even":
        table[1] *= (1 + 0.6 * b)[:, None]
        table *= 1 + 0.3 * b[:, None] * c
        table[0] *= 1.5
        return table / table.sum(), np.array([0.25, 0.35, 0.2, 0.2])
    table[1] *= 0.08 * np.exp(2 * b)[:, None]
    table *= np.exp(1.5 * b[:, None] * c)
    table[:, 4] *= 0.15
    return table / table.sum(), np.array([0.6, 0.38, 0.01, 0.01])


def crowd_of(devices, counts) -> PooledDistribution:
    names = (["a", "b", "c"], ["d"])
    parts = zip(names, devices, counts, strict=True)
    return pooled_distribution([A, B, C, D], [ClusterReports(n, [d], [k]) for n, d, k in parts])


def coverage(kind: str, n: int, epsilon: float, surveys: int) -> dict[str, tuple[float, float]]:
    """Of each statistic the coverage of its interval, and of percentiles of the fitted ones."""
    shares = truths(kind)
    devices = joint_design([2, 5, 3], np.exp(epsilon) / (np.exp(epsilon) + 29)), k_rr(4, 1)
    counts = [np.rint(share.ravel() * EXACT).astype(np.int64) for share in shares]
    known = crowd_of((direct(30), direct(4)), counts)
    truth = {name: find(known, repetitions=19).values[-1] for name, find in STATISTICS.items()}
    generator, hits = np.random.default_rng(SEED), {name: np.zeros(2) for name in STATISTICS}
    for survey in range(surveys):
        drawn = [
            generator.multinomial(n, device.apply(share.ravel()))
            for device, share in zip(devices, shares, strict=True)
        ]
        crowd = crowd_of(devices, drawn)
        for name, find in STATISTICS.items():
            found = find(crowd, repetitions=REPETITIONS, seed=survey)
            ends = (found.interval()[-1], fitted_percentiles(crowd, found))
            hits[name] += [low - 1e-9 <= truth[name] <= high + 1e-9 for low, high in ends]
    return {name: tuple(hit / surveys) for name, hit in hits.items()}


def fitted_percentiles(crowd: PooledDistribution, found) -> np.ndarray:
    """The usual percentile interval: of tables that are projected in every simulated survey."""
    concerned = {*found.statistic.names, *found.statistic.where}
    parts = [part for part in crowd._unbiased if concerned & set(part.component.names)]
    surveys = SimulatedSurveys(crowd._unbiased, REPETITIONS, found.seed)
    (drawn,) = surveys.tables(parts)
    tables = CrowdTables(drawn.components, possible=True)
    values = found.statistic.values(found.statistic.parts(tables))
    return np.nanquantile(values[:, -1], [0.025, 0.975], method="weibull")


def main() -> None:
    surveys = int(sys.argv[1]) if len(sys.argv) > 1 else SURVEYS
    cases = [(kind, *asked) for kind in ("even", "rare") for asked in SURVEYED]
    found = [coverage(*case, surveys) for case in cases]
    lines = [
        ["statistic", *(f"{k}, n = {n:,}, epsilon {e:g}" for k, n, e in cases)],
        ["---"] * (1 + len(cases)),
    ]
    for name in STATISTICS:
        pairs = (case[name] for case in found)
        lines.append([name, *(f"{100 * used:.1f} / {100 * other:.1f}" for used, other in pairs)])
    sys.stdout.writelines(f"| {' | '.join(cells)} |\n" for cells in lines)


if __name__ == "__main__":
    main()
