"""How often simulated surveys find what a plan of a model says they would find.

    nice -n 10 python -m tests.engine.planning_power 2000

Writes the table of docs/methods/regression.md. Each survey draws its covariates, its true answers
and its reports; the smallest effects of the plan are those that it is drawn with.
"""

import sys
from typing import NamedTuple

import numpy as np

from rr_engine import RRLogit, k_rr
from rr_engine.designs import direct
from rr_engine.models import wald_test
from rr_engine.planning import plan_multinomial, plan_regression
from tests.engine.markdown_tables import head, row

ROWS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
SHARES = np.array([0.5, 0.3, 0.2])


class Case(NamedTuple):
    """A model with people, and coefficients that are planned to be found in 80 of 100 surveys.

    `truths`: of each row the probabilities of the answers; `tests`: hypotheses of Wald's test.
    """

    model: RRLogit
    n: int
    truths: np.ndarray
    tests: tuple[list, ...]
    planned: tuple[float, ...]


def multinomial(device, n):
    """Plan a model of one group: the last answer against both others."""
    wanted, towards = [0.5, 0.3, 0.2], np.array([[0.0, 0.0], [0.7, 0.0]])
    for _ in range(20):
        found = plan_multinomial(
            device, ROWS, towards, wanted, n, shares=SHARES, predictors=["group", "group"]
        )
        towards *= found.joint_factor[0]
    eta = np.column_stack([np.zeros(3), found.intercepts + ROWS @ towards.T])
    weights = np.exp(eta)
    truths = weights / weights.sum(axis=1, keepdims=True)
    planned = (found.joint_power[0], found.power[1, 0])
    # The coefficient of the first column in the equation of the last answer.
    last = [[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]]
    return Case(RRLogit(device), n, truths, (["x1", "x2"], last), planned)


def straight(device, n):
    """Plan a model of one group: more of the answer yes."""
    towards = np.array([0.05, 0.0])
    for _ in range(20):
        found = plan_regression(device, ROWS, towards, 0.3, n, shares=SHARES, link="identity")
        towards = np.array([found.detectable[0], 0.0])
    yes = found.intercept + ROWS @ towards
    model = RRLogit(device, "identity")
    return Case(model, n, np.column_stack([1 - yes, yes]), (["x1"],), (found.power[0],))


CASES = {
    "multinomial, direct, n = 1,000": lambda: multinomial(direct(3), 1000),
    "multinomial, k-ary, epsilon 2, n = 4,000": lambda: multinomial(k_rr(3, 2), 4000),
    "linear probability, direct, n = 500": lambda: straight(direct(2), 500),
    "linear probability, k-ary, epsilon 1, n = 4,000": lambda: straight(k_rr(2, 1), 4000),
}


def found_shares(case: Case, runs: int, seed: int = 20261123) -> np.ndarray:
    """Return in how many of the simulated surveys each test is below 5 %."""
    random, matrix = np.random.default_rng(seed), case.model.designs[0].matrix
    found = np.zeros(len(case.tests))
    for _ in range(runs):
        places = random.choice(len(ROWS), case.n, p=SHARES)
        chances = (case.truths @ matrix.T).cumsum(axis=1)[places]
        reports = (random.random(case.n)[:, None] > chances[:, :-1]).sum(axis=1)
        fit = case.model.fit(ROWS[places], reports)
        found += [wald_test(fit, names).p_value < 0.05 for names in case.tests]
    return found / runs


def main() -> None:
    runs = int(sys.argv[1])
    head("model", "planned power", "found")
    for name, make in CASES.items():
        case = make()
        cells = (
            ", ".join(f"{value:.3f}" for value in values)
            for values in (case.planned, found_shares(case, runs))
        )
        row(name, *cells)


if __name__ == "__main__":
    main()
