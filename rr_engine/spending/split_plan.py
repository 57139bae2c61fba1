"""The checked arguments of a split, and what its parts have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from math import sqrt

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.spending.coupled import Goal, Item, PairItem, QuestionItem
from rr_engine.spending.curves import Scale, Table, is_usable, named_sizes, scale_of, table_of
from rr_engine.spending.questions import (
    BudgetPair,
    BudgetQuestion,
    check_pairs,
    check_questions,
    pair_table,
)
from rr_engine.spending.result import QuestionShare

# Rounds in which every question may change its device.
DEVICE_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """Questions with their tables, and pairs of them."""

    questions: tuple[BudgetQuestion, ...]
    pairs: tuple[BudgetPair, ...]
    tables: tuple[Table, ...]
    scale: Scale

    @classmethod
    def of(
        cls,
        questions: object,
        pairs: object,
        n: object,
        level: object,
        step: object,
        budget: Decimal | None = None,
    ) -> SplitPlan:
        """Check the arguments; `budget` is the largest epsilon that there is for any question."""
        asked = check_questions(questions)
        named_pairs = check_pairs(pairs, asked)
        scale = scale_of(check.size(n), check.open_unit(level, "level"), step)
        tables: dict[int, Table] = {}
        for index, question in enumerate(asked):
            # Questions that are alike share their table.
            alike = asked.index(question)
            tables[index] = tables.get(alike) or table_of(question, scale, budget)
        return cls(asked, named_pairs, tuple(tables.values()), scale)

    @property
    def weights(self) -> FloatArray:
        """The weights of the questions, then those of the pairs."""
        alone = [question.weight for question in self.questions]
        return np.array([*alone, *(pair.weight for pair in self.pairs)])

    @property
    def step_bounds(self) -> tuple[list[int], list[int]]:
        """The fewest and the most whole steps of each question."""
        low, high = (
            [self.scale.steps_in(Decimal(repr(float(value)))) for value in bounds]
            for bounds in (self.low, self.high)
        )
        return low, high

    @property
    def low(self) -> FloatArray:
        """The least epsilon of each question."""
        return np.array([float(self.scale.epsilon(table.points[0])) for table in self.tables])

    @property
    def high(self) -> FloatArray:
        """The largest epsilon of each question."""
        return np.array(
            [
                float(self.scale.epsilon(table.first + len(table.curves[0].variances) - 1))
                for table in self.tables
            ]
        )

    def question_items(self, weights: Sequence[float]) -> list[Item]:
        """The margins of the questions, with given weights."""
        return [
            QuestionItem((i,), weight, question.categories, question.options, question.focal_shares)
            for i, (question, weight) in enumerate(zip(self.questions, weights, strict=True))
        ]

    def pair_items(self, weights: Sequence[float]) -> list[Item]:
        """The margins of the pairs, with given weights."""
        return [
            PairItem((pair.first, pair.second), weight, pair_table(pair, self.questions))
            for pair, weight in zip(self.pairs, weights, strict=True)
        ]

    def epsilons(self, steps: Sequence[int]) -> FloatArray:
        """The epsilons of whole steps."""
        return np.array([float(self.scale.epsilon(count)) for count in steps])

    def shares_at(self, places: Sequence[int]) -> tuple[QuestionShare, ...]:
        """Return each question's share at a place of its table, with the best device there."""
        return tuple(
            QuestionShare(
                self.scale.epsilon(int(table.points[place])),
                *table.device(place),
                float(table.margins[place]),
            )
            for table, place in zip(self.tables, places, strict=True)
        )

    def share_with(self, index: int, steps: int, device: int) -> QuestionShare:
        """Return one question's share with one of its devices, whatever others would do."""
        table = self.tables[index]
        curve = table.curves[device]
        place = steps - table.first
        margin = sqrt(curve.variances[place]) * self.scale.factor
        size = int(curve.subset_sizes[place]) or None
        return QuestionShare(self.scale.epsilon(steps), curve.name, size, margin)

    def shares_of_sizes(
        self, steps: Sequence[int], sizes: Sequence[int]
    ) -> tuple[QuestionShare, ...]:
        """Return each question's share with the device of a given subset size."""
        epsilons, shares = self.epsilons(steps), []
        items = self.question_items([1.0] * len(self.questions))
        for index, (item, question) in enumerate(zip(items, self.questions, strict=True)):
            margin = sqrt(item.variance(epsilons, sizes)[0]) * self.scale.factor
            is_plain = sizes[index] == 1 and "k_rr" in question.devices
            name = "k_rr" if is_plain else "subset_selection"
            epsilon = self.scale.epsilon(steps[index])
            shares.append(QuestionShare(epsilon, name, sizes[index], margin))
        return tuple(shares)

    def pair_margins(self, steps: Sequence[int], sizes: Sequence[int]) -> tuple[float, ...]:
        """The largest margin of a cell of each pair."""
        epsilons = self.epsilons(steps)
        items = self.pair_items([1.0] * len(self.pairs))
        return tuple(sqrt(item.variance(epsilons, sizes)[0]) * self.scale.factor for item in items)

    def sizes_at(self, index: int, epsilon: float) -> list[int]:
        """The subset sizes of a question's devices at an epsilon, the usual one first."""
        question = self.questions[index]
        at = np.array([epsilon])
        sizes = [
            int(named_sizes(device, question.categories, at)[0])
            for device in question.devices
            if isinstance(device, str)
        ]
        return [size for size in sizes if is_usable(question.categories, size)] or [1]

    def better_sizes(self, goal: Goal, epsilons: FloatArray) -> list[int]:
        """The subset sizes with which no change of one question's device makes the goal smaller."""
        sizes = list(goal.sizes)
        for _round, index in product(range(DEVICE_ROUNDS), range(len(sizes))):
            tried = dict.fromkeys([sizes[index], *self.sizes_at(index, float(epsilons[index]))])
            sizes[index] = min(tried, key=lambda size: _total(goal, sizes, index, size, epsilons))
        return sizes


def _total(
    goal: Goal, sizes: list[int], index: int, size: int, epsilons: FloatArray
) -> tuple[float, float]:
    """Return the goal with another size for one question; of equal ones the smaller sum counts."""
    changed = [*sizes[:index], size, *sizes[index + 1 :]]
    terms = replace(goal, sizes=changed).terms(epsilons)[0]
    return goal.value(terms), float(terms.sum())
