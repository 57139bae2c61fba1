"""A family of devices outside the product: subset selection (Ye & Barg 2018).

Every card with 3 of 8 answers is a report, 56 of them; the cards that show the real answer are
drawn e**epsilon times as often as the others. It is the example of docs/extending.md.
"""

from decimal import Decimal
from itertools import combinations

import rr_engine
from surveys.devices.cards import CardFamily
from surveys.devices.family import Settings
from surveys.drafts import Draft
from surveys.kinds import categories, kind_of
from tests.app.contract.worded import worded

ANSWERS, SHOWN = 8, 3
CARDS = list(combinations(range(ANSWERS), SHOWN))
WHOLE = 2**32


class SubsetSelection(CardFamily):
    name = "subset_selection"
    label = worded("Every card with 3 of 8 answers", "Jede Karte mit 3 von 8 Antworten")
    needs = worded(
        "It takes a question with one answer of eight.",
        "Es passt zu einer Frage mit einer von acht Antworten.",
    )

    def fits(self, draft: Draft) -> bool:
        return not kind_of(draft).several and len(categories(draft)) == ANSWERS

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        excluded = int(WHOLE / float(21 * epsilon.exp() + 35))
        design = _design_with_rare_cards(excluded, labels)
        while not design.epsilon_at_most(epsilon):
            excluded += 1
            design = _design_with_rare_cards(excluded, labels)
        return design


def _design_with_rare_cards(excluded: int, labels: list[str]) -> rr_engine.DesignMatrix:
    """The design with probability `excluded` / WHOLE for each card without the true answer."""
    columns = [_column(truth, excluded) for truth in range(ANSWERS)]
    rows = list(zip(*columns, strict=True))
    return rr_engine.DesignMatrix.from_integers(rows, WHOLE, labels)


def _column(truth: int, excluded: int) -> list[int]:
    showing = [number for number, card in enumerate(CARDS) if truth in card]
    included, left = divmod(WHOLE - (len(CARDS) - len(showing)) * excluded, len(showing))
    column = [excluded] * len(CARDS)
    for index, number in enumerate(showing):
        column[number] = included + (index < left)
    return column
