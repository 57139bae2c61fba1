"""The survey as one tier of readers sees it: each chain is cut down to one step."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from surveys.parameters.budget import spent, text_of
from surveys.parameters.document import Device, Parameters
from surveys.parameters.tables import Chain


def at_step(parameters: Parameters, step: int) -> Parameters:
    """Return the parameters of an ordinary survey that has one step in place of each chain.

    Step 0 is that of the lowest tier. Its epsilon is what the devices of the step add up to.
    Raises IndexError where the survey has no such tier.
    """
    if not 0 <= step < len(parameters.tiers):
        raise IndexError(f"step {step} of {len(parameters.tiers)} tiers")
    devices = tuple(device_at_step(device, step) for device in parameters.devices)
    total = text_of(spent(devices))
    return replace(parameters, devices=devices, tiers=(), epsilon=total)


def device_at_step(device: Device, step: int) -> Device:
    """Return the device that draws the report of a step; a direct one is the same in every tier."""
    table = device.table
    if not isinstance(table, Chain):
        return device
    return replace(device, table=table.steps[step], epsilon=table.epsilons[step])


def report_at_step(device: Device, report: Any, step: int) -> Any:
    """Return the part of a valid report to a device that this step is about."""
    if not isinstance(device.table, Chain):
        return report
    codes: Sequence[int] = report
    return codes[step]
