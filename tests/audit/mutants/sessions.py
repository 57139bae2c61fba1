"""Defects that show only over several calls: clients with a memory, or without one."""

import numpy as np
import numpy.typing as npt

from tests.audit.mutants.categorical import faithful

Reports = npt.NDArray[np.int64]


def fixed_seed(truth: int, draws: int, *, size: int, epsilon: float) -> Reports:
    """A fresh client seeds its own generator, and every client with the same number."""
    return faithful(truth, draws, np.random.default_rng(42), size=size, epsilon=epsilon)


def draw_again(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """The "permanent" report drawn again at the second call; the whole report is both."""
    first = faithful(truth, draws, rng, size=size, epsilon=epsilon)
    return first * size + faithful(truth, draws, rng, size=size, epsilon=epsilon)


def draw_once(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """The correct client: the report is drawn once and sent twice."""
    return faithful(truth, draws, rng, size=size, epsilon=epsilon) * (size + 1)
