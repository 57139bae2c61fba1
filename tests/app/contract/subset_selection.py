"""A family of devices outside the product: subset selection (Ye & Barg 2018).

Every card with 3 of 8 answers is a report, 56 of them; the cards that show the real answer are
drawn e**epsilon times as often as the others. An author may have 4 answers on a card instead,
and so 70 cards. It is the example of docs/extending.md.
"""

import math
from decimal import Decimal
from itertools import combinations

from django import forms

import rr_engine
from surveys.devices.built_family import Settings
from surveys.devices.cards import CardFamily
from surveys.drafts import Draft
from surveys.kinds import categories, kind_of
from tests.app.contract.worded import worded

ANSWERS, SHOWN = 8, 3
WHOLE = 2**32

Card = tuple[int, ...]


class SubsetSelection(CardFamily):
    name = "subset_selection"
    label = worded("Every card with some of 8 answers", "Jede Karte mit einigen von 8 Antworten")
    needs = worded(
        "It takes a question with one answer of eight.",
        "Es passt zu einer Frage mit einer von acht Antworten.",
    )
    settings = ("answers_on_card",)

    def fits(self, draft: Draft) -> bool:
        kind = kind_of(draft)
        chosen = not kind.several and kind.is_categorical(draft)
        return chosen and len(categories(draft)) == ANSWERS

    def setting_fields(self) -> dict[str, forms.Field]:
        label = worded("Answers on a card", "Antworten auf einer Karte")
        choices = [(SHOWN, str(SHOWN)), (SHOWN + 1, str(SHOWN + 1))]
        field = forms.TypedChoiceField(
            label=label, choices=choices, coerce=int, initial=SHOWN, required=False
        )
        return {"answers_on_card": field}

    def setting_note(self, values: Settings) -> str:
        return (
            str(math.comb(ANSWERS, values["answers_on_card"]))
            if values.get("answers_on_card")
            else ""
        )

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        shown = settings.get("answers_on_card") or SHOWN
        cards = list(combinations(range(ANSWERS), shown))
        with_answer = math.comb(ANSWERS - 1, shown - 1)
        without_answer = len(cards) - with_answer
        excluded = int(WHOLE / float(with_answer * epsilon.exp() + without_answer))
        design = _design_with_rare_cards(cards, excluded, labels)
        while not design.epsilon_at_most(epsilon):
            excluded += 1
            design = _design_with_rare_cards(cards, excluded, labels)
        return design


def _design_with_rare_cards(
    cards: list[Card], excluded: int, labels: list[str]
) -> rr_engine.DesignMatrix:
    """The design with probability `excluded` / WHOLE for each card without the true answer."""
    columns = [_column(cards, truth, excluded) for truth in range(ANSWERS)]
    rows = list(zip(*columns, strict=True))
    return rr_engine.DesignMatrix.from_integers(rows, WHOLE, labels)


def _column(cards: list[Card], truth: int, excluded: int) -> list[int]:
    showing = [number for number, card in enumerate(cards) if truth in card]
    included, left = divmod(WHOLE - (len(cards) - len(showing)) * excluded, len(showing))
    column = [excluded] * len(cards)
    for index, number in enumerate(showing):
        column[number] = included + (index < left)
    return column
