"""Checks of what channels over tuples are given."""

from collections.abc import Sequence
from math import prod

from rr_engine.channels.tallies import LARGEST_TALLY
from rr_engine.errors import ArgumentError, DesignError
from rr_engine.validation import MAX_BITS, check_whole, listed


def check_sizes(value: object, argument: str) -> tuple[int, ...]:
    """Return the number of answers to each of one or more questions, each at least 2."""
    parts = listed(value) if listed(value) is not None else (value,)
    if not parts:
        raise ArgumentError(argument, value, "name the number of answers to one or more questions")
    sizes = tuple(check_whole(part, argument, minimum=2) for part in parts)
    if prod(sizes) > LARGEST_TALLY:
        raise DesignError(argument, value, f"have at most {LARGEST_TALLY} combinations")
    return sizes


def check_denominator(value: object) -> int:
    """Return a denominator whose multiples are exact in double precision."""
    return check_whole(value, "denominator", minimum=1, maximum=2**MAX_BITS)


def check_axes(value: int | Sequence[int], axes: int) -> tuple[int, ...]:
    """Return one or more different parts of a tuple."""
    given = [value] if listed(value) is None else listed(value)
    chosen = tuple(check_whole(axis, "axes", maximum=axes - 1) for axis in given)
    if not chosen or len(set(chosen)) < len(chosen):
        raise ArgumentError("axes", value, "name one or more parts, each once")
    return chosen
