"""The parts of a split: questions, the devices that each may have, and pairs of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

import numpy as np

from rr_engine import check
from rr_engine.arguments import holds_several
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, as_list, keep
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError

# The devices whose variance has a closed form, by the names of their functions.
NAMED = ("k_rr", "subset_selection")
# A question without an epsilon would have no report; the usual bounds of an author.
LEAST, MOST = Decimal("0.01"), Decimal(8)
# A heavier weight leaves nothing of the others in double precision.
HEAVIEST = 1e6
MOST_OPTIONS = 1000


@dataclass(frozen=True, slots=True)
class DeviceOfEpsilon:
    """Any other device, as a function of the question's epsilon.

    Attributes
    ----------
    name : str
    build : callable
        From the question's epsilon, a Decimal, to the channel that the margin rests on (of a
        multiple choice: that of one option). An epsilon at which it raises an EngineError, or at
        which reports do not identify the proportions, is not used.

    Examples
    --------
    >>> from rr_engine.designs import laplace
    >>> DeviceOfEpsilon("laplace", lambda epsilon: laplace(4, epsilon)).name
    'laplace'
    """

    name: str
    build: Callable[[Decimal], Channel]

    def __post_init__(self) -> None:
        _check_name(self.name)
        if not callable(self.build):
            raise ArgumentError("build", self.build, "be a function", "not_a_function")


@dataclass(frozen=True, slots=True)
class MarginCurve:
    """A device that is known by its margin at some epsilons; interpolated in between.

    Attributes
    ----------
    name : str
    epsilons : sequence of Decimal, str or float
        Rising, at least one. The device is not used outside them.
    margins : sequence of float
        Above 0, at each of the epsilons: for the respondents and the level of the split. Between
        two epsilons the logarithm is linear in that of ``e**epsilon - 1``.

    Examples
    --------
    >>> MarginCurve("cards", (0.5, 1, 2), (0.2, 0.09, 0.04)).epsilons[1]
    Decimal('1')
    """

    name: str
    epsilons: Sequence[Epsilon]
    margins: Sequence[float]

    def __post_init__(self) -> None:
        _check_name(self.name)
        epsilons = tuple(check.epsilon(value, "epsilons") for value in as_list(self.epsilons) or ())
        if not epsilons or any(first >= second for first, second in pairwise(epsilons)):
            raise ArgumentError(
                "epsilons", self.epsilons, "rise from each to the next", "not_rising"
            )
        rule = f"be {len(epsilons)} numbers above 0"
        margins = check.reals(self.margins, (len(epsilons),), "margins", rule)
        if (margins <= 0).any():
            raise ArgumentError("margins", self.margins, rule, "not_positive")
        keep(self, epsilons=epsilons, margins=tuple(margins.tolist()))


# By its name, as a function of epsilon, or by its margins.
Device = str | DeviceOfEpsilon | MarginCurve


@dataclass(frozen=True, slots=True)
class BudgetQuestion:
    """A question that gets a part of the budget.

    Attributes
    ----------
    categories : int
        At least 2; 2 for a question with `options`.
    prevalence : float, sequence of float or None
        The proportions that are guessed. One number is the share of category 1, whose margin then
        counts; a list has all of them, and the largest margin counts. Even shares when left out.
        With `options`: the share that ticks each, or one number for all of them (0.5 if left out).
    weight : float, default 1
        Of this question's margin in the objective; at 0 it does not matter.
    devices : sequence of str, DeviceOfEpsilon or MarginCurve
        The devices that may be used, the usual one first: "k_rr", "subset_selection" or others.
    options : int, default 1
        Above 1: a multiple choice with a device of its own, and an equal part of the question's
        epsilon, for each of so many options.
    least, most : Decimal, str or float
        Bounds of its epsilon, from 0.01 to 8 if left out.

    Examples
    --------
    >>> BudgetQuestion(3, (0.7, 0.2, 0.1), most=4).most
    Decimal('4')
    """

    categories: int = 2
    prevalence: float | Sequence[float] | None = None
    weight: float = 1.0
    devices: Sequence[Device] = NAMED
    options: int = 1
    least: Epsilon = LEAST
    most: Epsilon = MOST

    def __post_init__(self) -> None:
        check.whole(self.categories, "categories", minimum=2, maximum=check.MAX_CATEGORIES)
        check.whole(self.options, "options", minimum=1, maximum=MOST_OPTIONS)
        if self.options > 1 and self.categories != 2:
            rule = "be 2 for each of several options"
            raise ArgumentError("categories", self.categories, rule, "category_count")
        keep(self, prevalence=self._shares(), weight=_weight(self.weight))
        keep(self, devices=_devices(self.devices))
        least, most = self.bounds
        keep(self, least=least, most=most)
        if least > most:
            rule = f"be at most the largest, {most}"
            raise ArgumentError("least", least, rule, "out_of_range", most)

    def _shares(self) -> float | tuple[float, ...] | None:
        value = self.prevalence
        if value is None:
            return None
        if not holds_several(value):
            return check.probability(value, "prevalence")
        if self.options == 1:
            return tuple(check.distribution(value, self.categories, "prevalence").tolist())
        rule = f"hold {self.options} shares, one for each option"
        shares = check.entries(value, "prevalence", self.options, rule, "not_numbers")
        return tuple(check.probability(share, "prevalence") for share in shares)

    @property
    def shares(self) -> FloatArray:
        """The guessed proportions of all categories; with options, the share that ticks each."""
        value = self.prevalence
        if isinstance(value, tuple):
            return np.array(value)
        if self.options > 1:
            return np.full(self.options, 0.5 if value is None else value)
        if value is None:
            return np.full(self.categories, 1 / self.categories)
        share = check.probability(value, "prevalence")
        shares = np.full(self.categories, (1 - share) / (self.categories - 1))
        shares[1] = share
        return shares

    @property
    def focal_shares(self) -> FloatArray:
        """The proportions of which the least certain one counts."""
        is_one = self.options == 1 and isinstance(self.prevalence, float)
        return self.shares[1:2] if is_one else self.shares

    @property
    def bounds(self) -> tuple[Decimal, Decimal]:
        """The least and the largest epsilon."""
        return check.epsilon(self.least, "least"), check.epsilon(self.most, "most")

    @property
    def is_named(self) -> bool:
        """Whether the variances of all its devices have a closed form."""
        return all(isinstance(device, str) for device in self.devices)


@dataclass(frozen=True, slots=True)
class BudgetPair:
    """Two questions whose joint table matters, by their places in the list.

    Attributes
    ----------
    first, second : int
    prevalence : array_like, shape (categories of the first, categories of the second), or None
        The joint proportions that are guessed; independent when left out.
    weight : float, default 1
        Of the largest margin of a cell.

    Examples
    --------
    >>> BudgetPair(0, 1).weight
    1.0
    """

    first: int
    second: int
    prevalence: ArrayLike | None = None
    weight: float = 1.0

    def __post_init__(self) -> None:
        check.whole(self.first, "first")
        check.whole(self.second, "second")
        if self.first == self.second:
            raise ArgumentError("second", self.second, "be another question", "axes_not_distinct")
        keep(self, weight=_weight(self.weight))


def check_questions(value: object) -> tuple[BudgetQuestion, ...]:
    """Return a list of questions, at least one."""
    rule = "be a list of BudgetQuestion, at least one"
    return check.instances(value, "questions", BudgetQuestion, rule, "not_questions")


def check_pairs(value: object, questions: Sequence[BudgetQuestion]) -> tuple[BudgetPair, ...]:
    """Return a list of pairs of questions with one answer and named devices; may be empty."""
    pairs = as_list(value)
    if pairs is None or not all(isinstance(entry, BudgetPair) for entry in pairs):
        raise ArgumentError("pairs", value, "be a list of BudgetPair", "not_budget_pairs")
    for pair in pairs:
        for index in (pair.first, pair.second):
            check.whole(index, "pairs", maximum=len(questions) - 1)
            question = questions[index]
            if question.options > 1 or not question.is_named:
                rule = f"be of questions with one answer and devices among {', '.join(NAMED)}"
                raise ArgumentError("pairs", (pair.first, pair.second), rule, "pair_without_form")
    return pairs


def pair_table(pair: BudgetPair, questions: Sequence[BudgetQuestion]) -> FloatArray:
    """Return the guessed joint proportions; raises an EngineError where they do not fit."""
    sizes = tuple(questions[index].categories for index in (pair.first, pair.second))
    if pair.prevalence is None:
        return np.outer(questions[pair.first].shares, questions[pair.second].shares)
    rule = f"be a table of {sizes[0]} times {sizes[1]} proportions"
    values = check.reals(pair.prevalence, sizes, "prevalence", rule)
    flat = check.distribution(values.ravel(), sizes[0] * sizes[1], "prevalence")
    return flat.reshape(sizes)


def _weight(value: object) -> float:
    weight = check.real(value, "weight")
    if not 0 <= weight <= HEAVIEST:
        raise ArgumentError("weight", value, f"lie from 0 to {HEAVIEST:g}", "out_of_range")
    return weight


def _devices(value: object) -> tuple[Device, ...]:
    devices = as_list(value) or ()
    if devices and all(map(_is_device, devices)):
        return devices
    rule = f"be a list of {', '.join(NAMED)}, DeviceOfEpsilon or MarginCurve"
    raise ArgumentError("devices", value, rule, "unknown_choice")


def _check_name(value: object) -> None:
    if not isinstance(value, str) or not value:
        raise ArgumentError("name", value, "be a text that is not empty", "empty_label")


def _is_device(value: object) -> bool:
    return isinstance(value, DeviceOfEpsilon | MarginCurve) or (
        isinstance(value, str) and value in NAMED
    )
