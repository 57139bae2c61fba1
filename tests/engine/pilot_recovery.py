"""`python -m tests.engine.pilot_recovery`: how often a pilot of random pairs finds the clusters."""

import sys

import numpy as np

from rr_engine.clusters import choose_clusters, cluster_attributes
from tests.engine.markdown_tables import head, row
from tests.engine.pilots import PLANTED, SIZES, people, pilot

SEED, SURVEYS = 20181, 100
METHODS = ("pic", "spectral", "hierarchical")
LIMIT = 60
SETTINGS = {1: (50_000, 100_000, 200_000), 2: (10_000, 20_000, 50_000), 4: (1_000, 2_000, 5_000)}


def recovered(n, epsilon, rng, surveys, form="uniform"):
    """Shares of surveys in which each method finds exactly the planted clusters."""
    hits = dict.fromkeys((*METHODS, "best"), 0)
    for _ in range(surveys):
        graph = pilot(people(n, rng), epsilon, rng, form=form)
        for method in METHODS:
            hits[method] += cluster_attributes(graph, len(PLANTED), method) == PLANTED
        hits["best"] += choose_clusters(graph, SIZES, LIMIT).clusters == PLANTED
    return {name: number / surveys for name, number in hits.items()}


def rows(surveys):
    rng = np.random.default_rng(SEED)
    for epsilon, sizes in SETTINGS.items():
        for n in sizes:
            yield "uniform", epsilon, n, recovered(n, epsilon, rng, surveys)
    for form in ("changes", "independent"):
        yield form, 2, 20_000, recovered(20_000, 2, rng, surveys, form)


def main(surveys=SURVEYS):
    methods = ("PIC", "spectral", "hierarchical", "60 cells")
    head("device", "epsilon", "n", "reports a pair", *methods)
    for form, epsilon, n, found in rows(surveys):
        row(form, epsilon, f"{n:,}", n // 28, *(f"{share:.2f}" for share in found.values()))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
