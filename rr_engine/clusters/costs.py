"""What a device over each cluster costs and how well it tells the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from itertools import combinations
from math import prod

import numpy as np

from rr_engine.channels.joint_channel import JointChannel
from rr_engine.channels.joint_design import joint_design
from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import Channel
from rr_engine.channels.shapes import check_sizes
from rr_engine.channels.uniform import UniformChannel
from rr_engine.clusters.choosing import check_category_numbers
from rr_engine.clusters.clustering import Clusters, check_clusters
from rr_engine.errors import ArgumentError
from rr_engine.validation import (
    MAX_BITS,
    as_list,
    check_choice,
    check_epsilon,
    check_size,
)

PLACES = 12
FORMS = ("changes", "uniform", "independent")
ClusterChannel = JointChannel | UniformChannel | ProductChannel


@dataclass(frozen=True, slots=True)
class ClusterCost:
    """One cluster's device.

    Attributes
    ----------
    attributes : tuple of int
    cells : int
        Combinations of the answers.
    epsilon : float
        Privacy loss of its report.
    people_per_cell : float
    cell_error, pair_error, margin_error : float
        Expected standard errors of a combination of all answers, of a combination of two, and of
        an answer: root mean squares where all combinations are equally common. Of a cluster of one
        attribute the first and the last are the same, and `pair_error` is None.
    """

    attributes: tuple[int, ...]
    cells: int
    epsilon: float
    people_per_cell: float
    cell_error: float
    pair_error: float | None
    margin_error: float


def cluster_costs(
    clusters: Sequence[Sequence[int]],
    sizes: Sequence[int],
    epsilon: Decimal | str | float | Sequence[Decimal | str | float],
    n: int,
    form: str = "changes",
) -> tuple[ClusterCost, ...]:
    """Return cells, epsilon and expected errors of each cluster.

    Parameters
    ----------
    clusters : sequence of sequences of int
        Each attribute in one of them.
    sizes : sequence of int
        Number of categories of each attribute.
    epsilon : number, or one for each cluster
        One number is the total, divided in proportion to the number of attributes.
    n : int
        Respondents.
    form : {"changes", "uniform", "independent"}, default "changes"
        The device of a cluster: the first two as for :func:`joint_design`; "independent" is a k-ary
        randomized response of each attribute, at equal parts of the cluster's epsilon.

    Returns
    -------
    tuple of ClusterCost
        In the order of the clusters' first attributes; a list of epsilons is in this order too.

    Raises
    ------
    ArgumentError, EpsilonError
        "changes" has a loss of at least the logarithm of the cluster's number of attributes.
    DesignError
        For a cluster of more than 2**25 cells.

    Notes
    -----
    docs/methods/clusters.md.

    References
    ----------
    .. [1] J. Domingo-Ferrer, R. Mulero-Vellido and J. Soria-Comas, "Multiparty Computation with
       Statistical Input Confidentiality via Randomized Response", PSD 2018, sections 5 and 6.3.
    .. [2] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 18.

    Examples
    --------
    >>> first, second = cluster_costs([[0, 1], [2]], [9, 16, 2], 9, 10_000)
    >>> first.cells, round(first.epsilon, 3), round(first.cell_error, 5)
    (144, 6.0, 0.00118)
    >>> round(second.margin_error, 4)
    0.0055
    """
    numbers = check_category_numbers(sizes, None)
    given, people = check_clusters(clusters, len(numbers)), check_size(n)
    check_choice(form, "form", FORMS)
    parts = [check_sizes([numbers[place] for place in members], "sizes") for members in given]
    budgets = _budgets(epsilon, given)
    return tuple(
        _cost(members, device_of(shape, budget, form), people)
        for members, shape, budget in zip(given, parts, budgets, strict=True)
    )


def _budgets(epsilon: object, clusters: Clusters) -> list[Decimal]:
    entries = as_list(epsilon)
    if entries is None:
        total, attributes = check_epsilon(epsilon), sum(map(len, clusters))
        return [total * len(members) / attributes for members in clusters]
    if len(entries) != len(clusters):
        rule = f"be one number, or one for each of {len(clusters)} clusters"
        raise ArgumentError("epsilon", epsilon, rule, "not_numbers")
    return [check_epsilon(entry) for entry in entries]


def device_of(shape: tuple[int, ...], epsilon: Decimal, form: str) -> ClusterChannel:
    """Return the device over these answers with this epsilon, which is never exceeded."""
    if len(shape) == 1:
        return UniformChannel.from_epsilon(shape, _plain(epsilon), MAX_BITS)
    if form == "independent":
        each = _plain(epsilon / len(shape))
        parts = (UniformChannel.from_epsilon(size, each, MAX_BITS) for size in shape)
        return ProductChannel(tuple(parts))
    return joint_design(shape, epsilon=_plain(epsilon), bits=MAX_BITS, form=form)


def _plain(epsilon: Decimal) -> Decimal:
    """Return an epsilon rounded down to twelve places; a quotient may have more than are taken."""
    if -int(epsilon.as_tuple().exponent) <= PLACES:
        return epsilon
    return epsilon.quantize(Decimal(1).scaleb(-PLACES), ROUND_FLOOR)


def _cost(members: tuple[int, ...], channel: ClusterChannel, n: int) -> ClusterCost:
    parts = range(len(members))
    margins = [expected_error(channel.margin([part]), n) for part in parts]
    pairs = [expected_error(channel.margin(list(pair)), n) for pair in combinations(parts, 2)]
    cells = prod(channel.truth_shape)
    return ClusterCost(
        attributes=members,
        cells=cells,
        epsilon=channel.epsilon,
        people_per_cell=n / cells,
        cell_error=expected_error(channel, n),
        pair_error=_root_mean_square(pairs) if pairs else None,
        margin_error=_root_mean_square(margins),
    )


def expected_error(channel: Channel, n: int) -> float:
    """Return the standard error of a cell where all are equally common (Wang Eq. 18).

    All cells have the same: ``(sum_u G[v,u]**2 / k - 1/k**2) / n``.
    """
    size = channel.truth_size
    cell = np.zeros(size)
    cell[0] = 1
    scores = channel.scores(cell)
    return float(np.sqrt((scores @ scores / size - 1 / size**2) / n))


def _root_mean_square(values: Sequence[float]) -> float:
    return float(np.sqrt(np.mean(np.square(values))))
