"""Audits of a draw, and what it makes of many people, for each form of table.

Written down from the integers of a table alone, without the channels and spaces of the product.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, permutations
from typing import Any

import numpy as np
import numpy.typing as npt

import rr_engine
from surveys.parameters import Bits, Ranking, Table, coded, columns_of
from surveys.responses.spaces import Counts, space_of


def borders(column: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last integer that draws each possible report, with that report."""
    for report, (end, entry) in enumerate(zip(accumulate(column), column, strict=True)):
        if entry:
            yield end - entry, report
            yield end - 1, report


def every_report(table: Table) -> list[Any]:
    """Every code; of bits, which are too many, none set, all set, and each alone."""
    if isinstance(table, Ranking):
        return list(range(table.truths))
    if not isinstance(table, Bits):
        return list(range(len(coded(table).reports)))
    size = table.bits
    alone = ["0" * bit + "1" + "0" * (size - bit - 1) for bit in range(size)]
    return ["0" * size, "1" * size, *alone]


def counted(table: Table, reports: Sequence[Any]) -> Counts:
    """How often each code was sent; of bits how many reports there are, and how many set each."""
    if isinstance(table, Bits):
        ones = [sum(report[bit] == "1" for report in reports) for bit in range(table.bits)]
        return [len(reports), *ones]
    tally = Counter(reports)
    return [tally[code] for code in range(len(every_report(table)))]


def expected_counts(device: Any, truths: npt.NDArray[np.int64]) -> Counts:
    """The expected counts of reports times the denominator, which are whole numbers."""
    table = device.table
    people = np.bincount(truths, minlength=table.truths)
    if isinstance(table, Bits):
        ones = people * table.one + (people.sum() - people) * table.zero
        return [int(people.sum()) * table.denominator, *ones.tolist()]
    columns = _orders(table) if isinstance(table, Ranking) else columns_of(table)
    counts = people @ np.array(columns, dtype=np.int64)
    return space_of(device).stored(dict(enumerate(counts.tolist())))


def wrong_draws(table: Table) -> list[tuple[int, Any]]:
    """The true answers that some integers on a border draw another report for."""
    draw = _bits_drawn_otherwise if isinstance(table, Bits) else _codes_drawn_otherwise
    return list(draw(table))


def _codes_drawn_otherwise(table: Any) -> Iterator[tuple[int, int]]:
    """Reports rise with the drawn integer, so the borders between them determine the draw."""
    columns = _orders(table) if isinstance(table, Ranking) else columns_of(table)
    for truth, column in enumerate(columns):
        if sum(column) != table.denominator:
            yield truth, sum(column)
        for integer, report in borders(column):
            if (
                rr_engine.designs.draw_report(column, table.denominator, _bytes_of([integer]))
                != report
            ):
                yield truth, integer


def _bits_drawn_otherwise(table: Bits) -> Iterator[tuple[int, str]]:
    """A bit is set below its entry, so that the integers on both sides determine the draw."""
    channel = rr_engine.channels.BitChannel(table.bits, table.one, table.zero, table.denominator)
    for truth in range(table.bits):
        entries = [table.one if bit == truth else table.zero for bit in range(table.bits)]
        for below in (1, 0):
            source = _bytes_of([entry - below for entry in entries], table.denominator)
            drawn = channel.draw([truth], source)[0].tolist()
            if drawn != [below] * table.bits:
                yield truth, str(drawn)


def _bytes_of(integers: Sequence[int], denominator: int = 0) -> Any:
    """A source of randomness that gives these integers one after the other."""
    width = ((denominator - 1).bit_length() + 7) // 8 if denominator else 0
    left = iter(integers)

    def random_bytes(size: int) -> bytes:
        each = width or size
        return b"".join(next(left).to_bytes(each, "big") for _ in range(size // each))

    return random_bytes


def _orders(table: Ranking) -> list[list[int]]:
    """The columns of a table over orders: the weight of the pairs that are the other way round."""
    orders = list(permutations(range(table.items)))
    pairs = list(combinations(range(table.items), 2))
    reported, kept, each = table.refusal or (0, 0, 0)

    def distance(first: Sequence[int], second: Sequence[int]) -> int:
        return sum(
            (first.index(a) < first.index(b)) != (second.index(a) < second.index(b))
            for a, b in pairs
        )

    columns = [[table.weights[distance(truth, report)] for report in orders] for truth in orders]
    if table.refusal is None:
        return columns
    return [*([*column, reported] for column in columns), [*[each] * len(orders), kept]]
