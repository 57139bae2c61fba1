"""Cost of a device over each cluster, and how well it tells the answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from math import prod

from rr_engine import check
from rr_engine.arrays import Epsilon, as_list
from rr_engine.channels.joint_designs import joint_design
from rr_engine.channels.tallies import check_sizes
from rr_engine.channels.uniform import UniformChannel
from rr_engine.clusters.choosing import check_category_numbers
from rr_engine.clusters.clustering import Clusters, check_clusters
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.spending.joint_comparison import compare_joint

PLACES = 12
JOINT_FORMS = ("changes", "uniform")
FORMS = ("best", *JOINT_FORMS, "independent")


@dataclass(frozen=True, slots=True)
class ClusterCost(Shown):
    """One cluster's device.

    Attributes
    ----------
    attributes : tuple of int
    cells : int
        Combinations of the answers.
    epsilon : float
        What its report may reveal.
    form : str
        Which device it is: "changes", "uniform" or "independent"; "uniform" for one attribute.
    people_per_cell : float
    cell_error, pair_error, margin_error : float
        Expected standard errors of a combination of all answers, of a combination of two, and of
        an answer: root mean squares where all combinations are equally common. Of a cluster of one
        attribute the first and the last are the same, and `pair_error` is None.

    Examples
    --------
    >>> from rr_engine.clusters import cluster_costs
    >>> for cost in cluster_costs([[0, 1], [2]], [9, 16, 2], 9, 10_000):
    ...     print(cost.attributes, cost.cells, round(cost.epsilon, 2), round(cost.margin_error, 4))
    (0, 1) 144 6.0 0.0037
    (2,) 2 3.0 0.0055
    """

    attributes: tuple[int, ...]
    cells: int
    epsilon: float
    form: str
    people_per_cell: float
    cell_error: float
    pair_error: float | None
    margin_error: float


def cluster_costs(
    clusters: Sequence[Sequence[int]],
    sizes: Sequence[int],
    epsilon: Epsilon | Sequence[Epsilon],
    n: int,
    form: str = "best",
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
    form : {"best", "changes", "uniform", "independent"}, default "best"
        The device of a cluster, as :func:`compare_joint` names them. "best" is that of "changes"
        and "uniform" which expects the smaller error of pairs.

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
    >>> first.cells, first.epsilon, first.form, round(first.pair_error, 5)
    (144, 6.0, 'uniform', 0.00113)
    >>> round(second.margin_error, 4)
    0.0055
    """
    numbers = check_category_numbers(sizes, None)
    given, people = check_clusters(clusters, len(numbers)), check.size(n)
    check.choice(form, "form", FORMS)
    parts = [check_sizes([numbers[place] for place in members], "sizes") for members in given]
    return tuple(
        _cost(members, shape, budget, people, form)
        for members, shape, budget in zip(given, parts, _budgets(epsilon, given), strict=True)
    )


def _budgets(epsilon: object, clusters: Clusters) -> list[Decimal]:
    entries = as_list(epsilon)
    if entries is None:
        total, attributes = check.epsilon(epsilon), sum(map(len, clusters))
        return [_part(total * len(members) / attributes) for members in clusters]
    if len(entries) != len(clusters):
        rule = f"be one number, or one for each of {len(clusters)} clusters"
        raise ArgumentError("epsilon", epsilon, rule, "not_numbers")
    return [check.epsilon(entry) for entry in entries]


def _part(epsilon: Decimal) -> Decimal:
    """Return a quotient rounded down to twelve places: it may have more than are taken."""
    if -int(epsilon.as_tuple().exponent) <= PLACES:
        return epsilon
    return check.epsilon(epsilon.quantize(Decimal(1).scaleb(-PLACES), ROUND_FLOOR))


def _cost(
    members: tuple[int, ...], shape: tuple[int, ...], epsilon: Decimal, n: int, form: str
) -> ClusterCost:
    chosen, errors = "uniform", _single(shape, epsilon, n)
    if len(shape) > 1:
        chosen, errors = _together(shape, epsilon, n, form)
    cells = prod(shape)
    return ClusterCost(members, cells, float(epsilon), chosen, n / cells, *errors)


def _single(shape: tuple[int, ...], epsilon: Decimal, n: int) -> tuple[float, float | None, float]:
    """Return the error of k-ary randomized response at equal shares (Wang Eq. 18)."""
    size = shape[0]
    noise = UniformChannel.from_epsilon(shape, epsilon, check.MAX_BITS).condition_number
    error = float(noise * ((size - 1) / n) ** 0.5 / size)
    return error, None, error


def _together(
    shape: tuple[int, ...], epsilon: Decimal, n: int, form: str
) -> tuple[str, tuple[float, float | None, float]]:
    ways = {way.way: way for way in compare_joint(shape, epsilon, n, bits=check.MAX_BITS)}
    if form == "changes" and form not in ways:
        joint_design(
            shape, epsilon=epsilon, bits=check.MAX_BITS
        )  # Says which epsilon it begins at.
    candidates = [ways[name] for name in JOINT_FORMS if name in ways]
    chosen = min(candidates, key=lambda way: way.pairs) if form == "best" else ways[form]
    return chosen.way, (chosen.table, chosen.pairs, chosen.margins)
