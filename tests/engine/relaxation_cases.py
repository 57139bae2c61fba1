"""Chains for the tests of gradual release, and what is computed of their laws."""

from fractions import Fraction
from itertools import combinations

import numpy as np

import rr_engine
from rr_engine.channels import ProductChannel, UniformChannel
from rr_engine.relaxation.exact_tables import exact_table
from tests.engine.channel_cases import COIN

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


DRAWS = 200_000
PAIRS = {
    "k-ary": (rr_engine.k_rr(4, 1), rr_engine.k_rr(4, 2)),
    "k-ary, answer-reversing": (UniformChannel(3, 4, 6, 16), UniformChannel(3, 10, 3, 16)),
    "answer-reversing both": (UniformChannel(3, 4, 6, 16), UniformChannel(3, 2, 7, 16)),
    "binary": (
        rr_engine.designs.generalized_binary(0.6, 0.7),
        rr_engine.designs.generalized_binary(0.8, 0.9),
    ),
    "scale": (rr_engine.designs.laplace(5, 0.5), rr_engine.designs.laplace(5, 1.5)),
    "to direct": (rr_engine.kuk(0.7, 0.4), rr_engine.designs.direct(2)),
    "same blocks": tuple(rr_engine.designs.card_deck(6, e) for e in (0.5, 1)),
    "other block sizes": (
        rr_engine.designs.card_deck(7, 0.5, k=3),
        rr_engine.designs.card_deck(7, 2, k=2),
    ),
    "all subsets, 3 to 2": tuple(
        rr_engine.designs.subset_selection(6, e, k=k) for e, k in ((0.5, 3), (1.5, 2))
    ),
    "more reports, then fewer": tuple(lopsided()[1:]),
    "joint": (
        rr_engine.channels.joint_design([2, 3], 0.3),
        rr_engine.channels.joint_design([2, 3], 0.6),
    ),
    "uniform, then joint": (
        UniformChannel((2, 3), 11, 9, 56),
        rr_engine.channels.joint_design([2, 3], 0.7, bits=16),
    ),
    "product": (
        ProductChannel([COIN, UniformChannel(3, 6, 5, 16)]),
        ProductChannel([rr_engine.warner(0.9).quantized(), UniformChannel(3, 12, 2, 16)]),
    ),
    "product, then all together": (
        ProductChannel([UniformChannel(2, 5, 3, 8), UniformChannel(2, 5, 3, 8)]),
        UniformChannel((2, 2), 13, 1, 16),
    ),
    "direct": (rr_engine.designs.direct(3), rr_engine.designs.direct(3)),
    "nothing is told": (UniformChannel(3, 1, 1, 3), UniformChannel(3, 1, 1, 3)),
}


def check_exact(degradation, now, later):
    rows = [degradation.row(report) for report in range(degradation.previous_size)]
    assert all(type(entry) is int and entry >= 0 for row in rows for entry in row)
    assert {sum(column) for column in zip(*rows, strict=True)} == {degradation.denominator}
    assert np.gcd.reduce(np.array([e for row in rows for e in row], dtype=object)) == 1
    after = list(zip(*integers_of(later), strict=True))
    for row, before in zip(rows, integers_of(now), strict=True):
        for column, chance in zip(after, before, strict=True):
            degraded = sum(entry * share for entry, share in zip(row, column, strict=True))
            assert degraded == chance * degradation.denominator
