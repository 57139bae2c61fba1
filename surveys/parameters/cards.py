"""The answers on the cards of a deck, read off the table: the table is all that counts.

static/js/rr/cards.js has the same, and the reasons for each rule are in docs/protocol.md.
"""

import numpy as np
import numpy.typing as npt

from surveys.parameters.document import CARDS, Device
from surveys.parameters.tables import Coded, Table, coded, columns_of

# A card that shows one answer only would look like an accusation.
LEAST_ON_A_CARD = 2


def answers_shown(table: Coded) -> npt.NDArray[np.bool_]:
    """Return which answers are on the card of each report, shape (reports, truths).

    In a deck every row has two values but for rounding: the larger one where the card shows the
    answer.
    """
    rows = np.array(columns_of(table), dtype=np.int64).T
    middle = rows.max(axis=1) + rows.min(axis=1)
    return 2 * rows > middle[:, None]


def cards_shown(table: Coded) -> list[list[int]]:
    """The answers on the card of each report, in order."""
    return [np.flatnonzero(subset).tolist() for subset in answers_shown(table)]


def shown_by(device: Device) -> tuple[tuple[int, ...], ...] | None:
    """The answers that each report shows; None where the reports are not cards."""
    return tuple(map(tuple, cards_shown(coded(device.table)))) if device.look == CARDS else None


def is_deck(table: Table) -> bool:
    """Whether the page's words are true of these cards: all show as many, none is rarer.

    Rounding moves an entry by less than there are reports. The table of a later wave is made of one
    that was rounded to 2**32, up to eight times as sharp. No other difference is let pass.
    """
    if not isinstance(table, Coded):
        return False
    subsets, columns = answers_shown(table).T, np.array(columns_of(table), dtype=np.int64)
    sizes = set(subsets.sum(axis=0).tolist())
    if len(sizes) > 1 or not LEAST_ON_A_CARD <= min(sizes) < len(columns):
        return False
    included, excluded = columns[0][subsets[0]], columns[0][~subsets[0]]
    if not included.size or not excluded.size:
        return False
    reports = len(table.reports)
    slack = reports * max(1, table.denominator // 2**29)
    near = np.abs(columns - np.where(subsets, included[0], excluded[0])) <= slack
    retained = np.where(subsets, columns, 0).sum(axis=1)
    return bool(near.all() and (np.abs(retained - retained[0]) <= reports * slack).all())
