"""Populations of the papers' surveys: synthetic people, or two attributes of the Adult data."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# 248 people by LDL cholesterol (six levels, down) and total cholesterol (three, across): the sizes
# of Wang's table. The YesiWell data are not public; these counts are ours, with a positive
# association, as between the two measurements.
YESIWELL_LIKE = [
    [50, 10, 2],
    [45, 24, 5],
    [18, 28, 9],
    [4, 14, 12],
    [1, 5, 11],
    [1, 2, 7],
]
ADULT_PAIR = ("relationship", "income")


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """Counts of people over two attributes, the first along the rows."""

    name: str
    title: str
    attributes: tuple[str, str]
    levels: tuple[tuple[str, ...], tuple[str, ...]]
    counts: np.ndarray

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def table(self) -> np.ndarray:
        """Proportions of the pairs."""
        return self.counts / self.n

    @property
    def shares(self) -> np.ndarray:
        """Proportions of the first attribute."""
        return self.table.sum(axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """One row for each person, with the number of their level of each attribute."""

    attributes: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    answers: np.ndarray

    @property
    def n(self) -> int:
        return len(self.answers)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.levels))

    def table(self, first: int, second: int) -> np.ndarray:
        """Count people by two of the attributes."""
        return pair_counts(self.answers, (first, second), self.sizes)


def pair_counts(answers: np.ndarray, pair: tuple[int, int], sizes: Sequence[int]) -> np.ndarray:
    """Count the rows by two of their columns."""
    first, second = pair
    cells = answers[:, first] * sizes[second] + answers[:, second]
    counts = np.bincount(cells, minlength=sizes[first] * sizes[second])
    return counts.reshape(sizes[first], sizes[second])


def synthetic() -> Population:
    counts = np.array(YESIWELL_LIKE)
    levels = tuple(tuple(str(index + 1) for index in range(size)) for size in counts.shape)
    return Population(
        "synthetic", "248 synthetic people, 6 × 3 levels", ("LDL", "TC"), levels, counts
    )


def adult(path: Path, attributes: tuple[str, str] = ADULT_PAIR) -> Population:
    """Count two attributes of the Adult data (a CSV with a header line)."""
    records = adult_records(path, attributes)
    first, second = attributes
    title = f"Adult: {first} × {second}, {records.n:,} people"
    return Population("adult", title, attributes, records.levels, records.table(0, 1))


def adult_records(path: Path, attributes: Sequence[str]) -> Records:
    """Read attributes of the Adult data (a CSV with a header line)."""
    with path.open(newline="") as file:
        rows = [tuple(row[name].strip() for name in attributes) for row in csv.DictReader(file)]
    columns = list(zip(*rows, strict=True))
    levels = tuple(tuple(sorted(set(column))) for column in columns)
    places = [{level: place for place, level in enumerate(labels)} for labels in levels]
    answers = [
        [of_level[level] for level in column]
        for column, of_level in zip(columns, places, strict=True)
    ]
    return Records(tuple(attributes), levels, np.array(answers, dtype=np.int64).T)
