"""Cards that show several answers: subset selection, and decks between it and all pairs.

The card is the report; docs/decisions says why, and the minimax bound how good it is.
"""

import functools
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rr_engine
from rr_engine.optimisation.block_designs import worst_average_variance
from surveys import numbers
from surveys.devices.built_family import Settings, epsilon_of
from surveys.devices.family import Family
from surveys.drafts import Draft
from surveys.kinds import categories, kind_of
from surveys.parameters import CARDS, Device, Question, Table, coded
from surveys.parameters.budget import text_of
from surveys.parameters.cards import LEAST_ON_A_CARD, answers_shown, cards_shown
from surveys.parameters.exact import design_of, matrix_of, table_of
from surveys.parameters.tables import Coded
from surveys.results_document.devices import Certificate, MinimaxCertificate, UsedDevice

# Answers from which on a card can show some of them and leave out as many.
LEAST_ANSWERS = 4
# A smaller excess over the least possible error is shown as none.
NOTHING = 0.0005
# A smaller gap is shown as none.
SMALLEST = 0.001


class CardFamily(Family):
    """The base class of devices whose reports are cards."""

    look = CARDS
    names_answers = False

    def sharper_table(self, draft: Draft, waves: Sequence[Coded]) -> Table:
        """Return a table for the same cards: a deck of others has no report for what was sent."""
        design = rr_engine.relaxation.sharpened(design_of(waves[0]), text_of(epsilon_of(draft)))
        return table_of(design)

    def retention_probabilities(self, channel: rr_engine.channels.Channel) -> list[float]:
        design = matrix_of(channel)
        subsets = answers_shown(coded(table_of(design)))
        return np.where(subsets, design.matrix, 0).sum(axis=0).tolist()

    def retention_label(self) -> str:
        return gettext("Cards that show the real answer")

    def belief_label(self) -> str:
        return gettext("Belief in “%(answer)s” after a card that shows it, from %(prior)s")

    def frequencies_of_many(self, channel: rr_engine.channels.Channel, base: int) -> str:
        retained = round(min(self.retention_probabilities(channel)) * base)
        values = {"people": base, "kept": retained, "changed": base - retained}
        return gettext(
            "Of %(people)s people with the same real answer, %(kept)s draw a card that shows it "
            "and %(changed)s one that does not."
        ) % {name: numbers.count(value) for name, value in values.items()}

    def explanation(self, device: UsedDevice) -> str:
        table = coded(device.table)
        return gettext(
            "Chance draws one of %(cards)s cards, more often one that shows the real answer. The "
            "card is the report: it shows several of the %(count)s answers, and nothing says which "
            "of them is meant, or whether it is one of them at all."
        ) % {
            "cards": numbers.count(len(table.reports)),
            "count": numbers.count(table.truths),
        }

    def certificate(
        self, question: Question, device: Device, shares: Sequence[float] | None
    ) -> Certificate | None:
        """The worst case over all distributions, beside the least that any device has."""
        if device.epsilon is None:
            return None
        table = coded(device.table)
        variance = _worst(design_of(table))
        smallest_error = rr_engine.designs.minimax_value(table.truths, device.epsilon)
        return MinimaxCertificate(
            variance=variance,
            least=smallest_error,
            # Rounding alone can take it below zero.
            excess=max(0.0, variance / smallest_error - 1),
            card_size=len(cards_shown(table)[0]),
            cards=len(table.reports),
        )

    def certificate_words(self, certificate: Certificate, epsilon: str) -> list[str]:
        if not isinstance(certificate, MinimaxCertificate):
            return []
        if certificate.excess < SMALLEST:
            text = gettext(
                "No device that keeps ε = %(epsilon)s has a smaller error in its worst case, "
                "whatever the true shares are."
            )
            return [text % {"epsilon": epsilon}]
        text = gettext(
            "In the worst case its squared error is %(excess)s above the smallest that any device "
            "which keeps ε = %(epsilon)s can have."
        )
        excess = numbers.percent(certificate.excess, 1)
        return [text % {"epsilon": epsilon, "excess": excess}]


class Cards(CardFamily):
    name = CARDS
    label = _("Cards that show several answers")
    short_label = _("Cards")
    needs = _("It takes a single choice or a scale with %s answers or more.")
    rival = True

    def fits(self, draft: Draft) -> bool:
        kind = kind_of(draft)
        choice = not kind.several and not kind.opposites and kind.is_categorical(draft)
        return choice and len(categories(draft)) >= LEAST_ANSWERS

    def needs_words(self) -> str:
        return str(self.needs) % LEAST_ANSWERS

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        integers, denominator = _exact_deck(len(labels), epsilon).exact_table()
        return rr_engine.DesignMatrix.from_integers(integers, denominator, labels)

    def at(self, draft: Draft, epsilon: Decimal) -> rr_engine.DesignMatrix:
        return deck_of(len(categories(draft)), epsilon)

    def note(self, draft: Draft) -> str:
        deck = deck_of(len(categories(draft)), epsilon_of(draft))
        values = {
            "cards": numbers.count(len(deck.subsets)),
            "shown": numbers.count(deck.subset_size),
            "accuracy": _above_best(deck.excess),
        }
        return gettext("%(cards)s cards with %(shown)s answers on each: %(accuracy)s.") % values


@functools.lru_cache(maxsize=1024)
def deck_of(size: int, epsilon: Decimal) -> rr_engine.designs.SubsetDesign:
    """The cards for so many answers; a deck does not depend on their labels."""
    budget = text_of(epsilon)
    deck = rr_engine.designs.card_deck(size, budget)
    if deck.subset_size >= LEAST_ON_A_CARD:
        return deck
    return rr_engine.designs.card_deck(size, budget, k=LEAST_ON_A_CARD)


@functools.lru_cache(maxsize=1024)
def _exact_deck(size: int, epsilon: Decimal) -> rr_engine.DesignMatrix:
    return deck_of(size, epsilon).quantized()


@functools.lru_cache(maxsize=256)
def _worst(design: rr_engine.DesignMatrix) -> float:
    return float(worst_average_variance(design.matrix))


def _above_best(excess: float) -> str:
    if excess < NOTHING:
        return gettext("as accurate as a device can be without a guess of the shares")
    text = gettext(
        "at worst %s more squared error than the best device without a guess of the shares"
    )
    return text % numbers.excess(excess)
