"""Tables that agree with each other: consistent margins and iterative proportional fitting.

All tables have a first axis of their own, over which they are fitted alike: the draws of a
bootstrap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, as_list
from rr_engine.channels.tallies import check_axes, check_shape
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.projection import project_rows

Axes = tuple[int, ...]
# Largest difference of a margin, in shares, at which a fit counts as settled.
TOLERANCE = 1e-10
MAX_ROUNDS = 1000
# Cells of a table over attributes of several clusters.
LARGEST_JOINT = 2**20


@dataclass(frozen=True, slots=True)
class Effort:
    """How nearly tables are made to agree and fitted, and with how many rounds at most."""

    tolerance: float
    rounds: int
    agreeing_rounds: int


# The effort for the tables themselves, and for simulated ones, whose spread is larger by far.
CAREFUL, ROUGH = Effort(1e-9, 100, 30), Effort(1e-4, 10, 5)


@dataclass(frozen=True, slots=True, eq=False)
class ProportionalFit(Shown):
    """A table fitted to margins.

    Attributes
    ----------
    table : ndarray of float
        One axis for each attribute.
    converged : bool
        Whether all margins are met to 1e-10.
    deviation : float
        The largest difference of a margin from the one asked for.
    rounds : int
        How often all margins were fitted in turn.

    Examples
    --------
    >>> from rr_engine.crowd import iterative_proportional_fitting
    >>> fit = iterative_proportional_fitting([[0.6, 0.4], [0.5, 0.5]], [[0], [1]], [2, 2])
    >>> fit.converged, fit.deviation < 1e-9, fit.table.round(2).tolist()
    (True, True, [[0.3, 0.3], [0.2, 0.2]])
    """

    table: FloatArray
    converged: bool
    deviation: float
    rounds: int


def iterative_proportional_fitting(
    margins: Sequence[ArrayLike],
    axes: Sequence[Sequence[int]],
    sizes: Sequence[int],
    max_rounds: int = MAX_ROUNDS,
) -> ProportionalFit:
    """Return the table of largest entropy among those with these margins.

    Parameters
    ----------
    margins : sequence of array_like of float
        Tables of proportions, none negative, each with the sum 1.
    axes : sequence of sequence of int
        For each margin the attributes that its axes are.
    sizes : sequence of int
        Number of categories of each attribute; at most 2**20 combinations.
    max_rounds : int, default 1000

    Returns
    -------
    ProportionalFit
        Margins that contradict each other are not met; the fit says by how much.

    Raises
    ------
    ArgumentError, DesignError

    Notes
    -----
    docs/methods/pooled.md. From equal cells each margin in turn is met by multiplication. It
    settles where some table meets all margins and is positive where they ask for it.

    References
    ----------
    .. [1] W. E. Deming and F. F. Stephan, "On a Least Squares Adjustment of a Sampled Frequency
       Table When the Expected Marginal Totals are Known", The Annals of Mathematical Statistics
       11, 1940.
    .. [2] I. Csiszar, "I-Divergence Geometry of Probability Distributions and Minimization
       Problems", The Annals of Probability 3, 1975.

    Examples
    --------
    >>> fit = iterative_proportional_fitting([[0.6, 0.4], [0.5, 0.5]], [[0], [1]], [2, 2])
    >>> fit.table.round(2).tolist(), fit.converged
    ([[0.3, 0.3], [0.2, 0.2]], True)
    """
    shape = check_shape(sizes, "sizes")
    if prod(shape) > LARGEST_JOINT:
        rule = f"have at most {LARGEST_JOINT} combinations"
        raise ArgumentError("sizes", sizes, rule, "too_many_cells")
    tables, places = _check_margins(margins, axes, shape)
    rounds = check.whole(max_rounds, "max_rounds", minimum=1, maximum=10**6)
    effort = Effort(TOLERANCE, rounds, 0)
    table, deviation, used = fit_margins([each[None] for each in tables], places, shape, effort)
    largest = float(deviation[0])
    return ProportionalFit(table[0], largest <= TOLERANCE, largest, used)


def _check_margins(
    margins: object, axes: object, shape: tuple[int, ...]
) -> tuple[list[FloatArray], list[Axes]]:
    tables, places = as_list(margins), as_list(axes)
    rule = "be a list of one or more tables of proportions that sum to 1, one for each of axes"
    if not tables or places is None or len(places) != len(tables):
        raise ArgumentError("margins", margins, rule, "not_a_distribution")
    chosen = [check_axes(place, len(shape)) for place in places]
    checked = []
    for table, place in zip(tables, chosen, strict=True):
        array = check.reals(table, tuple(shape[axis] for axis in place), "margins", rule)
        if (array < 0).any() or abs(array.sum() - 1) > check.SUM_TOLERANCE:
            raise ArgumentError("margins", table, rule, "not_a_distribution")
        checked.append(array)
    return checked, chosen


def fit_margins(
    margins: Sequence[FloatArray], axes: Sequence[Axes], sizes: tuple[int, ...], effort: Effort
) -> tuple[FloatArray, FloatArray, int]:
    """Return tables, by how much each misses its margins at most, and the rounds.

    `margins`: arrays of shape (tables, *sizes of their axes).
    """
    count = len(margins[0])
    table = np.full((count, *sizes), 1 / prod(sizes))
    deviation, settled, rounds = np.full(count, np.inf), False, 0
    while rounds < effort.rounds and not settled:
        for margin, place in zip(margins, axes, strict=True):
            current = margin_of_table(table, place)
            ratio = np.divide(margin, current, out=np.zeros_like(margin), where=current > 0)
            table = table * spread_over(ratio, place, len(sizes))
        misses = [
            np.abs(margin_of_table(table, place) - margin).reshape(count, -1).max(axis=1)
            for margin, place in zip(margins, axes, strict=True)
        ]
        before, deviation, rounds = deviation, np.max(misses, axis=0), rounds + 1
        # Margins that contradict each other are missed by the same again and again.
        settled = bool(
            (np.minimum(deviation, np.abs(deviation - before)) <= effort.tolerance).all()
        )
    return table, deviation, rounds


def margin_of_table(table: npt.NDArray, axes: Axes) -> npt.NDArray:
    """Return the sums over all other axes than these, which come in this order."""
    others = tuple(axis + 1 for axis in range(table.ndim - 1) if axis not in axes)
    sums = table.sum(axis=others)
    rank: dict[int, int] = {axis: place for place, axis in enumerate(sorted(axes))}
    return np.transpose(sums, (0, *(rank[axis] + 1 for axis in axes)))


def spread_over(margin: FloatArray, axes: Axes, dimensions: int) -> FloatArray:
    """Return a margin with axes of length 1 for the attributes that it lacks."""
    ordered = np.transpose(margin, (0, *(axes.index(axis) + 1 for axis in sorted(axes))))
    return np.expand_dims(ordered, tuple(a + 1 for a in range(dimensions) if a not in axes))


@dataclass(frozen=True, slots=True)
class SharedMargin:
    """Attributes that several clusters share, and the weights of these clusters on them."""

    attributes: frozenset[int]
    clusters: tuple[int, ...]
    weights: tuple[float, ...]


def shared_attributes(axes: Sequence[Axes]) -> list[frozenset[int]]:
    """Return the sets of attributes that two or more clusters share, the smallest first.

    Closed under intersection, so that making one agree never undoes an earlier one.
    """
    found: set[frozenset[int]] = set()
    sets = [frozenset(place) for place in axes]
    fresh = {a & b for i, a in enumerate(sets) for b in sets[:i]}
    while fresh - found:
        found |= fresh
        fresh = {a & b for a in found for b in found}
    return sorted(found - {frozenset()}, key=lambda each: (len(each), sorted(each)))


def agree(
    tables: Sequence[FloatArray], axes: Sequence[Axes], shared: Sequence[SharedMargin]
) -> list[FloatArray]:
    """Return tables whose shared margins are the weighted means of what they were.

    The difference is spread evenly over the cells behind a cell of the margin (Qardaji, Yang & Li,
    "PriView", SIGMOD 2014, section 4.3), so that unbiased tables stay unbiased.
    """
    result = list(tables)
    for margin in shared:
        order = tuple(sorted(margin.attributes))
        places = {c: tuple(axes[c].index(a) for a in order) for c in margin.clusters}
        seen = {c: margin_of_table(result[c], place) for c, place in places.items()}
        pairs = zip(margin.clusters, margin.weights, strict=True)
        mean = sum(weight * seen[c] for c, weight in pairs) / sum(margin.weights)
        for cluster, place in places.items():
            table = result[cluster]
            behind = prod(n for a, n in enumerate(table.shape[1:]) if a not in place)
            change = (mean - seen[cluster]) / behind
            result[cluster] = table + spread_over(change, place, table.ndim - 1)
    return result


def possible_tables(
    tables: Sequence[FloatArray],
    axes: Sequence[Axes],
    shared: Sequence[SharedMargin],
    effort: Effort,
) -> list[FloatArray]:
    """Return tables without negative cells that agree as nearly as some rounds make them."""
    result = [project_table(table) for table in tables]
    for _ in range(effort.agreeing_rounds if shared else 0):
        agreed = agree(result, axes, shared)
        moved = max(
            float(np.abs(one - other).max()) for one, other in zip(agreed, result, strict=True)
        )
        result = [project_table(table) for table in agreed]
        if moved <= effort.tolerance:
            break
    return result


def project_table(tables: FloatArray) -> FloatArray:
    """Return the nearest tables without negative cells."""
    return project_rows(tables.reshape(len(tables), -1)).reshape(tables.shape)
