"""Coverage of the intervals of a crowd's statistics at 95 %, where the cluster model is true.

    nice -n 10 python -m tests.engine.crowd_coverage [surveys]

Writes the tables of docs/methods/pooled.md: of each statistic the share of surveys whose interval
holds the truth, and after a stroke the same of percentiles of the fitted statistic, which are not
used. Then the same of clusters that share an attribute.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import rr_engine as rr
from rr_engine.channels.protocol import Channel
from rr_engine.crowd.computed import ComputedStatistic
from rr_engine.crowd.computing import SimulatedSurveys
from rr_engine.crowd.view import CrowdTables
from tests.engine.markdown_tables import head, row

Statistic = Callable[..., ComputedStatistic]

SEED, REPETITIONS, SURVEYS = 20180, 199, 1000
A, B = rr.crowd.CrowdAttribute("a", 2, (0, 1)), rr.crowd.CrowdAttribute("b", 5, (1, 2, 3, 4, 5))
C = rr.crowd.CrowdAttribute("c", 3, (0, 5, 10), (-2.5, 2.5, 7.5, 12.5))
D = rr.crowd.CrowdAttribute("d", 4, (1, 2, 3, None))
EXACT = 10**12
# People and the epsilon of the device over a, b and c together; d is asked at epsilon 1.
SURVEYED = ((5000, 3.0), (1000, 2.0))
STATISTICS: dict[str, Statistic] = {
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

# The statistics of clusters that share b.
SHARED: dict[str, Statistic] = {
    "mean of b": STATISTICS["mean of b"],
    "share of a": STATISTICS["share of a"],
    "median of c, in bins": STATISTICS["median of c, in bins"],
    "share of a and the highest c": lambda crowd, **how: crowd.share({"a": [1], "c": [2]}, **how),
    "a in the highest c": STATISTICS["a in the highest c"],
    "correlation of a and c": lambda crowd, **how: crowd.correlation(["a", "c"], **how),
    "slope of c for a, beside b": STATISTICS["slope of c for a, beside b"],
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


@dataclass(frozen=True)
class Case:
    """A crowd, and how it is asked: the clusters' names, devices and true tables."""

    name: str
    attributes: tuple[rr.crowd.CrowdAttribute, ...]
    clusters: tuple[tuple[str, ...], ...]
    devices: tuple[Channel, ...]
    shares: tuple[np.ndarray, ...]
    n: int

    def crowd(
        self, devices: Sequence[Channel], counts: Sequence[np.ndarray]
    ) -> rr.crowd.PooledDistribution:
        parts = zip(self.clusters, devices, counts, strict=True)
        clusters = [rr.crowd.ClusterReports(list(names), [d], [k]) for names, d, k in parts]
        return rr.crowd.pooled_distribution(self.attributes, clusters)

    def known(self) -> rr.crowd.PooledDistribution:
        """The crowd without any noise."""
        counts = [np.rint(share.ravel() * EXACT).astype(np.int64) for share in self.shares]
        return self.crowd([rr.designs.direct(share.size) for share in self.shares], counts)

    def survey(self, generator: np.random.Generator) -> rr.crowd.PooledDistribution:
        pairs = zip(self.devices, self.shares, strict=True)
        drawn = [generator.multinomial(self.n, d.apply(share.ravel())) for d, share in pairs]
        return self.crowd(self.devices, drawn)


def apart(kind: str, n: int, epsilon: float) -> Case:
    """One device over a, b and c, and d by itself at epsilon 1."""
    devices = (
        rr.channels.joint_design([2, 5, 3], np.exp(epsilon) / (np.exp(epsilon) + 29)),
        rr.k_rr(4, 1),
    )
    name = f"{kind}, n = {n:,}, epsilon {epsilon:g}"
    return Case(name, (A, B, C, D), (("a", "b", "c"), ("d",)), devices, truths(kind), n)


def sharing(n: int, epsilon: float) -> Case:
    """Pairs of a and b and of b and c, asked of different people; c depends on a through b only."""
    (table, _d), keep = truths("even"), np.exp(epsilon)
    pairs = table.sum(axis=2), table.sum(axis=0)
    devices = (
        rr.channels.joint_design([2, 5], keep / (keep + 9)),
        rr.channels.joint_design([5, 3], keep / (keep + 14)),
    )
    name = f"n = {n:,}, epsilon {epsilon:g}"
    return Case(name, (A, B, C), (("a", "b"), ("b", "c")), devices, pairs, n)


def coverage(
    case: Case, statistics: Mapping[str, Statistic], surveys: int
) -> dict[str, tuple[float, float]]:
    """Return each statistic's coverage of its interval, and of percentiles of the fitted ones."""
    known = case.known()
    truth = {name: find(known, repetitions=19).values[-1] for name, find in statistics.items()}
    generator, hits = np.random.default_rng(SEED), {name: np.zeros(2) for name in statistics}
    for number in range(surveys):
        crowd = case.survey(generator)
        for name, find in statistics.items():
            found = find(crowd, repetitions=REPETITIONS, seed=number)
            ends = (found.interval()[-1], fitted_percentiles(crowd, found))
            hits[name] += [low - 1e-9 <= truth[name] <= high + 1e-9 for low, high in ends]
    return {name: tuple(hit / surveys) for name, hit in hits.items()}


def fitted_percentiles(crowd: rr.crowd.PooledDistribution, found: ComputedStatistic) -> np.ndarray:
    """The usual percentile interval: of tables that are projected in every simulated survey."""
    concerned = {*found.statistic.names, *found.statistic.where}
    parts = [part for part in crowd._unbiased if concerned & set(part.component.names)]
    surveys = SimulatedSurveys(crowd._unbiased, REPETITIONS, found.seed)
    (drawn,) = surveys.tables(parts)
    tables = CrowdTables(drawn.components, possible=True)
    values = found.statistic.values(found.statistic.parts(tables))
    return np.nanquantile(values[:, -1], [0.025, 0.975], method="weibull")


def write_table(cases: Sequence[Case], statistics: Mapping[str, Statistic], surveys: int) -> None:
    found = [coverage(case, statistics, surveys) for case in cases]
    head("statistic", *(case.name for case in cases))
    for name in statistics:
        pairs = (case[name] for case in found)
        row(name, *(f"{100 * used:.1f} / {100 * other:.1f}" for used, other in pairs))


def main() -> None:
    surveys = int(sys.argv[1]) if len(sys.argv) > 1 else SURVEYS
    cases = [apart(kind, *asked) for kind in ("even", "rare") for asked in SURVEYED]
    write_table(cases, STATISTICS, surveys)
    write_table([sharing(*asked) for asked in SURVEYED], SHARED, surveys)


if __name__ == "__main__":
    main()
