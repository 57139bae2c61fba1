"""Expected standard errors of a network's statistics, and the epsilon of a tie that they need."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import asinh, comb, sqrt
from types import MappingProxyType

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike
from rr_engine.design import DesignMatrix
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.networks.planned_moments import (
    Moments,
    PlannedStatistic,
    given_directed,
    given_undirected,
    random_directed,
    random_undirected,
)
from rr_engine.networks.reconstruction import check_graph
from rr_engine.networks.scores import check_bit_device

MOST_PEOPLE = 10**7


def score_variances(design: object, reports: int = 1) -> tuple[float, float]:
    """Return the variances of the mean score of so many reports on a tie, and on none."""
    p, q = check_bit_device(design)
    slope = (p - q) ** 2 * reports
    return p * (1 - p) / slope, q * (1 - q) / slope


@dataclass(frozen=True, slots=True, eq=False)
class NetworkPlan(Shown):
    """Expected errors of every statistic of a network.

    Attributes
    ----------
    people : int
        In each closed group.
    groups : int
    directed : bool
    statistics : mapping of str to PlannedStatistic
        "ties", "density" and "mean_degree" of all groups together; "degree" of one person who
        answers (reported ties, where they are directed). Undirected: "two_paths", "triangles",
        "clustering", and "node_triangles" of one person who answers. Directed: "mutual_ties",
        "reciprocity", "two_paths", "transitive_triples", "transitivity". Where not everybody
        answers, counts are those among the pairs that somebody was asked about.
    answering : int
        In each group.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.networks import plan_network
    >>> plan = plan_network(185, k_rr(2, 3), 0.04, directed=False)
    >>> plan.people, round(plan.statistics["ties"].standard_error, 1)
    (185, 30.6)
    """

    people: int
    groups: int
    directed: bool
    statistics: Mapping[str, PlannedStatistic]
    answering: int


def plan_network(
    people: int,
    design: DesignMatrix,
    density: float,
    *,
    directed: bool,
    reports: int = 1,
    groups: int = 1,
    reciprocity: float | None = None,
    answering: int | None = None,
) -> NetworkPlan:
    """Plan a network of random ties: everybody in a group is on the roster of all others.

    Parameters
    ----------
    people : int
        In each group, at least 3.
    design : DesignMatrix
        Of two categories, no tie and tie, and two reports: each name goes through it by itself.
    density : float
        Guess of the share of pairs that are tied, between 0 and 1.
    directed : bool
        Whether i may be tied to j without j being tied to i.
    reports : {1, 2}
        Of each undirected tie, by one of its ends or both, whose mean is taken.
    groups : int, default 1
        Closed groups of this size, over which counts are added up.
    reciprocity : float, optional
        Of directed ties: the share that is returned; the density when left out.
    answering : int, optional
        Of each group, from 2 on; everybody when left out. The others are on the roster all the
        same: who answers is asked about them. Undirected ties then need two reports.

    Returns
    -------
    NetworkPlan

    Raises
    ------
    ArgumentError, DesignError

    Notes
    -----
    docs/methods/network-privacy.md, "Planning". The variance for fixed ties, averaged over the
    model (Erdos and Renyi: all pairs are tied independently with the chance `density`), exactly;
    of ratios to first order. Real networks have more triangles, and a larger error of them:
    :func:`network_errors` takes a graph.

    References
    ----------
    Ours: from the variances of products of independent scores, docs/methods/network-privacy.md.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> plan = plan_network(185, k_rr(2, "3"), 0.04, directed=False)
    >>> for name in ("ties", "degree", "triangles", "clustering"):
    ...     planned = plan.statistics[name]
    ...     print(name, round(planned.value, 2), round(planned.standard_error, 2))
    ties 680.8 30.63
    degree 7.36 3.19
    triangles 66.45 30.13
    clustering 0.04 0.02
    """
    size = check.whole(people, "people", minimum=3, maximum=MOST_PEOPLE)
    share = check.open_unit(density, "density")
    both_ways = check.switch(directed, "directed")
    times = check.whole(reports, "reports", minimum=1, maximum=1 if both_ways else 2)
    count = check.whole(groups, "groups", minimum=1, maximum=MOST_PEOPLE)
    reporters = check_answering(answering, size, both_ways or times == 2)
    once = score_variances(design, 1)
    if both_ways:
        returned = _check_reciprocity(reciprocity, share)
        moments = random_directed(size, reporters, share, returned, once)
        asked = reporters * (size - 1)
    else:
        if reciprocity is not None:
            rule = "be left out: ties without a direction are all returned"
            raise ArgumentError("reciprocity", reciprocity, rule, "not_directed")
        noise = once, score_variances(design, times)
        moments = random_undirected(size, reporters, share, *noise)
        asked = comb(size, 2) - comb(size - reporters, 2)
    return _plan(moments, size, count, directed=both_ways, asked=asked, answering=reporters)


def network_errors(
    graph: ArrayLike, design: DesignMatrix, *, directed: bool, reports: int = 1
) -> NetworkPlan:
    """Compute the standard errors of the unbiased statistics of a given graph.

    Parameters
    ----------
    graph : array_like, shape (n, n)
        Ties, 0 and 1, symmetric unless directed, of at least 3 people.
    design : DesignMatrix
        See :func:`plan_network`.
    directed : bool
    reports : {1, 2}

    Returns
    -------
    NetworkPlan
        "degree" and "node_triangles" have the mean over the people, and the root of the mean
        variance.

    Raises
    ------
    ArgumentError, DesignError

    References
    ----------
    Ours: from the variances of products of independent scores, docs/methods/network-privacy.md.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> plan = network_errors(triangle, k_rr(2, "3"), directed=False)
    >>> round(plan.statistics["triangles"].standard_error, 4)
    0.418
    """
    both_ways = check.switch(directed, "directed")
    table = check_graph(graph, directed=both_ways)
    if len(table) < 3:
        raise ArgumentError("graph", graph, "have at least 3 people", "too_few_people")
    times = check.whole(reports, "reports", minimum=1, maximum=1 if both_ways else 2)
    tied, free = score_variances(design, times)
    noise = np.where(table == 1, tied, free)
    np.fill_diagonal(noise, 0)
    moments = (given_directed if both_ways else given_undirected)(table, noise)
    people = len(table)
    pairs = people * (people - 1) if both_ways else comb(people, 2)
    return _plan(moments, people, 1, directed=both_ways, asked=pairs, answering=people)


def _plan(
    moments: Moments, people: int, groups: int, *, directed: bool, asked: int, answering: int
) -> NetworkPlan:
    """`asked`: pairs of one group that somebody was asked about, of directed ties each way one."""

    def scaled(planned: PlannedStatistic, factor: float = 1.0) -> PlannedStatistic:
        error = planned.standard_error * sqrt(groups) * factor
        return PlannedStatistic(planned.value * groups * factor, error)

    pairs = asked * groups
    statistics = {
        "density": scaled(moments.ties, 1 / pairs),
        "mean_degree": scaled(moments.ties, (people - 1) / pairs),
        "degree": moments.degree,
    }
    for ratio in moments.ratios:
        statistics |= {
            ratio.of.closed: scaled(ratio.closed),
            ratio.of.paths: scaled(ratio.paths),
            ratio.of.ratio: ratio.ratio(groups),
        }
    # Not those of pairs asked both ways, which the reciprocity is a share of.
    statistics["ties"] = scaled(moments.ties)
    if moments.node_triangles is not None:
        statistics["node_triangles"] = moments.node_triangles
    return NetworkPlan(people, groups, directed, MappingProxyType(statistics), answering)


def check_answering(value: object, people: int, each_reports: bool) -> int:
    """Return how many of a group answer; fewer than all only where each reports all own ties."""
    if value is None:
        return people
    answering = check.whole(value, "answering", minimum=2, maximum=people)
    if answering < people and not each_reports:
        rule = "be left out where an undirected tie is reported by one end: say reports=2"
        raise ArgumentError("answering", value, rule, "not_two_reports")
    return answering


def _check_reciprocity(value: object, density: float) -> float:
    if value is None:
        return density
    returned = check.probability(value, "reciprocity")
    if density * (2 - returned) > 1:
        rule = f"be at least {2 - 1 / density:.4g} at a density of {density:.4g}"
        raise ArgumentError("reciprocity", value, rule, "out_of_range")
    return returned


def solve_tie_epsilon(
    people: int,
    standard_error: float,
    *,
    directed: bool,
    reports: int = 1,
    answering: int | None = None,
) -> float:
    """Compute the epsilon of each tie that gives the density a wanted standard error.

    Parameters
    ----------
    people : int
        On the roster, at least 3.
    standard_error : float
        Of the share of pairs that are tied, above 0 and at most 1.
    directed : bool
        Whether i may be tied to j without j being tied to i.
    reports : {1, 2}
        Of each undirected tie, by one of its ends or both, whose mean is taken.
    answering : int, optional
        People who answer, from 2 on; everybody when left out.

    Returns
    -------
    float
        Of the symmetric device, ``k_rr(2, epsilon)``.

    Raises
    ------
    ArgumentError

    Notes
    -----
    docs/methods/network-privacy.md, "Planning". The noise of a tie, ``v = 1/(4 sinh(e/2)**2)``,
    does not depend on the truth; the density has ``v (pairs asked once + pairs asked twice / 2)``
    over the square of the asked pairs, solved for e.

    References
    ----------
    Ours: from the variance of a sum of independent scores, docs/methods/network-privacy.md.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.networks import plan_network
    >>> epsilon = solve_tie_epsilon(60, 0.01, directed=True, answering=45)
    >>> round(epsilon, 3)
    1.721
    >>> plan = plan_network(60, k_rr(2, f"{epsilon:.6f}"), 0.1, directed=True, answering=45)
    >>> round(plan.statistics["density"].standard_error, 6)
    0.01
    """
    size = check.whole(people, "people", minimum=3, maximum=MOST_PEOPLE)
    error = check.real(standard_error, "standard_error")
    if not 0 < error <= 1:
        rule = "be above 0 and at most 1, as a share of the pairs"
        raise ArgumentError("standard_error", standard_error, rule, "out_of_range")
    both_ways = check.switch(directed, "directed")
    times = check.whole(reports, "reports", minimum=1, maximum=1 if both_ways else 2)
    reporters = check_answering(answering, size, both_ways or times == 2)
    if both_ways:
        asked, noises = reporters * (size - 1), float(reporters * (size - 1))
    else:
        by_both, by_one = comb(reporters, 2), reporters * (size - reporters)
        asked, noises = by_both + by_one, by_both / times + by_one
    return 2 * asinh(sqrt(noises) / (2 * error * asked))
