"""Near-balanced blocks: rotations of a few base blocks, and the catalogue of good ones."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from rr_engine.arrays import FloatArray, IntArray

Block = tuple[int, ...]
# Lines "points size length base base ...", each base a bit mask in hexadecimal.
CATALOGUE = Path(__file__).with_name("blocks.txt")
MOST_BASES = 5
STARTS = 4
# Exchanges that are priced for one number of base blocks, counted in waves.
WORK = 10_000_000
# Waves that are priced at once.
AT_ONCE = 400_000
SMALL = 1e-9
Price = Callable[[FloatArray, int], FloatArray]


def incidence(blocks: list[Block], points: int) -> IntArray:
    """Return 1 where a block holds a point, shape (blocks, points)."""
    table = np.zeros((len(blocks), points), dtype=np.int64)
    for row, block in enumerate(blocks):
        table[row, list(block)] = 1
    return table


def complements(blocks: Sequence[Block], points: int) -> tuple[Block, ...]:
    """Return the points that each block leaves out: balanced where the blocks are."""
    everything = set(range(points))
    return tuple(sorted(tuple(sorted(everything - set(block))) for block in blocks))


def block_names(blocks: Sequence[Block], labels: Sequence[str]) -> tuple[str, ...]:
    """Return a name for each block: its points, and a number for each copy but the first."""
    copies: dict[Block, int] = {}
    names = []
    for block in blocks:
        copies[block] = copies.get(block, 0) + 1
        name = " | ".join(labels[index] for index in block)
        names.append(name if copies[block] == 1 else f"{name} ({copies[block]})")
    return tuple(names)


@lru_cache(maxsize=64)
def catalogue(points: int) -> tuple[tuple[Block, ...], ...]:
    """Return the families of blocks on so many points that are known to be good.

    Classical families where there are any (quadratic and quartic residues, Legendre pairs, planes,
    Menon's and McFarland's difference sets, residuals of symmetric designs), what integer programs
    found for few points, and otherwise the most even rotations that a long search found.
    """
    lines = (line.split() for line in CATALOGUE.read_text(encoding="ascii").splitlines())
    return tuple(
        tuple(develop(points, int(length), [int(base, 16) for base in bases]))
        for listed, _, length, *bases in lines
        if int(listed) == points
    )


def develop(points: int, length: int, bases: list[int]) -> list[Block]:
    """Turn base blocks by cycles of equal length; points left over stay where they are.

    Parameters
    ----------
    points : int
    length : int
        Points 0 to length - 1 are a cycle, and so on while there are enough of them.
    bases : list of int
        Bit x is set where the block holds point x.

    Returns
    -------
    list of tuple of int
        All turns of each base block, each once.
    """
    cycle = list(range(points))
    for start in range(0, points - length + 1, length):
        for offset in range(length):
            cycle[start + offset] = start + (offset + 1) % length
    blocks = []
    for base in bases:
        first = block = tuple(point for point in range(points) if base >> point & 1)
        blocks.append(first)
        while (block := tuple(sorted(cycle[point] for point in block))) != first:
            blocks.append(block)
    return sorted(blocks)


@lru_cache(maxsize=256)
def rotated_blocks(points: int, size: int, most: int) -> tuple[Block, ...] | None:
    """Return at most `most` blocks: rotations of base blocks, as accurate as a short search finds.

    Every point is in the same number of blocks, and how often a pair meets depends on its
    difference alone. None when no family found tells all points apart.
    """
    counts = range(1, min(MOST_BASES, most // points) + 1)
    candidates = [_even_bases(points, size, count) for count in counts]
    waste, _, bases = min(
        ((round(_rotation_cost(bases, points), 9), len(bases), bases) for bases in candidates),
        key=lambda trial: trial[:2],
    )
    if not waste < 1 / SMALL:
        return None
    blocks = [np.flatnonzero(np.roll(base, turn)) for base in bases for turn in range(points)]
    return tuple(sorted(tuple(block.tolist()) for block in blocks))


def _even_bases(points: int, size: int, count: int) -> IntArray:
    """Return indicators of base blocks, shape (count, points)."""
    waves = _waves(points)
    steps = max(1, WORK // (size * (points - size) * waves.shape[1]))
    candidates = []
    for start in range(STARTS):
        generator = np.random.default_rng(start)
        orders = [generator.permutation(points) for _ in range(count)]
        bases = np.array([(order < size).astype(np.int64) for order in orders])
        # First by unevenness, which has few local minima, then by cost.
        for price in (_unevenness, _cost):
            bases = _exchange_points(bases, waves, max(1, steps // STARTS), price)
        candidates.append(bases)
    return min(candidates, key=lambda bases: _rotation_cost(bases, points))


def _exchange_points(bases: IntArray, waves: FloatArray, steps: int, price: Price) -> IntArray:
    """Exchange points of each base block in turn while the cost decreases."""
    cost, idle = float(price((np.abs(bases @ waves) ** 2).sum(axis=0), len(waves))), 0
    size = int(bases[0].sum())
    eigenvalue_sum = size * (len(waves) - size) * waves.shape[1]
    sparse = min(1 + int((eigenvalue_sum / AT_ONCE) ** 0.5), size)
    for step in range(steps * sparse**2):
        index = step % len(bases)
        # Very many exchanges are priced in batches.
        leaving = np.flatnonzero(bases[index])[step % sparse :: sparse]
        entering = np.flatnonzero(bases[index] == 0)[step // sparse % sparse :: sparse]
        spectrum = bases @ waves
        others = (np.abs(np.delete(spectrum, index, axis=0)) ** 2).sum(axis=0)
        trials = spectrum[index] - waves[leaving][:, None] + waves[entering]
        costs = price(others + trials.real**2 + trials.imag**2, len(waves))
        best = int(costs.argmin())
        if costs.flat[best] < cost * (1 - SMALL):
            cost, idle = float(costs.flat[best]), 0
            gone, come = np.unravel_index(best, costs.shape)
            bases[index, [leaving[gone], entering[come]]] = 0, 1
        else:
            idle += 1
        if idle == len(bases) * sparse**2:
            break
    return bases


def _waves(points: int) -> FloatArray:
    """Return exp(2 pi i x j / points), shape (points, points // 2)."""
    turns = np.outer(np.arange(points), np.arange(1, points // 2 + 1)) % points
    return np.exp(2j * np.pi * turns / points)


def _cost(spectra: FloatArray, points: int) -> FloatArray:
    """Return the sum of the reciprocal eigenvalues of the concurrences but the largest."""
    return (1 / np.maximum(spectra, SMALL)) @ _multiplicities(points)


def _unevenness(spectra: FloatArray, points: int) -> FloatArray:
    """Return the sum of the squared eigenvalues; their sum is the same for all blocks of a size."""
    return spectra**2 @ _multiplicities(points)


def _multiplicities(points: int) -> FloatArray:
    """Return how often each eigenvalue occurs: frequencies j and -j have the same, half has one."""
    twice = np.full(points // 2, 2.0)
    if points % 2 == 0:
        twice[-1] = 1.0
    return twice


def _rotation_cost(bases: IntArray, points: int) -> float:
    """Return the cost of the blocks and all their rotations.

    Their concurrences are a circulant matrix: its eigenvalue at frequency j is
    ``sum_b |sum_x b_x exp(2 pi i x j / points)|**2`` over the base blocks b.
    """
    return float(_cost((np.abs(bases @ _waves(points)) ** 2).sum(axis=0), points))
