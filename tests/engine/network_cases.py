"""Networks that tests and tables of the documentation share."""

from itertools import combinations

import numpy as np

from rr_engine import DesignMatrix, NetworkReports

NODES, TIES, GROUPS = 185, 684, 15


def synthetic_network(seed: int = 2016) -> tuple[np.ndarray, np.ndarray]:
    """An undirected network of 185 people and 684 ties, and everybody's group.

    The size of the network in Wang, Wu and Hu (2016), which is not public. A third of the ties are
    drawn in proportion to how popular both are, ten times as often within a group; each other
    closes a two-path that there is, as people meet friends of friends.
    """
    rng = np.random.default_rng(seed)
    groups = np.sort(rng.integers(0, GROUPS, NODES))
    popular = rng.gamma(2.0, size=NODES)
    chances = np.outer(popular, popular) * np.where(groups[:, None] == groups, 10.0, 1.0)
    pairs = np.array(list(combinations(range(NODES), 2)))
    weights = chances[tuple(pairs.T)]
    ties = np.zeros((NODES, NODES), dtype=np.int64)
    for i, j in pairs[rng.choice(len(pairs), TIES // 3, replace=False, p=weights / weights.sum())]:
        ties[i, j] = ties[j, i] = 1
    while ties.sum() < 2 * TIES:
        neighbours = np.flatnonzero(ties[rng.integers(NODES)])
        if len(neighbours) > 1:
            i, j = rng.choice(neighbours, 2, replace=False)
            ties[i, j] = ties[j, i] = 1
    return ties, groups


def directed_network(seed: int = 2016) -> np.ndarray:
    """The same ties, of which half are mutual and the others go one way."""
    ties, _ = synthetic_network(seed)
    rng = np.random.default_rng(seed)
    for i, j in zip(*np.nonzero(np.triu(ties)), strict=True):
        way = rng.integers(4)
        if way == 0:
            ties[i, j] = 0
        elif way == 1:
            ties[j, i] = 0
    return ties


def bit_device(p: float, q: float) -> DesignMatrix:
    return DesignMatrix([[1 - q, 1 - p], [q, p]])


def survey(ties: np.ndarray, p: float, q: float, rng: np.random.Generator) -> np.ndarray:
    """Bits of everybody on everybody else."""
    return (rng.random(ties.shape) < np.where(ties, p, q)).astype(np.uint8)


def survey_reports(
    ties: np.ndarray, design: DesignMatrix, rng: np.random.Generator, *, once: bool
) -> NetworkReports:
    """Everybody's report on all others, or once on each pair by the one with the smaller number."""
    bits = survey(ties, design.matrix[1, 1], design.matrix[1, 0], rng)
    if not once:
        return NetworkReports.from_matrix(bits)
    n = len(ties)
    rows = [(i, list(range(i + 1, n)), bits[i, i + 1 :].tolist()) for i in range(n - 1)]
    return NetworkReports.from_rows(n, rows)
