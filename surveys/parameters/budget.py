"""What one person can reveal: the one rule. static/js/rr/wire.js has its twin (`spent`).

A person reports to one stratum of a device only, so of each device the largest over its strata
counts, and the devices of a person add up (sequential composition).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import Protocol

from rr_engine import Composition, Randomized, total_epsilon
from surveys.parameters.document import PAGE, Device, Parameters

# Epsilon of a question, and of all questions of one person: above these an author gives a reason.
QUESTION_LIMIT = Decimal(4)
PERSON_LIMIT = Decimal(10)
# The deltas of one person, in all: of ten people with every trait that is asked about nine at least
# keep their epsilon. A convention like the two above, but no reason lifts it: from a total of 1 on
# the epsilon would promise nothing to anybody.
DELTA_LIMIT = Decimal("0.1")


class Spending(Protocol):
    """What uses up a budget: a device, or what an author has declared for a question."""

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


def spent_over(waves: Sequence[Parameters]) -> Decimal:
    """The epsilon that somebody may reveal who has answered these waves, in their order.

    A device that relaxes the last table with which somebody has reported takes its place: the
    epsilon of a chain is that of its last device (Pan 2024, Theorem 3.3). Any other adds to it.
    """
    chains: dict[str, list[Decimal]] = {}
    last_wave: dict[str, int] = {}
    for parameters in waves:
        for device in _scrambling(parameters):
            epsilons = chains.setdefault(device.id, [])
            if last_wave.get(device.id) in {earlier.wave for earlier in device.earlier}:
                epsilons.pop()
            epsilons.append(Decimal(device.epsilon or 0))
            last_wave[device.id] = parameters.wave
    return sum(chain.from_iterable(chains.values()), Decimal(0))


def _scrambling(parameters: Parameters) -> list[Device]:
    """The devices of the page that scramble, one for each device that a person reports to."""
    return [
        device
        for device in parameters.devices
        if device.stratum == PAGE and device.epsilon is not None
    ]


def spent_delta(devices: Iterable[Device]) -> Decimal:
    """With how much probability that epsilon may be exceeded, at most (a union bound)."""
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
