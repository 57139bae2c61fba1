"""`python -m tests.engine.pilot_recovery`: how often a pilot of random pairs finds the clusters."""

import sys

import numpy as np

from rr_engine import choose_clusters, cluster_attributes
from tests.engine.pilots import PLANTED, SIZES, people, pilot

SEED, SURVEYS = 20181, 100
METHODS = ("pic", "spectral", "hierarchical")
LIMIT = 60


def recovered(n, epsilon, rng, surveys):
    """Shares of surveys in which each method finds exactly the planted clusters."""
    hits = dict.fromkeys((*METHODS, "best"), 0)
    for _ in range(surveys):
        graph = pilot(people(n, rng), epsilon, rng)
        for method in METHODS:
            hits[method] += cluster_attributes(graph, len(PLANTED), method) == PLANTED
        hits["best"] += choose_clusters(graph, SIZES, LIMIT).clusters == PLANTED
    return {name: number / surveys for name, number in hits.items()}


def main(surveys=SURVEYS):
    rng = np.random.default_rng(SEED)
    print("| epsilon | n | reports a pair | PIC | spectral | hierarchical | best of 60 cells |")  # noqa: T201
    print("|---|---|---|---|---|---|---|")  # noqa: T201
    for epsilon in (1, 2, 4):
        for n in (2_000, 5_000, 10_000, 20_000, 50_000):
            shares = recovered(n, epsilon, rng, surveys)
            found = " | ".join(f"{share:.2f}" for share in shares.values())
            print(f"| {epsilon} | {n:,} | {n // 28} | {found} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
