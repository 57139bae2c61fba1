"""The tables of devices, tagged by their form. All entries are integers over one denominator.

A table says what the reports of its device look like, too: a code of `reports`, a tuple of such
codes, or a string of bits.
"""

import functools
import math
from typing import Annotated, assert_never

import msgspec

from surveys.parameters.degradations import Degradation
from surveys.parameters.members import LEAST_MEMBERS, MOST_MEMBERS
from surveys.parameters.scale import MOST_STEPS
from surveys.parameters.types import Count, Decimal, Denominator, Entry, Frozen, Labels, Text

# A report of so many bits is some kilobytes.
MOST_BITS = 65_536
# The most bits of a Bloom filter; and the cells of its tally, a bit of a cohort each.
MOST_FILTER_BITS = 4_096
MOST_CELLS = 2**18

# The other members, of whom each has a bit of a report.
MOST_TIES = MOST_MEMBERS - 1

# The items of a ranking: of two it is a choice, and of seven there are 5,040 orders.
LEAST_RANKED, MOST_RANKED = 3, 6

# Combinations of answers that one table may tell apart, of which every release estimates each.
MOST_COMBINATIONS = 2**20

Column = Annotated[tuple[Entry, ...], msgspec.Meta(min_length=2)]


class Dense(Frozen, frozen=True, tag_field="form", tag="dense"):
    """Every entry: `columns[truth][report] / denominator` is a probability."""

    reports: Labels
    denominator: Denominator
    columns: Annotated[tuple[Column, ...], msgspec.Meta(min_length=2)]

    @property
    def truths(self) -> int:
        return len(self.columns)


class Uniform(Frozen, frozen=True, tag_field="form", tag="uniform"):
    """As many reports as truths: `kept` for the truth's own report, `other` for each other one."""

    reports: Labels
    denominator: Denominator
    kept: Entry
    other: Entry

    @property
    def truths(self) -> int:
        return len(self.reports)


class Product(Frozen, frozen=True, tag_field="form", tag="product"):
    """Several devices that draw by themselves: truth and report are tuples, one place for each.

    The last place runs fastest where truths are numbered.
    """

    parts: Annotated[tuple[Dense | Uniform, ...], msgspec.Meta(min_length=2)]

    @property
    def truths(self) -> int:
        return functools.reduce(lambda size, part: size * part.truths, self.parts, 1)


class Bits(Frozen, frozen=True, tag_field="form", tag="bits"):
    """A string of bits, each drawn by itself, one for each truth: that of the truth is one.

    A bit is reported as one with `one / denominator` where it is one, else `zero / denominator`.
    """

    bits: Annotated[int, msgspec.Meta(ge=2, le=MOST_BITS)]
    denominator: Denominator
    one: Entry
    zero: Entry

    @property
    def truths(self) -> int:
        return self.bits


class Linear(Frozen, frozen=True, tag_field="form", tag="linear"):
    """Two reports on a number: the second is the likelier the higher the number.

    Its probability at step j is `(low + rise * j) / denominator`, for j from 0 to `steps`.
    """

    reports: tuple[Text, Text]
    denominator: Denominator
    low: Entry
    rise: Count
    steps: Annotated[int, msgspec.Meta(ge=1, le=MOST_STEPS)]

    @property
    def truths(self) -> int:
        return self.steps + 1

    @property
    def high(self) -> int:
        """The entry of the second report at the highest number."""
        return self.low + self.rise * self.steps

    @property
    def ends(self) -> Dense:
        """The device of the two ends of the range, of which the mean is a linear map."""
        ends = tuple((self.denominator - entry, entry) for entry in (self.low, self.high))
        return Dense(reports=self.reports, denominator=self.denominator, columns=ends)


class Bloom(Frozen, frozen=True, tag_field="form", tag="bloom"):
    """The Bloom filter of a text in a cohort that chance draws, each bit drawn by itself.

    A text sets `hashes` different bits. A set bit is reported as one with `one / denominator`, a
    clear one with `zero / denominator`. Texts are no list, so there is no number of truths.
    """

    cohorts: Annotated[int, msgspec.Meta(ge=1, le=MOST_CELLS // 2)]
    bits: Annotated[int, msgspec.Meta(ge=2, le=MOST_FILTER_BITS)]
    hashes: Annotated[int, msgspec.Meta(ge=1, le=MOST_FILTER_BITS // 2)]
    denominator: Denominator
    one: Entry
    zero: Entry

    @property
    def truths(self) -> None:
        return None


class Ties(Frozen, frozen=True, tag_field="form", tag="ties"):
    """A bit for each of the other members, each drawn by itself; any number may be set.

    A tie is reported as one with `one / denominator`, where there is none with
    `zero / denominator`. The truths are sets, so there is no number of them.
    """

    bits: Annotated[int, msgspec.Meta(ge=LEAST_MEMBERS - 1, le=MOST_TIES)]
    denominator: Denominator
    one: Entry
    zero: Entry

    @property
    def truths(self) -> None:
        return None


class Joint(Frozen, frozen=True, tag_field="form", tag="joint"):
    """One draw for the answers to several questions: truth and report are tuples, one place each.

    A report that differs from the truth in w places has the probability `weights[w] / denominator`
    (Domingo-Ferrer 2018, Eq. 11). `parts`: the names of the report codes of each question.
    """

    parts: Annotated[tuple[Labels, ...], msgspec.Meta(min_length=2)]
    denominator: Denominator
    weights: Annotated[tuple[Entry, ...], msgspec.Meta(min_length=3)]

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of answers to each question."""
        return tuple(map(len, self.parts))

    @property
    def truths(self) -> int:
        return math.prod(self.shape)


class Ranking(Frozen, frozen=True, tag_field="form", tag="ranking"):
    """An order of items is reported as an order, by their distance: that of Kendall.

    Truths and reports are the orders as they are sorted, by number, and after all of them the
    refusal, if there is one. `weights[d] / denominator` is the chance of each report at distance d.
    `refusal`: with which chances an order is reported as a refusal, a refusal as itself, and a
    refusal as each of the orders. docs/methods/rankings.md
    """

    items: Annotated[int, msgspec.Meta(ge=LEAST_RANKED, le=MOST_RANKED)]
    denominator: Denominator
    weights: Annotated[tuple[Entry, ...], msgspec.Meta(min_length=LEAST_RANKED + 1)]
    refusal: tuple[Entry, Entry, Entry] | None

    @property
    def truths(self) -> int:
        return math.factorial(self.items) + (self.refusal is not None)


# Tables whose reports are single codes, so that every entry can be written down.
Coded = Dense | Uniform | Linear


class Chain(Frozen, frozen=True, tag_field="form", tag="chain"):
    """One answer reported several times: a report is a code of each step, the lowest first.

    `epsilons`: what each step keeps, the lowest first. The report of the last step is drawn from
    the truth, every other one from the report of the step after it, by the degradation between
    them: all together reveal what the last one does (Pan 2024, Theorem 4.1).
    """

    steps: Annotated[tuple[Dense | Uniform | Linear, ...], msgspec.Meta(min_length=2)]
    epsilons: Annotated[tuple[Decimal, ...], msgspec.Meta(min_length=2)]
    degradations: Annotated[tuple[Degradation, ...], msgspec.Meta(min_length=1)]

    @property
    def truths(self) -> int:
        return self.last.truths

    @property
    def last(self) -> Coded:
        """The step that is drawn from the truth."""
        return self.steps[-1]


Table = Dense | Uniform | Product | Bits | Linear | Bloom | Chain | Joint | Ties | Ranking


def coded(table: Table) -> Coded:
    """The table of a device whose reports are codes; TypeError for a tuple, bits or a chain."""
    if not isinstance(table, Coded):
        raise TypeError(f"the reports of a {type(table).__name__} are no codes")
    return table


def columns_of(table: Coded) -> tuple[tuple[int, ...], ...]:
    """Every entry, truth by truth, whatever the form."""
    match table:
        case Dense():
            return table.columns
        case Uniform():
            return _expand(table)
        case Linear():
            seconds = (table.low + table.rise * step for step in range(table.truths))
            return tuple((table.denominator - second, second) for second in seconds)
    assert_never(table)


def names_of(table: Table) -> tuple[str, ...]:
    """The names of the report codes; of a tuple, of bits or of a chain there are none."""
    return table.reports if isinstance(table, Coded) else ()


# A table of 50 answers is some 100 kB in this form.
@functools.lru_cache(maxsize=512)
def _expand(table: Uniform) -> tuple[tuple[int, ...], ...]:
    size = range(table.truths)
    return tuple(
        tuple(table.kept if report == truth else table.other for report in size) for truth in size
    )
