"""Defective k-ary devices: each takes (truth, draws, rng) and returns the reports sent."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Reports = npt.NDArray[np.int64]


def retained_share(size: int, epsilon: float) -> float:
    """The share of answers retained by the k-ary optimum, whose changes fall on the other k - 1."""
    return float(np.exp(epsilon) / (np.exp(epsilon) + size - 1))


def table(size: int, retention: float) -> npt.NDArray[np.float64]:
    """The declared probabilities: the true value is retained, else changed to another one."""
    columns = np.full((size, size), (1 - retention) / (size - 1))
    np.fill_diagonal(columns, retention)
    return columns


def _others(truth: int, size: int, draws: int, rng: np.random.Generator) -> Reports:
    replacements = rng.integers(size - 1, size=draws)
    return replacements + (replacements >= truth)


def faithful(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """The correct device, which the audit must accept."""
    keep = rng.random(draws) < retained_share(size, epsilon)
    return np.where(keep, truth, _others(truth, size, draws, rng))


def unchecked_epsilon(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """Every comparison with NaN is false, so no answer is ever changed."""
    with np.errstate(over="ignore", invalid="ignore"):
        is_changed = rng.random(draws) < 1 - retained_share(size, epsilon)
    return np.where(is_changed, _others(truth, size, draws, rng), truth)


def changes_over_all(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """The retained share is that for changes over the other k - 1, but changes fall on all k."""
    keep = rng.random(draws) < retained_share(size, epsilon)
    return np.where(keep, truth, rng.integers(size, size=draws))


def changes_over_others(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """The reverse: the retained share is for changes over all k, but changes avoid the truth."""
    keep = rng.random(draws) < uniform_share(size, epsilon)
    return np.where(keep, truth, _others(truth, size, draws, rng))


def uniform_share(size: int, epsilon: float) -> float:
    """The retained share of uniform perturbation, whose changes fall on all k values."""
    return float((np.exp(epsilon) - 1) / (np.exp(epsilon) + size - 1))


def coarse_threshold(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float, bits: int
) -> Reports:
    """A change if a random integer is below the threshold, with too few bits for its precision."""
    threshold = int((1 - retained_share(size, epsilon)) * 2**bits)
    is_changed = rng.integers(2**bits, size=draws) < threshold
    return np.where(is_changed, _others(truth, size, draws, rng), truth)


def rounded_up_threshold(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float, bits: int
) -> Reports:
    """The same, rounded to the private side: private enough, but not the declared device."""
    threshold = int(np.ceil((1 - retained_share(size, epsilon)) * 2**bits))
    is_changed = rng.integers(2**bits, size=draws) < threshold
    return np.where(is_changed, _others(truth, size, draws, rng), truth)


def shared_replacement(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """One replacement for the whole batch."""
    keep = rng.random(draws) < retained_share(size, epsilon)
    return np.where(keep, truth, _others(truth, size, 1, rng)[0])


def shared_replacement_of_two(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """Uniform perturbation of two people with one replacement; the report is both reports.

    The other person's answer is always 0: only the first one's truth differs.
    """
    replacement = rng.integers(size, size=draws)
    return _pair(truth, (replacement, replacement), rng, size, epsilon)


def own_replacements_of_two(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """The correct device for the same pair, with a replacement for each."""
    return _pair(truth, rng.integers(size, size=(2, draws)), rng, size, epsilon)


def _pair(
    truth: int,
    replacements: Sequence[Reports],
    rng: np.random.Generator,
    size: int,
    epsilon: float,
) -> Reports:
    keep = rng.random((2, len(replacements[0]))) < uniform_share(size, epsilon)
    return np.where(keep[0], truth, replacements[0]) * size + np.where(keep[1], 0, replacements[1])


def replacement_outside(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """A replacement may be `size`, which is no category: an off-by-one in the range."""
    keep = rng.random(draws) < retained_share(size, epsilon)
    replacements = rng.integers(size, size=draws)
    return np.where(keep, truth, replacements + (replacements >= truth))


def half_end_points(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """A replacement is a rounded real number: the two end points get half the mass of others."""
    keep = rng.random(draws) < uniform_share(size, epsilon)
    return np.where(keep, truth, np.rint(rng.random(draws) * (size - 1)).astype(int))


def modulo(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """A replacement is a random byte modulo k - 1: the first ones are too frequent."""
    keep = rng.random(draws) < retained_share(size, epsilon)
    replacements = rng.integers(256, size=draws) % (size - 1)
    return np.where(keep, truth, replacements + (replacements >= truth))
