"""Variances of the statistics of a network for ties that are known.

A sum of products of scores ``z = x + e`` with independent errors is a sum of orthogonal terms, in
each of which some errors stand with a coefficient: what is left of the products without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

from rr_engine.validation import FloatArray


@dataclass(frozen=True, slots=True)
class PlannedStatistic:
    """The expected value of a statistic, and the standard error that the device gives it."""

    value: float
    standard_error: float

    @property
    def relative_error(self) -> float:
        """Standard error over the value, nan where that is 0; Ours: the definition."""
        return self.standard_error / self.value if self.value else nan


@dataclass(frozen=True, slots=True)
class PlannedRatio:
    """`multiple` times what is closed over all that could be, as triangles over two-paths.

    `names` are those of what is closed, of what could be, and of the ratio; `covariance` is that of
    the first two.
    """

    names: tuple[str, str, str]
    closed: PlannedStatistic
    paths: PlannedStatistic
    covariance: float
    multiple: float

    def ratio(self, groups: int) -> PlannedStatistic:
        """Return the ratio over so many groups, by the delta method."""
        if not self.paths.value:
            return PlannedStatistic(nan, nan)
        ratio = self.multiple * self.closed.value / self.paths.value
        variance = (
            self.multiple**2 * self.closed.standard_error**2
            - 2 * ratio * self.multiple * self.covariance
            + ratio**2 * self.paths.standard_error**2
        )
        # Divided twice: the square of a tiny number of paths would be 0.
        return statistic(ratio, variance / self.paths.value / self.paths.value / groups)


@dataclass(frozen=True, slots=True)
class Moments:
    """Values and variances of one group; `node_triangles` of undirected ties only."""

    ties: PlannedStatistic
    degree: PlannedStatistic
    ratios: tuple[PlannedRatio, ...]
    node_triangles: PlannedStatistic | None = None


TRIANGLES = ("triangles", "two_paths", "clustering")
MUTUAL = ("mutual_ties", "ties", "reciprocity")
TRANSITIVE = ("transitive_triples", "two_paths", "transitivity")


def statistic(value: float, variance: float) -> PlannedStatistic:
    """Return a statistic with the root of its variance."""
    return PlannedStatistic(float(value), sqrt(max(float(variance), 0.0)))


def given_undirected(x: FloatArray, v: FloatArray) -> Moments:
    """Return the moments of given ties, with the variances of their scores."""
    n, degrees = len(x), x.sum(axis=1)
    common = _without_diagonal(x @ x)
    others = _without_diagonal(degrees[:, None] + degrees - 2 * x)
    # Products of the variances of two ties of one person: to both of two others.
    shared = _without_diagonal(v @ v)
    triangles, triples = (common * x).sum(axis=1) / 2, (shared * v).sum(axis=1) / 2
    # Moments of a person's triangles: their ties, the tie across, and two of the three.
    first = (v * common**2).sum(axis=1) + ((x @ v) * x).sum(axis=1) / 2
    second = ((v @ x) * v).sum(axis=1) / 2 + (shared * x).sum(axis=1)
    closed = PlannedRatio(
        TRIANGLES,
        statistic(
            triangles.sum() / 3,
            (v * common**2).sum() / 2 + (shared * x).sum() / 2 + triples.sum() / 3,
        ),
        statistic(
            (degrees * (degrees - 1)).sum() / 2, (v * others**2).sum() / 2 + shared.sum() / 2
        ),
        covariance=float((v * common * others).sum() / 2 + (shared * x).sum() / 2),
        multiple=3.0,
    )
    return Moments(
        ties=statistic(x.sum() / 2, v.sum() / 2),
        degree=statistic(degrees.mean(), v.sum() / n),
        ratios=(closed,),
        node_triangles=statistic(triangles.mean(), (first + second + triples).mean()),
    )


def given_directed(x: FloatArray, v: FloatArray) -> Moments:
    """Return the moments of given directed ties, with the variances of their scores."""
    n, beside = len(x), float((v * x.T).sum())
    ties = statistic(x.sum(), v.sum())
    mutual = PlannedRatio(
        MUTUAL,
        statistic((x * x.T).sum() / 2, beside + (v * v.T).sum() / 2),
        ties,
        covariance=beside,
        multiple=2.0,
    )
    return Moments(ties, statistic(x.sum() / n, v.sum() / n), (mutual, _given_transitive(x, v)))


def _given_transitive(x: FloatArray, v: FloatArray) -> PlannedRatio:
    """Return the triples of i to j, j to k and i to k, and the paths from i by j to k."""
    paths = _without_diagonal(x @ x)
    # A tie's triples and paths that are left, by the part it has in them.
    closed = _without_diagonal(paths + x @ x.T + x.T @ x)
    ends = _without_diagonal(x.sum(axis=1) + x.sum(axis=0)[:, None] - 2 * x.T)
    on_paths = _without_diagonal(v @ v)
    # Two ties of one tail, or of one head, are closed by either direction of the third.
    either = _without_diagonal(v.T @ v + v @ v.T) * (x + x.T) ** 2
    third = (on_paths * x).sum()
    return PlannedRatio(
        TRANSITIVE,
        statistic(
            (paths * x).sum(),
            (v * closed**2).sum() + third + either.sum() / 2 + (on_paths * v).sum(),
        ),
        statistic(paths.sum(), (v * ends**2).sum() + on_paths.sum()),
        covariance=float((v * closed * ends).sum() + third),
        multiple=1.0,
    )


def _without_diagonal(table: FloatArray) -> FloatArray:
    np.fill_diagonal(table, 0)
    return table
