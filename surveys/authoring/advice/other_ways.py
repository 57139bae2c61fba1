"""Other ways to ask a question that would find nothing, each with the margin that it would have.

Only what helps is named: a way with which the question is not too coarse.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import prod

import rr_engine
from surveys.authoring.advice.exits import people_for_all
from surveys.authoring.advice.proposal import Outcome, Proposal, Share
from surveys.authoring.advice.spenders import STEP, Spender
from surveys.authoring.limits import COARSE_MARGIN
from surveys.devices import Family, family_of, fitting
from surveys.devices.joint import joint_sizes, may_be_joint
from surveys.drafts import Draft, Membership
from surveys.kinds import kind_of
from surveys.parameters.tables import MOST_COMBINATIONS

# A request computes other ways for so many questions at most, and of so many left out how many
# people make them useful, one by one.
MOST_WITH_WAYS, MOST_COMPUTED = 20, 5
# A question is tried together with so many others at most, those with the fewest answers.
MOST_PARTNERS = 5
FEWEST_ANSWERS = 2


@dataclass(frozen=True, slots=True)
class OtherWay:
    """One way: one of `answers`, `device`, `partner` and `people` says which.

    `answers`: fewer of them. `device`: another one. `partner`: the number of a question to be sent
    together with, where `epsilon` is that of the report. `people`: more of them.
    """

    epsilon: Decimal
    margin: float
    answers: int | None = None
    device: Family | None = None
    partner: int | None = None
    people: int | None = None


def other_ways(proposal: Proposal, share: Share, *, may_group: bool) -> list[OtherWay]:
    """Return what helps a question that was left out, and nothing for any other.

    `may_group`: whether questions of this draft can be sent together.
    """
    if share not in proposal.left_out[:MOST_WITH_WAYS]:
        return []
    more = list(_more_people(proposal, share))
    if len(share.spender.drafts) > 1 or share.spender.drafts[0].physical_device:
        return more
    epsilon, n = _room(proposal, share), proposal.wish.planned_n
    ways = [*_fewer_answers(share.spender, epsilon, n), *_other_devices(share.spender, epsilon, n)]
    if may_group:
        ways += _partners(proposal, share, epsilon)
    return [*ways, *more]


def _room(proposal: Proposal, share: Share) -> Decimal:
    """Return the epsilon that it could have: the others stay useful, and no limit is exceeded."""
    spender = share.spender
    return max(spender.least, min(spender.most // STEP * STEP, proposal.spare + spender.least))


def _more_people(proposal: Proposal, share: Share) -> Iterator[OtherWay]:
    """Yield how many people make it useful beside the others, which need less then themselves."""
    others = {each.spender.keys for each in proposal.left_out if each is not share}
    if len(others) >= MOST_COMPUTED:
        return
    wish = proposal.wish
    asked = [each for each in proposal.precisions if each.spender.keys not in others]
    least = sum((each.spender.least for each in proposal.left_out if each is not share), Decimal(0))
    left = wish.limit - proposal.costs_of_others - least
    people = people_for_all(asked, COARSE_MARGIN, wish.planned_n, left)
    if people is not None:
        yield OtherWay(share.epsilon, COARSE_MARGIN, people=people)


def _fewer_answers(spender: Spender, epsilon: Decimal, n: int) -> Iterator[OtherWay]:
    """Yield the largest number of answers with which it is useful."""
    (draft,) = spender.drafts
    if not kind_of(draft).with_options:
        return
    for count in range(len(draft.options) - 1, FEWEST_ANSWERS - 1, -1):
        fewer = replace(draft, options=draft.options[:count])
        margin = _useful_margin(replace(spender, drafts=(fewer,)), epsilon, n)
        if margin is not None:
            yield OtherWay(epsilon, margin, answers=count)
            return


def _other_devices(spender: Spender, epsilon: Decimal, n: int) -> Iterator[OtherWay]:
    """Yield the best other device, if it makes the question useful."""
    (draft,) = spender.drafts
    found = []
    for family in fitting(draft):
        changed = draft.with_device(family.name)
        if family is family_of(draft) or not family.follows_epsilon or family.relaxed:
            continue
        margin = _useful_margin(replace(spender, drafts=(changed,)), epsilon, n)
        if margin is not None:
            found.append(OtherWay(epsilon, margin, device=family))
    if found:
        yield min(found, key=lambda way: way.margin)


def _partners(proposal: Proposal, share: Share, epsilon: Decimal) -> Iterator[OtherWay]:
    """Yield the question with which one report for both makes both useful."""
    (draft,) = share.spender.drafts
    found = []
    alone = [
        other
        for other in proposal.shares
        if len(other.spender.drafts) == 1
        and other is not share
        and other.outcome not in (Outcome.STAYS, Outcome.HOPELESS)
        and may_be_joint(other.spender.drafts[0])
    ]
    alone.sort(key=lambda other: joint_sizes(other.spender.drafts))
    for other in alone[:MOST_PARTNERS]:
        together = (draft, *other.spender.drafts)
        report = min(share.spender.most, epsilon + other.epsilon)
        margin = _joint_margin(together, report, proposal.wish.planned_n)
        if margin is not None and margin <= COARSE_MARGIN:
            found.append(OtherWay(report, margin, partner=other.spender.numbers[0]))
    if found:
        yield min(found, key=lambda way: way.margin)


def _joint_margin(drafts: Sequence[Draft], epsilon: Decimal, n: int) -> float | None:
    """Return the larger margin of questions that one report answers; None where there is none."""
    if not all(map(may_be_joint, drafts)) or any(each.physical_device for each in drafts):
        return None
    sizes = joint_sizes(drafts)
    if prod(sizes) > MOST_COMBINATIONS:
        return None
    members = tuple(
        replace(draft, membership=Membership(sizes, place, epsilon))
        for place, draft in enumerate(drafts)
    )
    return Spender((), members, epsilon).margin(epsilon, n)


def _useful_margin(spender: Spender, epsilon: Decimal, n: int) -> float | None:
    """Return the margin where it is not too coarse; None otherwise."""
    try:
        margin = spender.margin(epsilon, n)
    except rr_engine.EngineError:
        return None
    return margin if margin is not None and margin <= COARSE_MARGIN else None
