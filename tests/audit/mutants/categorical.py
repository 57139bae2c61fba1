"""Defective k-ary devices: each takes (truth, draws, rng) and returns the reports sent."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Reports = npt.NDArray[np.int64]


def kept_share(size: int, epsilon: float) -> float:
    """The share of answers that the k-ary optimum keeps, when lies fall on the other k - 1."""
    return float(np.exp(epsilon) / (np.exp(epsilon) + size - 1))


def table(size: int, retention: float) -> npt.NDArray[np.float64]:
    """The declared probabilities: kept as it is, else one of the other values."""
    columns = np.full((size, size), (1 - retention) / (size - 1))
    np.fill_diagonal(columns, retention)
    return columns


def _others(truth: int, size: int, draws: int, rng: np.random.Generator) -> Reports:
    lies = rng.integers(size - 1, size=draws)
    return lies + (lies >= truth)


def faithful(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """No mutant: what the audit must let pass."""
    keep = rng.random(draws) < kept_share(size, epsilon)
    return np.where(keep, truth, _others(truth, size, draws, rng))


def unchecked_epsilon(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """No comparison with NaN holds, so nobody ever lies."""
    with np.errstate(over="ignore", invalid="ignore"):
        lie = rng.random(draws) < 1 - kept_share(size, epsilon)
    return np.where(lie, _others(truth, size, draws, rng), truth)


def lies_over_all(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """The kept share is meant for lies over the other k - 1, the lie falls on all k."""
    keep = rng.random(draws) < kept_share(size, epsilon)
    return np.where(keep, truth, rng.integers(size, size=draws))


def lies_over_others(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """The reverse: the kept share is meant for lies over all k, the lie avoids the truth."""
    keep = rng.random(draws) < uniform_share(size, epsilon)
    return np.where(keep, truth, _others(truth, size, draws, rng))


def uniform_share(size: int, epsilon: float) -> float:
    """The kept share of uniform perturbation, whose lies fall on all k values."""
    return float((np.exp(epsilon) - 1) / (np.exp(epsilon) + size - 1))


def coarse_threshold(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float, bits: int
) -> Reports:
    """A lie when a few random bits fall below a threshold that they are too few for."""
    threshold = int((1 - kept_share(size, epsilon)) * 2**bits)
    lie = rng.integers(2**bits, size=draws) < threshold
    return np.where(lie, _others(truth, size, draws, rng), truth)


def rounded_up_threshold(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float, bits: int
) -> Reports:
    """The same with the remainder on the private side: safe, and yet not what was declared."""
    threshold = int(np.ceil((1 - kept_share(size, epsilon)) * 2**bits))
    lie = rng.integers(2**bits, size=draws) < threshold
    return np.where(lie, _others(truth, size, draws, rng), truth)


def shared_lie(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """One lie for the whole batch."""
    keep = rng.random(draws) < kept_share(size, epsilon)
    return np.where(keep, truth, _others(truth, size, 1, rng)[0])


def shared_lie_of_two(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """Uniform perturbation of two people with one lie between them; the report is both reports.

    The other person's answer is always 0: only the first one's truth differs.
    """
    lie = rng.integers(size, size=draws)
    return _pair(truth, (lie, lie), rng, size, epsilon)


def own_lies_of_two(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """No mutant: the same pair, a lie for each."""
    return _pair(truth, rng.integers(size, size=(2, draws)), rng, size, epsilon)


def _pair(
    truth: int,
    lies: Sequence[Reports],
    rng: np.random.Generator,
    size: int,
    epsilon: float,
) -> Reports:
    keep = rng.random((2, len(lies[0]))) < uniform_share(size, epsilon)
    return np.where(keep[0], truth, lies[0]) * size + np.where(keep[1], 0, lies[1])


def lie_outside(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """A lie may be `size`, which is no category: an off-by-one in the range."""
    keep = rng.random(draws) < kept_share(size, epsilon)
    lies = rng.integers(size, size=draws)
    return np.where(keep, truth, lies + (lies >= truth))


def half_end_points(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """A lie is a rounded real number: the two end points get half the mass of the others."""
    keep = rng.random(draws) < uniform_share(size, epsilon)
    return np.where(keep, truth, np.rint(rng.random(draws) * (size - 1)).astype(int))


def modulo(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """A lie is a random byte modulo k - 1: the first ones come up too often."""
    keep = rng.random(draws) < kept_share(size, epsilon)
    lies = rng.integers(256, size=draws) % (size - 1)
    return np.where(keep, truth, lies + (lies >= truth))
