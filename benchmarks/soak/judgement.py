"""Whether a site takes more all the time, from samples of what it takes.

The first third of a soak is left out: caches fill, and each process sees each sort of request for
the first time. Of the rest

- memory: the mean of its last quarter is at most 1.05 times that of its first quarter, and a line
  through its eighths comes over the rest to at most as much. The line is Theil's and Sen's: its
  slope is the median of those between all pairs, here of the eighths' means;
- open files, threads and connections: by at most one for each process is the median of the last
  quarter above that of the first, or the same line through medians rises.

The quarters see a jump that stays; the line sees what grows evenly. Neither minds the teeth of a
saw, where processes are replaced, if there are some in each quarter.
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
    quarters, eighths = ([middle(part) for part in parts(rest, number)] for number in (4, 8))
    return Growth(quarters[0], quarters[-1], slope(eighths) * len(eighths))


def parts(values: Sequence[float], number: int) -> list[Sequence[float]]:
    """As many parts of about the same length, none of them empty."""
    number = min(number, len(values))
    ends = [place * len(values) // number for place in range(number + 1)]
    return [values[start:end] for start, end in itertools.pairwise(ends)]


def slope(values: Sequence[float]) -> float:
    """The median of the slopes between all pairs, for each step from one value to the next."""
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
    more = min(growth.last - growth.first, growth.line)
    return [f"{name}: {more:+.1f} with {processes} processes"] if more > processes else []
