"""People of a crowd, drawn one attribute after the other: synthetic data that keep measured pairs.

The shares of an attribute given those before it are the ones of largest entropy that have the
measured tables of pairs with these, as nearly as their noise allows. So a joint table of all
attributes is never formed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.crowd.components import ComponentTables
from rr_engine.crowd.linked import Pairs, linked_parts
from rr_engine.crowd.reports import CrowdAttribute

# People to whom the factors are fitted: all combinations of answers with their shares where these
# are no more, else so many people.
FITTED_TO = 2048
# How often the factors are improved at most, and the share that a table may be missed by then.
ROUNDS, MISSED = 50, 1e-4
# Least noise: a table with less is taken as it is.
LEAST_NOISE = 1e-6
# A share that divides nothing.
NOBODY = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """How one attribute follows from those before it.

    `base`: its shares in each cell of the attributes of its component that come before, shape
    (*sizes of these, categories). `factors`: for an attribute before it what an answer to that
    multiplies the shares with, shape (categories of that, categories).
    """

    name: str
    before: tuple[str, ...]
    base: FloatArray
    factors: Mapping[str, FloatArray]

    def shares(self, people: Mapping[str, IntArray], count: int) -> FloatArray:
        """Return the shares of the categories for each of these people."""
        if self.before:
            shares = self.base[tuple(people[name] for name in self.before)]
        else:
            shares = np.broadcast_to(self.base, (count, *self.base.shape))
        for name, factor in self.factors.items():
            shares = shares * factor[people[name]]
        return _normalized(shares, self.base)


@dataclass(frozen=True, slots=True, eq=False)
class PeopleModel:
    """The steps in their order."""

    steps: tuple[Step, ...]

    def draw(self, count: int, generator: np.random.Generator) -> dict[str, IntArray]:
        """Return the categories of so many people, by attribute."""
        people: dict[str, IntArray] = {}
        for step in self.steps:
            people[step.name] = _drawn(step.shares(people, count), generator.random(count))
        return people


@dataclass(frozen=True, slots=True, eq=False)
class WholeTable:
    """People of one component, drawn from its joint table."""

    tables: ComponentTables

    def draw(self, count: int, generator: np.random.Generator) -> dict[str, IntArray]:
        """Return the categories of so many people, by attribute."""
        component, shares = self.tables.component, self.tables.possible[0].ravel()
        cells = generator.choice(len(shares), size=count, p=shares / shares.sum())
        parts = np.unravel_index(cells, component.sizes)
        return dict(zip(component.names, parts, strict=True))


def people_model(
    attributes: Sequence[CrowdAttribute], components: Sequence[ComponentTables], pairs: Pairs
) -> PeopleModel:
    """Return the steps of components that measured pairs join; always the same."""
    inside = {name for each in components for name in each.names}
    attributes = [each for each in attributes if each.name in inside]
    (part,) = linked_parts(attributes, components, pairs)
    steps: list[Step] = []
    crowd = _FittedTo(np.random.default_rng(len(attributes)))
    for number, attribute in enumerate(attributes):
        unit = next(each for each in components if attribute.name in each.names)
        earlier = [each.name for each in attributes[:number]]
        before = tuple(name for name in earlier if name in unit.names)
        base = _conditional(unit.margin([*before, attribute.name], {}, possible=True)[0])
        measured = [name for name in earlier if frozenset((name, attribute.name)) in pairs]
        # A measured pair must not change what the attributes of its own component say of it.
        wanted = {
            name: _conditional(part.margin([name, attribute.name], {}, possible=True)[0])
            for name in [*measured, *(before if measured else ())]
        }
        noise = {name: pairs[frozenset((name, attribute.name))].noise for name in measured}
        noise |= dict.fromkeys(before, LEAST_NOISE)
        first = Step(attribute.name, before, base, {})
        step = Step(attribute.name, before, base, crowd.factors(first, wanted, noise))
        crowd.add(step)
        steps.append(step)
    return PeopleModel(tuple(steps))


class _FittedTo:
    """People with weights, who stand for the crowd as far as its attributes are known."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator
        self._people: dict[str, IntArray] = {}
        self._weights: FloatArray = np.ones(1)

    def factors(
        self, step: Step, wanted: Mapping[str, FloatArray], noise: Mapping[str, float]
    ) -> dict[str, FloatArray]:
        """Return the factors with which the people have nearly these shares.

        `wanted`: for each attribute before, the shares of the categories given each answer to it.
        `noise`: of each of these tables; the more it has, the less do its factors differ from 1.
        """
        if not wanted:
            return {}
        sizes = [len(each) for each in wanted.values()]
        answers = np.column_stack([self._people[name] for name in wanted])
        tags = np.zeros((len(answers), sum(sizes)))
        places = answers + np.append(0, np.cumsum(sizes)[:-1])
        tags[np.arange(len(answers))[:, None], places] = 1.0
        weighted = tags.T * self._weights
        targets = weighted.sum(axis=1)[:, None] * np.concatenate(list(wanted.values()))
        penalties = np.repeat([noise[name] for name in wanted], sizes)[:, None]
        logits = np.log(np.maximum(step.shares(self._people, len(answers)), NOBODY))

        def loss(flat: FloatArray) -> tuple[float, FloatArray]:
            effects = flat.reshape(targets.shape)
            logit = logits + tags @ effects
            top = logit.max(axis=1, keepdims=True)
            shares = np.exp(logit - top)
            totals = shares.sum(axis=1, keepdims=True)
            slope = weighted @ (shares / totals) - targets + penalties * effects
            of_all = float(self._weights @ (top + np.log(totals))[:, 0])
            value = of_all - float((targets * effects).sum())
            return value + float((penalties * effects**2).sum()) / 2, slope.ravel()

        options = {"maxiter": ROUNDS, "gtol": MISSED, "maxcor": 20}
        found = scipy.optimize.minimize(
            loss, np.zeros(targets.size), jac=True, method="L-BFGS-B", options=options
        )
        effects = np.split(found.x.reshape(targets.shape), np.cumsum(sizes)[:-1])
        return {name: np.exp(each) for name, each in zip(wanted, effects, strict=True)}

    def add(self, step: Step) -> None:
        """Give the people this attribute: all its categories, or one each if they are many."""
        count, size = len(self._weights), step.base.shape[-1]
        shares = step.shares(self._people, count)
        if count == FITTED_TO:
            even = (self._generator.permutation(count) + self._generator.random(count)) / count
            rows, categories = np.arange(count), _drawn(shares, even)
            weights = self._weights
        else:
            weights = (shares * self._weights[:, None]).ravel()
            cells = np.flatnonzero(weights > 0)
            if len(cells) > FITTED_TO:
                cells = self._sample(cells, weights[cells])
                weights = np.ones_like(weights)
            rows, categories = np.divmod(cells, size)
            weights = weights[cells] / weights[cells].sum()
        self._people = {name: each[rows] for name, each in self._people.items()}
        self._people[step.name], self._weights = categories, weights

    def _sample(self, cells: IntArray, weights: FloatArray) -> IntArray:
        """Return FITTED_TO cells, each as often as its weight says, or once more."""
        order = self._generator.permutation(len(cells))
        ends = np.cumsum(weights[order])
        places = (np.arange(FITTED_TO) + self._generator.random()) / FITTED_TO * ends[-1]
        return cells[order[np.minimum(np.searchsorted(ends, places), len(cells) - 1)]]


def _drawn(shares: FloatArray, chances: FloatArray) -> IntArray:
    """Return for each row of shares the category at its number between 0 and 1."""
    return (chances[:, None] >= np.cumsum(shares, axis=1)[:, :-1]).sum(axis=1)


def _conditional(table: FloatArray) -> FloatArray:
    """Return the shares along the last axis; those of everybody where nobody is."""
    totals = table.sum(axis=-1, keepdims=True)
    of_all = table.reshape(-1, table.shape[-1]).sum(axis=0)
    return np.where(totals > NOBODY, table / np.where(totals > NOBODY, totals, 1.0), of_all)


def _normalized(shares: FloatArray, base: FloatArray) -> FloatArray:
    """Return rows that sum to one; where nothing is left, the shares of everybody."""
    totals = shares.sum(axis=1, keepdims=True)
    of_all = base.reshape(-1, base.shape[-1]).mean(axis=0)
    return np.where(totals > NOBODY, shares / np.where(totals > NOBODY, totals, 1.0), of_all)
