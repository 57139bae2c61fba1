"""Defective unary encodings: k bits, one for each value; a report is the whole vector."""

import numpy as np
import numpy.typing as npt

Reports = npt.NDArray[np.int64]
Bits = npt.NDArray[np.bool_]


def as_integers(bits: Bits) -> Reports:
    return bits @ (1 << np.arange(bits.shape[1]))


def table(size: int, true_bit: float, other_bit: float) -> npt.NDArray[np.float64]:
    """The declared probability of each whole vector, by truth."""
    vectors = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    one = np.where(np.eye(size, dtype=bool), true_bit, other_bit)
    return np.where(vectors, one[:, None, :], 1 - one[:, None, :]).prod(axis=2)


def other_share(epsilon: float) -> float:
    """Chance of a one at the other bits when the true bit is kept half the time (OUE)."""
    return float(1 / (np.exp(epsilon) + 1))


def _independent(
    truth: int, draws: int, rng: np.random.Generator, size: int, true_bit: float, other_bit: float
) -> Bits:
    chance = np.full(size, other_bit)
    chance[truth] = true_bit
    return rng.random((draws, size)) < chance


def faithful(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """No mutant: what the audit must let pass."""
    return as_integers(_independent(truth, draws, rng, size, 0.5, other_share(epsilon)))


def never_clears(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """Noise sets bits and clears none: the true one is always there."""
    noise = rng.random((draws, size)) < other_share(epsilon)
    noise[:, truth] |= True
    return as_integers(noise)


def wrong_true_bit(
    truth: int, draws: int, rng: np.random.Generator, *, size: int, epsilon: float
) -> Reports:
    """The true bit is kept two times in three instead of one in two: epsilon + ln 2."""
    return as_integers(_independent(truth, draws, rng, size, 2 / 3, other_share(epsilon)))


def best_guess(reports: Reports, size: int, rng: np.random.Generator) -> Reports:
    """The attacker's guess: one of the bits that are set, any value when none is."""
    bits = ((reports[:, None] >> np.arange(size)) & 1).astype(float)
    bits[bits.sum(axis=1) == 0] = 1.0
    return (bits * rng.random(bits.shape)).argmax(axis=1)
