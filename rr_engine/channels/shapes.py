"""Checks of what channels over tuples are given."""

from collections.abc import Sequence
from math import prod

from rr_engine.errors import ArgumentError, DesignError
from rr_engine.validation import MAX_BITS, as_list, check_whole

# Counts, proportions and intermediate arrays then take some gigabytes.
LARGEST_TALLY = 2**25


def check_shape(value: object, argument: str) -> tuple[int, ...]:
    """Return the number of answers to each of one or more questions, each at least 2."""
    parts = as_list(value)
    sizes = tuple(
        check_whole(part, argument, minimum=2, maximum=LARGEST_TALLY)
        for part in ((value,) if parts is None else parts)
    )
    if not sizes:
        rule = "name the number of answers to one or more questions"
        raise ArgumentError(argument, value, rule, "sizes_missing")
    return sizes


def check_sizes(value: object, argument: str) -> tuple[int, ...]:
    """Return the same where all combinations can be counted."""
    sizes = check_shape(value, argument)
    if prod(sizes) > LARGEST_TALLY:
        rule = f"have at most {LARGEST_TALLY} combinations"
        raise DesignError(argument, value, rule, "too_many_cells")
    return sizes


def check_denominator(value: object) -> int:
    """Return a denominator whose multiples are exact in double precision."""
    return check_whole(value, "denominator", minimum=1, maximum=2**MAX_BITS)


def check_axes(value: int | Sequence[int], axes: int) -> tuple[int, ...]:
    """Return one or more different parts of a tuple."""
    parts = as_list(value)
    entries = (value,) if parts is None else parts
    chosen = tuple(check_whole(axis, "axes", maximum=axes - 1) for axis in entries)
    if not chosen or len(set(chosen)) < len(chosen):
        raise ArgumentError("axes", value, "name one or more parts, each once", "axes_not_distinct")
    return chosen
