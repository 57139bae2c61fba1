"""Clusters whose combinations the planned respondents can fill."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, as_list
from rr_engine.clusters.clustering import (
    DIGITS,
    METHODS,
    Clusters,
    cells_of,
    check_clusters,
    check_similarity,
    clusters_of,
    in_order,
    kept_similarity,
    normalized_cut,
)
from rr_engine.clusters.graph import SMALL_EFFECT, DependenceGraph
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError

# Kept dependence, cells and clusters (signed so that more is better), and the first cluster.
Division = tuple[float, int, int, int]
# Subsets of so many attributes are gone through one by one.
MOST_EXACT = 12
CHOICES = ("best", "exact", *METHODS)


@dataclass(frozen=True, slots=True)
class ClusterChoice(Shown):
    """A division of attributes into clusters, and what it keeps.

    Attributes
    ----------
    clusters : tuple of tuple of int
    cells : tuple of int
        Combinations of the answers of each cluster.
    kept : float
        Share of the similarity of all pairs that is within clusters; 1 where there is none.
    normalized_cut : float
    method : str
        Which one found it, or "given".
    fits : bool
        Whether the largest cluster has few enough cells.

    Examples
    --------
    >>> from rr_engine.clusters import choose_clusters
    >>> similarity = [[1, 0.6, 0.5], [0.6, 1, 0.1], [0.5, 0.1, 1]]
    >>> chosen = choose_clusters(similarity, [4, 5, 3], 200, multiple=0.1)
    >>> chosen.clusters, chosen.cells, chosen.fits
    (((0, 1), (2,)), (20, 3), True)
    """

    clusters: Clusters
    cells: tuple[int, ...]
    kept: float
    normalized_cut: float
    method: str
    fits: bool


def choose_clusters(
    similarity: DependenceGraph | ArrayLike,
    sizes: Sequence[int],
    n: int,
    multiple: float = 1.0,
    method: str = "best",
    least: float = SMALL_EFFECT,
) -> ClusterChoice:
    """Choose the clusters that keep the most dependence, none with too many cells for `n` people.

    Parameters
    ----------
    similarity : DependenceGraph or array_like of float, shape (m, m)
        As for :func:`cluster_attributes`.
    sizes : sequence of int
        Number of categories of each attribute, possibly after merging some.
    n : int
        Planned respondents of the main survey.
    multiple : float, default 1
        The cells of the largest cluster are at most `n` times this; 0.1 leaves ten people a cell.
    method : {"best", "exact", "pic", "spectral", "hierarchical"}, default "best"
        "exact" goes through all divisions of up to 12 attributes. The others try every number of
        clusters, and halve clusters that are too large. "best" is "exact" where it can be, else the
        best of the three.
    least : float, default 0.1
        Pairs of a graph with less similarity count as independent.

    Returns
    -------
    ClusterChoice
        The one that keeps the largest sum of similarities within clusters. Of several the one with
        the fewest cells in all, then with the most clusters: attributes that nothing joins stay
        alone.

    Raises
    ------
    ArgumentError
        Where an attribute alone has too many cells: its categories have to be merged first. Also
        for "exact" with more than 12 attributes.

    Notes
    -----
    docs/methods/clusters.md.

    References
    ----------
    .. [1] J. Domingo-Ferrer, R. Mulero-Vellido and J. Soria-Comas, "Multiparty Computation with
       Statistical Input Confidentiality via Randomized Response", PSD 2018, Eq. 4.

    Examples
    --------
    >>> similarity = [[1, 0.6, 0.5], [0.6, 1, 0.1], [0.5, 0.1, 1]]
    >>> chosen = choose_clusters(similarity, [4, 5, 3], 200, multiple=0.1)
    >>> chosen.clusters, chosen.cells, round(chosen.kept, 3)
    (((0, 1), (2,)), (20, 3), 0.5)
    """
    weights = check_similarity(similarity, check.probability(least, "least"))
    numbers = check_category_numbers(sizes, len(weights))
    limit = check_limit(n, multiple)
    check.choice(method, "method", CHOICES)
    if max(numbers) > limit:
        rule = f"have at most {limit:g} categories each, or more people; merge some categories"
        raise ArgumentError("sizes", max(numbers), rule, "cluster_too_large", limit)
    if method == "exact":
        check.whole(len(weights), "sizes", minimum=1, maximum=MOST_EXACT)
    found = [
        _choice(by, clusters, weights, numbers, limit)
        for by, clusters in _candidates(weights, numbers, limit, method)
    ]
    return min(found, key=_rank)


def judge_clusters(
    clusters: Sequence[Sequence[int]],
    similarity: DependenceGraph | ArrayLike,
    sizes: Sequence[int],
    n: int,
    multiple: float = 1.0,
) -> ClusterChoice:
    """Say of clusters that were made by hand what :func:`choose_clusters` says of its own.

    Parameters
    ----------
    clusters : sequence of sequences of int
        Each attribute in one of them.
    similarity, sizes, n, multiple
        As for :func:`choose_clusters`.

    Returns
    -------
    ClusterChoice
        Also where a cluster has too many cells: `fits` says so.

    Raises
    ------
    ArgumentError

    References
    ----------
    Ours: docs/methods/clusters.md.

    Examples
    --------
    >>> similarity = [[1, 0.6, 0.5], [0.6, 1, 0.1], [0.5, 0.1, 1]]
    >>> judge_clusters([[0, 1, 2]], similarity, [4, 5, 3], 200, multiple=0.1).fits
    False
    """
    weights = check_similarity(similarity)
    numbers = check_category_numbers(sizes, len(weights))
    limit = check_limit(n, multiple)
    given = check_clusters(clusters, len(weights))
    return _choice("given", given, weights, numbers, limit)


def _rank(choice: ClusterChoice) -> tuple[float, int, int, Clusters]:
    kept = -round(choice.kept, DIGITS)
    return kept, sum(choice.cells), -len(choice.clusters), choice.clusters


def _choice(
    by: str, clusters: Clusters, weights: FloatArray, sizes: Sequence[int], limit: float
) -> ClusterChoice:
    cells, total = tuple(cells_of(clusters, sizes)), float(weights.sum() / 2)
    kept = kept_similarity(weights, clusters) / total if total > 0 else 1.0
    cut = normalized_cut(weights, clusters)
    return ClusterChoice(clusters, cells, kept, cut, by, fits=max(cells) <= limit)


def _candidates(
    weights: FloatArray, sizes: Sequence[int], limit: float, method: str
) -> Iterator[tuple[str, Clusters]]:
    """Give divisions whose clusters all fit, each with the method that found it."""
    if method == "exact" or (method == "best" and len(weights) <= MOST_EXACT):
        yield "exact", best_division(weights, sizes, limit)
        return
    for name in METHODS if method == "best" else (method,):
        for k in range(1, len(weights) + 1):
            clusters = components(clusters_of(weights, k, name), weights)
            if max(cells_of(clusters, sizes)) <= limit:
                yield name, clusters
        yield name, components(halved(weights, sizes, limit, name), weights)


def components(clusters: Clusters, weights: FloatArray) -> Clusters:
    """Return the connected parts of clusters: what nothing joins costs cells and keeps nothing."""
    inside = np.zeros(weights.shape, dtype=bool)
    for members in clusters:
        inside[np.ix_(members, members)] = True
    linked = inside & (weights > 0)
    _, parts = scipy.sparse.csgraph.connected_components(linked, directed=False)
    return in_order(parts.tolist())


def halved(weights: FloatArray, sizes: Sequence[int], limit: float, method: str) -> Clusters:
    """Return clusters that were divided in two until each of them fits."""
    waiting, done = [tuple(range(len(weights)))], []
    while waiting:
        members = waiting.pop()
        if cells_of((members,), sizes)[0] <= limit:
            done.append(members)
            continue
        parts = clusters_of(weights[np.ix_(members, members)], 2, method)
        if len(parts) < 2:  # Nothing tells them apart: the one with the most categories leaves.
            largest = max(range(len(members)), key=lambda place: (sizes[members[place]], -place))
            parts = ((largest,), tuple(p for p in range(len(members)) if p != largest))
        waiting += [tuple(members[place] for place in part) for part in parts]
    return tuple(sorted(done))


def best_division(weights: FloatArray, sizes: Sequence[int], limit: float) -> Clusters:
    """Return the division that keeps most, by dynamic programming over sets of attributes.

    A set is a number whose bits name its attributes. The best division of a set is that of what a
    cluster with its first attribute leaves over, for the best such cluster.
    """
    size = len(weights)
    cells, kept = [1] * 2**size, [0.0] * 2**size
    for chosen in range(1, 2**size):
        first = (chosen & -chosen).bit_length() - 1
        rest = chosen & (chosen - 1)
        cells[chosen] = cells[rest] * sizes[first]
        kept[chosen] = kept[rest] + sum(
            float(weights[first, place]) for place in range(size) if rest >> place & 1
        )
    best: list[Division] = [(0.0, 0, 0, 0)]
    for chosen in range(1, 2**size):
        first, part, options = chosen & -chosen, chosen, []
        while part:
            if part & first and (cells[part] <= limit or part == first):
                lost, total, number, _ = best[chosen ^ part]
                lost = round(lost - kept[part], DIGITS)
                options.append((lost, total + cells[part], number - 1, -part))
            part = (part - 1) & chosen
        best.append(min(options))
    return _read_off(best, size)


def _read_off(best: list[Division], size: int) -> Clusters:
    left, clusters = 2**size - 1, []
    while left:
        part = -best[left][3]
        clusters.append(tuple(place for place in range(size) if part >> place & 1))
        left ^= part
    return tuple(clusters)


def check_category_numbers(value: Any, attributes: int | None) -> list[int]:
    """Return one number of categories for each attribute."""
    entries = as_list(value)
    wanted = "each attribute" if attributes is None else f"each of {attributes} attributes"
    if not entries or (attributes is not None and len(entries) != attributes):
        rule = f"have one number of categories for {wanted}"
        raise ArgumentError("sizes", value, rule, "sizes_missing")
    return [check.whole(entry, "sizes", minimum=2, maximum=2**25) for entry in entries]


def check_limit(n: int, multiple: float) -> float:
    """Return the largest number of cells."""
    return check.size(n) * check.positive(multiple, "multiple", "be a number above 0")
