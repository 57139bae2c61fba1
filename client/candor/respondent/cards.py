"""Tables whose draws are shown as cards (section 3 of the protocol)."""

from candor.respondent.reading import columns_of
from candor.respondent.rules import require
from candor.respondent.values import Json


def cards_of(table: Json) -> list[list[int]]:
    """The answers on the card that each report is."""
    rows = zip(*columns_of(table), strict=True)
    return [
        [answer for answer, entry in enumerate(row) if 2 * entry > max(row) + min(row)]
        for row in rows
    ]


def check_cards(table: Json) -> None:
    require(table["form"] in ("dense", "uniform"), "a card is a code")
    cards, columns = cards_of(table), columns_of(table)
    several = 2 <= len(cards[0]) < len(columns)
    require(several, "a card shows several answers and not all")
    require(len({len(card) for card in cards}) == 1, "every card shows as many answers")
    included = [entry for entry, card in zip(columns[0], cards, strict=True) if 0 in card]
    excluded = [entry for entry, card in zip(columns[0], cards, strict=True) if 0 not in card]
    require(bool(included) and bool(excluded), "an answer is on some cards and not on others")
    slack = len(cards) * max(1, table["denominator"] // 2**29)
    for answer, column in enumerate(columns):
        contains = [answer in card for card in cards]
        expected = [included[0] if is_included else excluded[0] for is_included in contains]
        pairs = list(zip(column, expected, strict=True))
        is_even = all(abs(entry - other) <= slack for entry, other in pairs)
        require(is_even, "all cards with an answer are alike, and all without")
        mass = sum(
            entry for entry, is_included in zip(column, contains, strict=True) if is_included
        )
        require(abs(mass - sum(included)) <= len(cards) * slack, "every answer is on as many cards")
