"""A proposal for the budget with what it costs: questions that lose precision, or find nothing.

A question that stays too coarse to find anything is not rescued at the cost of all others.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from surveys.authoring.budget_split import NoProposalError, Plan, Proposal, Share, Spender, propose
from surveys.authoring.limits import COARSE_MARGIN

# A margin that grows by less, relatively, is the same.
SAME = 0.005


@dataclass(frozen=True, slots=True)
class Advice:
    """`proposal` and, beside it, what the author has to know before taking it.

    `others`: the largest margin of the remaining questions if those that are too coarse were left
    out; None where none is, or nothing is known of the others.
    """

    proposal: Proposal
    others: float | None

    @property
    def worse(self) -> list[Share]:
        """The shares that become less precise than they are."""
        return [share for share in self.proposal.shares if _growth(share) > 1 + SAME]

    @property
    def people_for_all(self) -> int:
        """How many people make up for what is lost, within the same budget."""
        largest = max(map(_growth, self.proposal.shares), default=1.0)
        return rounded_up(self.proposal.plan.planned_n * largest**2)


def is_coarse(share: Share) -> bool:
    """Whether it would still find nothing."""
    return share.margin is not None and share.margin > COARSE_MARGIN


def people_for(share: Share, planned_n: int) -> int:
    """How many people bring a margin down to what finds something; it falls with their root."""
    return rounded_up(planned_n * ((share.margin or 0.0) / COARSE_MARGIN) ** 2)


def rounded_up(people: float) -> int:
    """Return a number of people rounded up to two digits: a plan is no more exact than that."""
    step = 10 ** max(0, math.ceil(math.log10(max(people, 1))) - 2)
    return step * math.ceil(people / step - 1e-9)


def advise(spenders: Sequence[Spender], plan: Plan, deadline: float) -> Advice:
    """Return what `propose` proposes, without a rescue that fails; raises the same errors."""
    proposal = propose(spenders, plan, deadline)
    hopeless = {share.spender.keys for share in proposal.shares if _stays_coarse(share)}
    if hopeless and plan.goal in ("largest", "mean"):
        # They get what they would if all gained or lost alike, and no more than they have.
        even = propose(spenders, replace(plan, goal="even"), deadline).shares
        held = {share.spender.keys: min(share.epsilon, share.spender.epsilon) for share in even}
        wanted = [
            replace(each, held=held[each.keys]) if each.keys in hopeless else each
            for each in spenders
        ]
        if any(not each.is_fixed for each in wanted):
            proposal = propose(wanted, plan, deadline)
    return Advice(proposal, _others(proposal, plan, deadline))


def _others(proposal: Proposal, plan: Plan, deadline: float) -> float | None:
    kept = [share.spender for share in proposal.shares if not _stays_coarse(share)]
    if not kept or len(kept) == len(proposal.shares):
        return None
    try:
        margins = propose(kept, plan, deadline).margins()[1]
    except NoProposalError:
        return None
    return max(margins, default=None)


def _growth(share: Share) -> float:
    """The factor by which its margin changes; 1 where nothing is known."""
    if share.margin is None or not share.margin_before:
        return 1.0
    return share.margin / share.margin_before


def _stays_coarse(share: Share) -> bool:
    before = share.margin_before
    return is_coarse(share) and before is not None and before > COARSE_MARGIN
