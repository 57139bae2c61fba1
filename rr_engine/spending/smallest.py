"""The smallest total epsilon that reaches the margins asked for."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import Epsilon, FloatArray, as_list
from rr_engine.errors import ArgumentError
from rr_engine.spending.coupled import Cuts, Goal
from rr_engine.spending.questions import BudgetPair, BudgetQuestion
from rr_engine.spending.result import SmallestBudget
from rr_engine.spending.split_plan import DEVICE_ROUNDS, SplitPlan

MOST_ROUNDS = 60
# A margin may miss its target by so much, relatively, before the epsilons are rounded up.
CLOSE = 1e-7


def smallest_budget(
    questions: Sequence[BudgetQuestion],
    n: int,
    margins: float | Sequence[float | None],
    pairs: Sequence[BudgetPair] = (),
    level: float = 0.95,
    step: Epsilon = "0.01",
) -> SmallestBudget:
    """Smallest total epsilon with which every margin asked for is reached.

    Parameters
    ----------
    questions, n, pairs, level, step
        As in :func:`split_budget`; weights have no part.
    margins : float or sequence of float or None
        The largest half width allowed: one for all, or one for each question and then one for each
        pair. None where any margin will do.

    Returns
    -------
    SmallestBudget

    Raises
    ------
    ArgumentError
        When a margin is out of reach of the largest epsilons.

    Notes
    -----
    Without pairs each question has the smallest multiple of the step that reaches its margin: one
    step less misses it. With pairs the total is within the bound and what rounding up to whole
    steps costs; docs/methods/spending.md.

    References
    ----------
    .. [1] J. E. Kelley, "The Cutting-Plane Method for Solving Convex Programs", Journal of the
       Society for Industrial and Applied Mathematics 8 (1960), 703-712.
    .. [2] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 18 and 19, solved for epsilon.

    Examples
    --------
    >>> plan = smallest_budget([BudgetQuestion(2, 0.1), BudgetQuestion(4)], 1553, 0.05)
    >>> [str(question.epsilon) for question in plan.questions], str(plan.total)
    (['1.00', '1.40'], '2.40')
    """
    plan = SplitPlan.of(questions, pairs, n, level, step)
    targets = _targets(plan, margins)
    singles = targets[: len(plan.questions)]
    places = [_place(plan, index, target) for index, target in enumerate(singles)]
    shares = plan.shares_at(places)
    if not plan.pairs:
        total = sum((share.epsilon for share in shares), Decimal(0))
        return SmallestBudget(shares, (), float(total))
    steps = [int(table.points[place]) for table, place in zip(plan.tables, places, strict=True)]
    return _with_pairs(plan, targets, steps)


def _targets(plan: SplitPlan, margins: object) -> list[float | None]:
    count = len(plan.questions) + len(plan.pairs)
    values = as_list(margins)
    if values is None:
        values = (margins,) * count
    if len(values) != count:
        rule = f"be one number, or {count} of them: for each question and each pair"
        raise ArgumentError("margins", margins, rule, "not_numbers")
    return [None if value is None else check.positive(value, "margins") for value in values]


def _place(plan: SplitPlan, index: int, target: float | None) -> int:
    """Return the place of the smallest epsilon of a question that reaches its margin."""
    if target is None:
        return 0
    table = plan.tables[index]
    place = table.reach(target)
    if place == len(table.points):
        best = float(table.margins[-1])
        rule = f"be at least {best:.6g} for question {index}, that of its largest epsilon"
        raise ArgumentError("margins", target, rule, "margin_unreachable", best)
    return place


def _with_pairs(plan: SplitPlan, targets: list[float | None], steps: list[int]) -> SmallestBudget:
    asked = len(plan.questions)
    # A margin is met where the deviation of one report times its weight is at most 1.
    weights = [0.0 if value is None else plan.scale.factor / value for value in targets]
    items = [*plan.question_items(weights[:asked]), *plan.pair_items(weights[asked:])]
    counting = [item for item in items if item.weight > 0]
    start = plan.epsilons(steps)
    sizes = [plan.sizes_at(index, float(value))[0] for index, value in enumerate(start)]
    goal = Goal(counting, sizes, True, 1, np.ones(len(counting)))
    if not counting:
        return SmallestBudget(
            plan.shares_of_sizes(steps, sizes), plan.pair_margins(steps, sizes), float(start.sum())
        )
    # The first round is for devices that are the best with everything there is to spend.
    goal = replace(goal, sizes=plan.better_sizes(goal, plan.high))
    _check_reachable(goal, plan.high)
    point, bound = _cheapest(goal, plan.low, plan.high)
    counts = _whole_steps(plan, goal, point)
    for _round in range(DEVICE_ROUNDS):
        other = replace(goal, sizes=plan.better_sizes(goal, point))
        point, other_bound = _cheapest(other, plan.low, plan.high)
        other_counts = _whole_steps(plan, other, point)
        if sum(other_counts) >= sum(counts):
            break
        goal, counts, bound = other, other_counts, other_bound
    shares = plan.shares_of_sizes(counts, goal.sizes)
    return SmallestBudget(shares, plan.pair_margins(counts, goal.sizes), bound)


def _check_reachable(goal: Goal, high: FloatArray) -> None:
    terms = goal.terms(high)[0]
    worst = int(np.argmax(terms))
    if terms[worst] > CLOSE:
        item = goal.items[worst]
        times = float(np.exp(terms[worst]))
        rule = (
            f"be {times:.6g} times as large at least for questions "
            f"{', '.join(map(str, item.axes))}, with their largest epsilons"
        )
        raise ArgumentError("margins", item.axes, rule, "margin_unreachable", times)


def _cheapest(goal: Goal, low: FloatArray, high: FloatArray) -> tuple[FloatArray, float]:
    """Return epsilons of the smallest sum that meet all targets but for CLOSE, and a bound."""
    cuts, bound = Cuts([], [], []), float(low.sum())
    for share in np.geomspace(0.01, 1, 8):
        cuts.add(goal, low + share * (high - low))
    point = high
    for _round in range(MOST_ROUNDS):
        slopes, constants = np.array(cuts.slopes), np.array(cuts.constants)
        result = scipy.optimize.linprog(
            np.ones(len(point)),
            A_ub=slopes,
            b_ub=-constants,
            bounds=list(zip(low, high, strict=True)),
            method="highs",
        )
        if result.x is None:  # met only within rounding at the largest epsilons
            return high, bound
        point = np.clip(result.x, low, high)
        prices = np.maximum(-result.ineqlin.marginals, 0)
        rates = 1 + prices @ slopes
        ends = np.where(rates > 0, low, high)
        # Weak duality: holds for any prices of at least 0.
        bound = max(bound, float(prices @ constants + rates @ ends))
        if cuts.add(goal, point).max() <= CLOSE:
            break
    return point, bound


def _whole_steps(plan: SplitPlan, goal: Goal, point: FloatArray) -> list[int]:
    """Round epsilons up to whole steps that meet all targets, then take back what is not needed."""
    unit = float(plan.scale.step)
    low, high = plan.step_bounds
    counts = [
        min(max(int(np.ceil(value / unit - 1e-6)), a), b)
        for value, a, b in zip(point, low, high, strict=True)
    ]
    while (terms := goal.terms(plan.epsilons(counts))[0]).max() > 0:
        open_ones = [i for i in goal.items[int(np.argmax(terms))].axes if counts[i] < high[i]]
        if not open_ones:
            break
        for index in open_ones:
            counts[index] += 1
    for index in np.argsort(-np.array(counts)):
        while counts[index] > low[index] and _is_met(plan, goal, counts, int(index)):
            counts[index] -= 1
    return counts


def _is_met(plan: SplitPlan, goal: Goal, counts: list[int], index: int) -> bool:
    """Tell whether one step less of a question still meets all targets."""
    lowered = [*counts[:index], counts[index] - 1, *counts[index + 1 :]]
    return bool(goal.terms(plan.epsilons(lowered))[0].max() <= 0)
