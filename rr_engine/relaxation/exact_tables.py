"""Tables of channels as Python's integers, and what is asked of two of them."""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm, prod
from typing import NamedTuple

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_channel
from rr_engine.arrays import FloatArray
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.joint_channel import JointChannel, spectrum_of
from rr_engine.channels.matrix import MatrixChannel
from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import Channel
from rr_engine.channels.uniform import UniformChannel
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.precision import uniform_entries
from rr_engine.relaxation.degradation import JointDegradation, changed_answers
from rr_engine.relaxation.integer_algebra import Integers, as_integers
from rr_engine.relaxation.refusals import negative_entry

# Entries of a degradation that is solved for in integers of any size.
LARGEST_EXACT = 2**12


class ExactTable(NamedTuple):
    """Integers of shape (reports, truths) whose columns sum to the denominator."""

    integers: Integers
    denominator: int

    @property
    def matrix(self) -> FloatArray:
        """The table as floats."""
        rows = self.integers.tolist()
        return np.array([[entry / self.denominator for entry in row] for row in rows])


class UniformTable(NamedTuple):
    """A table with one value on the diagonal and one off it, times the denominator."""

    size: int
    kept: int
    other: int
    denominator: int


def check_pair(design_now: Channel, design_next: Channel) -> tuple[Channel, Channel]:
    """Return two channels about the same true answers."""
    now = check_channel(design_now, "design_now")
    later = check_channel(design_next, "design_next")
    bits = [isinstance(channel, BitPeople) for channel in (now, later)]
    if bits[0] != bits[1]:
        rule = "report bits where the other design does"
        raise ArgumentError("design_next", later, rule, "bits_beside_reports")
    if now.truth_size != later.truth_size or now.exclusive != later.exclusive:
        rule = f"be about the same {now.truth_size} true answers as design_now"
        raise CategoryError("design_next", later, rule, "categories_differ")
    return now, later


def factor_pairs(now: Channel, later: Channel) -> list[tuple[Channel, Channel]] | None:
    """Return the factors of two products side by side; None unless they cover the same parts."""
    if not isinstance(now, ProductChannel) or not isinstance(later, ProductChannel):
        return None
    shapes = [[factor.truth_shape for factor in channel.factors] for channel in (now, later)]
    if shapes[0] != shapes[1]:
        return None
    return list(zip(now.factors, later.factors, strict=True))


def split_index(index: int, sizes: Sequence[int], argument: str) -> list[int]:
    """Return the parts of an index of a product, in C order."""
    if index >= prod(sizes):
        rule = f"be an index below {prod(sizes)}"
        raise CategoryError(argument, index, rule, "unknown_report")
    parts = []
    for size in reversed(sizes):
        index, part = divmod(index, size)
        parts.append(part)
    return parts[::-1]


def join_index(parts: Sequence[int], sizes: Sequence[int]) -> int:
    """Return the index of parts, the inverse of :func:`split_index`."""
    index = 0
    for part, size in zip(parts, sizes, strict=True):
        index = index * size + part
    return index


def uniform_table(channel: Channel) -> UniformTable | None:
    """Return the integers of a uniform channel, whatever holds them; None for any other."""
    if isinstance(channel, UniformChannel):
        size = channel.truth_size
        return UniformTable(size, channel.kept, channel.other, channel.denominator)
    if not isinstance(channel, MatrixChannel) or channel.uniform is None:
        return None
    integers, denominator = channel.exact_table()
    entries = uniform_entries(integers)
    if entries is None:
        return None
    return UniformTable(len(integers), int(entries[0]), int(entries[1]), denominator)


def exact_table(channel: Channel, argument: str = "design") -> ExactTable:
    """Return the integers that a channel draws from, as one table.

    Raises
    ------
    ArgumentError
        When it has more than 2**12 entries.
    """
    if channel.truth_size * channel.tally_size > LARGEST_EXACT:
        rule = f"have at most {LARGEST_EXACT} entries"
        raise ArgumentError(argument, channel, rule, "table_too_large")
    if isinstance(channel, MatrixChannel):
        integers, denominator = channel.exact_table()
        return ExactTable(as_integers(integers), denominator)
    uniform = uniform_table(channel)
    if uniform is not None:
        table = np.full((uniform.size, uniform.size), uniform.other, dtype=object)
        np.fill_diagonal(table, uniform.kept)
        return ExactTable(table, uniform.denominator)
    if isinstance(channel, JointChannel):
        return ExactTable(_joint_integers(channel), channel.denominator)
    if isinstance(channel, ProductChannel):
        factors = [exact_table(factor, argument) for factor in channel.factors]
        table = reduce(np.kron, [factor.integers for factor in factors])
        return ExactTable(table, prod(factor.denominator for factor in factors))
    rule = "have a table of integers to draw from"
    raise ArgumentError(argument, channel, rule, "no_integers")


def _joint_integers(channel: JointChannel) -> Integers:
    rows = [_joint_column(channel, truth) for truth in range(channel.truth_size)]
    return np.array(rows, dtype=object)


def _joint_column(channel: JointChannel, truth: int) -> list[int]:
    codes = changed_answers(channel.shape, truth).tolist()
    return [channel.weights[code.bit_count()] for code in codes]


def bit_table(channel: BitPeople) -> ExactTable:
    """Return the table of one bit: clear and set, reports by truths."""
    total, kept, raised = channel.denominator, channel.kept, channel.raised
    integers = np.array([[total - raised, total - kept], [raised, kept]], dtype=object)
    return ExactTable(integers, total)


def exact_column(channel: Channel, truth: int) -> tuple[list[int], int]:
    """Return the integers of a truth's reports and their sum; of bits, those of a single one."""
    uniform = None if isinstance(channel, BitPeople) else uniform_table(channel)
    if uniform is not None:
        column = [uniform.other] * uniform.size
        column[check.whole(truth, "truth", maximum=uniform.size - 1)] = uniform.kept
        return column, uniform.denominator
    if isinstance(channel, JointChannel):
        index = check.whole(truth, "truth", maximum=channel.truth_size - 1)
        return _joint_column(channel, index), channel.denominator
    table = bit_table(channel) if isinstance(channel, BitPeople) else exact_table(channel)
    index = check.whole(truth, "truth", maximum=table.integers.shape[1] - 1)
    return table.integers[:, index].tolist(), table.denominator


def exact_row(channel: Channel, report: int) -> tuple[list[int], int]:
    """Return the integers of a report, one for each truth, and what a truth's entries sum to.

    Of a uniform table each of its two values once; of bits those of a single one.
    """
    uniform = None if isinstance(channel, BitPeople) else uniform_table(channel)
    if uniform is not None:
        return [uniform.kept, uniform.other], uniform.denominator
    if isinstance(channel, JointChannel):
        # Its table is symmetric (Domingo-Ferrer 2018, section 3).
        return _joint_column(channel, report), channel.denominator
    table = bit_table(channel) if isinstance(channel, BitPeople) else exact_table(channel)
    return table.integers[report].tolist(), table.denominator


SchemeChannel = JointChannel | UniformChannel


def joint_degradation(now: Channel, later: Channel) -> JointDegradation | None:
    """Return the degradation between devices over the same combinations; None for any others.

    Also where the later one has no inverse. The eigenvalues of ``C`` are the quotients of those of
    the two tables.
    """
    if not isinstance(now, SchemeChannel) or not isinstance(later, SchemeChannel):
        return None
    if now.shape != later.shape:
        return None
    before, after = (spectrum_of(_entries(channel), channel.shape) for channel in (now, later))
    if (after == 0).any():
        return None
    numerators, divisors = before * later.denominator, after * now.denominator
    quotients = np.vectorize(Fraction, otypes=[object])(numerators, divisors)
    entries = _entries_of(quotients, now.shape).ravel().tolist()
    lowest = min(range(len(entries)), key=entries.__getitem__)
    if entries[lowest] < 0:
        changed = np.unravel_index(lowest, (2,) * len(now.shape))
        index = int(np.ravel_multi_index(changed, now.shape))
        slack = _slack(now, later, after)
        raise negative_entry(now, later, (0, index), float(entries[lowest]), slack)
    denominator = lcm(*(entry.denominator for entry in entries))
    integers = tuple(int(entry * denominator) for entry in entries)
    own = spectrum_of(np.array(integers, dtype=object).reshape(quotients.shape), now.shape)
    if (own * divisors != numerators * denominator).any():
        raise AssertionError("the eigenvalues of a product are the products of eigenvalues")
    return JointDegradation(now.shape, integers, denominator)


def _entries(channel: SchemeChannel) -> Integers:
    """Return the integer of each set of changed answers, shape (2,) * questions."""
    questions = len(channel.shape)
    entries = np.empty((2,) * questions, dtype=object)
    for changed in product((0, 1), repeat=questions):
        if isinstance(channel, JointChannel):
            entries[changed] = channel.weights[sum(changed)]
        else:
            entries[changed] = channel.other if any(changed) else channel.kept
    return entries


def _entries_of(spectrum: Integers, sizes: Sequence[int]) -> Integers:
    """Return the entries of a table from its eigenvalues, in fractions.

    For one question after the other: ``(c + (r - 1) d) / r`` on the diagonal and ``(c - d) / r``
    off it, with the eigenvalues c of constant and d of varying tables.
    """
    values = spectrum
    for axis, size in enumerate(sizes):
        constant, varying = np.moveaxis(values, axis, 0)
        share = Fraction(1, size)
        pair = [share * (constant + (size - 1) * varying), share * (constant - varying)]
        values = np.moveaxis(np.array(pair, dtype=object), 0, axis)
    return values


def _slack(now: SchemeChannel, later: SchemeChannel, spectrum: Integers) -> float:
    """Return what a unit or two in each entry of both tables can change in an entry of C."""
    units = 2 * now.truth_size * (1 / now.denominator + 1 / later.denominator)
    return units * spectrum.size * later.denominator / float(min(abs(spectrum.ravel())))
