"""Tables of some attributes, combined as far as a statistic needs them, and sums over them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.crowd.fitting import margin_of_table
from rr_engine.crowd.reports import CrowdAttribute, mask_of

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


class Part(Protocol):
    """Tables of some attributes, none of which another part has."""

    @property
    def names(self) -> tuple[str, ...]:
        """Their names."""

    def margin(self, targets: Sequence[str], chosen: Chosen, *, possible: bool) -> FloatArray:
        """Return the shares of the targets' categories, of those who meet a condition."""


# A share below this is none at all.
NOBODY = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class CrowdTables:
    """Tables of some components, each of as many draws; `possible`: without negative cells.

    Attributes of different components are independent: their shares are multiplied, and a
    condition on one component says nothing of another.
    """

    components: tuple[Part, ...]
    possible: bool

    def sums(self, targets: Sequence[str], where: Chosen) -> FloatArray:
        """Return the shares of the targets' categories and of those who meet a condition at once.

        Conditions on components without targets are left out. Shape (draws, *sizes of targets).
        """
        product, order = np.ones(1), []
        for tables in self.components:
            names = [name for name in tables.names if name in targets]
            if names:
                margin = tables.margin(names, _part(where, tables), possible=self.possible)
                product = _outer_by_draw(product, margin)
                order += names
        return np.transpose(product, (0, *(order.index(name) + 1 for name in targets)))

    def shares(self, targets: Sequence[str], where: Chosen) -> FloatArray:
        """Return the shares of the targets' categories among those who meet the condition.

        NaN where nobody is estimated to.
        """
        sums = self.sums(targets, where)
        totals = sums.reshape(len(sums), -1).sum(axis=1)
        return sums / positive(totals).reshape(-1, *[1] * len(targets))

    def share(self, condition: Chosen, about: Sequence[str] = ()) -> FloatArray:
        """Return the share that meets a condition, shape (draws,).

        `about`: the condition is left out on components without any of these, where given.
        """
        product = np.ones(1)
        for tables in self.components:
            chosen = _part(condition, tables)
            if chosen and (not about or set(about) & set(tables.names)):
                product = product * tables.margin((), chosen, possible=self.possible)
        return product


def _part(condition: Chosen, tables: Part) -> dict[str, Sequence[int]]:
    names = tables.names
    return {name: chosen for name, chosen in condition.items() if name in names}


def _outer_by_draw(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the products of the cells of two tables, draw by draw."""
    wide = first.reshape(*first.shape, *[1] * (second.ndim - 1))
    return wide * second.reshape(len(second), *[1] * (first.ndim - 1), *second.shape[1:])


def both_of(first: Chosen, second: Chosen) -> dict[str, Sequence[int]]:
    """Return the condition that both are met."""
    merged = dict(first)
    for name, chosen in second.items():
        merged[name] = [i for i in chosen if i in merged[name]] if name in merged else chosen
    return merged


def with_numbers(attributes: Sequence[CrowdAttribute], where: Chosen) -> dict[str, Sequence[int]]:
    """Return the condition of those who meet it and have a number on each attribute."""
    refusing = [each for each in attributes if len(each.valued) < each.size]
    return both_of({each.name: each.valued for each in refusing}, where)


def positive(total: FloatArray) -> FloatArray:
    """Return totals to divide by; NaN where there is nobody."""
    return np.where(total > NOBODY, total, np.nan)
