"""A proposal for the epsilons of a draft: as much as is needed, and no more than may be.

Each question gets the smallest epsilon with the margin that is needed. Where these do not fit, as
many questions as can be stay useful, and what there is is divided over them by the aim.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

import numpy as np
from django.utils.translation import gettext as _

import rr_engine
from surveys import numbers
from surveys.authoring.advice.spenders import STEP, Precision, Spender
from surveys.authoring.advice.useful import Bounds, bounds_of, floors_of, keep_useful
from surveys.authoring.advice.wishes import Wish
from surveys.authoring.planning.figures import LEVEL

# A margin that changes by less, relatively, is the same; a split that gains no more is none.
SAME = 0.005
# Epsilons of each question at which margins are known before a split; interpolated in between.
CURVE_POINTS = 8
Epsilons = Mapping[tuple[str, ...], Decimal]


class NoProposalError(Exception):
    """There is nothing to propose; `message` says what to change."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Outcome(Enum):
    """What a proposal does for a question.

    MET: it gets what the needed margin takes. MOST: it gets the most that may be, and is still
    useful. SHARED: it gets its part of what there is. CROWDED: it is left out, because it would
    take too much from the others. HOPELESS: it is left out, because nothing that may be makes it
    useful. STAYS: it keeps its epsilon.
    """

    MET = "met"
    MOST = "most"
    SHARED = "shared"
    CROWDED = "crowded"
    HOPELESS = "hopeless"
    STAYS = "stays"


@dataclass(frozen=True, slots=True)
class Share:
    """One spender before and after; the margins are None where there are none."""

    spender: Spender
    epsilon: Decimal
    before: float | None
    margin: float | None
    outcome: Outcome

    @property
    def is_changed(self) -> bool:
        return self.epsilon != self.spender.epsilon

    @property
    def is_left_out(self) -> bool:
        return self.outcome in (Outcome.CROWDED, Outcome.HOPELESS)

    @property
    def growth(self) -> float:
        """The factor by which its margin changes; 1 where nothing is known."""
        return 1.0 if self.margin is None or not self.before else self.margin / self.before


@dataclass(frozen=True, slots=True)
class Proposal:
    """`total` is what one person reveals at most. `precisions`: of the spenders that can change.

    `spare`: what the questions that stay useful would leave to those that were left out.
    """

    wish: Wish
    shares: list[Share]
    total: Decimal
    precisions: list[Precision]
    spare: Decimal

    @property
    def better(self) -> list[Share]:
        """The shares that become more precise."""
        return [share for share in self.shares if share.growth < 1 - SAME]

    @property
    def worse(self) -> list[Share]:
        """The shares that become less precise than they are, and than is needed."""
        return [share for share in self.wider if (share.margin or 0.0) > self.wish.margin]

    @property
    def wider(self) -> list[Share]:
        """The shares that become less precise than they are."""
        return [share for share in self.shares if share.growth > 1 + SAME]

    @property
    def left_out(self) -> list[Share]:
        return [share for share in self.shares if share.is_left_out]

    @property
    def is_met(self) -> bool:
        """Whether every question that can change has the margin that is needed."""
        return all(share.outcome in (Outcome.MET, Outcome.STAYS) for share in self.shares)

    @property
    def is_changed(self) -> bool:
        return any(share.is_changed for share in self.shares)

    @property
    def costs_of_others(self) -> Decimal:
        """What the questions take that keep their epsilon."""
        staying = (share for share in self.shares if share.outcome is Outcome.STAYS)
        return sum((share.spender.cost for share in staying), Decimal(0))


def propose(spenders: Sequence[Spender], wish: Wish) -> Proposal:
    """Return what each question should have; raises NoProposalError where that is nothing."""
    movable = [spender for spender in spenders if spender.stays is None]
    if not movable:
        raise NoProposalError(_("No question has an epsilon that could be changed."))
    precisions = [Precision(spender, wish.planned_n) for spender in movable]
    fixed = sum((s.cost for s in spenders if s.stays is not None), Decimal(0))
    left = wish.limit - fixed
    if sum((spender.least for spender in movable), Decimal(0)) > left:
        raise NoProposalError(_too_small(wish, fixed))
    bounds = [bounds_of(precision, wish.margin) for precision in precisions]
    kept = keep_useful(bounds, left)
    useful, others, room = kept.useful, kept.others, left - kept.least
    epsilons = _epsilons(useful, room, wish)
    epsilons |= _rest(others, left - sum(epsilons.values(), Decimal(0)))
    fits = sum((each.wanted for each in useful), Decimal(0)) <= room
    outcomes = {each.keys: _outcome(each, fits=fits) for each in useful}
    outcomes |= {
        each.keys: Outcome.HOPELESS if each.useful is None else Outcome.CROWDED for each in others
    }
    known = {precision.spender.keys: precision for precision in precisions}
    shares = [_share(spender, epsilons, outcomes, known, wish) for spender in spenders]
    total = sum((epsilons.get(s.keys, s.cost) for s in spenders), Decimal(0))
    return Proposal(wish, shares, total, precisions, room - kept.floor)


def _epsilons(
    useful: Sequence[Bounds], room: Decimal, wish: Wish
) -> dict[tuple[str, ...], Decimal]:
    """Return what is needed where that fits into the room, else a split of the room."""
    wanted = {each.keys: each.wanted for each in useful}
    if not useful or sum(wanted.values()) <= room:
        return wanted
    floors = floors_of(useful, room)
    questions = [
        rr_engine.spending.BudgetQuestion(
            devices=(_curve(each, floors[each.keys], wish.aim),),
            least=floors[each.keys],
            most=each.wanted,
        )
        for each in useful
    ]
    # The largest factor is as small as the largest margin would be.
    objective = "largest" if wish.aim == "even" else wish.aim
    split = rr_engine.spending.split_budget(
        questions, room, wish.planned_n, objective, level=LEVEL, step=STEP
    )
    found = {each.keys: part.epsilon for each, part in zip(useful, split.questions, strict=True)}
    return _now(useful, room) if _gains_nothing(useful, found, room, wish.aim) else found


def _curve(each: Bounds, least: Decimal, aim: str) -> rr_engine.spending.MarginCurve:
    """Return the margin by epsilon; for the aim "even" as a multiple of what it is now."""
    precision, most = each.precision, each.wanted
    inner = {
        Decimal(round(value / float(STEP))) * STEP
        for value in np.geomspace(float(least), float(most), CURVE_POINTS)
    }
    points = sorted({least, most} | {value for value in inner if least < value < most})
    known = {epsilon: precision.at(epsilon) for epsilon in points}
    now = precision.at(precision.spender.epsilon) if aim == "even" else 1.0
    scale = now if 0 < now < float("inf") else 1.0
    return rr_engine.spending.MarginCurve(
        "device", list(known), [margin / scale for margin in known.values()]
    )


def _now(useful: Sequence[Bounds], room: Decimal) -> dict[tuple[str, ...], Decimal]:
    """Return the epsilons as they are; empty where they do not fit, or are out of bounds."""
    now = {each.keys: each.precision.spender.epsilon for each in useful}
    within = all((each.useful or STEP) <= now[each.keys] <= each.wanted for each in useful)
    return now if within and sum(now.values()) <= room else {}


def _gains_nothing(useful: Sequence[Bounds], found: Epsilons, room: Decimal, aim: str) -> bool:
    """Whether the questions are as precise as they are, by the aim."""
    now = _now(useful, room)
    if not now:
        return False
    before, after = (
        [each.precision.at(epsilons[each.keys]) for each in useful] for epsilons in (now, found)
    )
    if aim == "mean":
        return sum(after) >= (1 - SAME) * sum(before)
    if aim == "largest":
        return max(after) >= (1 - SAME) * max(before)
    factors = [new / old for new, old in zip(after, before, strict=True)]
    return sum(factors) >= (1 - SAME) * len(factors)


def _rest(others: Sequence[Bounds], left: Decimal) -> dict[tuple[str, ...], Decimal]:
    """Return the epsilons of what was left out: as they are where that fits, else the least.

    In between a question would be protected less, and still find nothing.
    """
    epsilons = {each.keys: each.precision.spender.least for each in others}
    left -= sum(epsilons.values(), Decimal(0))
    for each in others:
        spender = each.precision.spender
        more = spender.epsilon - epsilons[each.keys]
        if spender.epsilon <= spender.most and more <= left:
            epsilons[each.keys] = spender.epsilon
            left -= more
    return epsilons


def _outcome(each: Bounds, *, fits: bool) -> Outcome:
    if not fits:
        return Outcome.SHARED
    return Outcome.MET if each.reaches else Outcome.MOST


def _share(
    spender: Spender,
    epsilons: Epsilons,
    outcomes: Mapping[tuple[str, ...], Outcome],
    known: Mapping[tuple[str, ...], Precision],
    wish: Wish,
) -> Share:
    before = spender.margin(spender.epsilon, wish.planned_n)
    if spender.keys not in epsilons:
        return Share(spender, spender.epsilon, before, before, Outcome.STAYS)
    epsilon = epsilons[spender.keys]
    margin, outcome = known[spender.keys].at(epsilon), outcomes[spender.keys]
    if outcome is Outcome.SHARED and margin <= wish.margin:
        outcome = Outcome.MET
    return Share(spender, epsilon, before, margin, outcome)


def _too_small(wish: Wish, fixed: Decimal) -> str:
    text = _(
        "All questions together may have an epsilon of %(limit)s, of which those that stay as they "
        "are take %(fixed)s. That is too little for the others: ask fewer sensitive questions, or "
        "choose other devices."
    )
    return text % {"limit": numbers.decimal(wish.limit), "fixed": numbers.decimal(fixed)}
