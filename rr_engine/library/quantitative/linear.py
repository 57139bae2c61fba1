"""Any scrambled design, given as a list of lines."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray, as_array, keep
from rr_engine.errors import ArgumentError
from rr_engine.library.quantitative.branches import Branch
from rr_engine.library.quantitative.design import ScrambledDesign
from rr_engine.library.quantitative.scrambling import LARGEST, check_shares, constant

MOST_CARDS = 1000


@dataclass(frozen=True)
class LinearScrambling(ScrambledDesign):
    """Any design whose respondents draw a line a y + b from a list.

    Parameters
    ----------
    cards : array_like of float, shape (cards, 2)
        a and b of each card.
    probabilities : array_like of float, optional
        How often each is drawn; equally often when left out.

    Raises
    ------
    ArgumentError, DistributionError, NotIdentifiableError

    References
    ----------
    .. [1] A. Arcos, M. Rueda and S. Singh, "A Generalised Approach to Randomised Response for
       Quantitative Variables", Quality & Quantity 49 (2015), 1239-1256.

    Examples
    --------
    Warner's yes/no device with three cards of four on the sensitive side, y being 0 or 1:

    >>> warner = LinearScrambling([[1, 0], [-1, 1]], [0.75, 0.25])
    >>> warner.transform([0, 1]).tolist(), warner.design([0, 1]).matrix.tolist()
    ([-0.5, 1.5], [[0.75, 0.25], [0.25, 0.75]])
    """

    cards: ArrayLike
    probabilities: ArrayLike | None = None
    lines: tuple[Branch, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        table = _check_cards(self.cards).tolist()
        chances = check_shares(self.probabilities, len(table), "probabilities")
        lines = [
            Branch(chance, constant(a), constant(b))
            for (a, b), chance in zip(table, chances, strict=True)
        ]
        probabilities = tuple(float(chance) for chance in chances)
        keep(self, cards=tuple(map(tuple, table)), probabilities=probabilities, lines=tuple(lines))
        self._check_slope("cards")

    def branches(self) -> Sequence[Branch]:
        """Return one branch for each card (Arcos, Rueda and Singh 2015)."""
        return self.lines


def _check_cards(value: object) -> FloatArray:
    rule = f"be 1 to {MOST_CARDS} pairs of numbers from -{LARGEST:g} to {LARGEST:g}"
    table = as_array(value)
    fits = table is not None and table.ndim == 2 and table.dtype.kind in "iuf"
    fits = fits and table is not None and table.shape[1] == 2 and 0 < len(table) <= MOST_CARDS
    if table is None or not fits or not (np.abs(table) <= LARGEST).all():
        raise ArgumentError("cards", value, rule, "not_numbers")
    return table.astype(np.float64)
