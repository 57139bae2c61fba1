"""How a survey's budget is best divided between its questions; their devices stay as they are.

What is divided over are spenders: whatever has one report and one epsilon. That is a question, or
all questions of a joint device, which has the sum of their epsilons.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_DOWN, Decimal

import numpy as np
from django.utils.translation import gettext as _

import rr_engine
from surveys import numbers
from surveys.authoring.planning.figures import LEVEL, focal_margin
from surveys.devices import family_of
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.parameters.budget import QUESTION_LIMIT

# Proposed epsilons are multiples of it.
STEP = Decimal("0.01")
# The least epsilon that is proposed where there is enough for all: below, next to nothing is told.
LEAST = Decimal("0.05")
# Epsilons at which the margin of a question is computed, and of all questions of a survey together.
FEWEST_POINTS, MOST_POINTS, POINTS_IN_ALL = 8, 40, 1_000
# Margins in between are interpolated: by so many steps of epsilon they may be off.
MOST_STEPS = 25
# A proposal that gains less than this, relatively, is none.
CLEARLY = 0.005
GOALS = ("even", "largest", "mean", "margin")


class OutOfTimeError(Exception):
    """Not all margins are known yet; those that were computed are remembered for the next try."""


class NoProposalError(Exception):
    """There is nothing to propose; `message` says what to change."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Spender:
    """The questions that have one epsilon. `keys` and `drafts`: these, in the same order.

    `most`: the largest epsilon that its author has allowed, of all its questions together. `held`:
    the epsilon that it gets in any case, although its device would follow another.
    """

    keys: tuple[str, ...]
    drafts: tuple[Draft, ...]
    most: Decimal
    held: Decimal | None = None

    @property
    def epsilon(self) -> Decimal:
        return sum((draft.epsilon or Decimal(0) for draft in self.drafts), Decimal(0))

    @property
    def is_fixed(self) -> bool:
        """Whether it is held, a device of it is made for one epsilon, or it has no margin."""
        return self.held is not None or any(
            not family_of(draft).follows_epsilon or not kind_of(draft).has_margin
            for draft in self.drafts
        )

    @property
    def fixed_epsilon(self) -> Decimal:
        """The epsilon that it gets where nothing is proposed for it."""
        return self.epsilon if self.held is None else self.held

    @property
    def least(self) -> Decimal:
        """The smallest epsilon that its physical randomizers reach; 0 without any."""
        reached = [
            PHYSICAL_DEVICES[draft.physical_device].smallest_epsilon(draft)
            for draft in self.drafts
            if draft.physical_device in PHYSICAL_DEVICES
        ]
        return max(reached, default=Decimal(0)).quantize(STEP, rounding=ROUND_CEILING)

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


@dataclass(frozen=True, slots=True)
class Plan:
    """The aim of a budget. `margin`: the one wanted of every question, for the goal "margin".

    The goal "even" changes all margins by the same factor, as far as that can be.
    """

    budget: Decimal
    planned_n: int
    goal: str = "even"
    margin: float = 0.05


@dataclass(frozen=True, slots=True)
class Share:
    """One spender before and after; the margins are None where there are none."""

    spender: Spender
    epsilon: Decimal
    margin_before: float | None
    margin: float | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """`total` is that of all spenders, those that stay as they are included."""

    plan: Plan
    shares: list[Share]
    total: Decimal

    def margins(self) -> tuple[list[float], list[float]]:
        """The margins that are known, before and after, but for those that are held."""
        shares = [share for share in self.shares if share.spender.held is None]
        known = [s for s in shares if s.margin is not None and s.margin_before is not None]
        before = [share.margin_before or 0.0 for share in known]
        return before, [share.margin or 0.0 for share in known]


def most_of(cap: Decimal, *, has_reason: bool) -> Decimal:
    """The largest epsilon of a question: more than the usual limit is for those with a reason."""
    return cap if has_reason else min(cap, QUESTION_LIMIT)


def propose(spenders: Sequence[Spender], plan: Plan, deadline: float) -> Proposal:
    """Divide the budget between the spenders whose devices follow an epsilon.

    Raises NoProposalError, and OutOfTimeError where the margins are not known by the deadline, a
    time of `time.monotonic`.
    """
    movable = [spender for spender in spenders if not spender.is_fixed]
    if not movable:
        raise NoProposalError(_("No question has an epsilon that could be changed."))
    left = plan.budget - sum((s.fixed_epsilon for s in spenders if s.is_fixed), Decimal(0))
    questions = _questions(movable, plan, deadline)
    if plan.goal == "margin":
        found = _smallest(questions, plan)
        found = [_reaching(*pair, plan) for pair in zip(movable, found, strict=True)]
    else:
        found = _split(questions, plan, left)
    proposed = dict(zip((spender.keys for spender in movable), found, strict=True))
    proposal = _proposal(spenders, plan, proposed)
    if plan.goal == "margin" or sum(spender.epsilon for spender in movable) > left:
        return proposal
    before, after = _values(proposal)
    return proposal if after < (1 - CLEARLY) * before else _proposal(spenders, plan, {})


def _values(proposal: Proposal) -> tuple[float, float]:
    """Return what the goal makes small, before and after; of "even" the factors of what changes."""
    if proposal.plan.goal != "even":
        before, after = (value_of(proposal.plan.goal, margins) for margins in proposal.margins())
        return before, after
    factors = [
        share.margin / share.margin_before
        for share in proposal.shares
        if share.margin and share.margin_before and not share.spender.is_fixed
    ]
    return 1.0, sum(factors) / len(factors) if factors else 1.0


def value_of(goal: str, margins: Sequence[float]) -> float:
    """Return what the goal makes small."""
    return sum(margins) / len(margins) if goal == "mean" else max(margins)


def _proposal(
    spenders: Sequence[Spender], plan: Plan, proposed: Mapping[tuple[str, ...], Decimal]
) -> Proposal:
    shares = []
    for spender in spenders:
        epsilon = proposed.get(spender.keys, spender.fixed_epsilon)
        before, after = (
            spender.margin(value, plan.planned_n) for value in (spender.epsilon, epsilon)
        )
        shares.append(Share(spender, epsilon, before, after))
    return Proposal(plan, shares, sum((share.epsilon for share in shares), Decimal(0)))


def _questions(
    movable: Sequence[Spender], plan: Plan, deadline: float
) -> list[rr_engine.BudgetQuestion]:
    """The spenders as the engine divides a budget over them."""
    alike = {tuple(map(Draft.without_labels, spender.drafts)) for spender in movable}
    count = max(FEWEST_POINTS, min(MOST_POINTS, POINTS_IN_ALL // len(alike)))
    scarce = LEAST * sum(len(spender.keys) for spender in movable) > plan.budget
    usual = STEP if scarce else LEAST
    questions = []
    for spender in movable:
        least = max(usual * len(spender.keys), spender.least)
        if least > spender.most:
            raise NoProposalError(_too_strong(spender))
        curve = _curve(spender, _points(least, spender.most, count), plan, deadline)
        questions.append(rr_engine.BudgetQuestion(devices=(curve,), least=least, most=spender.most))
    return questions


def _points(least: Decimal, most: Decimal, count: int) -> list[Decimal]:
    """Equal steps of the logarithm, rounded; the ends are among them."""
    inner = np.geomspace(float(least), float(most), count)[1:-1]
    rounded = {Decimal(f"{value:.3g}") for value in inner}
    return sorted({least, most} | {value for value in rounded if least < value < most})


def _curve(
    spender: Spender, points: Sequence[Decimal], plan: Plan, deadline: float
) -> rr_engine.MarginCurve:
    """Return the margin by epsilon; for the goal "even" as a multiple of what it is now."""
    known: dict[Decimal, float] = {}
    now = spender.margin(spender.epsilon, plan.planned_n) if plan.goal == "even" else None
    for number, epsilon in enumerate(points):
        if number and time.monotonic() > deadline:
            raise OutOfTimeError
        margin = spender.margin(epsilon, plan.planned_n)
        if margin:
            known[epsilon] = margin / (now or 1.0)
    if not known:
        raise NoProposalError(_("A margin cannot be computed for every question yet."))
    return rr_engine.MarginCurve("device", list(known), list(known.values()))


def _split(
    questions: Sequence[rr_engine.BudgetQuestion], plan: Plan, left: Decimal
) -> list[Decimal]:
    if left <= 0:
        raise NoProposalError(_too_small(plan.budget))
    # The largest factor is as small as the largest margin would be.
    goal = "largest" if plan.goal == "even" else plan.goal
    try:
        split = rr_engine.split_budget(
            questions, left, plan.planned_n, goal, level=LEVEL, step=STEP
        )
    except rr_engine.EpsilonError as error:
        raise NoProposalError(_too_small(plan.budget)) from error
    return [share.epsilon for share in split.questions]


def _smallest(questions: Sequence[rr_engine.BudgetQuestion], plan: Plan) -> list[Decimal]:
    try:
        found = rr_engine.smallest_budget(
            questions, plan.planned_n, plan.margin, level=LEVEL, step=STEP
        )
    except rr_engine.ArgumentError as error:
        best = float(error.limit or 1)
        text = _(
            "%(wanted)s are out of reach at %(n)s respondents: one question has %(best)s at its "
            "largest epsilon. About %(people)s respondents would do; or ask for a larger margin."
        )
        values = {
            "wanted": numbers.margin(plan.margin),
            "n": numbers.count(plan.planned_n),
            "best": numbers.margin(best),
            "people": numbers.count(math.ceil(plan.planned_n * (best / plan.margin) ** 2)),
        }
        raise NoProposalError(text % values) from error
    return [share.epsilon for share in found.questions]


def _reaching(spender: Spender, epsilon: Decimal, plan: Plan) -> Decimal:
    """The epsilon, raised by the steps that interpolation has left out."""
    for _step in range(MOST_STEPS):
        margin = spender.margin(epsilon, plan.planned_n)
        if margin is None or margin <= plan.margin or epsilon + STEP > spender.most:
            break
        epsilon += STEP
    return epsilon


def _too_small(budget: Decimal) -> str:
    text = _(
        "A budget of %s is too small for these questions and their devices. Raise it, or ask fewer "
        "sensitive questions."
    )
    return text % numbers.decimal(budget)


def _too_strong(spender: Spender) -> str:
    text = _(
        "A physical randomizer needs an epsilon of %(least)s, above the largest one of its "
        "question, %(most)s. Give a reason for a larger epsilon, or choose another randomizer."
    )
    values = {"least": numbers.decimal(spender.least), "most": numbers.decimal(spender.most)}
    return text % values
