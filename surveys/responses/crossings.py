"""The cross-tables that a launch declared, as combinations of its devices."""

from collections.abc import Mapping
from dataclasses import dataclass

from surveys.parameters import Device, Parameters, coded

TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class Crossing:
    """One declared table of the people who reported to both questions, by pair of strata."""

    outcome: str
    group: str
    strata: Mapping[str, tuple[Device, Device]]  # "page,physical" -> the device of each

    @property
    def table(self) -> str:
        """The name under which its counts are tallied."""
        return f"{self.outcome},{self.group}"


def crossings(parameters: Parameters) -> list[Crossing]:
    """Every declared table that can be counted: none where answers are kept apart.

    Only questions whose answer is one category of one device can be crossed.
    """
    if parameters.linkage != TOGETHER:
        return []
    return [
        Crossing(outcome, group, _strata(parameters, outcome, group))
        for outcome, group in parameters.tables
        if not any(parameters.question(name).several for name in (outcome, group))
    ]


def table_sizes(parameters: Parameters) -> dict[tuple[str, str], tuple[int, int]]:
    """(table, stratum) -> number of reports of the outcome and of the group."""
    return {
        (crossing.table, stratum): (_reports_of(outcome), _reports_of(group))
        for crossing in crossings(parameters)
        for stratum, (outcome, group) in crossing.strata.items()
    }


def _reports_of(device: Device) -> int:
    return len(coded(device.table).reports)


def _strata(parameters: Parameters, outcome: str, group: str) -> dict[str, tuple[Device, Device]]:
    devices = {name: parameters.devices_of(parameters.question(name)) for name in (outcome, group)}
    return {
        f"{first.stratum},{second.stratum}": (first, second)
        for first in devices[outcome]
        for second in devices[group]
    }
