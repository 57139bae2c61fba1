"""Every constructor, beside its table and its epsilon written down independently of it."""

from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, inf, log

import numpy as np

import rr_engine as rr
from tests.engine.engine_cases import BADGE, DESIGNS, UNEVEN


@dataclass(frozen=True)
class Case:
    """A design and what it must be; `declared` is the guarantee that was asked for."""

    design: rr.DesignMatrix
    table: np.ndarray
    epsilon: float
    declared: str | None = None


def yes(given_yes: float, given_no: float) -> np.ndarray:
    """The table of a survey design from its two columns in the literature."""
    return np.array([[1 - given_no, 1 - given_yes], [given_no, given_yes]])


def level(size: int, ratio: float) -> np.ndarray:
    """Truth `ratio` times as likely as any lie."""
    return (np.ones((size, size)) + (ratio - 1) * np.eye(size)) / (ratio + size - 1)


def laplace_table(size: int, epsilon: float) -> np.ndarray:
    """Differences of the distribution function, as Wang Eq. 21 has them."""
    scale = (size - 1) / epsilon

    def below(x: float) -> float:
        return exp(x / scale) / 2 if x < 0 else 1 - exp(-x / scale) / 2

    cuts = [-inf, *(u + 0.5 for u in range(1, size)), inf]
    return np.array(
        [
            [below(cuts[u] - v) - below(cuts[u - 1] - v) for v in range(1, size + 1)]
            for u in range(1, size + 1)
        ]
    )


def widest(table: list[list[float]]) -> float:
    """Epsilon by its definition, for tables without a closed form."""
    return max(log(max(row) / min(row)) if min(row) else inf for row in table if max(row) > 0)


def declared_of(design: rr.DesignMatrix) -> str | None:
    return None if design.declared_epsilon is None else str(design.declared_epsilon)


def binomials(draws: int, red_yes: Fraction, red_no: Fraction) -> np.ndarray:
    return np.array(
        [
            [float(comb(draws, u) * red**u * (1 - red) ** (draws - u)) for red in (red_no, red_yes)]
            for u in range(draws + 1)
        ]
    )


E = exp(1)
CUT = 1 - exp(-0.5) / 2
RELAXED = (E + 0.1) / (1 + E)
NEVER = [[0.7, 0.2], [0.3, 0.8], [0.0, 0.0]]
WIDE = [[0.2, 0.5, 0.7], [0.8, 0.5, 0.3]]
THIRDS = [[20, 3, 3], [5, 20, 4], [5, 7, 23]]

# Pr(yes | yes) and Pr(yes | no) of the survey designs as their papers state them.
CASES = {
    "k_rr 2": Case(rr.k_rr(2, "1"), level(2, E), 1, "1"),
    "k_rr 7": Case(rr.k_rr(7, "0.3"), level(7, exp(0.3)), 0.3, "0.3"),
    "warner": Case(rr.warner(0.7), yes(0.7, 0.3), log(7 / 3)),
    "warner, answer-reversing": Case(rr.warner(0.2), yes(0.2, 0.8), log(4)),
    "binary": Case(rr.designs.generalized_binary(0.9, 0.6), yes(0.6, 0.1), log(6)),
    "forced": Case(rr.forced_response(0.6, 0.3), yes(0.9, 0.3), log(7)),
    "forced, no forced no": Case(rr.forced_response(0.6, 0.4), yes(1, 0.4), inf),
    "forced, no forced yes": Case(rr.forced_response(0.6, 0), yes(0.6, 0), inf),
    "unrelated": Case(rr.unrelated_question(0.6, 0.25), yes(0.7, 0.1), log(7)),
    "unrelated, nobody": Case(rr.unrelated_question(0.6, 0), yes(0.6, 0), inf),
    "two stages": Case(rr.designs.two_stage(0.2, 0.7), yes(0.76, 0.24), log(0.76 / 0.24)),
    "two stages, all told": Case(rr.designs.two_stage(1, 0.7), yes(1, 0), inf),
    "mangat": Case(rr.designs.mangat(0.7), yes(1, 0.3), inf),
    "devore": Case(rr.designs.devore(0.7), yes(1, 0.3), inf),
    "mangat singh singh": Case(rr.designs.mangat_singh_singh(0.6, 0.5), yes(1, 0.2), inf),
    "soberanis cruz": Case(rr.designs.soberanis_cruz(0.6, 0.5, 0.25), yes(0.8, 0.1), log(8)),
    "soberanis cruz, all yes": Case(rr.designs.soberanis_cruz(0.9, 1, 0.5), yes(1, 0.05), inf),
    "singh joarder": Case(rr.designs.singh_joarder(0.6), yes(0.84, 0.4), log(0.6 / 0.16)),
    "christofides": Case(
        rr.designs.christofides([0.1, 0.2, 0.3, 0.2, 0.2]),
        np.array([[0.1, 0.2], [0.2, 0.2], [0.3, 0.3], [0.2, 0.2], [0.2, 0.1]]),
        log(2),
    ),
    "christofides, a card missing": Case(
        rr.designs.christofides([0, 0.5, 0.5]), np.array([[0, 0.5], [0.5, 0.5], [0.5, 0]]), inf
    ),
    "kuk": Case(rr.kuk(0.8, 0.3), yes(0.8, 0.3), log(3.5)),
    "kuk, 3 draws": Case(
        rr.kuk(0.75, 0.5, 3), binomials(3, Fraction(3, 4), Fraction(1, 2)), 3 * log(2)
    ),
    "kuk, 40 draws": Case(
        rr.kuk(0.5, 0.25, 40), binomials(40, Fraction(1, 2), Fraction(1, 4)), 40 * log(2)
    ),
    "kuk, a pack of reds": Case(rr.kuk(1, 0.5, 2), np.array([[0.25, 0], [0.5, 0], [0.25, 1]]), inf),
    "disguised": Case(rr.designs.disguised_response(0.8), yes(0.8, 1 - 0.8), log(4)),
    "crosswise": Case(rr.crosswise(0.25), yes(0.25, 0.75), log(3)),
    "crosswise, nothing": Case(rr.crosswise(0.5), yes(0.5, 0.5), 0),
    "triangular": Case(rr.triangular(0.25), yes(1, 0.25), inf),
    "uniform perturbation": Case(
        rr.designs.uniform_perturbation(5, 0.4), 0.4 * np.eye(5) + 0.12, log(0.52 / 0.12)
    ),
    "uniform perturbation, all": Case(rr.designs.uniform_perturbation(3, 1), np.eye(3), inf),
    "frapp": Case(rr.designs.frapp(4, 9), level(4, 9), log(9)),
    "frapp, answer-reversing": Case(rr.designs.frapp(4, 0.5), level(4, 0.5), log(2)),
    "frapp, never the truth": Case(rr.designs.frapp(4, 0), (1 - np.eye(4)) / 3, inf),
    "laplace 2": Case(rr.designs.laplace(2, "1"), yes(CUT, 1 - CUT), log(CUT / (1 - CUT)), "1"),
    "laplace 6": Case(
        rr.designs.laplace(6, "2"), laplace_table(6, 2), widest(laplace_table(6, 2).tolist()), "2"
    ),
    "optimal, symmetric": Case(
        rr.designs.optimal_binary("1", "0.1", 0.3), yes(RELAXED, 1 - RELAXED), log((E + 0.1) / 0.9)
    ),
    "optimal, one-sided": Case(rr.designs.optimal_binary("1", "0.1", 0.05), yes(0.1, 0), inf),
    "optimal, mirrored": Case(rr.designs.optimal_binary("1", "0.1", 0.95), yes(1, 0.9), inf),
    "optimal warner": Case(
        rr.designs.optimal_warner("0.5", "0.3"),
        yes((exp(0.5) + 0.3) / (1 + exp(0.5)), 0.7 / (1 + exp(0.5))),
        log((exp(0.5) + 0.3) / 0.7),
    ),
    "direct": Case(rr.designs.direct(3), np.eye(3), inf),
    "a die": Case(rr.designs.forced_choice(2, 6, 1), yes(5 / 6, 1 / 6), log(5)),
    "two dice": Case(rr.designs.forced_choice(5, 36, 4), level(5, 5), log(5)),
    "last digit": Case(rr.designs.forced_choice(3, 10, 2), level(3, 3), log(3)),
    "birthday": Case(
        rr.designs.crosswise_of(361, 1461), yes(361 / 1461, 1100 / 1461), log(1100 / 361)
    ),
    "user's badge": Case(rr.DesignMatrix(BADGE), np.array(BADGE), log(6)),
    "user's square": Case(rr.DesignMatrix(UNEVEN), np.array(UNEVEN), widest(UNEVEN)),
    "user's, a report never made": Case(rr.DesignMatrix(NEVER), np.array(NEVER), log(3.5)),
    "user's, fewer reports": Case(rr.DesignMatrix(WIDE), np.array(WIDE), log(3.5)),
    "user's integers": Case(
        rr.DesignMatrix.from_integers(THIRDS, 30), np.array(THIRDS) / 30, log(20 / 3)
    ),
}
for name, device in DESIGNS.items():
    rows = device.matrix
    CASES[f"shared, {name}"] = Case(device, rows, widest(rows.tolist()), declared_of(device))
