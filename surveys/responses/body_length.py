"""The one length of the bodies of all responses to a survey.

By itself a body is the longer the more digits its codes have and the fewer questions were left out,
and whoever watches the network sees lengths through any encryption. So clients fill it up with
spaces, and answers that have reports in them are filled up as well. static/js/rr/body_length.js
is the twin, docs/protocol.md has the rule.
"""

from collections.abc import Iterable

from surveys.parameters import PAGE, Device, Parameters
from surveys.responses.spaces import space_of

# Digest, id, a code or a link, and all names of fields have so many bytes at most.
FRAME = 200


def body_length(parameters: Parameters) -> int:
    """What a client fills the body of a response up to, in bytes; all of it is ASCII."""
    drawn = [device for device in parameters.devices if not device.instructions]
    strata: dict[str, int] = {}
    for device in drawn:
        if device.stratum != PAGE:
            length = len(f'"{device.id}":"{device.stratum}",')
            strata[device.id] = max(strata.get(device.id, 0), length)
    return FRAME + reports_length(drawn) + sum(strata.values())


def reports_length(devices: Iterable[Device]) -> int:
    """How many bytes the reports to these devices have at most, with their ids, as compact JSON."""
    reports: dict[str, int] = {}
    for device in devices:
        length = len(f'"{device.id}":,') + space_of(device).longest
        reports[device.id] = max(reports.get(device.id, 0), length)
    return sum(reports.values())
