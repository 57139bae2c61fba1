"""Clusters of attributes that depend on each other.

By power iteration (Lin & Cohen 2010), by the normalized Laplacian (Ng, Jordan & Weiss 2001), or by
joining them one by one.
"""

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, as_list
from rr_engine.clusters.graph import SMALL_EFFECT, DependenceGraph
from rr_engine.errors import ArgumentError

# Digits in which two values or two costs are the same on every processor.
DIGITS = 10


def clusters_on_line(values: FloatArray, k: int) -> list[int]:
    """Return the number of the cluster of each value, with the least sum of squares within.

    Clusters of an optimum are intervals of the sorted values, so that dynamic programming finds it
    (Fisher 1958). Equal values stay together, so that there may be fewer clusters than k. Of
    clusters that are as good those with the larger last one are taken.
    """
    rounded = _rounded(values)
    points, places, numbers = np.unique(rounded, return_inverse=True, return_counts=True)
    starts = _starts(points, numbers.astype(np.float64), min(k, len(points)))
    labels = np.searchsorted(starts, np.arange(len(points)), side="right") - 1
    return labels[places].tolist()


def _rounded(values: FloatArray) -> FloatArray:
    """Return the values from 0 to 1, in ten digits; zeros where they are all the same."""
    spread = float(np.ptp(values))
    if spread <= 10.0**-DIGITS * float(np.abs(values).max()):
        return np.zeros(len(values))
    return np.round((values - values.min()) / spread, DIGITS)


def _starts(points: FloatArray, numbers: FloatArray, k: int) -> list[int]:
    """Return where each of k clusters of the sorted points begins."""
    cost, size = _spreads(points, numbers), len(points)
    best, came = cost[0], np.zeros((k, size + 1), dtype=int)
    for cluster in range(1, k):
        # By where the cluster begins (down) and ends (across).
        sums = np.round(best[:-1, None] + cost, DIGITS)
        came[cluster], best = sums.argmin(axis=0), sums.min(axis=0)
    starts, end = [], size
    for cluster in range(k - 1, -1, -1):
        end = int(came[cluster, end])
        starts.append(end)
    return starts[::-1]


def _spreads(points: FloatArray, numbers: FloatArray) -> FloatArray:
    """Return the sums of squares about the mean of the points from a to b - 1, at [a, b].

    Each point counts several times; infinite for no points.
    """
    moments = np.array([numbers, numbers * points, numbers * points**2])
    sums = np.concatenate([np.zeros((3, 1)), moments.cumsum(axis=1)], axis=1)
    people, total, squares = sums[:, None, :] - sums[:, :-1, None]
    some = people > 0
    means = np.divide(total, people, out=np.zeros_like(total), where=some)
    return np.where(some, np.maximum(squares - means * total, 0.0), np.inf)


# The paper's: the iteration ends where the speed of every entry changes by less than this over m.
SETTLED = 1e-5
LONGEST = 1000
ROUNDS = 100
Clusters = tuple[tuple[int, ...], ...]
Labels = Callable[[FloatArray, int], list[list[int]]]
# More questions are not asked together.
MOST_ATTRIBUTES = 60


def power_labels(weights: FloatArray, k: int) -> list[list[int]]:
    """Return clusters from each start: the degrees, and every attribute by itself.

    A walk along the edges soon forgets where in a cluster it began, and only later in which one:
    stopped in between, the vector is nearly constant over clusters, which are then found on a line.
    The starts are functions of the graph, not of chance or of the order of the attributes.
    """
    step = walk(weights)
    degrees = weights.sum(axis=1)
    total = float(degrees.sum())
    starts = np.eye(len(weights))
    if total > 0:
        starts = np.vstack([degrees / total, starts])
    return [clusters_on_line(vector, k) for vector in embeddings(step, starts)]


def walk(weights: FloatArray) -> FloatArray:
    """Return the step of a lazy walk: it stays with chance 1/2, and always where no edge leads on.

    The vectors that it keeps are those of the paper's step ``D^-1 A``. Without laziness a pair of
    attributes that are joined to each other alone would change places for ever.
    """
    degrees = weights.sum(axis=1)
    joined = degrees > 0
    step = np.eye(len(weights))
    step[joined] = (step[joined] + weights[joined] / degrees[joined, None]) / 2
    return step


def embeddings(step: FloatArray, starts: FloatArray) -> FloatArray:
    """Return, from each start, the vector at which the walk has slowed down evenly."""
    vectors, speeds = starts.copy(), np.full(starts.shape, np.inf)
    moving = np.arange(len(starts))
    for _ in range(LONGEST):
        before = vectors[moving]
        moved = before @ step.T
        moved /= np.abs(moved).sum(axis=1, keepdims=True)
        now = np.abs(moved - before)
        slower = np.abs(now - speeds[moving]).max(axis=1)
        vectors[moving], speeds[moving] = moved, now
        moving = moving[slower > SETTLED / len(step)]
        if not len(moving):
            break
    return vectors


def spectral_labels(weights: FloatArray, k: int) -> list[list[int]]:
    """Return clusters of the rows of the k first eigenvectors, from every first centre.

    Only the inner products of the rows are used: they do not depend on the signs of eigenvectors,
    nor on which ones a routine picks where eigenvalues are equal.
    """
    size = len(weights)
    degrees = weights.sum(axis=1)
    roots = np.where(degrees > 0, degrees, 1.0) ** 0.5
    # An attribute without edges is a component of its own.
    normalized = weights / np.outer(roots, roots) + np.diag((degrees == 0).astype(float))
    vectors = np.linalg.eigh((normalized + normalized.T) / 2)[1][:, size - k :]
    products = vectors @ vectors.T
    lengths = np.sqrt(np.maximum(np.diag(products), 1e-12))
    products = np.round(products / np.outer(lengths, lengths), DIGITS)
    return [_means(products, k, first) for first in range(size)]


def _means(products: FloatArray, k: int, first: int) -> list[int]:
    """Return k-means of points with these inner products, from centres that are far apart."""
    distances = np.diag(products)[:, None] + np.diag(products) - 2 * products
    centres = [first]
    while len(centres) < k:
        centres.append(int(np.argmax(np.round(distances[:, centres].min(axis=1), DIGITS))))
    labels = np.argmin(np.round(distances[:, centres], DIGITS), axis=1)
    for _ in range(ROUNDS):
        moved = np.argmin(np.round(_to_means(products, labels, k), DIGITS), axis=1)
        if (moved == labels).all():
            break
        labels = moved
    return labels.tolist()


def _to_means(products: FloatArray, labels: FloatArray, k: int) -> FloatArray:
    """Return the squared distance of each point to each mean; infinite to an empty cluster."""
    inside = (labels[:, None] == np.arange(k)).astype(float)
    members = inside.sum(axis=0)
    shares = inside / np.maximum(members, 1)
    cross = products @ shares
    within = (shares * cross).sum(axis=0)
    return np.where(members > 0, np.diag(products)[:, None] - 2 * cross + within, np.inf)


def _hierarchical(weights: FloatArray, k: int) -> list[list[int]]:
    distances = scipy.spatial.distance.squareform(1 - weights, checks=False)
    tree = scipy.cluster.hierarchy.linkage(distances, method="average")
    return [scipy.cluster.hierarchy.cut_tree(tree, n_clusters=k).ravel().tolist()]


METHODS: dict[str, Labels] = {
    "pic": power_labels,
    "spectral": spectral_labels,
    "hierarchical": _hierarchical,
}


def cluster_attributes(
    similarity: DependenceGraph | ArrayLike, k: int, method: str = "pic"
) -> Clusters:
    """Divide attributes into clusters that depend on each other within, and little between.

    Parameters
    ----------
    similarity : DependenceGraph or array_like of float, shape (m, m)
        Of a graph its :meth:`DependenceGraph.weights`. A matrix is symmetric, with entries from 0
        to 1; its diagonal does not count.
    k : int
        Number of clusters, from 1 to m.
    method : {"pic", "spectral", "hierarchical"}, default "pic"
        "pic" is power iteration clustering, "spectral" clusters eigenvectors of the normalized
        Laplacian, "hierarchical" cuts the tree of average linkage.

    Returns
    -------
    tuple of tuple of int
        Attributes by number, each cluster rising, in the order of their first ones. Of the results
        of several starts the one with the smallest normalized cut. "pic" and "spectral" return
        fewer than k clusters where attributes cannot be told apart.

    Raises
    ------
    ArgumentError

    Notes
    -----
    docs/methods/clusters.md. No method uses chance. Numbers are compared in ten digits, so that
    results are the same on every processor.

    References
    ----------
    .. [1] F. Lin and W. W. Cohen, "Power Iteration Clustering", ICML 2010.
    .. [2] A. Y. Ng, M. I. Jordan and Y. Weiss, "On Spectral Clustering: Analysis and an Algorithm",
       NIPS 2001.
    .. [3] R. R. Sokal and C. D. Michener, "A Statistical Method for Evaluating Systematic
       Relationships", University of Kansas Science Bulletin 38 (1958), 1409-1438.

    Examples
    --------
    >>> strong, weak = 0.6, 0.1
    >>> cluster_attributes([[1, strong, weak], [strong, 1, weak], [weak, weak, 1]], 2)
    ((0, 1), (2,))
    """
    weights = check_similarity(similarity)
    number = check.whole(k, "k", minimum=1, maximum=len(weights))
    check.choice(method, "method", METHODS)
    return clusters_of(weights, number, method)


def clusters_of(weights: FloatArray, k: int, method: str) -> Clusters:
    """Return the best clusters of a method, of weights that were checked."""
    if k == 1 or len(weights) == 1:
        return (tuple(range(len(weights))),)
    if k == len(weights):
        return tuple((place,) for place in range(k))
    found = {in_order(labels) for labels in METHODS[method](weights, k)}
    fullest = max(map(len, found))
    return min(
        (clusters for clusters in found if len(clusters) == fullest),
        key=lambda clusters: (round(normalized_cut(weights, clusters), DIGITS), clusters),
    )


def in_order(labels: Iterable[int]) -> Clusters:
    """Return clusters of rising numbers, in the order of their first ones."""
    members: dict[int, list[int]] = {}
    for place, label in enumerate(labels):
        members.setdefault(label, []).append(place)
    return tuple(map(tuple, members.values()))


def normalized_cut(weights: FloatArray, clusters: Clusters) -> float:
    """Return the sum over clusters of the weight that leaves them over all of theirs.

    Shi and Malik (2000). A cluster without any edge counts 0.
    """
    degrees, total = weights.sum(axis=1), 0.0
    for members in clusters:
        inside, volume = weights[np.ix_(members, members)].sum(), degrees[list(members)].sum()
        total += float((volume - inside) / volume) if volume > 0 else 0.0
    return total


def kept_similarity(weights: FloatArray, clusters: Clusters) -> float:
    """Return the sum of the weights within clusters, each pair once."""
    return float(sum(weights[np.ix_(members, members)].sum() / 2 for members in clusters))


def cells_of(clusters: Clusters, sizes: Sequence[int]) -> list[int]:
    """Return the number of combinations of each cluster."""
    return [prod(sizes[place] for place in members) for members in clusters]


def check_similarity(value: Any, least: float = SMALL_EFFECT) -> FloatArray:
    """Return weights: symmetric, from 0 to 1, zeros on the diagonal."""
    if isinstance(value, DependenceGraph):
        return value.weights(least)
    rule = "be a DependenceGraph or a symmetric table of numbers from 0 to 1"
    size = len(as_list(value) or ())
    if not 1 <= size <= MOST_ATTRIBUTES:
        rule = f"{rule}, of at most {MOST_ATTRIBUTES} attributes"
        raise ArgumentError("similarity", value, rule, "not_a_similarity")
    matrix = check.reals(value, (size, size), "similarity", rule)
    if matrix.min() < 0 or matrix.max() > 1 or (np.abs(matrix - matrix.T) > 1e-9).any():
        raise ArgumentError("similarity", value, rule, "not_a_similarity")
    weights = (matrix + matrix.T) / 2
    np.fill_diagonal(weights, 0.0)
    return weights


def check_clusters(value: object, attributes: int) -> Clusters:
    """Return clusters that hold each attribute once."""
    rule = f"be lists of numbers that hold each of 0 to {attributes - 1} once"
    groups = [as_list(group) or () for group in as_list(value) or ()]
    if not groups or not all(groups):
        raise ArgumentError("clusters", value, rule, "not_a_partition")
    members = [
        [check.whole(place, "clusters", maximum=attributes - 1) for place in group]
        for group in groups
    ]
    if sorted(place for group in members for place in group) != list(range(attributes)):
        raise ArgumentError("clusters", value, rule, "not_a_partition")
    labels = {place: number for number, group in enumerate(members) for place in group}
    return in_order(labels[place] for place in range(attributes))
