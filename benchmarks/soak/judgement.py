"""Whether a site takes more all the time, from samples of what it takes.

The first third of a soak is left out: caches fill, and each process sees each sort of request for
the first time. Of the rest

- memory: the mean of its last quarter is at most 1.05 times that of its first quarter, and the
  slope of a robust line (Theil and Sen: the median of the slopes between all pairs of samples)
  comes over the rest to at most as much;
- open files, threads and connections: neither the median of the last quarter above that of the
  first, nor the same line over the rest, comes to more than one for each process.

The quarters see a jump that stays; the line sees what grows evenly, and neither a tooth of a saw.
"""

import itertools
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WARM_UP = 1 / 3
MOST = 1.05
# Fewer samples after the warm-up tell nothing.
LEAST = 60


@dataclass(frozen=True)
class Growth:
    """Of a series after its warm-up: its first and its last quarter, and what the line adds."""

    first: float
    last: float
    line: float

    @property
    def ratio(self) -> float:
        return self.last / self.first

    @property
    def line_ratio(self) -> float:
        return 1 + self.line / self.first


def after_warm_up(values: Sequence[float]) -> Sequence[float]:
    return values[int(len(values) * WARM_UP) :]


def growth_of_memory(values: Sequence[float]) -> Growth:
    return _growth(values, statistics.fmean)


def growth_of_number(values: Sequence[float]) -> Growth:
    return _growth(values, statistics.median)


def _growth(values: Sequence[float], middle: Callable[[Sequence[float]], float]) -> Growth:
    rest = after_warm_up(values)
    quarter = max(len(rest) // 4, 1)
    return Growth(middle(rest[:quarter]), middle(rest[-quarter:]), slope(rest) * (len(rest) - 1))


def slope(values: Sequence[float]) -> float:
    """The median of the slopes between all pairs, for each step from one sample to the next."""
    pairs = itertools.combinations(enumerate(values), 2)
    slopes = [(later - value) / (after - place) for (place, value), (after, later) in pairs]
    return statistics.median(slopes) if slopes else 0.0


def memory_amiss(name: str, values: Sequence[float]) -> list[str]:
    growth = growth_of_memory(values)
    wrong = []
    if growth.ratio > MOST:
        wrong.append(f"memory of {name}: the last quarter is {growth.ratio:.3f} times the first")
    if growth.line_ratio > MOST:
        wrong.append(f"memory of {name}: the line ends at {growth.line_ratio:.3f} times the first")
    return wrong


def number_amiss(name: str, values: Sequence[float], processes: int) -> list[str]:
    """`values`: open files, or another number of which no process needs more and more."""
    growth = growth_of_number(values)
    more = max(growth.last - growth.first, growth.line)
    return [f"{name}: {more:+.1f} with {processes} processes"] if more > processes else []
