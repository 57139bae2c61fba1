"""Checks of what the functions for several attributes are given."""

import numpy as np
import numpy.typing as npt

from rr_engine.arguments import check_invertible
from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.multiattribute.joint_notes import report_bounds
from rr_engine.validation import IntArray, as_list, check_counts, check_whole


def check_designs(value: object, argument: str = "designs") -> tuple[Channel, ...]:
    """Return one or more devices, each of which identifies its attribute."""
    designs = as_list(value)
    if not designs or not all(isinstance(design, CountingChannel) for design in designs):
        rule = "be a sequence of one or more devices whose reports are counted one by one"
        raise ArgumentError(argument, value, rule, "not_designs")
    for design in designs:
        check_invertible(design)
    return designs


def check_table(value: npt.ArrayLike, designs: tuple[Channel, ...]) -> IntArray:
    """Return the contingency table of reports: one axis per design, whole numbers."""
    shape = tuple(design.tally_size for design in designs)
    rule = f"be a table of whole numbers of shape {shape}, one axis for each design"
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise CountsError("counts", value, rule, "table_does_not_fit") from None
    if array.shape != shape:
        raise CountsError("counts", value, rule, "table_does_not_fit")
    table = check_counts(array.ravel(), array.size).reshape(shape)
    possible = report_bounds(designs)[1] > 0
    if (table[~possible] > 0).any():
        where = np.argwhere((table > 0) & ~possible)[0].tolist()
        rule = f"be 0 for reports never made, as at {where}"
        raise CountsError("counts", value, rule, "impossible_report")
    return table


def check_axis(value: object, argument: str, axes: int) -> int:
    """Return the number of an attribute, from 0."""
    return check_whole(value, argument, maximum=axes - 1)


def check_attributes(value: object, axes: int) -> tuple[int, ...]:
    """Return one or more different attributes, given as one number or as a sequence."""
    entries = as_list(value)
    chosen = tuple(
        check_axis(axis, "axes", axes) for axis in ((value,) if entries is None else entries)
    )
    if not chosen or len(set(chosen)) < len(chosen):
        rule = "name one or more attributes, each once"
        raise ArgumentError("axes", value, rule, "axes_not_distinct")
    return chosen
