"""Chance: whole numbers below a bound, and noisy bits."""

from collections.abc import Iterable
from typing import Any

from candor.respondent.values import Json, RandomBytes


def uniform_below(n: int, random_bytes: RandomBytes) -> int:
    bits = (n - 1).bit_length()
    while True:
        integer = int.from_bytes(random_bytes((bits + 7) // 8), "big") % 2**bits
        if integer < n:
            return integer


def noisy_bits(table: Json, truth: Iterable[Any], random_bytes: RandomBytes) -> str:
    """Each bit drawn by itself, by whether it is set in truth."""
    chances = [table["one"] if is_set else table["zero"] for is_set in truth]
    below = [uniform_below(table["denominator"], random_bytes) < chance for chance in chances]
    return "".join("01"[bit] for bit in below)
