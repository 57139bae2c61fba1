"""Checks of what the functions for several attributes are given."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from rr_engine.arguments import check_invertible
from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.protocol import Channel
from rr_engine.channels.tallies import dense_tally, labelled_table
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.labelled import column_labels
from rr_engine.multiattribute.axes import report_axes
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


def check_table(value: npt.ArrayLike | Mapping, designs: tuple[Channel, ...]) -> IntArray:
    """Return the contingency table of reports: one axis per attribute, whole numbers."""
    shape = report_axes(designs)
    if column_labels(value) is not None and len(designs) == 2:
        # Rows and columns are the reports of both questions, by number or by label.
        labels = [getattr(design, "report_labels", ()) for design in designs]
        found = labelled_table(value, shape, "counts", labels)
        value = value if found is None else found
    table = _shaped(value, shape)
    impossible = (table > 0) & (report_bounds(designs)[1] == 0)
    if impossible.any():
        where = np.argwhere(impossible)[0].tolist()
        rule = f"be 0 for reports never made, as at {where}"
        raise CountsError("counts", value, rule, "impossible_report")
    return table


def _shaped(value: npt.ArrayLike | Mapping, shape: tuple[int, ...]) -> IntArray:
    if isinstance(value, Mapping):
        return dense_tally(value, shape).reshape(shape)
    rule = f"be a table of whole numbers of shape {shape}, one axis for each question"
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise CountsError("counts", value, rule, "table_does_not_fit") from None
    if array.shape != shape:
        raise CountsError("counts", value, rule, "table_does_not_fit")
    return check_counts(array.ravel(), array.size).reshape(shape)


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
