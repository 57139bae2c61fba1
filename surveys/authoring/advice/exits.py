"""What a wish takes that does not fit: more people, fewer questions, a larger budget or margin.

Margins fall with the root of the number of people, so that a curve of each question at the planned
number serves for every other; what is found on the curves is then confirmed by exact margins.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from surveys.authoring.advice.proposal import Outcome, Proposal
from surveys.authoring.advice.spenders import STEP, Precision
from surveys.authoring.limits import COARSE_MARGIN, rounded_up

# Epsilons at which the curve of a question is known.
POINTS = 10
# The most people that are proposed, as a multiple of those planned.
MOST_TIMES = 1_000
# How often an interpolated number is raised, each time by a fiftieth, until it holds exactly.
TRIES, RAISE = 12, 1.02
HALVINGS = 40
NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Exits:
    """Each is None where it is none. `without`: the numbers of questions without which all fits.

    `budget`: what every question takes that can have the needed margin; `is_too_much` where the
    harm of a leak forbids it. `margin`: the smallest one that all can have that are not left out.
    """

    people: int | None = None
    without: tuple[int, ...] | None = None
    budget: Decimal | None = None
    is_too_much: bool = False
    margin: float | None = None


def exits_of(proposal: Proposal) -> Exits:
    """Return what would give every question the margin that is needed."""
    if proposal.is_met:
        return Exits()
    wish = proposal.wish
    left = wish.limit - proposal.costs_of_others
    able = [each for each in proposal.precisions if each.least_epsilon(wish.margin) is not None]
    budget = _sum(able, wish.margin) if able else None
    too_dear = budget is not None and budget > left
    total = proposal.costs_of_others + (budget or NOTHING)
    return Exits(
        people=_people(proposal, left),
        without=_without(proposal, able, left),
        budget=total if too_dear else None,
        is_too_much=too_dear and total > wish.harm.person,
        margin=_margin(proposal, left),
    )


def _sum(precisions: Sequence[Precision], margin: float) -> Decimal | None:
    """Return what these take for a margin, exactly; None where one of them cannot have it."""
    found = [precision.least_epsilon(margin) for precision in precisions]
    known = [epsilon for epsilon in found if epsilon is not None]
    return sum(known, NOTHING) if len(known) == len(found) else None


def _fits(precisions: Sequence[Precision], margin: float, left: Decimal) -> bool:
    total = _sum(precisions, margin)
    return total is not None and total <= left


def _people(proposal: Proposal, left: Decimal) -> int | None:
    """Return how many people make all questions as precise as is needed."""
    wish, precisions = proposal.wish, proposal.precisions
    needs = [_Need(precision) for precision in precisions]

    def fits(times: float) -> bool:
        return sum(need.epsilon(wish.margin * math.sqrt(times)) for need in needs) <= float(left)

    times = _smallest(fits, 1.0, MOST_TIMES)
    for _try in range(TRIES):
        if times is None or times > MOST_TIMES:
            return None
        people = rounded_up(wish.planned_n * times)
        if _fits(precisions, wish.margin * math.sqrt(people / wish.planned_n), left):
            return people
        times *= RAISE
    return None


def _margin(proposal: Proposal, left: Decimal) -> float | None:
    """Return the smallest useful margin that all questions can have that are not left out."""
    wish = proposal.wish
    changing = [share for share in proposal.shares if share.outcome is not Outcome.STAYS]
    gone = {share.spender.keys for share in proposal.left_out}
    able = [each for each in proposal.precisions if each.spender.keys not in gone]
    left -= sum((each.spender.least for each in proposal.precisions if each not in able), NOTHING)
    needs = [_Need(precision) for precision in able]

    def fits(margin: float) -> bool:
        return sum(need.epsilon(margin) for need in needs) <= float(left)

    unmet = any((share.margin or 0.0) > wish.margin and not share.is_left_out for share in changing)
    margin = _smallest(fits, wish.margin, COARSE_MARGIN) if unmet else None
    for _try in range(TRIES):
        if margin is None:
            return None
        # In half points, as an author would type it.
        shown = math.ceil(200 * margin - 1e-9) / 200
        if shown > COARSE_MARGIN:
            return None
        if _fits(able, shown, left):
            return shown
        margin *= RAISE
    return None


def _without(
    proposal: Proposal, able: Sequence[Precision], left: Decimal
) -> tuple[int, ...] | None:
    """Return the questions without which all others have what they need: few, and the dearest."""
    margin = proposal.wish.margin
    costs = {id(each): each.least_epsilon(margin) or NOTHING for each in able}
    kept = sorted(able, key=lambda each: costs[id(each)])
    while kept and sum((costs[id(each)] for each in kept), NOTHING) > left:
        kept.pop()
    gone = [each for each in proposal.precisions if each not in kept]
    numbers = sorted(number for each in gone for number in each.spender.numbers)
    return tuple(numbers) if kept and gone else None


def _smallest(fits: Callable[[float], bool], low: float, high: float) -> float | None:
    """Return about the smallest value from which on something fits; None where nothing does."""
    if not fits(high):
        return None
    if fits(low):
        return low
    for _halving in range(HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


class _Need:
    """The epsilon that a question needs for a margin, read from a curve of its logarithms."""

    def __init__(self, precision: Precision) -> None:
        spender = precision.spender
        ends = float(spender.least), float(spender.most)
        steps = {round(value / float(STEP)) for value in np.geomspace(*ends, POINTS)}
        points = sorted(
            {spender.least, *(s * STEP for s in steps if ends[0] <= s * float(STEP) <= ends[1])}
        )
        margins = np.array([precision.at(epsilon) for epsilon in points])
        known = np.isfinite(margins)
        self.margins = np.log(margins[known])[::-1]
        self.epsilons = np.log(np.array([float(epsilon) for epsilon in points])[known])[::-1]

    def epsilon(self, margin: float) -> float:
        """Return about the smallest epsilon; infinite where none suffices."""
        if not self.margins.size or math.log(margin) < self.margins[0]:
            return math.inf
        return float(np.exp(np.interp(math.log(margin), self.margins, self.epsilons)))
