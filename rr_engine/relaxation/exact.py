"""The degradation between two exact tables, in integers and without rounding."""

from fractions import Fraction
from math import lcm

import numpy as np

from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError
from rr_engine.relaxation import integer_algebra, programme
from rr_engine.relaxation.degradation import (
    BitDegradation,
    Degradation,
    DenseDegradation,
    ProductDegradation,
    TableDegradation,
    UniformDegradation,
    dense_degradation,
)
from rr_engine.relaxation.exact_tables import (
    LARGEST_EXACT,
    ExactTable,
    UniformTable,
    bit_table,
    check_pair,
    exact_table,
    factor_pairs,
    joint_degradation,
    uniform_table,
)
from rr_engine.relaxation.refusals import lost_difference, negative_entry, place_of_least

# A solution whose entries are all larger leaves room for an exact correction.
MARGIN = 1e-7
# Bits of the grid of the table that is corrected.
GRID_BITS = 40
# Below this an entry of a vertex is zero.
ZERO = 1e-9
# Unknowns of a vertex that are solved for in integers: some ten seconds.
LARGEST_SUPPORT = 128


def exact_degradation(design_now: Channel, design_next: Channel) -> Degradation:
    """Return how the reports of one device follow from those of a later one, in integers.

    Parameters
    ----------
    design_now, design_next : Channel
        Two devices for the same true answers; a DesignMatrix without integers is quantized to 32
        bits first.

    Returns
    -------
    UniformDegradation, JointDegradation, DenseDegradation, BitDegradation or ProductDegradation
        In lowest terms, with ``C P_next = P_now`` exactly, which is verified. Of a product, a
        degradation for each factor; of a device of bits, that of each bit.

    Raises
    ------
    DesignError
        "no_relaxation" when there is none, with the earlier report, the later report and the
        negative chance; "rounded_apart" when one was found only up to the rounding of the
        integers, which were rounded one table without the other.
    CategoryError, ArgumentError
        For devices about different truths, or with more than 2**12 pairs of reports where there
        is no closed form.

    Notes
    -----
    docs/methods/relaxation.md. Between devices of the k-ary family always in closed form.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Theorems 3.1 to 3.3, here for any two tables.
    .. [2] D. Blackwell, "Equivalent Comparisons of Experiments", Annals of Mathematical Statistics
       24, 1953.

    Examples
    --------
    >>> from rr_engine import DesignMatrix
    >>> now = DesignMatrix.from_integers([[5, 3], [3, 5]], 8)
    >>> later = DesignMatrix.from_integers([[3, 1], [1, 3]], 4)
    >>> exact_degradation(now, later)
    UniformDegradation(size=2, kept=3, other=1, denominator=4)
    """
    now, later = check_pair(design_now, design_next)
    if isinstance(now, BitPeople) and isinstance(later, BitPeople):
        return _of_bits(now, later)
    pairs = factor_pairs(now, later)
    if pairs is not None:
        return ProductDegradation(tuple(exact_degradation(*pair) for pair in pairs))
    first, second = uniform_table(now), uniform_table(later)
    if first is not None and second is not None:
        return _of_uniform(first, second, now, later)
    joint = joint_degradation(now, later)
    if joint is not None:
        return joint
    if now.tally_size * later.tally_size > LARGEST_EXACT:
        rule = f"have at most {LARGEST_EXACT} pairs of reports with design_now"
        raise ArgumentError("design_next", later, rule, "table_too_large")
    tables = exact_table(now, "design_now"), exact_table(later, "design_next")
    return _of_tables(*tables, now, later)


def _of_bits(now: BitPeople, later: BitPeople) -> BitDegradation:
    table = _of_tables(bit_table(now), bit_table(later), now, later)
    return BitDegradation(now.bits, dense_degradation(table.integers, table.denominator))


def _of_uniform(
    first: UniformTable, second: UniformTable, now: Channel, later: Channel
) -> UniformDegradation:
    """Return ``C = r I + (1 - r) J / t`` with r the ratio of the gaps of the two tables."""
    gap = second.kept - second.other
    if gap == 0 and first.kept != first.other:
        residual = np.array([[(first.kept - first.other) / first.denominator]])
        raise lost_difference(now, residual, 2 / first.denominator + 2 / second.denominator)
    reduced = (first.kept - first.other) * second.denominator
    ratio = Fraction(reduced, first.denominator * gap) if gap else Fraction(0)
    degradation = _mixing(first.size, ratio, now, later, _uniform_slack(first, second))
    _check_solved(_is_uniform_copy(degradation, first, second))
    return degradation


def _is_uniform_copy(
    degradation: UniformDegradation, first: UniformTable, second: UniformTable
) -> bool:
    """Tell whether ``C P_next = P_now``, from one entry on and one off the diagonal."""
    others = degradation.size - 1
    on = degradation.kept * second.kept + others * degradation.other * second.other
    off = degradation.kept * second.other + degradation.other * second.kept
    off += (others - 1) * degradation.other * second.other
    scale = degradation.denominator * second.denominator
    return (on * first.denominator, off * first.denominator) == (
        first.kept * scale,
        first.other * scale,
    )


def _check_solved(exactly: bool) -> None:
    if not exactly:
        raise AssertionError("what solves the equations is exactly a degraded copy")


def _uniform_slack(first: UniformTable, second: UniformTable) -> float:
    # An integer of a table is off by at most a unit for each other report.
    units = 2 * first.size * (1 / first.denominator + 1 / second.denominator)
    return units * second.denominator / max(1, abs(second.kept - second.other))


def _mixing(
    size: int, ratio: Fraction, now: Channel, later: Channel, slack: float
) -> UniformDegradation:
    other = (1 - ratio) / size
    kept = ratio + other
    if other < 0:
        raise negative_entry(now, later, (0, 1), float(other), slack)
    if kept < 0:
        raise negative_entry(now, later, (0, 0), float(kept), slack)
    total = lcm(kept.denominator, other.denominator)
    return UniformDegradation(size, int(kept * total), int(other * total), total)


def _of_tables(
    first: ExactTable, second: ExactTable, now: Channel, later: Channel
) -> TableDegradation:
    mixing = _mixing_ratio(first, second)
    others = len(first.integers) - 1
    if mixing is not None and Fraction(-1, others) <= mixing <= 1:
        return _mixing(len(first.integers), mixing, now, later, 0.0)
    table = _unique(first, second, now, later)
    if table is None:
        table = _of_many(first, second, now, later)
    degradation = dense_degradation(*integer_algebra.lowest_terms(*table))
    _check_solved(is_degraded_copy(degradation, first, second))
    return degradation


def _mixing_ratio(first: ExactTable, second: ExactTable) -> Fraction | None:
    """Return r with ``P_now = r P_next + (1 - r) / reports`` exactly, or None."""
    if first.integers.shape != second.integers.shape:
        return None
    reports = len(first.integers)
    # Deviations from equal chances, over the reports times both denominators.
    before = (reports * first.integers - first.denominator) * second.denominator
    after = (reports * second.integers - second.denominator) * first.denominator
    uneven = np.flatnonzero(after.ravel() != 0)
    if not len(uneven):
        return None if (before != 0).any() else Fraction(0)
    ratio = Fraction(before.ravel()[uneven[0]], after.ravel()[uneven[0]])
    same = before * ratio.denominator == after * ratio.numerator
    return ratio if same.all() else None


def _unique(
    first: ExactTable, second: ExactTable, now: Channel, later: Channel
) -> tuple[integer_algebra.Integers, int] | None:
    """Return ``P_now P_next^-1`` where the later device has an inverse, else None."""
    reports, truths = second.integers.shape
    if reports != truths:
        return None
    solution = integer_algebra.exact_solution(second.integers.T, first.integers.T, unique=True)
    if solution is None:
        return None
    table, divisor = solution[0].T * second.denominator, solution[1] * first.denominator
    if (table < 0).any():
        place = place_of_least(table)
        slack = _rounding_slack(first, second)
        raise negative_entry(now, later, place, float(Fraction(table[place], divisor)), slack)
    return table, divisor


def _rounding_slack(first: ExactTable, second: ExactTable) -> float:
    """Return what a unit or two in each entry of both tables can change in the degradation."""
    inverse = np.linalg.pinv(second.matrix)
    units = 2 * (1 / first.denominator + 1 / second.denominator)
    return float(units * len(second.integers) * np.abs(inverse).sum(axis=0).max())


def _of_many(
    first: ExactTable, second: ExactTable, now: Channel, later: Channel
) -> tuple[integer_algebra.Integers, int]:
    """Return one of many degradations: a correction of a nearby one, or a vertex."""
    before, after = first.matrix, second.matrix
    possible = programme.possible_entries(before, after)
    even = programme.most_even(before, after, possible)
    slack = _rounding_slack(first, second)
    if even is None:
        residual = before - before @ np.linalg.pinv(after) @ after
        raise lost_difference(now, residual, slack)
    if even.smallest < -max(slack, ZERO):
        raise negative_entry(now, later, place_of_least(even.matrix), even.smallest, slack)
    table = None
    if even.smallest > MARGIN and possible.all():
        table = _corrected(even.matrix, first, second)
    if table is None:
        table = _vertex(first, second)
    if table is None:
        chance = min(even.smallest, 0.0)
        raise negative_entry(now, later, place_of_least(even.matrix), chance, abs(chance))
    return table


def _corrected(
    matrix: np.ndarray, first: ExactTable, second: ExactTable
) -> tuple[integer_algebra.Integers, int] | None:
    """Return an exact degradation close to one in floats; None when it is not stochastic.

    With G the floats as integers over 2**40, whose columns sum to one, the residual
    ``R = P_now - G P_next`` has columns that sum to zero. As many independent rows S of P_next as
    there are truths take it up: ``C = G + R S^-1`` in the columns of S, whose own columns keep
    their sums because those of R are zero.
    """
    rows = programme.independent_rows(second.matrix)
    if rows is None:
        return None
    columns = [integer_algebra.rounded_fractions(column, GRID_BITS) for column in matrix.T.tolist()]
    grid = np.array(columns, dtype=object).T
    # Over both denominators and the grid's.
    residual = (first.integers * second.denominator << GRID_BITS) - (
        grid @ second.integers * first.denominator
    )
    solution = integer_algebra.exact_solution(second.integers[rows].T, residual.T)
    if solution is None:
        return None
    numerators, divisor = solution
    # R S^-1 has the denominator 2**40 D1 d: S holds integers over D2, which cancels.
    table = grid * (first.denominator * divisor)
    table[:, rows] += numerators.T
    return _if_stochastic(table, first.denominator * divisor << GRID_BITS)


def _vertex(first: ExactTable, second: ExactTable) -> tuple[integer_algebra.Integers, int] | None:
    """Return the exact degradation on the support of a vertex in floats, if there is one."""
    before, after = first.matrix, second.matrix
    possible = programme.possible_entries(before, after)
    matrix = programme.basic_solution(before, after, possible)
    if matrix is None:
        return None
    support = matrix > ZERO
    if support.sum() > LARGEST_SUPPORT:
        return None
    equations, values = _support_equations(support, first, second)
    solution = integer_algebra.exact_solution(equations, values)
    if solution is None:
        return None
    table = np.zeros(support.shape, dtype=object)
    table[support] = solution[0][:, 0]
    return _if_stochastic(table, solution[1])


def _support_equations(
    support: np.ndarray, first: ExactTable, second: ExactTable
) -> tuple[integer_algebra.Integers, integer_algebra.Integers]:
    """Return the equations of the entries that are not zero, over integers."""
    previous, following = np.nonzero(support)
    reports, truths = first.integers.shape
    products = np.zeros((reports, truths, len(previous)), dtype=object)
    for index, (earlier, later) in enumerate(zip(previous, following, strict=True)):
        products[earlier, :, index] = second.integers[later] * first.denominator
    sums = (following == np.arange(support.shape[1])[:, None]).astype(int).astype(object)
    values = np.concatenate(
        [(first.integers * second.denominator).ravel(), np.ones(len(sums), dtype=object)]
    )
    equations = np.concatenate([products.reshape(-1, len(previous)), sums])
    return equations, values[:, None]


def _if_stochastic(
    table: integer_algebra.Integers, denominator: int
) -> tuple[integer_algebra.Integers, int] | None:
    sums = table.sum(axis=0)
    return (table, denominator) if (table >= 0).all() and (sums == denominator).all() else None


def is_degraded_copy(
    degradation: DenseDegradation | UniformDegradation, first: ExactTable, second: ExactTable
) -> bool:
    """Tell whether ``C P_next = P_now``, in integers."""
    degraded = degradation.integers @ second.integers * first.denominator
    return bool((degraded == first.integers * second.denominator * degradation.denominator).all())
