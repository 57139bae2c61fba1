"""The smallest balanced block designs by integer programs, to hold the catalogue against."""

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from rr_engine.optimisation.rotations import Block, complements, incidence

# Orbits of blocks in one integer program, and seconds given to it.
MOST_ORBITS = 2_000
SECONDS = 2.0
# Subsets that are listed one by one when an orbit matrix is built.
MOST_SUBSETS = 60_000

Permutation = tuple[int, ...]


def balanced_blocks(points: int, size: int, most: int) -> list[Block] | None:
    """Return the smallest balanced design found with at most `most` blocks, or None.

    Parameters
    ----------
    points : int
        At least 2; the points are 0, 1, ...
    size : int
        Points in a block, from 1 to points - 1.
    most : int

    Returns
    -------
    list of tuple of int, or None
        Blocks, each sorted, repeated blocks allowed; every point lies in the same number of blocks
        and so does every pair.

    Notes
    -----
    Numbers of blocks are tried upwards among those that counting allows. For each, blocks are
    chosen whole orbits at a time under a prescribed group, which turns the search into a small
    integer program (Kramer & Mesner, Discrete Mathematics 15 (1976), 263-296).
    """
    if 2 * size > points:
        found = balanced_blocks(points, points - size, most)
        return found and list(complements(found, points))
    if size == 1:
        return [(point,) for point in range(points)] if points <= most else None
    for pairs in _admissible(points, size, most):
        blocks = _with_pair_count(points, size, pairs)
        if blocks is not None:
            return blocks
    return None


def _admissible(points: int, size: int, most: int) -> Iterator[int]:
    """Numbers of blocks through each pair that leave whole blocks and whole replications."""
    for pairs in range(1, most + 1):
        blocks, rest = divmod(pairs * points * (points - 1), size * (size - 1))
        if blocks > most:
            return
        replications_whole = pairs * (points - 1) % (size - 1) == 0
        # Fisher's inequality: at least as many blocks as points.
        if rest == 0 and replications_whole and blocks >= points:
            yield pairs


def _with_pair_count(points: int, size: int, pairs: int) -> list[Block] | None:
    if comb(points, size) > MOST_SUBSETS:
        return None
    for generator in _generators(points):
        blocks = _solve(points, size, pairs, generator)
        if blocks is not None:
            return blocks
    return None


def _generators(points: int) -> Iterator[Permutation]:
    """Yield rotations: of all points, of all but one, of equal cycles, and none at all."""
    lengths = [length for length in range(points, 1, -1) if points % length in (0, 1)]
    for length in lengths:
        turned = [
            start + (offset + 1) % length
            for start in range(0, points - length + 1, length)
            for offset in range(length)
        ]
        yield (*turned, *range(len(turned), points))
    yield tuple(range(points))


def _solve(points: int, size: int, pairs: int, generator: Permutation) -> list[Block] | None:
    blocks = _orbits(points, size, generator)
    if len(blocks) > MOST_ORBITS:
        return None
    meetings = _orbits(points, 2, generator)
    # How many blocks of an orbit hold the first pair of an orbit of pairs.
    table = np.array(
        [
            [sum(set(pair) <= set(block) for block in orbit) for orbit in blocks]
            for pair, *_ in meetings
        ]
    )
    found = milp(
        np.array([len(orbit) for orbit in blocks], dtype=float),
        constraints=LinearConstraint(table, pairs, pairs),
        integrality=np.ones(len(blocks)),
        bounds=Bounds(0, pairs),
        options={"time_limit": SECONDS},
    )
    if found.x is None:
        return None
    times = np.rint(found.x).astype(int)
    chosen = [block for orbit, count in zip(blocks, times, strict=True) for block in orbit * count]
    return sorted(chosen) if _is_balanced(chosen, points, pairs) else None


def _orbits(points: int, size: int, generator: Permutation) -> list[list[Block]]:
    """Return the subsets of one size, gathered by what the generator carries into each other."""
    seen: set[Block] = set()
    gathered = []
    for block in combinations(range(points), size):
        if block in seen:
            continue
        orbit, moved = [], block
        while moved not in seen:
            seen.add(moved)
            orbit.append(moved)
            moved = tuple(sorted(generator[point] for point in moved))
        gathered.append(orbit)
    return gathered


def _is_balanced(blocks: list[Block], points: int, pairs: int) -> bool:
    """Check the definition itself, whatever the solver said."""
    table = incidence(blocks, points)
    together = table.T @ table
    off_diagonal = together[~np.eye(points, dtype=bool)]
    return bool((off_diagonal == pairs).all() and np.ptp(np.diag(together)) == 0)
