"""Variances of the statistics of a network for random ties, of which some members report.

Who reports is asked about everybody else. What is counted are pairs that somebody was asked about,
and triads of which all three pairs are such.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from rr_engine.networks.planned_moments import (
    MUTUAL,
    TRANSITIVE,
    TRIANGLES,
    Moments,
    PlannedRatio,
    statistic,
)

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
        multiple=3.0,
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
        multiple=2.0,
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
        multiple=1.0,
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
