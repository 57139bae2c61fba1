"""Privacy of one count of a list for the person who reported it."""

from dataclasses import dataclass
from math import inf

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays
from rr_engine.design import DesignMatrix
from rr_engine.estimation.notes import Note
from rr_engine.library.item_count.count_notes import COUNT_NOTES
from rr_engine.library.item_count.tables import MAX_ITEMS, count_matrix


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ListPrivacy(FrozenArrays):
    """The privacy of the sensitive item of a list.

    Attributes
    ----------
    epsilon : float
        The largest logarithm of a ratio of two chances of a report, whatever is true of the person:
        infinite for counts told as they are, else that of the device.
    reveals_trait, reveals_absence : tuple of int
        Reports made only with the trait, and only without it.
    epsilon_given_control : float or None
        The same for the trait alone, against somebody who knows how the other items are distributed
        but not what is true of the person.
    ratios : ndarray of float, shape (reports,), or None
        Chance of each report with the trait over that without it, in the eyes of such a person;
        infinite where the report reveals the trait.
    notes : tuple of Note
    """

    epsilon: float
    reveals_trait: tuple[int, ...]
    reveals_absence: tuple[int, ...]
    epsilon_given_control: float | None
    ratios: FloatArray | None
    notes: tuple[Note, ...] = ()


def list_privacy(
    items: int,
    design: DesignMatrix | None = None,
    control: npt.ArrayLike | None = None,
) -> ListPrivacy:
    """Say what a count of the long list reveals of the sensitive item.

    Parameters
    ----------
    items : int
        Items of the short list, 1 to 20.
    design : DesignMatrix, optional
        The device through which the count is reported, with items + 2 truths; as it is when left
        out.
    control : array_like of float, shape (items + 1,), optional
        Proportions of people by how many of the other items are true of them, whether or not they
        have the trait.

    Returns
    -------
    ListPrivacy

    Raises
    ------
    ArgumentError, DistributionError, DesignError, NotIdentifiableError

    Notes
    -----
    A count of all items and one more is made only with the trait, a count of none only without it:
    no epsilon is finite. A device protects the whole count, and with it the trait.
    docs/methods/item-count.md.

    References
    ----------
    Ours: docs/methods/item-count.md, "Privacy".

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> told = list_privacy(4)
    >>> told.epsilon, told.reveals_trait, told.reveals_absence
    (inf, (5,), (0,))
    >>> hidden = list_privacy(4, k_rr(6, 1), control=[0.1, 0.2, 0.4, 0.2, 0.1])
    >>> round(hidden.epsilon, 6), round(hidden.epsilon_given_control, 3)
    (1.0, 0.228)
    """
    count = check.whole(items, "items", minimum=1, maximum=MAX_ITEMS)
    matrix = count_matrix(count, design)
    having, without = matrix[:, 1:] > 0, matrix[:, :-1] > 0
    trait = np.flatnonzero(having.any(axis=1) & ~without.any(axis=1))
    absence = np.flatnonzero(without.any(axis=1) & ~having.any(axis=1))
    ratios = None if control is None else _ratios(matrix, control)
    return ListPrivacy(
        epsilon=inf if design is None else float(design.epsilon),
        reveals_trait=tuple(trait.tolist()),
        reveals_absence=tuple(absence.tolist()),
        epsilon_given_control=None if ratios is None else _largest(ratios),
        ratios=ratios,
        notes=COUNT_NOTES.holding({"count_reveals": len(trait) + len(absence) > 0}),
    )


def _ratios(matrix: FloatArray, control: npt.ArrayLike) -> FloatArray:
    shares = check.distribution(control, matrix.shape[1] - 1, "control")
    having, without = matrix[:, 1:] @ shares, matrix[:, :-1] @ shares
    ratios = np.full(len(matrix), inf)
    np.divide(having, without, out=ratios, where=without > 0)
    # A report that nobody makes says nothing.
    ratios[(having == 0) & (without == 0)] = 1.0
    return ratios


def _largest(ratios: FloatArray) -> float:
    if np.isinf(ratios).any() or (ratios == 0).any():
        return inf
    return float(np.abs(np.log(ratios)).max())
