"""Clusters that share attributes, directly or through others, and their tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import prod

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.crowd.fitting import (
    CAREFUL,
    LARGEST_JOINT,
    ROUGH,
    Axes,
    Effort,
    SharedMargin,
    agree,
    fit_margins,
    margin_of_table,
    possible_tables,
    shared_attributes,
)
from rr_engine.crowd.reports import ClusterEstimate, CrowdAttribute
from rr_engine.crowd.view import Chosen, shares_in
from rr_engine.errors import DesignError


class Chances:
    """The generators that a seed stands for; each goes on where it stopped."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.of_cluster = cache(self._of_cluster)
        self.of_pattern = cache(self._of_pattern)

    def _of_cluster(self, number: int) -> np.random.Generator:
        # The child of this number, as `spawn` gives it.
        return np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=(number,)))

    def _of_pattern(self, number: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=(0, number)))


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """Clusters that hang together; what is in different components is taken as independent."""

    attributes: tuple[CrowdAttribute, ...]
    clusters: tuple[ClusterEstimate, ...]
    axes: tuple[Axes, ...]
    shared: tuple[SharedMargin, ...]
    # Where the draws of each cluster are numbered, among all clusters of the distribution.
    numbers: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(attribute.name for attribute in self.attributes)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(attribute.size for attribute in self.attributes)

    @property
    def cells(self) -> int:
        """Cells of the largest table that is worked with."""
        return prod(self.sizes)

    def unbiased(self) -> ComponentTables:
        """Return the tables as estimated, which agree with each other."""
        return self._tables_of([cluster.table for cluster in self.clusters], CAREFUL)

    def _tables_of(self, tables: Sequence[FloatArray], effort: Effort) -> ComponentTables:
        return ComponentTables(self, tuple(agree(tables, self.axes, self.shared)), effort)

    def drawn(self, fitted: FloatArray, repetitions: int, chances: Chances) -> ComponentTables:
        """Return the tables of surveys of a crowd with this joint table."""
        tables = [
            cluster.draw(margin_of_table(fitted, place)[0], repetitions, chances.of_cluster(number))
            for cluster, place, number in zip(self.clusters, self.axes, self.numbers, strict=True)
        ]
        return self._tables_of(tables, ROUGH)


@dataclass(eq=False)
class ComponentTables:
    """Unbiased tables of the clusters of a component, in agreement; arrays (draws, *sizes).

    `fitted`: the joint table without negative cells, where it is known.
    """

    component: Component
    tables: tuple[FloatArray, ...]
    effort: Effort
    fitted: FloatArray | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return self.component.names

    @property
    def cells(self) -> int:
        return self.component.cells

    @property
    def people(self) -> int:
        """Fewest people who reported on one of the clusters."""
        return min(cluster.estimate.n for cluster in self.component.clusters)

    @property
    def unmeasured(self) -> bool:
        """Whether some attributes are independent by assumption, others given: none here."""
        return False

    def simulated(self, repetitions: int, chances: Chances) -> ComponentTables:
        """Return the tables of surveys of a crowd that has the fitted distribution."""
        return self.component.drawn(self.possible, repetitions, chances)

    @cached_property
    def possible(self) -> FloatArray:
        """The joint table without negative cells, shape (draws, *sizes of the component)."""
        return self._fit[0] if self.fitted is None else self.fitted

    def about(self, needed: set[str]) -> ComponentTables:
        """Return the tables of some attributes only, where the device has a margin for them.

        Simulated surveys are then drawn of these alone: their reports do not depend on the others.
        """
        component = self.component
        kept = tuple(axis for axis, name in enumerate(component.names) if name in needed)
        if len(component.clusters) > 1 or len(kept) == len(component.names):
            return self
        names = {component.names[axis] for axis in kept}
        cluster = component.clusters[0].margin(names)
        if cluster is None:
            return self
        members = tuple(component.attributes[axis] for axis in kept)
        axes = tuple([each.name for each in members].index(name) for name in cluster.names)
        places = tuple(component.clusters[0].names.index(name) for name in cluster.names)
        reduced = Component(members, (cluster,), (axes,), (), component.numbers)
        table = margin_of_table(self.tables[0], places)
        return ComponentTables(reduced, (table,), self.effort, margin_of_table(self.possible, kept))

    @property
    def deviation(self) -> float:
        """By how much the joint table misses the margins of its clusters at most."""
        return float(self._fit[1].max())

    @cached_property
    def _fit(self) -> tuple[FloatArray, FloatArray]:
        component = self.component
        tables = possible_tables(self.tables, component.axes, component.shared, self.effort)
        if len(tables) == 1:
            # In the order of the component's attributes.
            order = tuple(np.argsort(component.axes[0]))
            return margin_of_table(tables[0], order), np.zeros(1)
        joint, deviation, _ = fit_margins(tables, component.axes, component.sizes, self.effort)
        return joint, deviation

    def margin(self, targets: Sequence[str], chosen: Chosen, *, possible: bool) -> FloatArray:
        """Return the shares of the categories of the targets, of those who meet a condition.

        Not divided by the share of those; shape (draws, *sizes of the targets). Of unbiased tables
        where one cluster holds all attributes, else of the fitted joint table.
        """
        names, table = self._table({*targets, *chosen}, possible=possible)
        return shares_in(table, names, targets, chosen)

    def _table(self, needed: set[str], *, possible: bool) -> tuple[tuple[str, ...], FloatArray]:
        if not possible:
            fitting = [
                (cluster.names, table)
                for cluster, table in zip(self.component.clusters, self.tables, strict=True)
                if needed <= set(cluster.names)
            ]
            if fitting:
                return min(fitting, key=lambda pair: pair[1].size)
        return self.component.names, self.possible


def components_of(
    attributes: Sequence[CrowdAttribute], clusters: Sequence[ClusterEstimate]
) -> tuple[Component, ...]:
    """Return the components in the order of their first attributes.

    Raises
    ------
    DesignError
        Where clusters that share attributes have too many combinations together.
    """
    groups: list[set[str]] = []
    for cluster in clusters:
        joined = set(cluster.names)
        apart = []
        for group in groups:
            if group & joined:
                joined |= group
            else:
                apart.append(group)
        groups = [*apart, joined]
    position = {attribute.name: index for index, attribute in enumerate(attributes)}
    ordered = sorted(groups, key=lambda group: min(position[name] for name in group))
    return tuple(_component(group, attributes, clusters) for group in ordered)


def _component(
    group: set[str], attributes: Sequence[CrowdAttribute], clusters: Sequence[ClusterEstimate]
) -> Component:
    members = tuple(attribute for attribute in attributes if attribute.name in group)
    numbers = [i for i, cluster in enumerate(clusters) if set(cluster.names) <= group]
    chosen = [clusters[number] for number in numbers]
    names = [attribute.name for attribute in members]
    axes = [tuple(names.index(name) for name in cluster.names) for cluster in chosen]
    cells = prod(attribute.size for attribute in members)
    if len(chosen) > 1 and cells > LARGEST_JOINT:
        rule = (
            f"have at most {LARGEST_JOINT} combinations of the attributes of clusters that share "
            f"some, here {', '.join(names)}"
        )
        raise DesignError("clusters", cells, rule, "too_many_cells", LARGEST_JOINT)
    shared = tuple(_shared_margin(each, axes, chosen) for each in shared_attributes(axes))
    return Component(members, tuple(chosen), tuple(axes), shared, tuple(numbers))


def _shared_margin(
    shared: frozenset[int], axes: Sequence[Axes], clusters: Sequence[ClusterEstimate]
) -> SharedMargin:
    holding = tuple(index for index, place in enumerate(axes) if shared <= set(place))
    weights = []
    for index in holding:
        places = tuple(axes[index].index(axis) for axis in sorted(shared))
        weights.append(1 / clusters[index].margin_variance(places))
    return SharedMargin(shared, holding, tuple(weights))
