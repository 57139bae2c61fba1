"""What the cards of a launched device show, read off its table: the table is all that counts."""

import numpy as np
import numpy.typing as npt

CARDS = "cards"


def answers_shown(columns: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Which answers are on the card of each report, shape (reports, truths).

    docs/protocol.md has the rule. Of a deck every row has two values but for rounding: the larger
    one where the card shows the answer. `columns` is as on the wire, truth by truth.
    """
    rows = np.array(columns, dtype=np.int64).T
    middle = rows.max(axis=1) + rows.min(axis=1)
    return 2 * rows > middle[:, None]


def cards_shown(columns: npt.ArrayLike) -> list[list[int]]:
    """The answers on the card of each report, in order."""
    return [np.flatnonzero(shown).tolist() for shown in answers_shown(columns)]
