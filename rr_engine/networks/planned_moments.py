"""Variances of the statistics of a network for ties that are known.

A sum of products of scores ``z = x + e`` with independent errors is a sum of orthogonal terms, in
each of which some errors stand with a coefficient: what is left of the products without them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, nan, sqrt
from typing import NamedTuple

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.display.shown import Shown


@dataclass(frozen=True, slots=True)
class PlannedStatistic(Shown):
    """The expected value of a statistic, and the standard error that the device gives it.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.networks import plan_network
    >>> ties = plan_network(185, k_rr(2, 3), 0.04, directed=False).statistics["ties"]
    >>> round(ties.value, 1), round(ties.relative_error, 3)
    (680.8, 0.045)
    """

    value: float
    standard_error: float

    @property
    def relative_error(self) -> float:
        """Standard error over the value, nan where that is 0; Ours: the definition."""
        return self.standard_error / self.value if self.value else nan


class RatioNames(NamedTuple):
    """What is closed, what could be, their ratio, and how often a closed one counts in it."""

    closed: str
    paths: str
    ratio: str
    multiple: float


TRIANGLES = RatioNames("triangles", "two_paths", "clustering", 3.0)
MUTUAL = RatioNames("mutual_ties", "ties", "reciprocity", 2.0)
TRANSITIVE = RatioNames("transitive_triples", "two_paths", "transitivity", 1.0)


@dataclass(frozen=True, slots=True)
class PlannedRatio:
    """`multiple` times what is closed over all that could be, as triangles over two-paths.

    `names` are those of what is closed, of what could be, and of the ratio; `covariance` is that of
    the first two.
    """

    of: RatioNames
    closed: PlannedStatistic
    paths: PlannedStatistic
    covariance: float

    def ratio(self, groups: int) -> PlannedStatistic:
        """Return the ratio over so many groups, by the delta method."""
        if not self.paths.value:
            return PlannedStatistic(nan, nan)
        ratio = self.of.multiple * self.closed.value / self.paths.value
        variance = (
            self.of.multiple**2 * self.closed.standard_error**2
            - 2 * ratio * self.of.multiple * self.covariance
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
    )


def _without_diagonal(table: FloatArray) -> FloatArray:
    np.fill_diagonal(table, 0)
    return table


# Noise variances of a score where there is a tie, and where there is none.
Noise = tuple[float, float]


def random_undirected(n: int, reporters: int, density: float, once: Noise, twice: Noise) -> Moments:
    """Return the moments of ties that are there independently.

    `twice` is the noise of a tie of two who report, `once` that of one of whom one does.
    """
    d, missing = density, n - reporters
    v, w = _mean(d, twice), _mean(d, once)
    # Pairs of two who report are in a triad with everybody, others only with those who report.
    pairs = ((comb(reporters, 2), v, n - 2), (reporters * missing, w, reporters - 1))
    all_three, two_of_three = comb(reporters, 3), comb(reporters, 2) * missing
    triples = all_three + two_of_three
    around = comb(reporters - 1, 2), (reporters - 1) * missing
    products = all_three * 3 * v**2 + two_of_three * (2 * v * w + w**2)
    of_three = _of_triad(v, v, d), _of_triad(v, w, d)
    closed = PlannedRatio(
        TRIANGLES,
        statistic(
            triples * d**3,
            sum(count * noise * _squared_common(others, d) for count, noise, others in pairs)
            + all_three * of_three[0]
            + two_of_three * of_three[1],
        ),
        statistic(
            3 * triples * d**2,
            sum(count * noise * _squared_ties(others, d) for count, noise, others in pairs)
            + products,
        ),
        covariance=sum(count * noise * _mixed(others, d) for count, noise, others in pairs)
        + products * d,
    )
    return Moments(
        ties=statistic(sum(count for count, _, _ in pairs) * d, sum(c * e for c, e, _ in pairs)),
        degree=statistic((n - 1) * d, (reporters - 1) * v + missing * w),
        ratios=(closed,),
        node_triangles=statistic(
            sum(around) * d**3,
            (reporters - 1) * v * _squared_common(n - 2, d)
            + missing * w * _squared_common(reporters - 1, d)
            + around[0] * (v * d**2 + of_three[0])
            + around[1] * (w * d**2 + of_three[1]),
        ),
    )


def random_directed(
    n: int, reporters: int, density: float, returned: float, noise: Noise
) -> Moments:
    """Return the moments of directed ties whose two directions depend on each other only."""
    tied, free = noise
    arcs, pairs, d = reporters * (n - 1), comb(reporters, 2), density
    v = _mean(d, noise)
    # Mean of the variance of a tie whose return is there.
    beside = d * (returned * tied + (1 - returned) * free)
    one_way, none = d * (1 - returned), 1 - 2 * d + d * returned
    both = d * returned * tied**2 + 2 * one_way * tied * free + none * free**2
    mutual = PlannedRatio(
        MUTUAL,
        statistic(pairs * d * returned, pairs * (2 * beside + both)),
        # The ties of pairs that were asked both ways.
        statistic(2 * pairs * d, 2 * pairs * v),
        covariance=2 * pairs * beside,
    )
    return Moments(
        statistic(arcs * d, arcs * v),
        statistic((n - 1) * d, (n - 1) * v),
        (mutual, _random_transitive(n, reporters, d, d * returned, v)),
    )


@dataclass(frozen=True, slots=True)
class _Added:
    """Mean values and mean products of what one other person adds to a tie's coefficients."""

    closed: float
    paths: float
    closed_square: float
    paths_square: float
    mixed: float


def _random_transitive(n: int, reporters: int, d: float, mutual: float, v: float) -> PlannedRatio:
    """Return transitive triples, of a density, a share of pairs with mutual ties, and a variance.

    Each other person k adds to the coefficients of a tie from a to b independently: to that of the
    triples ``x_bk x_ak`` if b reports, and ``x_ka x_kb + x_ak x_kb`` if k does; to that of the
    paths ``x_bk`` if b reports, and ``x_ka`` if k does.
    """
    missing, steps = n - reporters, reporters * (reporters - 1)
    triples, of_missing = steps * (n - 2), reporters * missing
    both_report = _Added(
        closed=3 * d**2,
        paths=2 * d,
        closed_square=3 * d**2 + 2 * mutual**2 + 4 * d * mutual,
        paths_square=2 * d + 2 * d**2,
        mixed=2 * d**2 + 4 * d * mutual,
    )
    head_reports = _Added(d**2, d, d**2, d, d**2)
    other_reports = _Added(2 * d**2, d, 2 * d**2 + 2 * d * mutual, d, d**2 + d * mutual)
    to_reporter = _squares([(reporters - 2, both_report), (missing, head_reports)])
    to_missing = _squares([(reporters - 1, other_reports)])
    closed, paths, mixed = (
        v * (steps * one + of_missing * other)
        for one, other in zip(to_reporter, to_missing, strict=True)
    )
    # A path has one third tie. Two ties of one head have either of two, and so have two of one
    # tail, of which only those from people who report were asked about.
    either = 2 * d + 2 * mutual
    tails = reporters * (comb(reporters - 1, 2) * either + (reporters - 1) * missing * d)
    second_order = v**2 * (triples * d + triples / 2 * either + tails)
    return PlannedRatio(
        TRANSITIVE,
        statistic(triples * d**3, closed + second_order + triples * v**3),
        statistic(triples * d**2, paths + triples * v**2),
        covariance=mixed + triples * v**2 * d,
    )


def _squares(parts: Sequence[tuple[int, _Added]]) -> tuple[float, float, float]:
    """Return the mean squares, and the mean product, of sums of what so many people add."""
    closed = sum(people * each.closed for people, each in parts)
    paths = sum(people * each.paths for people, each in parts)
    return (
        closed**2 + sum(people * (each.closed_square - each.closed**2) for people, each in parts),
        paths**2 + sum(people * (each.paths_square - each.paths**2) for people, each in parts),
        closed * paths + sum(k * (each.mixed - each.closed * each.paths) for k, each in parts),
    )


def _mean(density: float, noise: Noise) -> float:
    tied, free = noise
    return density * tied + (1 - density) * free


def _squared_common(others: int, d: float) -> float:
    """Return the mean square of the number of common neighbours among so many."""
    return others * d**2 * (1 - d**2) + (others * d**2) ** 2


def _squared_ties(others: int, d: float) -> float:
    """Return the mean square of the number of ties of two people to so many others."""
    return 2 * others * d * (1 - d) + (2 * others * d) ** 2


def _mixed(others: int, d: float) -> float:
    """Return the mean product of both."""
    return others * (2 * d**2 + (others - 1) * 2 * d**3)


def _of_triad(twice: float, once: float, d: float) -> float:
    """Return what the noise of two and of three ties adds to a triangle.

    One of its pairs reports twice, the others `once`.
    """
    return (2 * twice * once + once**2) * d + twice * once**2
