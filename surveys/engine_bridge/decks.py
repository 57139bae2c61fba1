"""What the cards of a launched device show, read off its table: the table is all that counts."""

from collections.abc import Sequence

CARDS = "cards"


def cards_shown(columns: Sequence[Sequence[int]]) -> list[list[int]]:
    """The answers on the card of each report, in order; docs/protocol.md has the rule.

    Of a deck every row has two values but for rounding: the larger one where the card shows the
    answer. `columns` is as on the wire, truth by truth.
    """
    rows = zip(*columns, strict=True)
    return [
        [answer for answer, entry in enumerate(row) if 2 * entry > max(row) + min(row)]
        for row in rows
    ]
