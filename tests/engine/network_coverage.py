"""`python -m tests.engine.network_coverage [SURVEYS]`: how often the intervals of a network cover.

Surveys of one fixed network, drawn anew through the device: the table of docs/methods/networks.md.
Of statistics with one value for each person, or group, the mean coverage over all of them.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import rr_engine as rr
from papers.networks import synthetic_ties
from tests.engine.markdown_tables import head, row
from tests.engine.network_cases import directed_network, survey_reports

SEED, SURVEYS, EPSILONS = 20160, 1000, (0.5, 1, 2, 4)
Found = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A network, how it is asked, and the statistics to look at."""

    name: str
    ties: np.ndarray
    once: bool
    statistics: Callable[[rr.networks.NetworkReports, rr.DesignMatrix], Found]

    def reports(
        self, design: rr.DesignMatrix, generator: np.random.Generator
    ) -> rr.networks.NetworkReports:
        sent = survey_reports(self.ties, design, generator, once=self.once)
        groups = synthetic_ties()[1]
        return rr.networks.NetworkReports(
            sent.n, sent.reporters, sent.indptr, sent.alters, sent.bits, groups
        )


def of_undirected(reports: rr.networks.NetworkReports, design: rr.DesignMatrix) -> Found:
    found = rr.networks.estimate_network(reports, design, directed=False)
    mixing = rr.networks.estimate_mixing(reports, design, directed=False)
    return {
        "ties, density": found.ties,
        "degree of a person": found.degrees,
        "triangles": found.triangles,
        "triangles of a person": found.node_triangles,
        "two-paths": found.two_paths,
        "open two-paths": found.open_two_paths,
        "clustering": found.clustering,
        "variance of degrees": found.degree_variance,
        "ties of two groups": mixing.ties,
        "mean degree of a group": mixing.mean_degrees,
    }


def of_directed(reports: rr.networks.NetworkReports, design: rr.DesignMatrix) -> Found:
    found = rr.networks.estimate_network(reports, design, directed=True)
    return {
        "ties, density": found.ties,
        "out-degree of a person": found.out_degrees,
        "in-degree of a person": found.in_degrees,
        "mutual ties": found.mutual_ties,
        "reciprocity": found.reciprocity,
        "cycles": found.cycles,
        "transitive triples": found.transitive_triples,
        "two-paths": found.two_paths,
        "transitivity": found.transitivity,
        "variance of out-degrees": found.out_degree_variance,
    }


def cases() -> list[Case]:
    ties, _ = synthetic_ties()
    return [
        Case("one report of each tie", ties, True, of_undirected),
        Case("two reports of each tie", ties, False, of_undirected),
        Case("directed", directed_network(), False, of_directed),
    ]


def coverage(case: Case, epsilon: float, surveys: int) -> dict[str, float]:
    """The share of surveys whose interval has the true value in it."""
    generator, design = np.random.default_rng(SEED), rr.k_rr(2, epsilon)
    known = case.statistics(case.reports(rr.designs.direct(2), generator), rr.designs.direct(2))
    truth = {name: np.asarray(statistic.value) for name, statistic in known.items()}
    hits = dict.fromkeys(truth, 0.0)
    for _ in range(surveys):
        for name, statistic in case.statistics(case.reports(design, generator), design).items():
            low, high = np.moveaxis(statistic.interval(), -1, 0)
            inside = (low <= truth[name] + 1e-9) & (truth[name] <= high + 1e-9)
            hits[name] += float(np.mean(inside[np.isfinite(low)]))
    return {name: hit / surveys for name, hit in hits.items()}


def rows(case: Case, surveys: int) -> Mapping[str, list[float]]:
    found = [coverage(case, epsilon, surveys) for epsilon in EPSILONS]
    return {name: [each[name] for each in found] for name in found[0]}


def main() -> None:
    surveys = int(sys.argv[1]) if len(sys.argv) > 1 else SURVEYS
    for case in cases():
        head(case.name, *(f"epsilon {epsilon:g}" for epsilon in EPSILONS))
        for name, shares in rows(case, surveys).items():
            row(name, *(f"{100 * share:.1f}" for share in shares))


if __name__ == "__main__":
    main()
