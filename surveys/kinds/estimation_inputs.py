"""The inputs of an estimate: the devices of a question, and the counts of their reports.

A stratum is all reports that came out of the same devices, of one launch or of several: the
page's, or a physical randomizer. A person is in one of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import rr_engine
from surveys.parameters import Device, Members, Question


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """The reports that one device has collected on a question.

    `counts` has one entry for each report. `named`: report u stands for answer u. `prior`: the
    distribution that was guessed before launch, of a device that was searched for it. `people`:
    how many have reported, where the channel, that of one cohort or of one tie, cannot tell.
    `rows`: of members the bits of each member who has reported, by place.
    """

    device: Device
    design: rr_engine.channels.Channel
    counts: npt.NDArray[np.int64]
    named: bool = True
    prior: tuple[float, ...] | None = None
    people: int | None = None
    rows: Mapping[int, npt.NDArray[np.uint8]] | None = None

    @property
    def n(self) -> int:
        """The number of people who reported; a report of bits is counted bit by bit."""
        return self.design.people(self.counts) if self.people is None else self.people


@dataclass(frozen=True, slots=True, eq=False)
class Stratum:
    """The reports of each device of the question, from the same people.

    `source` names the launch, wave or audience if several are combined, `name` the stratum in it.
    """

    source: str
    name: str
    inputs: tuple[Input, ...]

    @property
    def n(self) -> int:
        """The number of people who reported; they report to all devices of a question."""
        return min(device_input.n for device_input in self.inputs)


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """A question with the reports to it, pooled over `strata`; there is at least one.

    `candidates`: the texts whose shares are estimated, of a question that takes a text.
    `members`: the people of the survey, of a question about them.
    """

    question: Question
    strata: Sequence[Stratum]
    population: str
    candidates: Sequence[str] = ()
    members: Members | None = None


@dataclass(frozen=True, slots=True)
class EstimationInput:
    """One estimate's material: in each stratum a channel and the counts of its reports."""

    designs: tuple[rr_engine.channels.Channel, ...]
    counts: tuple[npt.NDArray[np.int64], ...]
    named: bool = True
    prior: tuple[float, ...] | None = None

    @property
    def report_counts(self) -> npt.NDArray[np.int64] | None:
        """Raw counts in the order of the answers, where one report stands for each answer."""
        return self.counts[0] if len(self.designs) == 1 and self.named else None
