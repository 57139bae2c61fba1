"""Blocks, which are k-subsets of points, and families of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rr_engine.validation import IntArray

Block = tuple[int, ...]


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
