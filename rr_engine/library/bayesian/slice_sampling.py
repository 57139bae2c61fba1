"""Draws from the posterior of three or more proportions by slice sampling along lines.

A move shifts mass between two groups of truths and keeps the proportions within each. Along that
line the density in the angle phi, where sin^2 phi is the first group's part of their mass, is

    sin^(2a - 1) phi cos^(2b - 1) phi prod (c sin^2 phi + d cos^2 phi + e)^n,   0 < phi < pi/2

with a and b the sums of the prior's parameters in the two groups. The slice is found by shrinking
the whole quarter of the circle towards where the chain stands (Neal 2003), so that there is no
width to choose. Many chains move side by side; the Monte Carlo error comes from their means.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import FloatArray, IntArray

# Fixed, so that everybody computes the same posterior of a survey.
SEED = 1965
CHAINS = 200
FIRST_SWEEPS = 32
TARGET = 10_000
# Sweeps times moves times reports (and what a move costs besides): some twenty seconds.
MOST_WORK = 1_400_000
COST_OF_MOVE = 30
MOST_SHRINKS = 200
SMALLEST = 1e-300
# Distance of the means of the two halves of the draws, in their errors, taken for settled.
SETTLED = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Draws of the proportions, shape (sweeps, chains, truths)."""

    shares: FloatArray

    @property
    def monte_carlo_errors(self) -> FloatArray:
        """Standard errors of the means, from the chains, which are independent of each other."""
        return _errors(self.shares)

    @property
    def effective_draws(self) -> float:
        """Number of independent draws with the same error, of the worst proportion."""
        variances = self.shares.reshape(-1, self.shares.shape[-1]).var(axis=0)
        errors = np.maximum(_errors(self.shares), SMALLEST)
        return float(min((variances / errors**2).min(), self.shares.size / self.shares.shape[-1]))

    @property
    def settled(self) -> bool:
        """Whether the two halves of the draws agree within their errors."""
        first, second = np.array_split(self.shares, 2)
        gap = np.abs(first.mean(axis=(0, 1)) - second.mean(axis=(0, 1)))
        return bool((gap <= SETTLED * np.hypot(_errors(first), _errors(second))).all())


def _errors(shares: FloatArray) -> FloatArray:
    means = shares.mean(axis=0)
    return means.std(axis=0, ddof=1) / np.sqrt(len(means))


def draw_posterior(
    rows: FloatArray, counts: FloatArray, prior: FloatArray, start: FloatArray
) -> tuple[Draws, bool]:
    """Return draws, and whether the number of effective draws was reached.

    The number of sweeps doubles until it is; the first half of them is left out.
    """
    rng = np.random.default_rng(SEED)
    chains = _Chains(rows, counts, prior, np.tile(start, (CHAINS, 1)))
    most = max(4 * FIRST_SWEEPS, MOST_WORK // (len(start) * (len(rows) + COST_OF_MOVE)))
    swept: list[FloatArray] = []
    sweeps = FIRST_SWEEPS
    while True:
        while len(swept) < sweeps:
            chains.sweep(rng)
            swept.append(chains.shares.copy())
        draws = Draws(np.array(swept[sweeps // 2 :]))
        reached = draws.settled and draws.effective_draws >= TARGET
        if reached or 2 * sweeps > most:
            return draws, reached
        sweeps *= 2


class _Chains:
    """Chains side by side, shape (chains, truths)."""

    def __init__(
        self, rows: FloatArray, counts: FloatArray, prior: FloatArray, shares: FloatArray
    ) -> None:
        self.rows, self.counts, self.prior = rows, counts, prior
        self.shares = np.maximum(shares, SMALLEST)

    def sweep(self, rng: np.random.Generator) -> None:
        """Make as many moves as there are truths, half of them between two single truths."""
        for first, second in _pairs_of_groups(self.shares.shape[1], rng):
            self._move(first, second, rng)

    def _move(self, first: IntArray, second: IntArray, rng: np.random.Generator) -> None:
        masses = [self.shares[:, group].sum(axis=1) for group in (first, second)]
        profiles = [
            self.shares[:, group] / mass[:, None]
            for group, mass in zip((first, second), masses, strict=True)
        ]
        total = masses[0] + masses[1]
        ends = [
            total[:, None] * (profile @ self.rows[:, group].T)
            for group, profile in zip((first, second), profiles, strict=True)
        ]
        others = np.delete(self.shares, np.r_[first, second], axis=1)
        rest = others @ np.delete(self.rows, np.r_[first, second], axis=1).T
        powers = 2 * self.prior[first].sum() - 1, 2 * self.prior[second].sum() - 1
        line = _Line(ends[0], ends[1], rest, self.counts, powers)
        angles = line.slice(np.arctan2(np.sqrt(masses[0]), np.sqrt(masses[1])), rng)
        for group, profile, part in zip(
            (first, second), profiles, (np.sin(angles) ** 2, np.cos(angles) ** 2), strict=True
        ):
            moved = (total * part)[:, None] * profile
            self.shares[:, group] = np.maximum(moved, SMALLEST)


def _pairs_of_groups(truths: int, rng: np.random.Generator) -> Iterator[tuple[IntArray, IntArray]]:
    order = rng.permutation(truths)
    for index in range(truths):
        if index % 2 == 0:
            yield order[[index]], order[[(index + 1) % truths]]
        else:
            mixed = rng.permutation(truths)
            cut = int(rng.integers(1, truths))
            yield np.sort(mixed[:cut]), np.sort(mixed[cut:])


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """The density of an angle for each chain."""

    first: FloatArray
    second: FloatArray
    rest: FloatArray
    counts: FloatArray
    powers: tuple[float, float]

    def log_density(self, angles: FloatArray, chains: IntArray) -> FloatArray:
        sine, cosine = np.sin(angles), np.cos(angles)
        chances = (
            (sine**2)[:, None] * self.first[chains]
            + (cosine**2)[:, None] * self.second[chains]
            + self.rest[chains]
        )
        value = np.log(np.maximum(chances, SMALLEST)) @ self.counts
        for power, leg in zip(self.powers, (sine, cosine), strict=True):
            if power:
                value += power * np.log(np.maximum(leg, SMALLEST))
        return value

    def slice(self, angles: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return a new angle for each chain, drawn from where the density is above a level."""
        everybody = np.arange(len(angles))
        level = self.log_density(angles, everybody) - rng.exponential(size=len(angles))
        low, high = np.zeros(len(angles)), np.full(len(angles), np.pi / 2)
        moved, waiting = angles.copy(), everybody
        for _ in range(MOST_SHRINKS):
            tried = low[waiting] + (high - low)[waiting] * rng.random(len(waiting))
            inside = self.log_density(tried, waiting) >= level[waiting]
            moved[waiting[inside]] = tried[inside]
            waiting, tried = waiting[~inside], tried[~inside]
            below = tried < angles[waiting]
            low[waiting[below]], high[waiting[~below]] = tried[below], tried[~below]
            if not len(waiting):
                break
        return moved
