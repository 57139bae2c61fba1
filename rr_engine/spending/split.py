"""A total epsilon split over questions so that what matters becomes as precise as it can."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rr_engine import check
from rr_engine.arrays import Epsilon, FloatArray
from rr_engine.errors import ArgumentError, EpsilonError
from rr_engine.spending.coupled import Goal, Limits, best_epsilons
from rr_engine.spending.curves import even_steps, usual_device
from rr_engine.spending.questions import BudgetPair, BudgetQuestion
from rr_engine.spending.result import BudgetSplit, QuestionShare, SplitCertificate
from rr_engine.spending.separable import Places, smallest_largest, smallest_sum
from rr_engine.spending.split_plan import DEVICE_ROUNDS, SplitPlan

OBJECTIVES = ("largest", "mean", "mean_square")


def split_budget(
    questions: Sequence[BudgetQuestion],
    epsilon: Epsilon,
    n: int,
    objective: str = "largest",
    pairs: Sequence[BudgetPair] = (),
    level: float = 0.95,
    step: Epsilon = "0.01",
) -> BudgetSplit:
    """Split a total epsilon over questions, and choose the device of each.

    Parameters
    ----------
    questions : sequence of BudgetQuestion
    epsilon : Decimal, str or float
        The total, which the epsilons of one person add up to (sequential composition).
    n : int
        Respondents, each of whom answers every question.
    objective : {"largest", "mean", "mean_square"}
        What becomes as small as possible: the largest weighted margin (and, without pairs, of the
        splits with the same largest one that with the smallest next one, and so on); the weighted
        mean of the margins; or that of their squares, which are variances.
    pairs : sequence of BudgetPair
        Joint tables that matter beside the questions.
    level : float, default 0.95
    step : Decimal, str or float, default 0.01
        Every epsilon is a multiple of it.

    Returns
    -------
    BudgetSplit
        Never worse than the even split with the usual devices.

    Raises
    ------
    EpsilonError
        When the budget is below the sum of the least epsilons.
    ArgumentError, DistributionError

    Notes
    -----
    docs/methods/spending.md has the proofs. Without pairs the largest margin is the smallest there
    is on the grid, and a mean has a bound from the convex hulls of the margins. With pairs the
    problem is convex for given devices; cutting planes solve it and bound it.

    References
    ----------
    .. [1] B. Fox, "Discrete Optimization Via Marginal Analysis", Management Science 13 (1966),
       210-216.
    .. [2] J. E. Kelley, "The Cutting-Plane Method for Solving Convex Programs", Journal of the
       Society for Industrial and Applied Mathematics 8 (1960), 703-712.
    .. [3] M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation Under Locally
       Differential Privacy", IEEE Transactions on Information Theory 64 (2018), 5662-5676.

    Examples
    --------
    >>> split = split_budget([BudgetQuestion(2), BudgetQuestion(8)], 3, 1000)
    >>> [str(question.epsilon) for question in split.questions]
    ['1.26', '1.74']
    """
    total, goal = check.epsilon(epsilon), check.choice(objective, "objective", OBJECTIVES)
    plan = SplitPlan.of(questions, pairs, n, level, step, total)
    steps = plan.scale.steps_in(total)
    least = sum(int(table.points[0]) for table in plan.tables)
    if least > steps:
        limit = plan.scale.epsilon(least)
        rule = f"be at least {limit}, the sum of the least epsilons of the questions"
        raise EpsilonError("epsilon", epsilon, rule, "epsilon_too_small", limit)
    weights = plan.weights
    if not weights.any():
        rule = "hold a weight above 0, or pairs with one"
        raise ArgumentError("questions", questions, rule, "weights_do_not_fit")
    even = _even(plan, steps)
    found = _coupled(plan, goal, steps, weights) if plan.pairs else _single(plan, goal, steps)
    value, even_value = (_value(goal, weights, entry.margins) for entry in (found, even))
    if even_value < value:  # by a part of the gap only
        found, value = Choice(even.shares, even.pairs, found.places), even_value
    return BudgetSplit(
        objective=goal,
        questions=found.shares,
        pair_margins=found.pairs,
        value=value,
        even=even.shares,
        even_pair_margins=even.pairs,
        even_value=even_value,
        certificate=_certificate(plan, found, value),
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """Epsilons and devices of all questions, the margins of pairs, and what was proved."""

    shares: tuple[QuestionShare, ...]
    pairs: tuple[float, ...]
    places: Places

    @property
    def margins(self) -> FloatArray:
        """The margins of questions and pairs."""
        return np.array([*(share.margin for share in self.shares), *self.pairs])


def _value(objective: str, weights: FloatArray, margins: FloatArray) -> float:
    """Return the objective; what has no weight may have any margin."""
    counting = weights > 0
    weights, margins = weights[counting], margins[counting]
    if objective == "largest":
        return float((weights * margins).max())
    return float(weights @ margins ** _power(objective) / weights.sum())


def _power(objective: str) -> int:
    return 2 if objective == "mean_square" else 1


def _even(plan: SplitPlan, steps: int) -> Choice:
    shares = tuple(
        plan.share_with(index, count, usual_device(plan.tables[index], count))
        for index, count in enumerate(even_steps(plan.tables, steps))
    )
    counts = [plan.scale.steps_in(share.epsilon) for share in shares]
    pairs = plan.pair_margins(counts, [share.subset_size or 1 for share in shares])
    return Choice(shares, pairs, Places([], 0.0))


def _single(plan: SplitPlan, objective: str, steps: int) -> Choice:
    weights = np.array([question.weight for question in plan.questions])
    if objective == "largest":
        places = smallest_largest(plan.tables, weights, steps)
    else:
        shares = weights / weights.sum()
        power = _power(objective)
        values = [
            share * table.margins**power for share, table in zip(shares, plan.tables, strict=True)
        ]
        places = smallest_sum(plan.tables, values, steps)
    return Choice(plan.shares_at(places.places), (), places)


def _coupled(plan: SplitPlan, objective: str, steps: int, weights: FloatArray) -> Choice:
    """Solve for given devices, choose the best device of each at these epsilons, and again."""
    size = len(plan.questions)
    items = [*plan.question_items(weights[:size].tolist())]
    items += plan.pair_items(weights[size:].tolist())
    counting = [item for item in items if item.weight > 0]
    counted = weights[weights > 0]
    even = even_steps(plan.tables, steps)
    start = plan.epsilons(even)
    sizes = [plan.sizes_at(index, float(value))[0] for index, value in enumerate(start)]
    goal = Goal(counting, sizes, objective == "largest", _power(objective), counted / counted.sum())
    goal = replace(goal, sizes=plan.better_sizes(goal, start))
    limits = Limits(plan.low, plan.high, float(plan.scale.epsilon(steps)))
    point, bound = best_epsilons(goal, limits, start)
    for _round in range(DEVICE_ROUNDS):
        sizes = plan.better_sizes(goal, point)
        if sizes == list(goal.sizes):
            break
        goal = replace(goal, sizes=sizes)
        point, bound = best_epsilons(goal, limits, point)
    counts = _whole_steps(plan, goal, point, steps)
    scaled = bound * plan.scale.factor ** (1 if goal.is_largest else goal.power)
    shares = plan.shares_of_sizes(counts, goal.sizes)
    return Choice(shares, plan.pair_margins(counts, goal.sizes), Places(counts, scaled))


def _whole_steps(plan: SplitPlan, goal: Goal, point: FloatArray, steps: int) -> list[int]:
    """Round epsilons down to whole steps, and spend the rest where it lowers the goal most."""
    low, high = plan.step_bounds
    unit = float(plan.scale.step)
    # A number of steps that is whole but for rounding is not rounded down by one.
    counts = [
        min(max(int(value / unit + 1e-6), a), b)
        for value, a, b in zip(point, low, high, strict=True)
    ]
    while sum(counts) > steps:
        counts[int(np.argmax(np.array(counts) - np.array(low)))] -= 1
    for _step in range(min(steps - sum(counts), 2 * len(counts))):
        open_ones = [index for index, count in enumerate(counts) if count < high[index]]
        if not open_ones:
            break
        index = min(open_ones, key=lambda i: _after_a_step(plan, goal, counts, i))
        counts[index] += 1
    return counts


def _after_a_step(
    plan: SplitPlan, goal: Goal, counts: list[int], index: int
) -> tuple[float, float]:
    raised = [*counts[:index], counts[index] + 1, *counts[index + 1 :]]
    terms = goal.terms(plan.epsilons(raised))[0]
    return goal.value(terms), float(terms.sum())


def _certificate(plan: SplitPlan, found: Choice, value: float) -> SplitCertificate:
    places = found.places
    bound = min(places.bound, value)
    return SplitCertificate(
        bound=bound,
        gap=value - bound,
        needed=None if places.needed is None else plan.scale.epsilon(places.needed),
        price=None if places.price is None else places.price / float(plan.scale.step),
        all_devices=not plan.pairs,
    )
