"""Whether a table keeps what it claims: its epsilon and delta, from whole numbers."""

import itertools
import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

from candor.respondent.reading import columns_of
from candor.respondent.rules import require
from candor.respondent.values import EPSILON_CAP, Json


def check_privacy(device: Json) -> None:
    epsilon, table = Decimal(device["epsilon"]), device["table"]
    require(0 < epsilon <= EPSILON_CAP, f"epsilon is above 0 and at most {EPSILON_CAP}")
    if device["delta"] is None:
        for highest, lowest in extremes(table):
            require(is_within([highest], [lowest], epsilon, 0), "the table keeps its epsilon")
        return
    delta = Fraction(device["delta"])
    require(0 < delta < 1, "delta is above 0 and below 1")
    require(table["form"] in ("dense", "uniform"), "a delta is for a table of codes")
    for first, second in itertools.permutations(columns_of(table), 2):
        allowed = delta * table["denominator"]
        require(is_within(first, second, epsilon, allowed), "the table keeps its delta")


def extremes(table: Json) -> list[tuple[int, int]]:
    """Pairs of which none may have a larger ratio than e**epsilon."""
    if table["form"] == "product":
        worst = [max(extremes(part), key=ratio) for part in table["parts"]]
        return [
            (math.prod(highest for highest, _ in worst), math.prod(lowest for _, lowest in worst))
        ]
    if table["form"] == "joint":
        return [(max(table["weights"]), min(table["weights"]))]
    if table["form"] == "ranking":
        reported, kept, each = table["refusal"] or (1, 1, table["weights"][0])
        entries = [*table["weights"], each]
        return [(max(entries), min(entries)), (max(kept, reported), min(kept, reported))]
    if table["form"] == "ties":
        clear = (table["denominator"] - table["zero"], table["denominator"] - table["one"])
        return [(table["one"], table["zero"]), clear]
    if table["form"] in ("bits", "bloom"):
        one_entry, zero, denominator = table["one"], table["zero"], table["denominator"]
        upper, lower = one_entry * (denominator - zero), zero * (denominator - one_entry)
        power = table.get("hashes", 1)
        return [(max(upper, lower) ** power, min(upper, lower) ** power)]
    return [(max(row), min(row)) for row in zip(*columns_of(table), strict=True)]


def ratio(pair: tuple[int, int]) -> float | Fraction:
    highest, lowest = pair
    if lowest:
        return Fraction(highest, lowest)
    return math.inf if highest else 0


def is_within(
    first: Sequence[int], second: Sequence[int], epsilon: Decimal, allowed: Fraction | int
) -> bool:
    """Whether `first` exceeds e**epsilon * `second` by at most `allowed`, summed where it does."""
    digits = 50
    while True:
        low, high = power_bounds(epsilon, digits)
        highest, lowest = (
            sum(max(Fraction(0), a - power * b) for a, b in zip(first, second, strict=True))
            for power in (low, high)
        )
        if highest <= allowed or lowest > allowed:
            return highest <= allowed
        digits *= 2


def power_bounds(epsilon: Decimal, digits: int) -> tuple[Fraction, Fraction]:
    """Just below and just above e**epsilon."""
    with localcontext() as context:
        context.prec = digits
        power = Fraction(epsilon.exp())
    return power * (1 - Fraction(10) ** (2 - digits)), power * (1 + Fraction(10) ** (2 - digits))
