"""The one length of what is said of a person's reports.

By itself a body is the longer the more digits its codes have and the fewer questions were left out,
and whoever watches the network sees lengths through any encryption. So clients fill a response up
with spaces (static/js/rr/body_length.js; docs/protocol.md has the rule), and answers that have
reports in them are filled up as well.
"""

from collections.abc import Iterable

from surveys.parameters import Device
from surveys.responses.spaces import space_of


def reports_length(devices: Iterable[Device]) -> int:
    """How many bytes the reports to these devices have at most, with their ids, as compact JSON."""
    reports: dict[str, int] = {}
    for device in devices:
        length = len(f'"{device.id}":,') + space_of(device).longest
        reports[device.id] = max(reports.get(device.id, 0), length)
    return sum(reports.values())
