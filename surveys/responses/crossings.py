"""The pairs of questions that a launch has counted together, as combinations of its devices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from surveys.features import crossed_pairs
from surveys.parameters import Device, Parameters, keys_asked_directly, parts_of_all
from surveys.responses.spaces import Tuples, crossed, space_of

TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class Crossing:
    """One declared table of the people who reported to both questions, by pair of strata.

    `left_out`: devices that are in no table, those of people who are asked something sensitive
    directly.
    """

    outcome: str
    group: str
    strata: Mapping[str, tuple[Device, Device]]  # "page,physical" -> the device of each
    left_out: frozenset[tuple[str, str]] = frozenset()

    @property
    def table(self) -> str:
        """The name under which its counts are tallied."""
        return f"{self.outcome},{self.group}"

    def of(self, devices: Sequence[Device]) -> "Crossing":
        """Return this table for the people who reported to these devices, in another wave say."""
        crossed_devices = [device for device in devices if device.key not in self.left_out]
        strata = _strata(crossed_devices, self.outcome, self.group)
        return Crossing(self.outcome, self.group, strata, self.left_out)

    def space(self, stratum: str) -> Tuples:
        """The pairs of reports of a pair of strata: those to the group run fastest."""
        return crossed(map(space_of, self.strata[stratum]))


def crossings(parameters: Parameters) -> list[Crossing]:
    """Every declared table that can be counted: none where answers are kept apart.

    Only questions with one device a stratum, whose space is crossable, can be crossed. A question
    that is sent with others has one: its margin of theirs.
    """
    if parameters.linkage != TOGETHER:
        return []
    left_out = keys_asked_directly(parameters)
    return [
        Crossing(outcome, group, {}, left_out).of(parameters.devices)
        for outcome, group in crossed_pairs(parameters)
        if _is_crossable(parameters, outcome) and _is_crossable(parameters, group)
    ]


def crossed_spaces(parameters: Parameters) -> dict[tuple[str, str], Tuples]:
    """(table, stratum) -> the space of the pairs of reports that are counted there."""
    return {
        (crossing.table, stratum): crossing.space(stratum)
        for crossing in crossings(parameters)
        for stratum in crossing.strata
    }


def _is_crossable(parameters: Parameters, name: str) -> bool:
    question = parameters.question(name)
    covering = parts_of_all(parameters.devices_of(question))
    devices = [device for device in covering if name in device.questions]
    return not question.several and all(space_of(device).crossable for device in devices)


def _strata(
    devices: Sequence[Device], outcome: str, group: str
) -> dict[str, tuple[Device, Device]]:
    covering = {
        name: [device for device in parts_of_all(devices) if name in device.questions]
        for name in (outcome, group)
    }
    return {
        f"{first.stratum},{second.stratum}": (first, second)
        for first in covering[outcome]
        for second in covering[group]
    }
