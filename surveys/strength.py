"""How much the randomized answers of one person can reveal: the one rule that every sentence
about it follows. static/js/rr/strength.js has the part about one question; both run
tests/vectors/strength.json.

A *loss* is a bound of the log likelihood ratio, as epsilon is one, in hundredths and rounded up.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from surveys.parameters import Device, Ties
from surveys.parameters.budget import PERSON_LIMIT, QUESTION_LIMIT
from surveys.parameters.exact import loss

# From these losses on an author is warned, and respondents read a warning.
QUESTION_WARNING = Decimal(2)
PERSON_WARNING = Decimal(5)
# The loss of a factor of 1,000, with which a report can make other answers nearly impossible.
QUESTION_NEAR_CERTAIN = Decimal(7)

# The numbers of guesses of which the correct ones are stated.
_CROWDS = (100, 1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True)
class Strength:
    """How much one person's reports can reveal.

    `question`: the largest loss of a single report, of members that of one tie; `person`: that of
    all together, all ties of a person among them; `identifying`:
    whether a report can rule an answer out. A device with such a report is counted with its
    declared epsilon, which the rest of its reports keep.
    """

    questions: int
    question: int
    person: int
    identifying: bool

    @property
    def question_level(self) -> int:
        return question_level(self.question)

    @property
    def person_level(self) -> int:
        return person_level(self.person)


def strength_of(devices: Iterable[Device], *, stratum: str | None = None) -> Strength:
    """The strength of these devices, or of those of one `stratum` alone.

    A person reports to one stratum of a device, so the largest over the strata counts. A joint
    report can reveal as much about each of its questions as about all of them.
    """
    devices = [
        device
        for device in devices
        if device.epsilon is not None and stratum in (None, device.stratum)
    ]
    largest: dict[str, float] = {}
    together: dict[str, float] = {}
    covering: dict[str, set[str]] = {}
    for device in devices:
        largest[device.id] = max(_loss(device), largest.get(device.id, 0.0))
        together[device.id] = max(_all_of(device), together.get(device.id, 0.0))
        for question in device.questions:
            covering.setdefault(question, set()).add(device.id)
    # In the order of the devices, so that the sums are the same whoever adds up.
    losses = [sum(largest[name] for name in largest if name in of) for of in covering.values()]
    return Strength(
        questions=len(losses),
        question=hundredths(max(losses, default=0.0)),
        person=hundredths(sum(together.values())),
        identifying=any(math.isinf(table_loss(device)) for device in devices),
    )


def question_level(loss: int) -> int:
    """The level of one report: 0 for numbers only, 1 a strong hint, 2 much, 3 very much."""
    return (
        (loss >= 100 * QUESTION_WARNING)
        + (loss > 100 * QUESTION_LIMIT)
        + (loss >= 100 * QUESTION_NEAR_CERTAIN)
    )


def person_level(loss: int) -> int:
    """The level of all reports of a person: 0 for numbers only, 1 much, 2 very much."""
    return (loss >= 100 * PERSON_WARNING) + (loss > 100 * PERSON_LIMIT)


def right_guesses(loss: int) -> tuple[int, int] | None:
    """How often, at most, an even guess is right after a report of this loss: this many times in
    that many, rounded up; None if it is practically certain.
    """
    share = 1 / (1 + math.exp(-loss / 100))
    for people in _CROWDS:
        right_count = math.ceil(people * share)
        if right_count < people:
            return right_count, people
    return None


def hundredths(epsilon: float | Decimal) -> int:
    return math.ceil(100 * epsilon)


def table_loss(device: Device) -> float:
    """The epsilon of the table itself; infinite where a report rules an answer out."""
    return loss(device.table)


def _loss(device: Device) -> float:
    own = table_loss(device)
    return float(device.epsilon or 0) if math.isinf(own) else own


def _all_of(device: Device) -> float:
    """The loss of a whole report: of members that of all its ties together (person level)."""
    return _loss(device) * (device.table.bits if isinstance(device.table, Ties) else 1)
