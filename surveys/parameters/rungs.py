"""The survey as one tier of readers sees it: each chain is cut down to one step."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from surveys.parameters.budget import spent, text_of
from surveys.parameters.document import Device, Parameters
from surveys.parameters.tables import Chain


def at_rung(parameters: Parameters, rung: int) -> Parameters:
    """The parameters of an ordinary survey that has the step of this rung in place of each chain.

    Rung 0 is that of the lowest tier. Its epsilon is what the devices of this rung add up to.
    Raises IndexError where the survey has no such tier.
    """
    if not 0 <= rung < len(parameters.tiers):
        raise IndexError(f"rung {rung} of {len(parameters.tiers)} tiers")
    devices = tuple(device_at_rung(device, rung) for device in parameters.devices)
    total = text_of(spent(devices))
    return replace(parameters, devices=devices, tiers=(), epsilon=total)


def device_at_rung(device: Device, rung: int) -> Device:
    """The device that draws the report of this rung; a direct one is the same in every tier."""
    table = device.table
    if not isinstance(table, Chain):
        return device
    return replace(device, table=table.steps[rung], epsilon=table.epsilons[rung])


def report_at_rung(device: Device, report: Any, rung: int) -> Any:
    """Return the part of a valid report to a device that this rung is about."""
    if not isinstance(device.table, Chain):
        return report
    codes: Sequence[int] = report
    return codes[rung]
