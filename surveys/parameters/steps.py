"""The survey as some of its readers see it: each chain is cut down to one step."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from surveys.features import FEATURES
from surveys.parameters.budget import spent, text_of
from surveys.parameters.document import Device, Parameters
from surveys.parameters.tables import Chain


def versions_of(parameters: Parameters) -> Sequence[str]:
    """Return who reads each step of the chains, the lowest first; none where all read the same."""
    for feature in FEATURES.values():
        if versions := feature.document.versions(parameters):
            return versions
    return ()


def at_step(parameters: Parameters, step: int) -> Parameters:
    """Return the parameters of an ordinary survey that has one step in place of each chain.

    Step 0 is the lowest one. Its epsilon is what the devices of the step add up to.
    Raises IndexError where the survey has no such step.
    """
    versions = versions_of(parameters)
    if not 0 <= step < len(versions):
        raise IndexError(f"step {step} of {len(versions)}")
    devices = tuple(device_at_step(device, step) for device in parameters.devices)
    whole: dict[str, Any] = {
        name: () for name, feature in FEATURES.items() if feature.document.versions(parameters)
    }
    return replace(parameters, devices=devices, epsilon=text_of(spent(devices)), **whole)


def of_one_version(parameters: Parameters) -> Parameters:
    """Return the document as the readers of the lowest step see it; itself where all read alike."""
    return at_step(parameters, 0) if versions_of(parameters) else parameters


def device_at_step(device: Device, step: int) -> Device:
    """Return the device that draws the report of a step; a direct one is the same on each."""
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
