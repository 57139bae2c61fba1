"""Devices and launches whose reports are no codes: no author can launch them yet."""

from msgspec.structs import replace

from surveys.models import Launch
from surveys.parameters import CODES, PAGE, Device, Table, digest_of


def device_with(table: Table, name: str = "q1", **values: object) -> Device:
    """A device of the page with this table; what it declares is not checked."""
    fields = {
        "id": name,
        "questions": (name,),
        "option": None,
        "stratum": PAGE,
        "family": "k_rr",
        "look": CODES,
        "epsilon": None,
        "delta": None,
        "instructions": (),
        "search": None,
        "earlier": (),
    }
    return Device(table=table, **{**fields, **values})


def relaunched(launch: Launch, *devices: Device) -> Launch:
    """Another version of a launch with these devices, past the checks of a launch."""
    parameters = replace(launch.parameters, devices=devices, version=launch.version + 1)
    return Launch.objects.create(
        survey=launch.survey,
        parameters=parameters,
        digest=digest_of(parameters),
        version=parameters.version,
    )
