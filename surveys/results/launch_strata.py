"""Inputs of estimates: the reports of a launch's devices, stratum by stratum.

Strata of several launches may be combined: an estimate pools all strata it is given. Strata
with fewer people than the release threshold are suppressed in every number, so that the difference
of two numbers is never about a few people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from surveys.devices import served_family
from surveys.kinds.estimation_inputs import Input, Stratum
from surveys.parameters import Device, Question, is_asked_directly, parts_of_all
from surveys.parameters.exact import channel_of
from surveys.responses.spaces import Counts, TieBits, space_of

# (device or table, stratum) -> the tally of its report space
Tallies = Mapping[tuple[str, str], Counts]


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The devices of one launch, wave or audience, and the reports it has sent.

    `name` tells several apart if they are combined. `people`: how many have sent them. `waiting`:
    how many more have answered to a device whose counts are those of an earlier release.
    """

    devices: Sequence[Device]
    tallies: Tallies
    name: str = ""
    digest: str = ""
    people: int = 0
    waiting: Mapping[tuple[str, str], int] = field(default_factory=dict)


def strata_of(question: Question, *sources: Source) -> list[Stratum]:
    """The strata of a question in the order of its devices, empty ones included.

    A question that is sent with others has its margin of their device. People who are asked a
    sensitive question directly are in none: they may answer it less honestly.
    """
    return [stratum for source in sources for stratum in _strata(question, source, directly=False)]


def direct_strata(question: Question, *sources: Source) -> list[Stratum]:
    """The people whom chance has asked a sensitive question directly."""
    return [stratum for source in sources for stratum in _strata(question, source, directly=True)]


def _strata(question: Question, source: Source, *, directly: bool) -> list[Stratum]:
    devices = parts_of_all(source.devices)
    covering = [
        device
        for device in devices
        if question.id in device.questions and is_asked_directly(question, device) == directly
    ]
    names = dict.fromkeys(device.stratum for device in covering)
    return [
        Stratum(
            source.name,
            name,
            tuple(
                input_of(question, device, source.tallies)
                for device in covering
                if device.stratum == name
            ),
        )
        for name in names
    ]


def input_of(question: Question, device: Device, tallies: Tallies) -> Input:
    """The reports of one device."""
    search, space, counts = device.search, space_of(device), tallies.get(device.key)
    return Input(
        device=device,
        design=channel_of(device, question),
        counts=space.array(counts),
        people=space.people(counts),
        rows=space.rows(counts) if isinstance(space, TieBits) else None,
        named=served_family(device.family).names_answers,
        prior=tuple(map(float, search.prior)) if search else None,
    )


def released_strata(strata: Sequence[Stratum], threshold: int) -> list[Stratum]:
    return [stratum for stratum in strata if stratum.n >= max(threshold, 1)]
