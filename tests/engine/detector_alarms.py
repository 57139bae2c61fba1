"""Exact false-alarm rate of the note "implausible": python tests/engine/detector_alarms.py

Every table of counts is enumerated with its probability and given to the engine's own estimate.
Writes a table of docs/methods/compliance.md.
"""

import sys

from scipy.stats import binom

from rr_engine import DesignMatrix, estimate, k_rr
from rr_engine.designs import generalized_binary
from tests.engine.engine_cases import outcomes

BINARY = {
    "k-ary, k = 2, epsilon 0.5": k_rr(2, 0.5),
    "k-ary, k = 2, epsilon 1": k_rr(2, 1),
    "k-ary, k = 2, epsilon 3": k_rr(2, 3),
    "forced response 2/3, 1/6, 1/6": generalized_binary(5 / 6, 5 / 6),
}
TERNARY = {"k-ary, k = 3, epsilon 1": k_rr(3, 1), "k-ary, k = 3, epsilon 3": k_rr(3, 3)}
SIZES, FEW = (20, 50, 200, 1000), (20, 50)


def flag(design: DesignMatrix, counts: list[int]) -> bool:
    return estimate(design, counts).note("implausible") is not None


def binary_alarm(design: DesignMatrix, n: int, reported: float) -> float:
    """Return the chance of a flag when the second report has this probability."""
    chances = binom.pmf(range(n + 1), n, reported)
    return float(chances @ [flag(design, [n - yes, yes]) for yes in range(n + 1)])


def worst_binary(design: DesignMatrix, n: int) -> float:
    """Return the larger false-alarm rate of the two extreme truths; those between have less."""
    return max(binary_alarm(design, n, chance) for chance in design.matrix[1])


def worst_ternary(design: DesignMatrix, n: int) -> float:
    """Return the false-alarm rate when everybody has one truth (by symmetry any one)."""
    tables = outcomes(design.matrix[:, 0], n)
    return sum(chance for counts, chance in tables if chance > 1e-12 and flag(design, counts))


def alarms(design: DesignMatrix, n: int, cheaters: float) -> float:
    """Return the chance of a flag when nobody is a carrier and a part always says no."""
    return binary_alarm(design, n, float((1 - cheaters) * design.matrix[1, 0]))


def rows() -> list[str]:
    """Return the lines of the table."""
    lines = []
    for name, design in BINARY.items():
        for n in SIZES:
            caught = [alarms(design, n, part) for part in (0.2, 0.5)]
            lines.append(
                f"| {name} | {n:,} | {worst_binary(design, n):.5f} | "
                f"{caught[0]:.3f} | {caught[1]:.3f} |"
            )
    for name, design in TERNARY.items():
        lines += [f"| {name} | {n} | {worst_ternary(design, n):.5f} | | |" for n in FEW]
    return lines


if __name__ == "__main__":
    sys.stdout.write("\n".join(rows()) + "\n")
