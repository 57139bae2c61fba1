"""Checks of the range of a number, and of devices for means."""

from collections.abc import Sequence

from rr_engine.bounded.mean_device import MeanDevice
from rr_engine.errors import ArgumentError
from rr_engine.validation import as_list, check_real

# Squares of a range and of numbers in it stay within a double.
LARGEST_NUMBER = 1e100
# Width of a range as a share of its larger end, below which doubles hold too few of its steps.
NARROWEST = 1e-6


def check_range(lower: float, upper: float) -> tuple[float, float]:
    """Return the ends of a range."""
    low, high = check_real(lower, "lower"), check_real(upper, "upper")
    largest = max(abs(low), abs(high))
    if largest > LARGEST_NUMBER:
        argument, value = ("lower", low) if abs(low) == largest else ("upper", high)
        rule = f"be at most {LARGEST_NUMBER:g} in size"
        raise ArgumentError(argument, value, rule, "out_of_range")
    if not high - low > NARROWEST * largest:
        rule = f"lie above lower, {low!r}, by a millionth of it at least"
        raise ArgumentError("upper", upper, rule, "out_of_range")
    return low, high


def check_number(value: object, argument: str, bounds: tuple[float, float]) -> float:
    """Return a number within a range."""
    number, (low, high) = check_real(value, argument), bounds
    if not low <= number <= high:
        raise ArgumentError(argument, value, f"lie from {low!r} to {high!r}", "out_of_range")
    return number


def check_mean_device(value: object, argument: str = "device") -> MeanDevice:
    """Return a device for a mean."""
    if not isinstance(value, MeanDevice):
        raise ArgumentError(argument, value, "be a MeanDevice", "not_designs")
    return value


def check_mean_devices(value: MeanDevice | Sequence[MeanDevice]) -> list[MeanDevice] | None:
    """Return the devices of a list of one or more; None for a device that is no list."""
    if isinstance(value, MeanDevice):
        return None
    devices = as_list(value)
    if not devices:
        rule = "be a MeanDevice, or a list of one or more"
        raise ArgumentError("device", value, rule, "not_designs")
    return [check_mean_device(device) for device in devices]
