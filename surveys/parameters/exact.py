"""Between tables and the channels of the engine: all decided exactly, from the integers."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import prod
from string import ascii_uppercase

import numpy as np
import numpy.typing as npt

from rr_engine import DesignMatrix
from rr_engine.channels import BitChannel, Channel, JointChannel, ProductChannel, UniformChannel
from rr_engine.designs import direct
from rr_engine.designs.ranking import RankingDevice
from rr_engine.errors import ArgumentError
from rr_engine.precision import uniform_entries
from rr_engine.privacy.loss import log_ratio, ratio_at_most
from surveys.parameters.document import Device, Question
from surveys.parameters.joint import channel_of_joint
from surveys.parameters.tables import (
    Bits,
    Bloom,
    Chain,
    Coded,
    Dense,
    Joint,
    Linear,
    Product,
    Ranking,
    Table,
    Ties,
    Uniform,
    coded,
    columns_of,
)

# Up to so many truths a uniform table is written down and estimated as any other is: the last
# digits of published numbers are those of one path, whatever the family. It takes 512 kB at most.
MOST_WRITTEN_DOWN = 256
# Entries of a table that figures are made from.
LARGEST_MATRIX = 2**20

Groups = Sequence[Sequence[int]]


def keeps(table: Table, epsilon: Decimal, delta: Decimal | None) -> bool:
    """Whether the device is epsilon private, or (epsilon, delta) private.

    A delta is for tables whose report is one code; of others a declared delta is not kept.
    """
    if delta is None:
        return ratio_at_most(likelihood_ratio_bound(table), epsilon)
    return isinstance(table, Coded) and design_of(table).delta_at_most(epsilon, delta)


def likelihood_ratio_bound(table: Table) -> Fraction | None:
    """The largest ratio of two probabilities of one report; None where a report rules a truth out.

    Parts that draw by themselves multiply. Of bits one is set: between two truths two bits differ.
    A chain reveals what its last step does: all others come from that one without the truth.
    Of combinations every report comes from some truth with each of the weights.
    Of a Bloom filter `hashes` are set: between two texts at most twice as many bits differ, and a
    cohort that does not depend on the text adds nothing.
    Of ties the ratio is that of one tie: sets that differ in it alone (edge level).
    Of a ranking each report has a true order at every distance, and comes from a refusal as well.
    """
    match table:
        case Dense():
            return _largest_ratio(zip(*table.columns, strict=True))
        case Uniform():
            return _largest_ratio([(table.kept, table.other)])
        case Linear():
            # Between the two ends both reports are monotone in the number.
            return likelihood_ratio_bound(table.ends)
        case Product():
            ratios = [likelihood_ratio_bound(part) for part in table.parts]
            return None if None in ratios else prod(filter(None, ratios), start=Fraction(1))
        case Bits():
            return _ratio_of_two_bits(table)
        case Bloom():
            ratio = _ratio_of_two_bits(table)
            return None if ratio is None else ratio**table.hashes
        case Chain():
            return likelihood_ratio_bound(table.last)
        case Joint():
            return _largest_ratio([table.weights])
        case Ties():
            return _ratio_of_one_bit(table)
        case Ranking(refusal=None):
            return _largest_ratio([table.weights])
        case Ranking(refusal=(reported, kept, each)):
            return _largest_ratio([(*table.weights, each), (kept, reported)])
    raise TypeError(f"{type(table).__name__} is no table")


def _ratio_of_one_bit(table: Ties) -> Fraction | None:
    """The largest ratio of two sets that differ in one bit."""
    clear = (table.denominator - table.one, table.denominator - table.zero)
    return _largest_ratio([(table.one, table.zero), clear])


def _ratio_of_two_bits(table: Bits | Bloom) -> Fraction | None:
    """The largest ratio where one truth sets a bit that another clears, and the reverse."""
    denominator = table.denominator
    per_bit = _largest_ratio([(table.one, table.zero)])
    zeros = _largest_ratio([(denominator - table.one, denominator - table.zero)])
    return None if per_bit is None or zeros is None else per_bit * zeros


def loss(table: Table) -> float:
    """The epsilon of the table itself; infinite where a report rules a truth out."""
    return log_ratio(likelihood_ratio_bound(table))


def design_of(table: Coded, labels: tuple[str, ...] | None = None) -> DesignMatrix:
    """The design with every entry written down, reports x truths."""
    rows = list(zip(*columns_of(table), strict=True))
    return DesignMatrix.from_integers(rows, table.denominator, categories=labels)


def channel_of(device: Device, question: Question) -> Channel:
    """The channel of a launched device, in the form of its table.

    A small uniform table is written down as a `DesignMatrix`; see `MOST_WRITTEN_DOWN`. Only a
    `DesignMatrix` has labels: those of its truths are the categories where each is an answer of
    the question, else numbers. Whoever names truths takes them from the question. The channel of a
    linear table is that of the two ends, through which the mean is estimated (Pan 2024, Eq. 70);
    that of a Bloom filter is that of one cohort; that of ties is that of one tie. A chain has a
    channel for each step: take the device at one. TypeError otherwise.
    """
    table = device.table.ends if isinstance(device.table, Linear) else device.table
    if not isinstance(table, Coded) or _is_structured(table):
        return _channel(table)
    size, labels = table.truths, question.categories
    reports_are_answers = len(labels) == size and not question.several
    names = labels if reports_are_answers else tuple(str(index) for index in range(size))
    return direct(names) if device.direct else design_of(table, names)


def drawing_channel(device: Device, question: Question) -> Channel:
    """The channel that reports are drawn from: of a linear table that of every step, of ties that
    of all of them.
    """
    table = device.table
    if isinstance(table, Ties):
        return BitChannel(table.bits, table.one, table.zero, table.denominator, "set")
    return design_of(table) if isinstance(table, Linear) else channel_of(device, question)


def tie_design(table: Ties) -> DesignMatrix:
    """The device of one tie: none and a tie, in this order."""
    kept, raised = table.one, table.zero
    rows = [[table.denominator - raised, table.denominator - kept], [raised, kept]]
    return DesignMatrix.from_integers(rows, table.denominator)


# A table of six items has half a million entries.
@lru_cache(maxsize=32)
def ranking_device(table: Ranking) -> RankingDevice:
    """Return the engine's device over all orders, with that of the rank of each item."""
    return RankingDevice(table.items, table.weights, table.denominator, table.refusal)


def table_of_ranking(device: RankingDevice) -> Ranking:
    return Ranking(
        items=device.items,
        denominator=device.denominator,
        weights=device.weights,
        refusal=device.refusal,
    )


def _channel(table: Table) -> Channel:
    match table:
        case Uniform() if _is_structured(table):
            return UniformChannel((table.truths,), table.kept, table.other, table.denominator)
        case Product():
            return ProductChannel(tuple(_channel(part) for part in table.parts))
        case Bits():
            return BitChannel(table.bits, table.one, table.zero, table.denominator)
        case Chain():
            raise TypeError("a chain has a channel for each of its steps")
        case Joint():
            return channel_of_joint(table)
        case Ties():
            return tie_design(table)
        case Ranking():
            return ranking_device(table).design
        case Bloom():
            return BitChannel(table.bits, table.one, table.zero, table.denominator, "set")
        case _:
            return design_of(table)


def _is_structured(table: Coded) -> bool:
    return isinstance(table, Uniform) and table.truths > MOST_WRITTEN_DOWN


def matrix_of(channel: Channel) -> DesignMatrix:
    """The channel with every entry written down, for figures that only a table gives.

    Raises ArgumentError: "table_too_large" from 2**20 entries on (8 MB, a panel asks for several
    at a keystroke), and "table_not_available" of bits, whose reports are too many to list.
    """
    if isinstance(channel, DesignMatrix):
        return channel
    entries = channel.truth_size * channel.tally_size
    if entries > LARGEST_MATRIX and not isinstance(channel, BitChannel):
        rule = f"have at most {LARGEST_MATRIX} entries for figures of its table"
        raise ArgumentError("channel", channel, rule, "table_too_large")
    if isinstance(channel, UniformChannel):
        return design_of(coded(table_of(channel)))
    return DesignMatrix(channel.matrix)


def coarsened(
    channel: Channel, groups: Groups, report_groups: Groups | None = None
) -> DesignMatrix:
    """The device in which the truths of a group count as one, and the reports of a group.

    Reports are grouped as the truths are where nothing else is said. Groups of a uniform table
    take no more than their sizes.
    """
    if not isinstance(channel, UniformChannel) or report_groups is not None:
        return matrix_of(channel).coarsened(report_groups or groups, groups)
    rows = channel.other * np.array([[len(group)] * len(groups) for group in groups])
    rows += (channel.kept - channel.other) * np.eye(len(groups), dtype=np.int64)
    return DesignMatrix.from_integers(rows, channel.denominator)


def with_labels(exact: DesignMatrix, labels: Sequence[str]) -> DesignMatrix:
    """Return the table for these answers; reports are named after them or numbered."""
    return DesignMatrix(
        exact.matrix,
        labels,
        declared_epsilon=exact.declared_epsilon,
        integers=exact.integers,
        denominator=exact.denominator,
        declared_delta=exact.declared_delta,
    )


def _largest_ratio(rows: Iterable[tuple[int, ...]]) -> Fraction | None:
    extremes = {(max(row), min(row)) for row in rows if any(row)}
    if any(lowest == 0 for _, lowest in extremes):
        return None
    return max((Fraction(highest, lowest) for highest, lowest in extremes), default=Fraction(1))


def table_of(channel: Channel) -> Table:
    """The integers of a channel as a table; of a design in the shorter of its two forms.

    Raises ArgumentError "not_storable" for a channel that no form of table holds.
    """
    match channel:
        case DesignMatrix() if channel.integers is not None:
            return _table_of_integers(*channel.exact_table())
        case UniformChannel(shape=(_,)):
            return _uniform(channel.truth_size, channel.denominator, channel.kept, channel.other)
        case UniformChannel():
            weights = (channel.kept, *[channel.other] * len(channel.shape))
            return _joint(channel.shape, weights, channel.denominator)
        case JointChannel():
            return _joint(channel.shape, channel.weights, channel.denominator)
        case ProductChannel():
            return Product(parts=tuple(_part_of(factor) for factor in channel.factors))
        case BitChannel(truths="category"):
            return Bits(
                bits=channel.bits,
                denominator=channel.denominator,
                one=channel.kept,
                zero=channel.raised,
            )
    rule = "be a design of integers, uniform, joint, a product of such, or bits of one category"
    raise ArgumentError("channel", channel, rule, "not_storable")


def _part_of(factor: Channel) -> Dense | Uniform:
    part = coded(table_of(factor))
    if isinstance(part, Linear):
        raise TypeError("a part of a product is no table of one bit on a number")
    return part


def _table_of_integers(integers: npt.NDArray[np.int64], denominator: int) -> Coded:
    entries = uniform_entries(integers)
    if entries is not None:
        diagonal, other = map(int, entries)
        return _uniform(len(integers), denominator, diagonal, other)
    return Dense(
        reports=report_codes(len(integers)),
        denominator=denominator,
        columns=tuple(zip(*integers.tolist(), strict=True)),
    )


def _uniform(size: int, denominator: int, kept: int, other: int) -> Uniform:
    return Uniform(reports=report_codes(size), denominator=denominator, kept=kept, other=other)


def _joint(shape: tuple[int, ...], weights: tuple[int, ...], denominator: int) -> Joint:
    return Joint(parts=tuple(map(report_codes, shape)), weights=weights, denominator=denominator)


def report_codes(count: int) -> tuple[str, ...]:
    """Neutral names of the reports: A, B, ..., Z, AA, AB, ...; never an answer's label."""
    return tuple(_letters(index) for index in range(count))


def _letters(index: int) -> str:
    before, last = divmod(index, len(ascii_uppercase))
    return (_letters(before - 1) if before else "") + ascii_uppercase[last]
