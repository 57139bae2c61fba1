"""One exact draw of a next, or of an earlier, report: what the browser does.

Each draw takes one uniform integer, by :func:`uniform_below`, and returns the smallest report at
which the weights up to it exceed that integer. Its range is the same for all truths, so that the
number of bytes tells nothing.
"""

import os
from collections.abc import Sequence
from math import lcm

from rr_engine import check
from rr_engine.arrays import as_list
from rr_engine.channels.protocol import Channel
from rr_engine.device import RandomBytes, report_at, uniform_below
from rr_engine.errors import ArgumentError, CategoryError, DesignError
from rr_engine.relaxation import exact_tables
from rr_engine.relaxation.degradation import (
    BitDegradation,
    Degradation,
    ProductDegradation,
    TableDegradation,
    check_degradation,
)

# A report or a truth: an index, or zeros and ones of bits.
Value = int | Sequence[int]


def exact_kernel_weights(
    degradation: Degradation, design_now: Channel, design_next: Channel, previous: int, truth: int
) -> tuple[list[int], int]:
    """Return integers in the ratios of Pr(next report | previous report, truth), and their sum.

    Parameters
    ----------
    degradation : DenseDegradation, UniformDegradation or BitDegradation
        From :func:`rr_engine.relaxation.exact_degradation` of the same two designs.
    design_now, design_next : Channel
        With exact tables ``N / D1`` and ``M / D2``; for a BitDegradation the weights are those of
        one bit, and `previous` and `truth` are 0 or 1.
    previous, truth : int

    Returns
    -------
    weights : list of int
        ``K[previous, y2] M[y2, truth]`` for each next report y2, with the degradation ``K / d``.
    total : int
        Their sum, ``d D2 N[previous, truth] / D1``.

    Raises
    ------
    CategoryError
        When the previous report is impossible for the truth.
    DesignError
        When the sum is another one: the degradation is not that of these designs.
    ArgumentError
        For products, of which each factor has its own weights.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Eq. 54, here in integers.

    Examples
    --------
    >>> from rr_engine import DesignMatrix
    >>> from rr_engine.relaxation import exact_degradation
    >>> now = DesignMatrix.from_integers([[5, 3], [3, 5]], 8)
    >>> later = DesignMatrix.from_integers([[3, 1], [1, 3]], 4)
    >>> exact_kernel_weights(exact_degradation(now, later), now, later, previous=0, truth=0)
    ([9, 1], 10)
    """
    exact_tables.check_pair(design_now, design_next)
    table = _one_part(check_degradation(degradation))
    earlier, earlier_total = exact_tables.exact_column(design_now, truth)
    column, denominator = exact_tables.exact_column(design_next, truth)
    if (len(earlier), len(column)) != (table.previous_size, table.next_size):
        raise _differs(degradation)
    row = table.row(check.whole(previous, "previous", maximum=len(earlier) - 1))
    weights = [chance * entry for chance, entry in zip(row, column, strict=True)]
    total = sum(weights)
    if total * earlier_total != table.denominator * denominator * earlier[previous]:
        raise _differs(degradation)
    return weights, _check_possible(total, previous)


def _one_part(degradation: Degradation) -> TableDegradation:
    if isinstance(degradation, ProductDegradation):
        rule = "be of one part: each factor of a product has its own weights"
        raise ArgumentError("degradation", degradation, rule, "table_not_available")
    return degradation.bit if isinstance(degradation, BitDegradation) else degradation


def _differs(degradation: Degradation) -> DesignError:
    rule = "turn design_next into design_now exactly"
    return DesignError("degradation", degradation, rule, "not_the_degradation")


def _check_possible(total: int, previous: int) -> int:
    if total == 0:
        rule = "be a report that design_now makes for this truth"
        raise CategoryError("previous", previous, rule, "impossible_report")
    return total


def draw_relaxed(
    degradation: Degradation,
    design_now: Channel,
    design_next: Channel,
    previous: Value,
    truth: Value,
    random_bytes: RandomBytes = os.urandom,
) -> int | tuple[int, ...]:
    """Draw the next report of one person exactly, given the previous one and the true answer.

    Parameters
    ----------
    degradation : Degradation
        From :func:`rr_engine.relaxation.exact_degradation` of the same two designs.
    design_now, design_next : Channel
    previous, truth : int or sequence of int
        Indices; of a device of bits the bits, and for a truth also the index of the one bit that is
        set.
    random_bytes : callable, default os.urandom
        See :func:`rr_engine.designs.uniform_below`.

    Returns
    -------
    int or tuple of int
        The next report: an index, or of a device of bits zeros and ones.

    Raises
    ------
    DesignError, CategoryError, ArgumentError
        As :func:`exact_kernel_weights`.

    Notes
    -----
    Each part takes one uniform integer, in the order of the factors or bits, below the least common
    multiple of the sums of the weights of all truths; the weights are multiplied to that.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Eq. 54.
    .. [2] L. Devroye, "Non-Uniform Random Variate Generation", Springer 1986, section III.2
       (inversion by sequential search), here with exact integers.

    Examples
    --------
    >>> from rr_engine import DesignMatrix
    >>> from rr_engine.relaxation import exact_degradation
    >>> now = DesignMatrix.from_integers([[5, 3], [3, 5]], 8)
    >>> later = DesignMatrix.from_integers([[3, 1], [1, 3]], 4)
    >>> link = exact_degradation(now, later)
    >>> draw_relaxed(link, now, later, 0, 0, lambda size: b"\\x1b")  # of weights 27 and 3
    1
    """
    pair = design_now, design_next
    exact_tables.check_pair(*pair)
    check_degradation(degradation)
    if isinstance(degradation, BitDegradation):
        return _draw_bits(degradation, pair, previous, truth, random_bytes)
    indices = _index(previous, "previous"), _index(truth, "truth")
    if isinstance(degradation, ProductDegradation):
        return _draw_parts(degradation, pair, *indices, random_bytes)
    return _draw_one(degradation, pair, *indices, random_bytes)


# The device of now and the next one.
Pair = tuple[Channel, Channel]


def _draw_one(
    degradation: Degradation, pair: Pair, previous: int, truth: int, random_bytes: RandomBytes
) -> int:
    weights, total = exact_kernel_weights(degradation, *pair, previous, truth)
    common = _common_range(_one_part(degradation), *pair, previous)
    # As if the weights were multiplied by common / total.
    return report_at(weights, uniform_below(common, random_bytes) // (common // total))


def _common_range(
    degradation: TableDegradation, now: Channel, later: Channel, previous: int
) -> int:
    """The least common multiple of d D2 N[previous, v] / D1 over the truths v that can send it."""
    entries, earlier_total = exact_tables.exact_row(now, previous)
    scale = degradation.denominator * exact_tables.exact_column(later, 0)[1]
    return lcm(*(scale * entry // earlier_total for entry in entries if entry))


def _draw_parts(
    degradation: ProductDegradation, pair: Pair, previous: int, truth: int, source: RandomBytes
) -> int:
    pairs = exact_tables.factor_pairs(*pair)
    if pairs is None or len(pairs) != len(degradation.factors):
        raise _differs(degradation)
    before = exact_tables.split_index(
        previous, [factor.tally_size for factor, _ in pairs], "previous"
    )
    answers = exact_tables.split_index(truth, [factor.truth_size for factor, _ in pairs], "truth")
    links = zip(degradation.factors, pairs, before, answers, strict=True)
    drawn = [
        _index(draw_relaxed(factor, *own, report, answer, source), "report")
        for factor, own, report, answer in links
    ]
    return exact_tables.join_index(drawn, [factor.tally_size for _, factor in pairs])


def _draw_bits(
    degradation: BitDegradation, pair: Pair, previous: Value, truth: Value, source: RandomBytes
) -> tuple[int, ...]:
    before = _parts(previous, degradation.bits, "previous")
    answer = as_list(truth)
    if answer is None:
        answer = tuple(int(bit == _index(truth, "truth")) for bit in range(degradation.bits))
    drawn = []
    for report, set_or_clear in zip(before, _parts(answer, degradation.bits, "truth"), strict=True):
        drawn.append(_draw_one(degradation, pair, report, set_or_clear, source))
    return tuple(drawn)


def draw_degraded(
    degradation: Degradation, report: Value, random_bytes: RandomBytes = os.urandom
) -> int | tuple[int, ...]:
    """Draw the earlier report of one person exactly from the later one; no truth is needed.

    Parameters
    ----------
    degradation : Degradation
    report : int or sequence of int
        The later report, as :func:`draw_relaxed` returns it.
    random_bytes : callable, default os.urandom

    Returns
    -------
    int or tuple of int

    Notes
    -----
    A whole chain may be drawn from its last report downwards: that has the law of relaxing step by
    step. The number of bytes depends on the degradation alone.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Lemma 3.1 (an earlier report depends on the truth only through the later one).

    Examples
    --------
    >>> from rr_engine.relaxation import UniformDegradation
    >>> draw_degraded(UniformDegradation(3, 4, 1, 6), 1, lambda size: b"\\x05")  # 1, 4, 1
    2
    """
    check_degradation(degradation)
    if isinstance(degradation, ProductDegradation):
        tables = degradation.tables
        sizes = [table.next_size for table in tables]
        parts = exact_tables.split_index(_index(report, "report"), sizes, "report")
        links = zip(tables, parts, strict=True)
        drawn = [
            _index(draw_degraded(table, part, random_bytes), "report") for table, part in links
        ]
        return exact_tables.join_index(drawn, [table.previous_size for table in tables])
    if isinstance(degradation, BitDegradation):
        bits = _parts(report, degradation.bits, "report")
        return tuple(_draw_degraded(degradation.bit, bit, random_bytes) for bit in bits)
    return _draw_degraded(degradation, _index(report, "report"), random_bytes)


def _draw_degraded(degradation: TableDegradation, report: int, random_bytes: RandomBytes) -> int:
    index = check.whole(report, "report", maximum=degradation.next_size - 1)
    number = uniform_below(degradation.denominator, random_bytes)
    return report_at(degradation.column(index), number)


def _index(value: object, argument: str) -> int:
    return check.whole(value, argument)


def _parts(value: object, count: int, argument: str) -> tuple[int, ...]:
    parts = as_list(value)
    if parts is None or len(parts) != count:
        raise CategoryError(argument, value, f"have {count} bits", "unknown_report")
    return tuple(check.whole(part, argument, maximum=1) for part in parts)
