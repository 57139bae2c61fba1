"""Tables of attributes of several components whose pairs were measured by the same people.

The table of two of them is the measured one. That of three or more is the table of largest entropy
with all measured pairs, and with the tables of the components.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import prod

from rr_engine.arrays import FloatArray
from rr_engine.crowd import fitting
from rr_engine.crowd.components import Chances, ComponentTables
from rr_engine.crowd.pairs import MeasuredPair, Pair, pair_tables, possible_pair, with_margins
from rr_engine.crowd.patterns import SimulatedReports, reporters_of, simulated_reports
from rr_engine.crowd.reports import CrowdAttribute
from rr_engine.crowd.view import Chosen, shares_in
from rr_engine.errors import DesignError

Pairs = Mapping[Pair, MeasuredPair]


@dataclass(eq=False)
class LinkedTables:
    """The tables of some attributes, those of their components first; arrays (draws, *sizes).

    `units`: the tables of the components of these attributes. `tables`: of each measured pair
    across components, first the attribute that comes first among `attributes`; their margins are
    those of the units.
    """

    attributes: tuple[CrowdAttribute, ...]
    units: tuple[ComponentTables, ...]
    pairs: Pairs
    tables: Mapping[Pair, FloatArray]
    effort: fitting.Effort = fitting.CAREFUL
    deviation: float = 0.0
    _joint: dict[tuple[str, ...], FloatArray] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.attributes)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(each.size for each in self.attributes)

    @property
    def cells(self) -> int:
        """Cells of the largest table that is worked with."""
        return max(prod(self.sizes), *(unit.cells for unit in self.units))

    @property
    def people(self) -> int:
        """Fewest people who reported on one of the pairs, or on a cluster."""
        pairs = [pair.n for pair in self.pairs.values()]
        return min(*pairs, *(unit.people for unit in self.units))

    @property
    def unmeasured(self) -> bool:
        """Whether a pair was not measured, so that it is independent given the others."""
        return any(
            not self._unit_of(pair) and frozenset(pair) not in self.pairs
            for pair in combinations(self.names, 2)
        )

    def about(self, needed: set[str]) -> LinkedTables:
        """Return these tables: they are about what is needed already."""
        return self

    # -- shares ---------------------------------------------------------------------------------

    def margin(self, targets: Sequence[str], chosen: Chosen, *, possible: bool) -> FloatArray:
        """Return the shares of the categories of the targets, of those who meet a condition.

        Not divided by the share of those; shape (draws, *sizes of the targets). Of unbiased tables
        where a pair or one component holds all attributes, else of the table fitted to them.
        """
        needed = tuple(name for name in self.names if name in {*targets, *chosen})
        unit = self._unit_of(needed)
        if unit is not None:
            return unit.margin(targets, chosen, possible=possible)
        measured = frozenset(needed)
        table = self.tables.get(measured) if not possible else None
        if table is None:
            table = self.joint(needed)
        return shares_in(table, needed, targets, chosen)

    def _unit_of(self, names: Sequence[str]) -> ComponentTables | None:
        return next((unit for unit in self.units if set(names) <= set(unit.names)), None)

    def joint(self, names: tuple[str, ...]) -> FloatArray:
        """Return the table of largest entropy of these attributes, none of its cells negative.

        `names` in the order of the attributes.

        Raises
        ------
        DesignError
            For too many combinations.
        """
        if names not in self._joint:
            self._joint[names] = self._fit(names)
        return self._joint[names]

    def _fit(self, names: tuple[str, ...]) -> FloatArray:
        sizes = tuple(each.size for each in self.attributes if each.name in names)
        check_cells(names, prod(sizes))
        margins, axes = [], []
        for unit in self.units:
            held = tuple(name for name in names if name in unit.names)
            if held:
                margins.append(unit.margin(held, {}, possible=True))
                axes.append(tuple(names.index(name) for name in held))
        for pair in combinations(names, 2):
            if frozenset(pair) in self.tables:
                margins.append(self._possible_pair(pair))
                axes.append(tuple(names.index(name) for name in pair))
        if len(names) == 2 and len(margins) == 3:
            return margins[-1]
        table, deviation, _ = fitting.fit_margins(margins, axes, sizes, self.effort)
        self.deviation = max(self.deviation, float(deviation.max()))
        return table

    def _possible_pair(self, pair: tuple[str, str]) -> FloatArray:
        units = [self._unit_of([name]) for name in pair]
        first, second = (
            unit.margin([name], {}, possible=True)
            for unit, name in zip(units, pair, strict=True)
            if unit is not None
        )
        return possible_pair(self.tables[frozenset(pair)], first, second)

    # -- simulated surveys ----------------------------------------------------------------------

    def simulated(self, repetitions: int, chances: Chances) -> LinkedTables:
        """Return the tables of surveys of a crowd that has the fitted distribution."""
        components = [unit.component for unit in self.units]
        reporters = reporters_of(self.names, components, self.pairs)
        joint = self.joint(self.names)[0]
        drawn = simulated_reports(joint, self.names, reporters, self.pairs, repetitions, chances)
        tables = {
            pair: pair_tables(names, self._sizes_of(names), drawn.of_pair(names))
            for pair, names in ((pair, self._ordered(pair)) for pair in self.tables)
        }
        units = tuple(
            simulated_unit(place, unit, drawn, tables) or unit.simulated(repetitions, chances)
            for place, unit in enumerate(self.units)
        )
        return linked(self.attributes, units, self.pairs, tables, fitting.ROUGH)

    def _ordered(self, pair: Pair) -> tuple[str, ...]:
        return tuple(name for name in self.names if name in pair)

    def _sizes_of(self, names: Sequence[str]) -> tuple[int, ...]:
        return tuple(each.size for each in self.attributes if each.name in names)


def simulated_unit(
    place: int, unit: ComponentTables, drawn: SimulatedReports, tables: Mapping[Pair, FloatArray]
) -> ComponentTables | None:
    """Return the tables of one component from the reports of the same people; None without."""
    component = unit.component
    for number, reporter in enumerate(drawn.reporters):
        if reporter.component == place:
            found = component.clusters[0]
            reported = drawn.of_all(number) / drawn.n
            table = found.estimate.design.solve(reported, found.estimate.weights)
            return ComponentTables(component, (table.reshape(-1, *found.sizes),), fitting.ROUGH)
    (name, *others), one = component.names, len(component.clusters) == 1
    pair = next((pair for pair in tables if name in pair), None)
    if others or pair is None or not one:
        return None
    axis = [each for each in drawn.names if each in pair].index(name)
    return ComponentTables(
        component, (fitting.margin_of_table(tables[pair], (axis,)),), fitting.ROUGH
    )


def linked(
    attributes: Sequence[CrowdAttribute],
    units: Sequence[ComponentTables],
    pairs: Pairs,
    tables: Mapping[Pair, FloatArray],
    effort: fitting.Effort,
) -> LinkedTables:
    """Return the tables of these attributes, with the margins of the units.

    `tables`: of each pair, first the attribute that comes first among `attributes`.
    """
    names = [each.name for each in attributes]
    agreed = {}
    for pair, table in tables.items():
        first, second = (
            next(unit for unit in units if name in unit.names).margin([name], {}, possible=False)
            for name in names
            if name in pair
        )
        agreed[pair] = with_margins(table, first, second)
    return LinkedTables(tuple(attributes), tuple(units), pairs, agreed, effort)


def joined(
    parts: Sequence[ComponentTables], pairs: Collection[Pair]
) -> list[list[ComponentTables]]:
    """Return the parts in groups, between which no pair was measured."""
    held = {name: place for place, part in enumerate(parts) for name in part.names}
    group = list(range(len(parts)))
    for pair in pairs:
        if pair <= held.keys():
            first, second = sorted(group[held[name]] for name in pair)
            group = [first if each == second else each for each in group]
    return [
        [part for part, each in zip(parts, group, strict=True) if each == number]
        for number in dict.fromkeys(group)
    ]


def linked_parts(
    attributes: Sequence[CrowdAttribute], parts: Sequence[ComponentTables], pairs: Pairs
) -> list[ComponentTables | LinkedTables]:
    """Return the parts, those joined between which a pair of these attributes was measured."""
    names = {each.name for each in attributes}
    asked = {pair: measured for pair, measured in pairs.items() if pair <= names}
    return [
        units[0] if len(units) == 1 else _linked(attributes, units, asked)
        for units in joined(parts, asked)
    ]


def _linked(
    attributes: Sequence[CrowdAttribute], units: Sequence[ComponentTables], pairs: Pairs
) -> LinkedTables:
    inside = {name for unit in units for name in unit.names}
    members = [each for each in attributes if each.name in inside]
    own = {pair: measured for pair, measured in pairs.items() if pair <= inside}
    tables = {pair: _table(pair, [each.name for each in members], own) for pair in own}
    return linked(members, units, own, tables, fitting.CAREFUL)


def _table(pair: Pair, names: Sequence[str], pairs: Pairs) -> FloatArray:
    measured = pairs[pair]
    order = [measured.names.index(name) for name in names if name in pair]
    return fitting.margin_of_table(measured.estimate.table, tuple(order))


def check_cells(names: Sequence[str], cells: int) -> None:
    """Refuse a joint table that would be too large."""
    if cells > fitting.LARGEST_JOINT:
        rule = (
            f"have at most {fitting.LARGEST_JOINT} combinations together, here {', '.join(names)}"
        )
        raise DesignError("names", cells, rule, "too_many_cells", fitting.LARGEST_JOINT)
