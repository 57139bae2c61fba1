"""What the cards of a launched device show, read off its table: the table is all that counts."""

from collections.abc import Sequence

import numpy as np

CARDS = "cards"


def cards_shown(columns: Sequence[Sequence[int]]) -> list[list[int]]:
    """The answers on the card of each report, in order; docs/protocol.md has the rule.

    Of a deck every row has two values but for rounding: the larger one where the card shows the
    answer. `columns` is as on the wire, truth by truth.
    """
    rows = np.array(columns, dtype=np.int64).T
    middle = rows.max(axis=1) + rows.min(axis=1)
    return [np.flatnonzero(shown).tolist() for shown in 2 * rows > middle[:, None]]
