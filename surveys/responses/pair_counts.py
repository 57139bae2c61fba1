"""How often one person's reports to two devices came together: one tally of all pairs of a launch.

So whatever relates two answers can be estimated, without a row of anybody being read again. A
declared table has a tally of its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from surveys.parameters import Device, Parameters, joint_of, keys_asked_directly, parts_of_all
from surveys.responses.crossings import TOGETHER
from surveys.responses.space import Counts
from surveys.responses.spaces import ByNumber, space_of

# The table and the stratum under which the counts are stored: no device has such a name.
ALL_PAIRS = ("*,*", "*")
# Cells of all pairs together; questions that would have more are in none.
MOST_CELLS = 2**17
# People who are counted at once.
AT_ONCE = 1_000

DeviceOf = tuple[str, str]  # the name and the stratum of a device


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a device's codes; `owner`: the joint device that reports it."""

    device: Device
    owner: DeviceOf
    start: int
    size: int

    @property
    def codes(self) -> slice:
        return slice(self.start, self.start + self.size)


@dataclass(frozen=True)
class AllPairs(ByNumber):
    """The tally of all pairs of codes that one person reported to these devices."""

    places: tuple[Place, ...]

    @property
    def codes(self) -> int:
        return sum(place.size for place in self.places)

    @property
    def size(self) -> int:
        return self.codes**2

    @cached_property
    def by_device(self) -> dict[DeviceOf, Place]:
        return {place.device.key: place for place in self.places}

    @cached_property
    def _counted(self) -> npt.NDArray[np.bool_]:
        """The pairs of codes that are counted: those of two devices, the earlier one first."""
        owners = np.repeat(np.arange(len(self.places)), [place.size for place in self.places])
        numbers = {place.owner: number for number, place in enumerate(self.places)}
        together = np.array([numbers[place.owner] for place in self.places])[owners]
        return np.triu(together[:, None] != together[None], k=1)

    def codes_of(self, content: Mapping[str, Any]) -> list[int]:
        """The codes of a person's reports, each with the place of its device before it."""
        found = []
        for name, report in content["reports"].items():
            place = self.by_device.get((name, content["strata"][name]))
            if place is not None:
                found.append(place.start + report)
        return found

    def count(self, reports: Iterable[Sequence[int]]) -> Counts:
        people, totals = iter(reports), np.zeros((self.codes, self.codes))
        while chunk := list(islice(people, AT_ONCE)):
            tags = np.zeros((len(chunk), self.codes))
            rows = np.repeat(np.arange(len(chunk)), [len(codes) for codes in chunk])
            tags[rows, np.array([code for codes in chunk for code in codes], dtype=np.int64)] = 1
            totals += tags.T @ tags
        flat = np.rint(np.where(self._counted, totals, 0)).astype(np.int64).ravel()
        return {str(number): int(flat[number]) for number in np.flatnonzero(flat)}

    def stored(self, counts: Mapping[int, int]) -> Counts:
        """Most pairs of codes are of devices that nobody used together: the others alone."""
        return {str(number): count for number, count in sorted(counts.items()) if count}

    def table(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        """The stored counts as a table of all codes, below the diagonal as above it."""
        table = self.array(counts).reshape(self.codes, self.codes)
        return table + table.T


def all_pairs(parameters: Parameters) -> AllPairs | None:
    """The pairs of a launch that are counted; None where answers are kept apart, or of one alone.

    Of questions with one device a stratum whose reports are codes, in the order of the survey; of a
    joint device each question by its margin. What somebody was asked directly by chance is in no
    pair.
    """
    if parameters.linkage != TOGETHER:
        return None
    left_out, chosen, cells = keys_asked_directly(parameters), list[list[Device]](), 0
    owners = {
        (name, device.stratum): device.key
        for device in joint_of(parameters)
        for name in device.questions
    }
    for question in parameters.questions:
        devices = [
            device
            for device in parts_of_all(parameters.devices)
            if device.questions == (question.id,) and device.key not in left_out
        ]
        if question.several or question.whole_scale or not _countable(devices):
            continue
        more = sum(_cells(devices, others, owners) for others in chosen)
        if cells + more <= MOST_CELLS:
            chosen, cells = [*chosen, devices], cells + more
    if len(chosen) < 2:
        return None
    places, start = list[Place](), 0
    for device in (device for devices in chosen for device in devices):
        size = len(space_of(device).letters)
        places.append(Place(device, owners.get(device.key, device.key), start, size))
        start += size
    return AllPairs(tuple(places))


def _countable(devices: Sequence[Device]) -> bool:
    return bool(devices) and all(space_of(device).crossable for device in devices)


def _cells(
    devices: Sequence[Device], others: Sequence[Device], owners: Mapping[DeviceOf, DeviceOf]
) -> int:
    """The pairs of codes of two questions, but for those that one device reports."""
    return sum(
        len(space_of(device).letters) * len(space_of(other).letters)
        for device in devices
        for other in others
        if owners.get(device.key, device.key) != owners.get(other.key, other.key)
    )
