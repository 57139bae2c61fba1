"""Expected standard errors of the statistics of a network, before anybody has answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb, nan, sqrt
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError
from rr_engine.networks.graphs import check_graph
from rr_engine.networks.tie_device import check_switch, score_variances
from rr_engine.validation import FloatArray, check_open_unit, check_probability, check_whole

MOST_PEOPLE = 10**7


@dataclass(frozen=True, slots=True)
class PlannedStatistic:
    """What a statistic is expected to be, and the standard error that the device gives it."""

    value: float
    standard_error: float

    @property
    def relative_error(self) -> float:
        """Standard error over the value, nan where that is 0; Ours: the definition."""
        return self.standard_error / self.value if self.value else nan


@dataclass(frozen=True, slots=True, eq=False)
class NetworkPlan:
    """Expected errors of every statistic of a network.

    Attributes
    ----------
    people : int
        In each closed group.
    groups : int
    directed : bool
    statistics : mapping of str to PlannedStatistic
        "ties", "density" and "mean_degree" of all groups together; "degree" of one person
        (reported ties, where they are directed). Undirected: "two_paths", "triangles",
        "clustering", and "node_triangles" of one person. Directed: "mutual_ties", "reciprocity".
    """

    people: int
    groups: int
    directed: bool
    statistics: Mapping[str, PlannedStatistic]


def plan_network(
    people: int,
    design: DesignMatrix,
    density: float,
    *,
    directed: bool,
    reports: int = 1,
    groups: int = 1,
    reciprocity: float | None = None,
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
    size = check_whole(people, "people", minimum=3, maximum=MOST_PEOPLE)
    share = check_open_unit(density, "density")
    both_ways = check_switch(directed, "directed")
    times = check_whole(reports, "reports", minimum=1, maximum=1 if both_ways else 2)
    count = check_whole(groups, "groups", minimum=1, maximum=MOST_PEOPLE)
    variances = score_variances(design, times)
    if both_ways:
        returned = _check_reciprocity(reciprocity, share)
        moments = _random_directed(size, share, returned, variances)
    else:
        if reciprocity is not None:
            rule = "be left out: ties without a direction are all returned"
            raise ArgumentError("reciprocity", reciprocity, rule, "not_directed")
        moments = _random_undirected(size, share, variances)
    return _plan(moments, size, count, directed=both_ways)


def network_errors(
    graph: npt.ArrayLike, design: DesignMatrix, *, directed: bool, reports: int = 1
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
    both_ways = check_switch(directed, "directed")
    table = check_graph(graph, directed=both_ways)
    if len(table) < 3:
        raise ArgumentError("graph", graph, "have at least 3 people", "too_few_people")
    times = check_whole(reports, "reports", minimum=1, maximum=1 if both_ways else 2)
    tied, free = score_variances(design, times)
    noise = np.where(table == 1, tied, free)
    np.fill_diagonal(noise, 0)
    moments = (_given_directed if both_ways else _given_undirected)(table, noise)
    return _plan(moments, len(table), 1, directed=both_ways)


@dataclass(frozen=True, slots=True)
class Moments:
    """Values and variances of one group.

    `closed` and `paths` are the triangles and two-paths, or the mutual and all ties, `covariance`
    that of these two; `multiple` times closed over paths is clustering, or reciprocity.
    """

    ties: PlannedStatistic
    degree: PlannedStatistic
    closed: PlannedStatistic
    paths: PlannedStatistic
    covariance: float
    multiple: float
    node_closed: PlannedStatistic | None = None


def _statistic(value: float, variance: float) -> PlannedStatistic:
    return PlannedStatistic(float(value), sqrt(max(float(variance), 0.0)))


def _plan(moments: Moments, people: int, groups: int, *, directed: bool) -> NetworkPlan:
    def scaled(planned: PlannedStatistic, factor: float = 1.0) -> PlannedStatistic:
        error = planned.standard_error * sqrt(groups) * factor
        return PlannedStatistic(planned.value * groups * factor, error)

    pairs = comb(people, 2) * (2 if directed else 1) * groups
    per_person = (1 if directed else 2) / (people * groups)
    ratio = _ratio(moments, groups)
    statistics = {
        "ties": scaled(moments.ties),
        "density": scaled(moments.ties, 1 / pairs),
        "mean_degree": scaled(moments.ties, per_person),
        "degree": moments.degree,
    }
    if moments.node_closed is None:
        statistics |= {"mutual_ties": scaled(moments.closed), "reciprocity": ratio}
    else:
        statistics |= {
            "two_paths": scaled(moments.paths),
            "triangles": scaled(moments.closed),
            "clustering": ratio,
            "node_triangles": moments.node_closed,
        }
    return NetworkPlan(people, groups, directed, MappingProxyType(statistics))


def _ratio(moments: Moments, groups: int) -> PlannedStatistic:
    """Return the ratio and its standard error by the delta method."""
    if not moments.paths.value:
        return PlannedStatistic(nan, nan)
    ratio = moments.multiple * moments.closed.value / moments.paths.value
    variance = (
        moments.multiple**2 * moments.closed.standard_error**2
        - 2 * ratio * moments.multiple * moments.covariance
        + ratio**2 * moments.paths.standard_error**2
    )
    return _statistic(ratio, variance / moments.paths.value**2 / groups)


def _check_reciprocity(value: object, density: float) -> float:
    if value is None:
        return density
    returned = check_probability(value, "reciprocity")
    if density * (2 - returned) > 1:
        rule = f"be at least {2 - 1 / density:.4g} at a density of {density:.4g}"
        raise ArgumentError("reciprocity", value, rule, "out_of_range")
    return returned


def _random_undirected(n: int, density: float, variances: tuple[float, float]) -> Moments:
    tied, free = variances
    v, d = density * tied + (1 - density) * free, density
    pairs, triples = comb(n, 2), comb(n, 3)
    # Of two people: c common neighbours, and w ties to others.
    squared_common = (n - 2) * d**2 * (1 - d**2) + ((n - 2) * d**2) ** 2
    squared_ties = 2 * (n - 2) * d * (1 - d) + (2 * (n - 2) * d) ** 2
    mixed = (n - 2) * (2 * d**2 + (n - 3) * 2 * d**3)
    around = comb(n - 1, 2)
    of_three = 3 * v**2 * d + v**3
    return Moments(
        ties=_statistic(pairs * d, pairs * v),
        degree=_statistic((n - 1) * d, (n - 1) * v),
        closed=_statistic(triples * d**3, pairs * v * squared_common + triples * of_three),
        paths=_statistic(3 * triples * d**2, pairs * v * squared_ties + 3 * triples * v**2),
        covariance=pairs * v * mixed + 3 * triples * v**2 * d,
        multiple=3.0,
        node_closed=_statistic(
            around * d**3, (n - 1) * v * squared_common + around * (v * d**2 + of_three)
        ),
    )


def _random_directed(
    n: int, density: float, returned: float, variances: tuple[float, float]
) -> Moments:
    tied, free = variances
    pairs, d = comb(n, 2), density
    v = d * tied + (1 - d) * free
    # Mean of the variance of a tie whose return is there.
    beside = d * (returned * tied + (1 - returned) * free)
    one_way, none = d * (1 - returned), 1 - 2 * d + d * returned
    both = d * returned * tied**2 + 2 * one_way * tied * free + none * free**2
    ties = _statistic(2 * pairs * d, 2 * pairs * v)
    return Moments(
        ties=ties,
        degree=_statistic((n - 1) * d, (n - 1) * v),
        closed=_statistic(pairs * d * returned, pairs * (2 * beside + both)),
        paths=ties,
        covariance=2 * pairs * beside,
        multiple=2.0,
    )


def _given_undirected(x: FloatArray, v: FloatArray) -> Moments:
    n, degrees = len(x), x.sum(axis=1)
    common = x @ x
    np.fill_diagonal(common, 0)
    others = degrees[:, None] + degrees - 2 * x
    np.fill_diagonal(others, 0)
    # Products of the variances of two ties of one person: to both of two others.
    shared = v @ v
    np.fill_diagonal(shared, 0)
    triangles, triples = (common * x).sum(axis=1) / 2, (shared * v).sum(axis=1) / 2
    # Of the triangles of a person: their ties, the tie across, and two of the three.
    first = (v * common**2).sum(axis=1) + ((x @ v) * x).sum(axis=1) / 2
    second = ((v @ x) * v).sum(axis=1) / 2 + (shared * x).sum(axis=1)
    return Moments(
        ties=_statistic(x.sum() / 2, v.sum() / 2),
        degree=_statistic(degrees.mean(), v.sum() / n),
        closed=_statistic(
            triangles.sum() / 3,
            (v * common**2).sum() / 2 + (shared * x).sum() / 2 + triples.sum() / 3,
        ),
        paths=_statistic(
            (degrees * (degrees - 1)).sum() / 2, (v * others**2).sum() / 2 + shared.sum() / 2
        ),
        covariance=float((v * common * others).sum() / 2 + (shared * x).sum() / 2),
        multiple=3.0,
        node_closed=_statistic(triangles.mean(), (first + second + triples).mean()),
    )


def _given_directed(x: FloatArray, v: FloatArray) -> Moments:
    n, beside = len(x), float((v * x.T).sum())
    ties = _statistic(x.sum(), v.sum())
    return Moments(
        ties=ties,
        degree=_statistic(x.sum() / n, v.sum() / n),
        closed=_statistic((x * x.T).sum() / 2, beside + (v * v.T).sum() / 2),
        paths=ties,
        covariance=beside,
        multiple=2.0,
    )
