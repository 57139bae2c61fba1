"""Checks of arguments that are devices, and of what is given beside them."""

from collections.abc import Sequence

import numpy.typing as npt

from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError
from rr_engine.validation import IntArray, check_counts, listed


def check_design(value: object, argument: str = "design") -> DesignMatrix:
    """Return a device."""
    if not isinstance(value, DesignMatrix):
        raise ArgumentError(argument, value, "be a DesignMatrix")
    return value


def check_design_list(
    value: object, argument: str = "designs", rule: str = "be a list of one or more DesignMatrix"
) -> list[DesignMatrix]:
    """Return one or more devices."""
    devices = listed(value)
    if not devices or not all(isinstance(device, DesignMatrix) for device in devices):
        raise ArgumentError(argument, value, rule)
    return list(devices)


def check_tallies(
    designs: Sequence[DesignMatrix], counts: npt.ArrayLike | Sequence[npt.ArrayLike]
) -> list[IntArray]:
    """Return the counts of each device's reports."""
    tallies = listed(counts)
    if tallies is None or len(tallies) != len(designs):
        rule = f"have one list of counts for each of the {len(designs)} designs"
        raise ArgumentError("counts", counts, rule)
    return [
        check_counts(tally, len(design.reports), f"counts[{position}]")
        for position, (design, tally) in enumerate(zip(designs, tallies, strict=True))
    ]
