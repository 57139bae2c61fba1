"""The one rule for what one person can reveal. static/js/rr/wire.js has its twin (`spent`).

A person reports to one stratum of a device only, so of each device the largest over its strata
counts, and the devices of a person add up (sequential composition).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import Protocol

from rr_engine.privacy import Composition, Randomized, total_epsilon
from surveys.parameters.document import PAGE, Device, Parameters

# Epsilon of a question, and of all questions of one person: above these an author gives a reason.
QUESTION_LIMIT = Decimal(4)
PERSON_LIMIT = Decimal(10)
# The deltas of one person, in all: of ten people with every trait that is asked about nine at least
# keep their epsilon. A convention like the two above, but no reason lifts it: from a total of 1 on
# the epsilon would promise nothing to anybody.
DELTA_LIMIT = Decimal("0.1")


class Spending(Protocol):
    """The spending of a budget, by a device or by what an author has declared for a question."""

    @property
    def id(self) -> str: ...

    @property
    def epsilon(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Declared:
    """The epsilon of a question whose devices cannot be built yet, or need not be."""

    id: str
    epsilon: str | None


def spent(devices: Iterable[Spending]) -> Decimal:
    """The epsilon that these devices may reveal about one person; 0 where all are direct."""
    largest = _largest_values((device.id, device.epsilon) for device in devices)
    return total_epsilon(Composition([Randomized(value) for value in largest]))


@dataclass(frozen=True, slots=True)
class Answered:
    """A wave that somebody has answered, and the devices that they reported to."""

    parameters: Parameters
    devices: Collection[str]


def spent_over(waves: Sequence[Answered]) -> Decimal:
    """The epsilon that somebody may reveal who has answered these waves, in their order.

    A device that relaxes the report of the last wave that they answered takes the place of its
    earlier one: the epsilon of a chain is that of its last device (Pan 2024, Theorem 3.3). Any
    other report adds its own; so does one after a wave in which the device was left out.
    """
    chains: dict[str, list[Decimal]] = {}
    last: Answered | None = None
    for answered in waves:
        for device in _scrambling(answered):
            epsilons = chains.setdefault(device.id, [])
            relaxed = {earlier.wave for earlier in device.earlier}
            if last and device.id in last.devices and last.parameters.wave in relaxed:
                epsilons.pop()
            epsilons.append(Decimal(device.epsilon or 0))
        last = answered
    return sum(chain.from_iterable(chains.values()), Decimal(0))


def _scrambling(answered: Answered) -> list[Device]:
    """The devices of the page that scramble what was reported in a wave."""
    return [
        device
        for device in answered.parameters.devices
        if device.id in answered.devices and device.stratum == PAGE and device.epsilon is not None
    ]


def spent_delta(devices: Iterable[Device]) -> Decimal:
    """Return the probability with which that epsilon may be exceeded, at most (a union bound)."""
    return sum(_largest_values((device.id, device.delta) for device in devices), Decimal(0))


def text_of(value: Decimal) -> str:
    """1.1000 -> "1.1": the shortest decimal string, which is what the digest covers."""
    return format(value.normalize(), "f")


def _largest_values(declared: Iterable[tuple[str, str | None]]) -> list[Decimal]:
    largest: dict[str, Decimal] = {}
    for device, value in declared:
        if value is not None:
            number = Decimal(value)
            largest[device] = max(number, largest.get(device, number))
    return list(largest.values())
