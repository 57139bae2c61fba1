"""Populations of the papers' surveys: synthetic people, or two attributes of the Adult data."""

import csv
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


def synthetic() -> Population:
    counts = np.array(YESIWELL_LIKE)
    levels = tuple(tuple(str(index + 1) for index in range(size)) for size in counts.shape)
    return Population(
        "synthetic", "248 synthetic people, 6 × 3 levels", ("LDL", "TC"), levels, counts
    )


def adult(path: Path, attributes: tuple[str, str] = ADULT_PAIR) -> Population:
    """Count two attributes of the Adult data (a CSV with a header line)."""
    with path.open(newline="") as file:
        rows = [tuple(row[name].strip() for name in attributes) for row in csv.DictReader(file)]
    levels = tuple(tuple(sorted(set(column))) for column in zip(*rows, strict=True))
    counts = np.zeros([len(labels) for labels in levels], dtype=np.int64)
    indices = [{level: index for index, level in enumerate(labels)} for labels in levels]
    for row in rows:
        cell = tuple(index[level] for index, level in zip(indices, row, strict=True))
        counts[cell] += 1
    first, second = attributes
    title = f"Adult: {first} × {second}, {counts.sum():,} people"
    return Population("adult", title, attributes, levels, counts)
