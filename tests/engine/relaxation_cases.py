"""Chains for the tests of gradual release, and what is computed of their laws."""

from fractions import Fraction
from itertools import combinations

import numpy as np

import rr_engine
from rr_engine.relaxation.exact_tables import exact_table

STEPS = ("0.3", "0.8", "1.5", "2.5")


def k_ary(categories, epsilons=STEPS):
    return [rr_engine.k_rr(categories, epsilon).quantized() for epsilon in epsilons]


def integers_of(design):
    """The exact table of a channel, as fractions by report and truth."""
    table = exact_table(design)
    return [[Fraction(entry, table.denominator) for entry in row] for row in table.integers]


def degrade_exactly(design, chances):
    """The design with the columns of C in `chances` (earlier by later, over a power of two)."""
    rows = np.array(chances)
    integers = rows @ design.integers
    return rr_engine.DesignMatrix.from_integers(
        integers, int(rows[:, 0].sum()) * design.denominator, design.categories
    )


def lopsided():
    """A chain of tables that are not symmetric, whose degradations are not either."""
    last = rr_engine.DesignMatrix.from_integers(
        [[10, 2, 1], [3, 9, 2], [2, 3, 11], [1, 2, 2]], 16, declared_epsilon="3"
    )
    middle = degrade_exactly(last, [[6, 1, 1, 2], [1, 6, 2, 3], [1, 1, 5, 3]])
    first = degrade_exactly(middle, [[4, 1, 2], [4, 7, 6]])
    return [first, middle, last]


def marginal(law, positions):
    """The law of some of the reports of a tuple."""
    sums = {}
    for reports, chance in law.items():
        part = tuple(reports[position] for position in positions)
        sums[part] = sums.get(part, 0) + chance
    return sums


def ratio_bound(laws):
    """The largest ratio of the chances of one outcome under two truths."""
    outcomes = set().union(*laws)
    assert all(outcome in law for law in laws for outcome in outcomes)
    return max(
        max(law[outcome] for law in laws) / min(law[outcome] for law in laws)
        for outcome in outcomes
    )


def subsets(count):
    """All ways to see one or more of the steps."""
    return [
        positions for size in range(1, count + 1) for positions in combinations(range(count), size)
    ]
