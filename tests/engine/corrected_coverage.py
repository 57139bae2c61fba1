"""Coverage of a share that is corrected by a control item.

    nice -n 10 python -m tests.engine.corrected_coverage 1000

The page of results corrects a share by all shares astray in the interval of the control item. Both
counts are of the same people, of whom those astray answer both questions at random: given the
reports on the control item, those on the question are two binomial counts added up, so that the
coverage is exact. It is of the surveys whose control item tells something; so many are
simulated, too, person by person. Writes the table of docs/methods/compliance.md.
"""

import sys
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.stats import binom

from rr_engine import DesignMatrix, estimate, k_rr
from rr_engine.compliance import anchor_check
from tests.engine.interval_coverage import first
from tests.engine.markdown_tables import head, row

LEVEL, YES, MOST_ASTRAY = 0.95, 1, 0.9
SHARES, ASTRAY, SIZES, EPSILONS = (0.05, 0.2, 0.5), (0, 0.05, 0.2), (300, 2000), (1, 2)
# The probability that is left out of the distribution of the control item.
TAIL = 1e-6


class Setting(NamedTuple):
    epsilon: float
    n: int
    share: float
    astray: float


class Figures(NamedTuple):
    """`told`: the chance that the control item tells something; the others are given that."""

    told: float
    covered: float
    too_low: float
    width: float


@cache
def assumed_shares(epsilon: float, n: int, control: int) -> tuple[float, ...] | None:
    """Return the shares astray that the page puts together; None where it shows nothing."""
    check = anchor_check(k_rr(2, epsilon), [n - control, control], 0.0, level=LEVEL)
    if check.interval[1] > MOST_ASTRAY:
        return None
    return tuple({check.interval[0], check.maximum_likelihood, check.interval[1]})


@cache
def noisier(epsilon: float, astray: float) -> DesignMatrix:
    """Return the device of people of whom so many answer at random."""
    mixed = (1 - astray) * k_rr(2, epsilon).matrix + astray / 2
    return DesignMatrix(mixed / mixed.sum(axis=0))


@cache
def ends(epsilon: float, n: int, astray: float, count: int) -> np.ndarray:
    """Return one of the intervals that `inattention_bounds` puts together."""
    found = estimate(noisier(epsilon, astray), [n - count, count])
    return found.possible_interval(LEVEL)[YES]


def interval(epsilon: float, n: int, control: int, count: int) -> tuple[float, float] | None:
    """Return what the page shows for so many reports of yes; None where it shows nothing."""
    assumed = assumed_shares(epsilon, n, control)
    if assumed is None:
        return None
    every = np.array([ends(epsilon, n, astray, count) for astray in assumed])
    return every[:, 0].min(), every[:, 1].max()


@cache
def covering(epsilon: float, n: int, astray: float, share: float) -> tuple[int, int]:
    """Return the first count of which that interval covers the share, and the first after those."""

    def end(count: int) -> np.ndarray:
        return ends(epsilon, n, astray, count)

    return first(lambda x: end(x)[1] >= share, n), first(lambda x: end(x)[0] > share, n)


def chances_of(setting: Setting) -> tuple[float, float, float]:
    """Return the chance of yes to the control item, and then to the question, given no and yes."""
    yes, changed = k_rr(2, setting.epsilon).matrix[YES, ::-1]
    followed = changed + (yes - changed) * setting.share
    astray = setting.astray
    control = (1 - astray) * changed + astray / 2
    both = (1 - astray) * changed * followed + astray / 4
    reported = (1 - astray) * followed + astray / 2
    return control, (reported - both) / (1 - control), both / control


def given(setting: Setting, control: int) -> np.ndarray:
    """Return the distribution of the reports of yes given those on the control item."""
    n, (_, after_no, after_yes) = setting.n, chances_of(setting)
    return np.convolve(
        binom.pmf(np.arange(n - control + 1), n - control, after_no),
        binom.pmf(np.arange(control + 1), control, after_yes),
    )


def exact(setting: Setting) -> Figures:
    epsilon, n, share, _ = setting
    chance = chances_of(setting)[0]
    told = covered = low = width = 0.0
    rare, frequent = binom.ppf([TAIL, 1 - TAIL], n, chance).astype(int)
    for control in range(rare, frequent + 1):
        if assumed_shares(epsilon, n, control) is None:
            continue
        weight, spread = binom.pmf(control, n, chance), given(setting, control)
        counts = [
            covering(epsilon, n, astray, share) for astray in assumed_shares(epsilon, n, control)
        ]
        start_covering = min(pair[0] for pair in counts)
        stop_covering = max(pair[1] for pair in counts)
        told += weight
        covered += weight * spread[start_covering:stop_covering].sum()
        low += weight * spread[:start_covering].sum()
        middle = interval(epsilon, n, control, round(float(spread @ np.arange(n + 1))))
        width += weight * (middle[1] - middle[0])
    return Figures(told, covered / told, low / told, width / told)


def simulated(setting: Setting, runs: int) -> float:
    """Return the coverage in surveys that are drawn person by person."""
    random, matrix = np.random.default_rng(20261123), k_rr(2, setting.epsilon).matrix
    covered = told = 0
    for _ in range(runs):
        truths = (random.random(setting.n) < setting.share).astype(int)
        astray = random.random(setting.n) < setting.astray
        chances = np.where(astray, 0.5, matrix[YES, [0 * truths, truths]])
        control, count = (random.random((2, setting.n)) < chances).sum(axis=1).tolist()
        found = interval(setting.epsilon, setting.n, control, count)
        if found is not None:
            told += 1
            covered += found[0] <= setting.share <= found[1]
    return covered / told


def main() -> None:
    runs = int(sys.argv[1])
    figures = ("told", "coverage", "too low", "width", "simulated")
    head("epsilon", "n", "share", "astray", *figures)
    for epsilon, n, share, astray in product(EPSILONS, SIZES, SHARES, ASTRAY):
        setting = Setting(epsilon, n, share, astray)
        cells = [*exact(setting), simulated(setting, runs)]
        row(epsilon, f"{n:,}", share, astray, *(f"{value:.3f}" for value in cells))


if __name__ == "__main__":
    main()
