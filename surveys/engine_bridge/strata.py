"""The reports to one question, by the kind of device that made them.

A stratum is all reports that came out of the same devices: the page's, or one of the respondents'
own. A person is in one of them. Strata with fewer people than the release threshold stay out of
every number, so that nothing about a few is left when two numbers are subtracted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import rr_engine
from surveys.engine_bridge.designs import SEARCHED, frozen_design
from surveys.parameters import CARDS, Device, Question, coded
from surveys.responses.spaces import Counts, counted, space_of

# (device or table, stratum) -> counts over its report space
Tallies = Mapping[tuple[str, str], Counts]

# Of these no report stands for an answer, also where there are as many of one as of the other.
WITHOUT_NAMES = frozenset({CARDS, SEARCHED})


@dataclass(frozen=True, slots=True, eq=False)
class Stratum:
    name: str
    devices: tuple[Device, ...]
    counts: tuple[np.ndarray, ...]  # of each device, over its reports

    @property
    def n(self) -> int:
        """How many people reported; where a question has several devices they report to all."""
        return min(int(counts.sum()) for counts in self.counts)


@dataclass(frozen=True, slots=True)
class Part:
    """One estimate's material: in each stratum a design and the counts of its reports.

    `named`: report u stands for answer u. `prior`: the distribution that was guessed before launch,
    of a device that was searched for it.
    """

    designs: tuple[rr_engine.DesignMatrix, ...]
    counts: tuple[np.ndarray, ...]
    named: bool = True
    prior: tuple[float, ...] | None = None

    @property
    def reported(self) -> np.ndarray | None:
        """Raw counts in the order of the answers, where one report stands for each answer."""
        return self.counts[0] if len(self.designs) == 1 and self.named else None


def strata_of(question: Question, devices: Sequence[Device], tallies: Tallies) -> list:
    """The strata of a question in the order of its devices, people or no people."""
    own = [device for device in devices if question.id in device.questions]
    names = dict.fromkeys(device.stratum for device in own)
    return [_stratum(name, own, tallies) for name in names]


def released(strata: Sequence[Stratum], threshold: int) -> list[Stratum]:
    return [stratum for stratum in strata if stratum.n >= max(threshold, 1)]


def whole_part(question: Question, strata: Sequence[Stratum]) -> Part:
    """The material of a question of which one answer is true."""
    devices = [stratum.devices[0] for stratum in strata]
    priors = [device.search.prior for device in devices if device.search]
    return Part(
        designs=tuple(frozen_design(device, question) for device in devices),
        counts=tuple(stratum.counts[0] for stratum in strata),
        named=not any(device.family in WITHOUT_NAMES for device in devices),
        prior=tuple(map(float, priors[0])) if priors else None,
    )


def option_part(question: Question, strata: Sequence[Stratum], option: int) -> Part:
    """The material of one option of a multiple choice: not ticked, ticked."""
    pairs = [_of_option(question, stratum, option) for stratum in strata]
    return Part(tuple(design for design, _ in pairs), tuple(counts for _, counts in pairs))


def _stratum(name: str, devices: Sequence[Device], tallies: Tallies) -> Stratum:
    here = tuple(device for device in devices if device.stratum == name)
    return Stratum(
        name, here, tuple(counts_of(device.id, name, device, tallies) for device in here)
    )


def counts_of(table: str, stratum: str, device: Device, tallies: Tallies) -> np.ndarray:
    counts = np.zeros(space_of(device).size, dtype=np.int64)
    for number, count in counted(tallies.get((table, stratum))).items():
        counts[number] = count
    return counts


def _of_option(
    question: Question, stratum: Stratum, option: int
) -> tuple[rr_engine.DesignMatrix, np.ndarray]:
    for device, counts in zip(stratum.devices, stratum.counts, strict=True):
        if device.option == option:
            return frozen_design(device, question), counts
    return _out_of_the_whole(question, stratum, option)


def _out_of_the_whole(
    question: Question, stratum: Stratum, option: int
) -> tuple[rr_engine.DesignMatrix, np.ndarray]:
    """A device over all combinations, as it looks to one option."""
    ((device,), (counts,)) = stratum.devices, stratum.counts
    truths = ticking(question, device.table.truths, option)
    reports = ticking(question, len(coded(device.table).reports), option)
    design = frozen_design(device, question).collapsed(reports, truths)
    return design, np.array([counts[group].sum() for group in reports])


def ticking(question: Question, codes: int, option: int) -> list[list[int]]:
    """Codes without and with this option: a code's bits are options, the last code a refusal."""
    refusal = codes - 1 if question.prefer_not else None
    asked = len(question.categories) - int(question.prefer_not)
    with_it = [
        code
        for code in range(codes)
        if (code == refusal if option == asked else code != refusal and code >> option & 1)
    ]
    return [[code for code in range(codes) if code not in with_it], with_it]
