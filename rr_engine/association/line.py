"""Tables on the line from the independent or uniform table through an estimated one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rr_engine.validation import FloatArray

# Steps at which the line is tabulated: 0 is no association, 1 the estimate, and far beyond.
STEPS = np.concatenate([np.linspace(0, 2, 81), np.geomspace(2.1, 50, 40)])
# A rate of change is a difference over this share of the distance to either side.
NEAR = 0.02
# Distances closer than this are equal.
SAME = 1e-12

Measure = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line of possible tables, with their distances and the measure of each.

    Attributes
    ----------
    start, direction : ndarray of float, shape (cells,)
        The table that says nothing, and from it to the estimate.
    steps, distances, values : ndarray of float
        Steps along the direction, the rising distances, and the values of the tables there. Both
        end with those of the limit, which no step need reach.
    """

    start: FloatArray
    direction: FloatArray
    steps: FloatArray
    distances: FloatArray
    values: FloatArray

    @property
    def limit(self) -> float:
        return float(self.distances[-1])

    def value(self, distance: float) -> float:
        """Return the measure of the table at a distance."""
        return float(np.interp(distance, self.distances, self.values))

    def rate(self, distance: float) -> float:
        """Return how fast the measure changes with the distance."""
        low, high = distance * (1 - NEAR), min(distance * (1 + NEAR), self.limit)
        return (self.value(high) - self.value(low)) / (high - low)

    def table(self, distance: float) -> tuple[FloatArray, bool]:
        """Return the table at a distance, and whether it is possible without projection."""
        straight = (
            self.start + np.interp(distance, self.distances[:-1], self.steps) * self.direction
        )
        return project_rows(straight[None])[0], bool(straight.min() > 0)


def line_through(
    start: FloatArray, direction: FloatArray, distance: Measure, measure: Measure, last: tuple
) -> Line:
    """Return the line; `last` is the largest distance and the measure of it."""
    tables = project_rows(start + STEPS[:, None] * direction)
    distances = np.maximum.accumulate(distance(tables))
    distinct = np.flatnonzero(np.diff(distances, prepend=-1.0) > SAME)
    distinct = distinct[distances[distinct] < last[0]]
    return Line(
        start,
        direction,
        STEPS[distinct],
        np.append(distances[distinct], last[0]),
        np.append(measure(tables[distinct]), last[1]),
    )


def project_rows(rows: FloatArray) -> FloatArray:
    """Return the projection of each row onto the simplex, as `project_to_simplex` does."""
    descending = -np.sort(-rows, axis=1)
    excess = (np.cumsum(descending, axis=1) - 1) / np.arange(1, rows.shape[1] + 1)
    last = (descending > excess).sum(axis=1) - 1
    return np.maximum(rows - np.take_along_axis(excess, last[:, None], axis=1), 0.0)
