"""What a budget is divided over: whatever has one report and one epsilon.

That is a question, or all questions of a joint device, which has the sum of their epsilons.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_DOWN, Decimal
from enum import Enum

from surveys.authoring.planning.figures import focal_margin
from surveys.devices import family_of
from surveys.devices.joint_margin import join_questions
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.drafts import Draft
from surveys.features import FEATURES
from surveys.kinds import kind_of
from surveys.models import Question

# Proposed epsilons are multiples of it.
STEP = Decimal("0.01")
# The least epsilon that is proposed for a question: below, next to nothing is told.
LEAST = Decimal("0.05")


class Stays(Enum):
    """Why a spender keeps its epsilon, whatever is proposed for the others."""

    MADE_FOR_ONE = "made_for_one"
    NO_MARGIN = "no_margin"
    RANDOMIZER = "randomizer"
    OTHER_EPSILONS = "other_epsilons"


@dataclass(frozen=True, slots=True)
class Spender:
    """The questions that have one epsilon. `keys` and `drafts`: these, in the same order.

    `most`: the largest epsilon of its one report. `numbers`: the places of its questions on the
    page, from 1 on.
    """

    keys: tuple[str, ...]
    drafts: tuple[Draft, ...]
    most: Decimal
    numbers: tuple[int, ...] = ()

    @property
    def epsilon(self) -> Decimal:
        return sum((draft.epsilon or Decimal(0) for draft in self.drafts), Decimal(0))

    @property
    def cost(self) -> Decimal:
        """What one person reveals now, at most: some may be asked with another epsilon."""
        return max(self.epsilon, *(_other_epsilons(draft) for draft in self.drafts))

    @property
    def stays(self) -> Stays | None:
        """Why its epsilon is not changed; None where it can be."""
        if not all(kind_of(draft).has_margin for draft in self.drafts):
            return Stays.NO_MARGIN
        if not all(family_of(draft).follows_epsilon for draft in self.drafts):
            return Stays.MADE_FOR_ONE
        if any(map(_other_epsilons, self.drafts)):
            return Stays.OTHER_EPSILONS
        return Stays.RANDOMIZER if self.least > self.most else None

    @property
    def least(self) -> Decimal:
        """The smallest epsilon that is proposed: physical randomizers reach no smaller one."""
        reached = [
            PHYSICAL_DEVICES[draft.physical_device].smallest_epsilon(draft)
            for draft in self.drafts
            if draft.physical_device in PHYSICAL_DEVICES
        ]
        least = max(reached, default=Decimal(0)).quantize(STEP, rounding=ROUND_CEILING)
        return max(LEAST * len(self.drafts), least)

    def margin(self, epsilon: Decimal, planned_n: int) -> float | None:
        """The margin beside its epsilon, of joint ones the largest; None where there is none."""
        if not all(kind_of(draft).has_margin for draft in self.drafts):
            return None
        margins = []
        for draft, part in zip(self.drafts, self.parts(epsilon), strict=True):
            group = draft.membership and replace(draft.membership, epsilon=epsilon)
            changed = replace(draft, epsilon=part, membership=group)
            margins.append(focal_margin(changed, planned_n))
        known = [margin for margin in margins if margin is not None]
        return max(known) if len(known) == len(margins) else None

    def parts(self, epsilon: Decimal) -> list[Decimal]:
        """The epsilon of each of its questions: as they are, or else in equal whole steps."""
        if epsilon == self.epsilon:
            return [draft.epsilon or Decimal(0) for draft in self.drafts]
        count = len(self.drafts)
        each = (epsilon / count).quantize(STEP, rounding=ROUND_DOWN)
        return [epsilon - each * (count - 1), *[each] * (count - 1)]


@dataclass(slots=True)
class Precision:
    """The margins of a spender at a planned number of people, each computed once."""

    spender: Spender
    planned_n: int
    known: dict[Decimal, float] = field(default_factory=dict)

    def at(self, epsilon: Decimal) -> float:
        """Return the margin; infinite where its device tells nothing at this epsilon."""
        if epsilon not in self.known:
            margin = self.spender.margin(epsilon, self.planned_n)
            self.known[epsilon] = float("inf") if margin is None else margin
        return self.known[epsilon]

    def least_epsilon(self, margin: float) -> Decimal | None:
        """Return the smallest epsilon, in whole steps, with such a margin; None above its most."""
        low, high = (int(end / STEP) for end in (self.spender.least, self.spender.most))
        if self.at(high * STEP) > margin:
            return None
        if self.at(low * STEP) <= margin:
            return low * STEP
        known = [
            (int(epsilon / STEP), value)
            for epsilon, value in self.known.items()
            if epsilon % STEP == 0
        ]
        high = min(step for step, value in known if value <= margin and low <= step <= high)
        low = max(step for step, value in known if value > margin and low <= step < high)
        # The margin at `high` is always small enough, whatever rounding does in between.
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.at(middle * STEP) <= margin else (middle, high)
        return high * STEP


def spenders_of(questions: Sequence[Question], most: Decimal, planned_n: int) -> Iterator[Spender]:
    """The sensitive questions of a draft, in their order, those that share a draw together."""
    join_questions(questions)
    together: dict[object, list[tuple[int, Question]]] = {}
    for number, question in enumerate(questions, 1):
        if question.randomized:
            place = ("alone", number) if question.membership is None else ("joint", question.group)
            together.setdefault(place, []).append((number, question))
    for members in together.values():
        numbers, rows = zip(*members, strict=True)
        drafts = tuple(replace(Draft.of(row), planned_n=planned_n) for row in rows)
        yield Spender(tuple(str(row.pk) for row in rows), drafts, most, numbers)


def _other_epsilons(draft: Draft) -> Decimal:
    """Return the largest epsilon at which a feature has some people asked it; 0 without any."""
    parts = [feature.draft for feature in FEATURES.values()]
    return max((epsilon for part in parts for epsilon in part.epsilons(draft)), default=Decimal(0))
