"""Bounds of a prevalence under ceiling and floor effects at the ends of the list."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays
from rr_engine.distributions import normal_isf
from rr_engine.estimation.notes import Note
from rr_engine.library.item_count.count_notes import COUNT_NOTES
from rr_engine.library.item_count.tables import check_enough, check_lists
from rr_engine.library.item_count.types import moments


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ListBounds(FrozenArrays):
    """Prevalences that are possible when people at the ends of the list may hide the trait.

    Attributes
    ----------
    lower, upper : float
        Without liars (the difference in means), and with as many as the counts allow.
    ceiling, floor : float
        The upper bound if only people lie for whom all other items are true, or only those for whom
        none is.
    standard_errors : ndarray of float, shape (4,)
        Of lower, upper, ceiling and floor.
    interval : tuple of float
        From the lower confidence limit of the lower bound to the upper limit of the upper one.
    level : float
    notes : tuple of Note
    """

    lower: float
    upper: float
    ceiling: float
    floor: float
    standard_errors: FloatArray
    interval: tuple[float, float]
    level: float
    notes: tuple[Note, ...] = ()


def list_bounds(
    control: npt.ArrayLike, treatment: npt.ArrayLike, level: float = 0.95
) -> ListBounds:
    """Bound a prevalence when people with the trait may hide it where a count would reveal it.

    Parameters
    ----------
    control : array_like of int, shape (items + 1,)
    treatment : array_like of int, shape (items + 2,)
        As in :func:`rr_engine.library.list_experiment`; at least two people in each group.
    level : float, default 0.95

    Returns
    -------
    ListBounds

    Raises
    ------
    CountsError, ArgumentError

    Notes
    -----
    Ceiling: with the trait and all other items true one says J instead of J + 1; at most everybody
    in excess of the others at J does so. Floor: with the trait and nothing else true one says 0
    instead of 1; at most everybody who says 0. No model, unlike Blair and Imai's likelihoods, which
    estimate the liars' share from its form. docs/methods/item-count.md.

    References
    ----------
    .. [1] G. Blair and K. Imai, "Statistical Analysis of List Experiments", Political Analysis 20
       (2012), 47-77, section 3.3 (both kinds of liars; the bounds are ours).

    Examples
    --------
    >>> found = list_bounds([8, 132, 222, 227], [9, 78, 172, 184, 139])
    >>> [round(bound, 3) for bound in (found.lower, found.ceiling, found.floor, found.upper)]
    [0.495, 0.641, 0.51, 0.657]
    """
    confidence = check.open_unit(level, "level")
    tables = check_enough(check_lists(control, treatment, None))
    shares, covariance = moments(tables)
    sums = _sums(tables.items)
    values = sums @ shares
    errors = np.sqrt(np.maximum(np.diag(sums @ covariance @ sums.T), 0))
    factor = float(normal_isf((1 - confidence) / 2))
    return ListBounds(
        lower=float(values[0]),
        upper=float(values[1]),
        ceiling=float(values[2]),
        floor=float(values[3]),
        standard_errors=errors,
        interval=(float(values[0] - factor * errors[0]), float(values[1] + factor * errors[1])),
        level=confidence,
        notes=COUNT_NOTES.holding({"negative_types": bool(shares.min() < 0)}),
    )


def _sums(items: int) -> FloatArray:
    """Return which types count for each bound: all with the trait, and those taken for others."""
    size = items + 1
    sums = np.zeros((4, 2 * size))
    sums[:, size:] = 1
    # Liars at the ceiling look like people without the trait and with all other items.
    sums[[1, 2], size - 1] += 1
    sums[[1, 3], 0] += 1
    return sums
