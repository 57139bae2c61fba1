"""A budget split over 20 questions, against a general solver over their epsilons, on one core.

SciPy's SLSQP has the same margins and their slopes, for k-ary randomized response, and starts at
the even split. It finds real epsilons and proves nothing; ours are whole hundredths with a bound.
`value` is what our split reaches, divided by what SLSQP reaches: above 1 by what rounding costs.
"""

import time
from math import sqrt

import numpy as np
from scipy.optimize import minimize

import rr_engine
from benchmarks.effort import Effort, Rows
from rr_engine.spending.coupled import QuestionItem

QUESTIONS, PAIRS, TOTAL, PEOPLE, SEED = 20, 10, 20, 1_000, 20261123
TARGETS = {
    "largest.seconds": ("<=", 1.0),
    "mean.seconds": ("<=", 1.0),
    "mean, 10 pairs.seconds": ("<=", 1.0),
    "largest.ratio": ("<=", 10.0),
    "mean.ratio": ("<=", 10.0),
    "largest.value": ("<=", 1.01),
    "mean.value": ("<=", 1.01),
}


def rows(effort: Effort) -> Rows:
    source = np.random.default_rng(SEED)
    sizes = source.integers(2, 12, QUESTIONS)
    questions = [
        rr_engine.spending.BudgetQuestion(
            int(size), tuple(source.dirichlet(np.ones(size))), devices=("k_rr",)
        )
        for size in sizes
    ]
    pairs = [rr_engine.spending.BudgetPair(2 * index, 2 * index + 1) for index in range(PAIRS)]
    return {
        **{
            objective: _beside_slsqp(questions, objective, effort.rounds)
            for objective in ("largest", "mean")
        },
        "mean, 10 pairs": {"seconds": _seconds(questions, "mean", pairs, effort.rounds)[0]},
    }


def _beside_slsqp(
    questions: list[rr_engine.spending.BudgetQuestion], objective: str, rounds: int
) -> dict[str, float]:
    ours, theirs = [], []
    for _ in range(rounds):
        seconds, split = _seconds(questions, objective, [], 1)
        ours.append(seconds)
        began = time.process_time()
        value = _slsqp(questions, objective)
        theirs.append(time.process_time() - began)
    return {
        "seconds": min(ours),
        "slsqp_seconds": min(theirs),
        "ratio": min(ours) / min(theirs),
        "value": split.value / value,
    }


def _seconds(
    questions: list[rr_engine.spending.BudgetQuestion],
    objective: str,
    pairs: list[rr_engine.spending.BudgetPair],
    rounds: int,
) -> tuple[float, rr_engine.spending.BudgetSplit]:
    seconds = []
    for _ in range(rounds):
        began = time.process_time()
        split = rr_engine.spending.split_budget(questions, TOTAL, PEOPLE, objective, pairs)
        seconds.append(time.process_time() - began)
    return min(seconds), split


def _slsqp(questions: list[rr_engine.spending.BudgetQuestion], objective: str) -> float:
    """Return the value that SLSQP reaches: for the largest margin over one variable more."""
    items = [
        QuestionItem((place,), 1.0, question.categories, 1, question.shares)
        for place, question in enumerate(questions)
    ]
    plain, count = [1] * len(items), len(items)

    def margins(point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = [item.variance(point[:count], plain) for item in items]
        values = np.sqrt([variance for variance, _slope in found])
        return values, np.array([slope[0] for _variance, slope in found]) / (2 * values)

    budget = {"type": "ineq", "fun": lambda point: TOTAL - point[:count].sum()}
    start = np.full(count, TOTAL / count)
    if objective == "mean":
        result = minimize(
            lambda point: margins(point)[0].mean(),
            start,
            jac=lambda point: margins(point)[1] / count,
            bounds=[(0.01, 8)] * count,
            constraints=[budget],
            method="SLSQP",
        )
        value = margins(result.x)[0].mean()
    else:
        under = {
            "type": "ineq",
            "fun": lambda point: point[-1] - margins(point)[0],
            "jac": lambda point: np.column_stack((-np.diag(margins(point)[1]), np.ones(count))),
        }
        result = minimize(
            lambda point: point[-1],
            np.append(start, margins(start)[0].max()),
            jac=lambda point: np.eye(count + 1)[-1],
            bounds=[(0.01, 8)] * count + [(0, None)],
            constraints=[budget, under],
            method="SLSQP",
        )
        value = margins(result.x)[0].max()
    return 1.959963984540054 * float(value) / sqrt(PEOPLE)
