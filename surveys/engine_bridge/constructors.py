"""The constructors of the engine behind the devices, and what their tables promise."""

import functools
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, Decimal
from typing import Any

import rr_engine
from surveys.parameters.budget import text_of
from surveys.parameters.cards import LEAST_ON_A_CARD

# Of every searched table: the denominator is 2**SEARCHED_BITS.
SEARCHED_BITS = 32
# An epsilon of its own is declared in such steps, rounded up so that the table keeps it.
DECLARED_STEP = Decimal("0.0001")

Table = list[list[int]]
# `build(labels, epsilon, parameters)`, see DesignChoice.
Build = Callable[[list[str], Decimal, Mapping[str, Any]], rr_engine.DesignMatrix]


def k_rr(labels: list[str], epsilon: Decimal, _given: Mapping[str, Any]) -> rr_engine.DesignMatrix:
    return rr_engine.k_rr(labels, text_of(epsilon))


def laplace(
    labels: list[str], epsilon: Decimal, _given: Mapping[str, Any]
) -> rr_engine.DesignMatrix:
    return rr_engine.laplace(labels, text_of(epsilon))


def rare_trait(
    labels: list[str], epsilon: Decimal, given: Mapping[str, Any]
) -> rr_engine.DesignMatrix:
    return rr_engine.optimal_binary(
        text_of(epsilon), str(given.get("delta", "")), float(given.get("prevalence") or "nan")
    )


def cards(labels: list[str], epsilon: Decimal, _given: Mapping[str, Any]) -> rr_engine.DesignMatrix:
    integers, denominator = _exact_deck(len(labels), epsilon).exact_table()
    return rr_engine.DesignMatrix.from_integers(integers, denominator, labels)


@functools.lru_cache(maxsize=1024)
def deck_of(size: int, epsilon: Decimal) -> rr_engine.CardDeck:
    """The cards for so many answers; what the answers are called does not matter to a deck."""
    budget = text_of(epsilon)
    deck = rr_engine.card_deck(size, budget)
    if deck.card_size >= LEAST_ON_A_CARD:
        return deck
    try:
        return rr_engine.card_deck(size, budget, k=LEAST_ON_A_CARD)
    except rr_engine.NotIdentifiableError:
        # A short deck of pairs can be a ring, of which an even one does not tell its ends apart.
        return rr_engine.card_deck(size, budget, k=LEAST_ON_A_CARD + 1)


@functools.lru_cache(maxsize=1024)
def _exact_deck(size: int, epsilon: Decimal) -> rr_engine.DesignMatrix:
    return deck_of(size, epsilon).quantized()


def searched(
    labels: list[str], epsilon: Decimal, given: Mapping[str, Any]
) -> rr_engine.DesignMatrix:
    """A table that the workbench found and somebody adopted; it is exact already."""
    return rr_engine.DesignMatrix.from_integers(
        given["table"], 2**SEARCHED_BITS, labels, declared_epsilon=text_of(epsilon)
    )


def table_epsilon(table: Table) -> Decimal:
    """The smallest epsilon that can be declared of a searched table."""
    design = rr_engine.DesignMatrix.from_integers(table, 2**SEARCHED_BITS)
    declared = Decimal(design.epsilon).quantize(DECLARED_STEP, rounding=ROUND_CEILING)
    return declared if design.epsilon_at_most(declared) else declared + DECLARED_STEP
