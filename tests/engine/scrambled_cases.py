"""Scrambled designs with packs of cards, and what each does with a number, written down apart."""

from itertools import product

import rr_engine

S = {0.5: 0.2, 1: 0.5, 2.5: 0.3}
U = {0: 0.75, 4: 0.25}
LINES = {(1, 0): 0.6, (2, 3): 0.3, (-0.5, 1): 0.1}


def pack(cards: dict) -> rr_engine.quantities.Scrambling:
    return rr_engine.quantities.Scrambling.from_cards(list(cards), list(cards.values()))


def both(cards: dict, others: dict) -> list[tuple[float, float, float]]:
    return [(s, u, cards[s] * others[u]) for s, u in product(cards, others)]


# For each design, the reports of a true number y with their chances, as its paper describes them.
OUTCOMES = {
    rr_engine.quantities.Eriksson(0.6, pack(U)): lambda y: [
        (y, 0.6),
        *((u, 0.4 * q) for u, q in U.items()),
    ],
    rr_engine.quantities.EichhornHayre(pack(S)): lambda y: [(y * s, q) for s, q in S.items()],
    rr_engine.quantities.BarLev(0.3, pack(S)): lambda y: [
        (y, 0.3),
        *((y * s, 0.7 * q) for s, q in S.items()),
    ],
    rr_engine.quantities.ChaudhuriChristofides(pack(S), pack(U)): lambda y: [
        (y * s + u, q) for s, u, q in both(S, U)
    ],
    rr_engine.quantities.Saha(pack(S), pack(U)): lambda y: [
        (s * (y + u), q) for s, u, q in both(S, U)
    ],
    rr_engine.quantities.DianaPerri1(0.3, pack(S), pack(U)): lambda y: [
        (y, 0.3),
        *((s * (y + u), 0.7 * q) for s, u, q in both(S, U)),
    ],
    rr_engine.quantities.DianaPerri2(0.8, pack(S), pack(U)): lambda y: [
        (s * (0.8 * u + 0.2 * y), q) for s, u, q in both(S, U)
    ],
    rr_engine.quantities.LinearScrambling(list(LINES), list(LINES.values())): lambda y: [
        (a * y + b, q) for (a, b), q in LINES.items()
    ],
}
NAMES = [type(design).__name__ for design in OUTCOMES]
