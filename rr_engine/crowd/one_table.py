"""One table of some attributes, and the sums over it that statistics are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine.crowd.attributes import mask_of
from rr_engine.crowd.fitting import margin_of_table
from rr_engine.validation import FloatArray

# For each attribute the categories that are meant.
Chosen = Mapping[str, Sequence[int]]


def shares_in(
    table: FloatArray, names: Sequence[str], targets: Sequence[str], chosen: Chosen
) -> FloatArray:
    """Return the shares of the targets' categories, of those who meet a condition.

    Not divided by the share of those. `table`: shape (draws, a size for each of `names`); the
    result has the shape (draws, a size for each target).
    """
    for name, indices in chosen.items():
        axis = names.index(name)
        mask = mask_of(indices, table.shape[axis + 1])
        table = table * np.expand_dims(mask, [a for a in range(len(names)) if a != axis])[None]
    return margin_of_table(table, tuple(names.index(name) for name in targets))


@dataclass(frozen=True, slots=True, eq=False)
class OneTable:
    """Tables of the same attributes, shape (draws, a size for each name)."""

    names: tuple[str, ...]
    table: FloatArray

    def margin(self, targets: Sequence[str], chosen: Chosen, *, possible: bool) -> FloatArray:
        """Return the sums of :func:`shares_in`; of a table as it is, possible or not."""
        return shares_in(self.table, self.names, targets, chosen)
