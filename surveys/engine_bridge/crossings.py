"""The cross-tables that a launch declared, as combinations of its devices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from surveys.engine_bridge.designs import devices_of
from surveys.kinds import KINDS

if TYPE_CHECKING:
    from surveys.models import Question

TOGETHER = "together"

Device = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Crossing:
    """One declared table: of people who reported to both questions, per pair of strata."""

    outcome: str
    group: str
    strata: Mapping[str, tuple[Device, Device]]  # "page,own" -> the device of each

    @property
    def table(self) -> str:
        """Under which name its counts are tallied."""
        return f"{self.outcome},{self.group}"


def crossings(parameters: Mapping[str, Any]) -> list[Crossing]:
    """Every declared table that can be counted: none where answers are kept apart.

    Only questions whose answer is one category of one device can be crossed.
    """
    if parameters["linkage"] != TOGETHER:
        return []
    kinds = {question["id"]: question["kind"] for question in parameters["questions"]}
    return [
        Crossing(outcome, group, _strata(parameters, outcome, group))
        for outcome, group in parameters["tables"]
        if not any(KINDS[kinds[name]].several for name in (outcome, group))
    ]


def table_sizes(parameters: Mapping[str, Any]) -> dict[tuple[str, str], tuple[int, int]]:
    """(table, stratum) -> number of reports of the outcome and of the group."""
    return {
        (crossing.table, stratum): (len(one["reports"]), len(other["reports"]))
        for crossing in crossings(parameters)
        for stratum, (one, other) in crossing.strata.items()
    }


def pooled_reports(outcome: "Question", group: "Question") -> int | None:
    """Combinations of reports in the largest pair of strata that a launch would freeze.

    None where there is one pair only, so that nothing is pooled. Raises EngineError for a question
    whose device cannot be built.
    """
    sizes = [
        [len(device["reports"]) for device in devices_of([question])]
        for question in (outcome, group)
    ]
    return max(sizes[0]) * max(sizes[1]) if max(map(len, sizes)) > 1 else None


def _strata(
    parameters: Mapping[str, Any], outcome: str, group: str
) -> dict[str, tuple[Device, Device]]:
    devices = {outcome: [], group: []}
    for device in parameters["devices"]:
        if device["id"] in devices:
            devices[device["id"]].append(device)
    return {
        f"{one['stratum']},{other['stratum']}": (one, other)
        for one in devices[outcome]
        for other in devices[group]
    }
