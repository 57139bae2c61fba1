"""Networks that tests and tables of the documentation share."""

import numpy as np

from papers.networks import synthetic_ties
from rr_engine import DesignMatrix
from rr_engine.networks import NetworkReports


def directed_network(seed: int = 2016) -> np.ndarray:
    """The same ties, of which half are mutual and the others go one way."""
    ties, _ = synthetic_ties(seed)
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
