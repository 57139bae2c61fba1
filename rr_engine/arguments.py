"""Checks of arguments that are devices, and of what is given beside them."""

from collections.abc import Mapping, Sequence

from rr_engine import check
from rr_engine.arrays import ArrayLike, IntArray, as_array, as_list
from rr_engine.channels.bit_people import BitPeople
from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.protocol import Channel
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError, NotIdentifiableError
from rr_engine.precision import CONDITION_LIMIT


def holds_several(value: object) -> bool:
    """Tell whether an argument is a list or a mapping rather than one number."""
    array = as_array(value)
    return array is None or array.ndim > 0 or isinstance(value, Mapping)


def truth_labels(channel: Channel) -> tuple[str, ...]:
    """Return the texts by which a channel's true answers may be named, or none."""
    return getattr(channel, "truth_labels", ())


def check_design(value: object, argument: str = "design") -> DesignMatrix:
    """Return a device."""
    return check.instance(value, argument, DesignMatrix, "be a DesignMatrix", "not_a_design")


def check_channel(value: object, argument: str = "design") -> Channel:
    """Return a channel."""
    if not isinstance(value, CountingChannel | BitPeople):
        rule = "be a DesignMatrix or another channel"
        raise ArgumentError(argument, value, rule, "not_a_channel")
    return value


def check_design_list(
    value: object, rule: str = "be a list of one or more DesignMatrix"
) -> list[DesignMatrix]:
    """Return one or more devices."""
    return list(check.instances(value, "designs", DesignMatrix, rule, "not_designs"))


def check_channel_list(value: object, argument: str = "designs") -> list[Channel]:
    """Return one or more channels."""
    rule = "be a list of one or more DesignMatrix or other channels"
    channels = check.entries(value, argument, None, rule, "not_designs")
    return [check_channel(channel, argument) for channel in channels]


def check_tables(value: object, rule: str) -> list[Channel]:
    """Return one or more channels whose table is small enough to form."""
    channels = as_list(value)
    if not channels or not all(isinstance(c, CountingChannel | BitPeople) for c in channels):
        raise ArgumentError("designs", value, rule, "not_designs")
    for channel in channels:
        check_table(channel, "designs")
    return list(channels)


def check_table(channel: Channel, argument: str = "design") -> Channel:
    """Refuse a channel whose table would be too large, or whose reports are strings of bits."""
    if isinstance(channel, BitPeople):
        rule = "have a table: reports of bits are too many to list"
        raise ArgumentError(argument, channel, rule, "table_not_available")
    if not channel.tabulated:
        rule = "have a table that is small enough to form"
        raise ArgumentError(argument, channel, rule, "table_too_large")
    return channel


def check_invertible(channel: Channel) -> None:
    """Refuse a device whose reports do not determine the proportions."""
    if not channel.condition_number < CONDITION_LIMIT:
        rule = "have linearly independent columns, so that reports determine the proportions"
        raise NotIdentifiableError("design", channel, rule, "not_identifiable")


def check_tallies(
    designs: Sequence[Channel], counts: ArrayLike | Sequence[ArrayLike | Mapping]
) -> list[IntArray]:
    """Return the counts of each device's reports."""
    rule = f"have one list of counts for each of the {len(designs)} designs"
    tallies = check.entries(counts, "counts", len(designs), rule, "tallies_do_not_fit")
    return [
        design.tally(tally, f"counts[{position}]")
        for position, (design, tally) in enumerate(zip(designs, tallies, strict=True))
    ]
