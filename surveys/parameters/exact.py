"""Between tables and the designs of the engine: all decided exactly, from the integers."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import prod
from string import ascii_uppercase

from rr_engine import DesignMatrix, direct
from rr_engine.precision import uniform_entries
from rr_engine.privacy.loss import log_ratio, ratio_at_most
from surveys.parameters.document import Device, Question
from surveys.parameters.tables import Bits, Coded, Dense, Product, Table, Uniform, coded, columns_of


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
    """
    match table:
        case Dense():
            return _largest_ratio(zip(*table.columns, strict=True))
        case Uniform():
            return _largest_ratio([(table.kept, table.other)])
        case Product():
            ratios = [likelihood_ratio_bound(part) for part in table.parts]
            return None if None in ratios else prod(filter(None, ratios), start=Fraction(1))
        case Bits():
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


def channel_of(device: Device, question: Question) -> DesignMatrix:
    """The design of a launched device: its integers, reports along the first axis.

    Truths that are no answers of the question, such as sets of ticks, have no names.
    """
    size, labels = device.table.truths, question.categories
    reports_are_answers = len(labels) == size and not question.several
    names = labels if reports_are_answers else tuple(str(index) for index in range(size))
    return direct(names) if device.direct else design_of(coded(device.table), names)


def with_labels(exact: DesignMatrix, labels: Sequence[str]) -> DesignMatrix:
    """The same table of these answers; reports are named after them or numbered."""
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


def table_of(design: DesignMatrix) -> Coded:
    """The integers of a design as a table, in the shorter of the two forms that it may have."""
    if design.integers is None or design.denominator is None:
        raise ValueError("only a design of integers is a table")
    rows, denominator = design.integers.tolist(), int(design.denominator)
    names = report_codes(len(rows))
    entries = uniform_entries(design.integers)
    if entries is not None:
        diagonal, other = map(int, entries)
        return Uniform(reports=names, denominator=denominator, kept=diagonal, other=other)
    columns = tuple(zip(*rows, strict=True))
    return Dense(reports=names, denominator=denominator, columns=columns)


def report_codes(count: int) -> tuple[str, ...]:
    """Neutral names of the reports: A, B, ..., Z, AA, AB, ...; never an answer's label."""
    return tuple(_letters(index) for index in range(count))


def _letters(index: int) -> str:
    before, last = divmod(index, len(ascii_uppercase))
    return (_letters(before - 1) if before else "") + ascii_uppercase[last]
