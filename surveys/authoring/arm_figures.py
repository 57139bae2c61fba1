"""What the arms of a survey can find and what they cost, before anybody answers.

A comparison of two arms is planned as the test of one and the same share; the smallest difference
is that which is found in 80 of 100 surveys with the planned numbers of respondents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

import rr_engine
from surveys.authoring.arm_designs import asked_channel
from surveys.authoring.planning_figures import (
    effective_share,
    focal_category,
    focal_channel,
    margin_at_planned_n,
    planning_shares,
)
from surveys.devices.registry import split_draft
from surveys.devices.remembered import Remembered
from surveys.drafts import Draft
from surveys.parameters import PAGE
from surveys.parameters.arms import DIRECTLY, EVERYBODY, SPLIT

POWER, ALPHA = 0.8, 0.05
TWO = 2


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """`direct`, `split`: the smallest difference that the comparison with this arm finds; None
    where it finds none, however large, or where the question has no such arm. `margin_without`,
    `margin`: of the survey's own estimate, if everybody were asked alike, and with the arms.
    """

    direct: float | None
    split: float | None
    margin_without: float | None
    margin: float | None


def people_of(shares: Mapping[str, int], planned_n: int) -> dict[str, int]:
    """How many of those who are planned are expected in each arm, that of the page first."""
    people = {name: round(planned_n * share / EVERYBODY) for name, share in shares.items()}
    return {PAGE: planned_n - sum(people.values()), **people}


def shares_of(draft: Draft) -> dict[str, int]:
    """How many people in a hundred chance puts into each arm of a question."""
    shares = {SPLIT: draft.split_share, DIRECTLY: draft.direct_share}
    return {name: share for name, share in shares.items() if share}


@Remembered
def arm_figures(draft: Draft, planned_n: int) -> ArmFigures:
    """The figures of a question with arms."""
    people = people_of(shares_of(draft), planned_n)
    return ArmFigures(
        direct=_against_direct(draft, people) if DIRECTLY in people else None,
        split=_against_split(draft, people) if SPLIT in people else None,
        margin_without=margin_at_planned_n(draft.without_arms(), planned_n),
        margin=margin_at_planned_n(draft, planned_n),
    )


def joint_effective_share(drafts: Sequence[Draft]) -> float | None:
    """The effective share of the sample for a table of these questions; None for invalid drafts.

    Nobody whom an arm asks one of them directly is in the table.
    """
    people = {name: share for draft in drafts for name, share in shares_of(draft).items()}
    total = 0.0
    for stratum, share in {PAGE: EVERYBODY - sum(people.values()), **people}.items():
        effective = [_effective_share(draft, stratum) for draft in drafts]
        known = [each for each in effective if each is not None]
        if len(known) < len(drafts):
            return None
        total += share / EVERYBODY * prod(known)
    return total


def _effective_share(draft: Draft, stratum: str) -> float | None:
    """That of a question in one arm; 0 where it is asked directly."""
    if stratum == DIRECTLY and draft.direct_share:
        return 0.0
    in_split = stratum == SPLIT and draft.split_share
    return effective_share(split_draft(draft) if in_split else draft.without_arms())


def _against_direct(draft: Draft, people: Mapping[str, int]) -> float | None:
    """How far the share under the devices has to be above the one that is said directly."""
    scrambled = sum(people.values()) - people[DIRECTLY]
    try:
        page = focal_channel(draft)
        direct = rr_engine.DesignMatrix(np.eye(page.truth_size))
        devices = asked_channel(_without_direct(draft), page)
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None
    return _smallest(draft, (devices, direct), (scrambled, people[DIRECTLY]))


def _without_direct(draft: Draft) -> Draft:
    """The question as those are asked it who are not asked directly."""
    share = round(EVERYBODY * draft.split_share / (EVERYBODY - draft.direct_share))
    return replace(draft, asked_directly=False, direct_share=0, split_share=share)


def _against_split(draft: Draft, people: Mapping[str, int]) -> float | None:
    """The smallest difference of the shares that the two devices find."""
    try:
        designs = focal_channel(draft), focal_channel(split_draft(draft))
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None
    return _smallest(draft, designs, (people[PAGE], people[SPLIT]))


def _smallest(
    draft: Draft,
    designs: tuple[rr_engine.Channel, rr_engine.Channel],
    people: tuple[int, int],
) -> float | None:
    """How far the first share has to be above the second, the planned one, to be found."""
    size = designs[0].truth_size
    category = focal_category(draft, designs[0])
    base = float(planning_shares(draft, designs[0])[category])
    try:
        found = rr_engine.solve_effect_difference(
            designs,
            base,
            people,
            power=POWER,
            # Of several answers any may differ, and each is tested.
            alpha=ALPHA if size == TWO else ALPHA / size,
            alternative="two-sided",
            category=category,
            variance="null",
        )
    except rr_engine.EngineError:
        return None
    return found - base
