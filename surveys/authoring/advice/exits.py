"""What a wish takes that does not fit: more people, fewer questions, a larger budget or margin.

Margins fall with the root of the number of people, so that a curve of each question at the planned
number serves for every other; what is found on the curves is then confirmed by exact margins.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from surveys.authoring.advice.proposal import Proposal
from surveys.authoring.advice.spenders import STEP, Precision
from surveys.authoring.limits import COARSE_MARGIN, rounded_up
from surveys.authoring.panel.words import MOST_RESPONDENTS

# Epsilons at which the curve of a question is known.
POINTS = 10
# How often an interpolated number is raised, each time by a fiftieth, until it holds exactly.
TRIES, RAISE = 12, 1.02
HALVINGS = 40
NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Exits:
    """Each is None where it is none. `people`: so many make every question as precise as needed;
    `useful_people`: so many make every question useful, where some are left out. `without`: the
    numbers of questions without which all fits.

    `budget`: what every question takes for the needed margin; `budget_of_kept`: without those that
    are left out. `too_much`: what it would take where the harm of a leak forbids both. `margin`:
    the smallest one that all can have that are not left out.
    """

    people: int | None = None
    useful_people: int | None = None
    without: tuple[int, ...] | None = None
    budget: Decimal | None = None
    budget_of_kept: Decimal | None = None
    too_much: Decimal | None = None
    margin: float | None = None


def exits_of(proposal: Proposal) -> Exits:
    """Return what would give every question the margin that is needed."""
    if proposal.is_met:
        return Exits()
    wish = proposal.wish
    left = wish.limit - proposal.costs_of_others
    able = [each for each in proposal.precisions if each.least_epsilon(wish.margin) is not None]
    gone = {share.spender.keys for share in proposal.left_out}
    kept = [each for each in proposal.precisions if each.spender.keys not in gone]
    of_all = _budget(proposal, proposal.precisions)
    of_kept = _budget(proposal, kept) if gone and kept else None
    dear = [each for each in (of_all, of_kept) if each is not None]
    allowed = [each for each in dear if each <= wish.harm.person]
    return Exits(
        people=people_for_all(proposal.precisions, wish.margin, wish.planned_n, left),
        useful_people=people_for_all(proposal.precisions, COARSE_MARGIN, wish.planned_n, left)
        if gone
        else None,
        without=_without(proposal, able, left),
        budget=of_all if of_all in allowed else None,
        budget_of_kept=of_kept if of_kept in allowed else None,
        too_much=min(dear) if dear and not allowed else None,
        margin=_margin(proposal, kept, left),
    )


def _budget(proposal: Proposal, precisions: Sequence[Precision]) -> Decimal | None:
    """Return the budget with which these have the needed margin, where it is a larger one."""
    needed = _sum(precisions, proposal.wish.margin)
    total = None if needed is None else proposal.costs_of_others + needed
    return total if total is not None and total > proposal.wish.limit else None


def _sum(precisions: Sequence[Precision], margin: float) -> Decimal | None:
    """Return what these take for a margin, exactly; None where one of them cannot have it."""
    found = [precision.least_epsilon(margin) for precision in precisions]
    known = [epsilon for epsilon in found if epsilon is not None]
    return sum(known, NOTHING) if len(known) == len(found) else None


def _fits(precisions: Sequence[Precision], margin: float, left: Decimal) -> bool:
    total = _sum(precisions, margin)
    return total is not None and total <= left


def people_for_all(
    precisions: Sequence[Precision], margin: float, planned: int, left: Decimal
) -> int | None:
    """Return how many people give all these questions a margin, within what is left for them."""
    needs = [_Need(precision) for precision in precisions]

    def fits(times: float) -> bool:
        return sum(need.epsilon(margin * math.sqrt(times)) for need in needs) <= float(left)

    times = _smallest(fits, 1.0, MOST_RESPONDENTS / planned)
    for _try in range(TRIES):
        if times is None or (people := rounded_up(planned * times)) > MOST_RESPONDENTS:
            return None
        if _fits(precisions, margin * math.sqrt(people / planned), left):
            return people
        times *= RAISE
    return None


def _margin(proposal: Proposal, kept: Sequence[Precision], left: Decimal) -> float | None:
    """Return the smallest useful margin that all questions can have that are not left out."""
    wish = proposal.wish
    left -= sum((share.spender.least for share in proposal.left_out), NOTHING)
    needs = [_Need(precision) for precision in kept]

    def fits(margin: float) -> bool:
        return sum(need.epsilon(margin) for need in needs) <= float(left)

    if not kept or _fits(kept, wish.margin, left):
        return None
    margin = _smallest(fits, wish.margin, COARSE_MARGIN)
    for _try in range(TRIES):
        if margin is None:
            return None
        # In half points, as an author would type it.
        shown = math.ceil(200 * margin - 1e-9) / 200
        if shown > COARSE_MARGIN:
            return None
        if _fits(kept, shown, left):
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
