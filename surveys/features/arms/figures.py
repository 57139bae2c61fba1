"""The power and the cost of the arms of a survey, before anybody answers.

A comparison of two arms is planned as the test of one and the same share; the smallest difference
is that which is found in 80 of 100 surveys with the planned numbers of respondents.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

import rr_engine
from surveys.authoring.chance_designs import pooled_channel, strata_with_people
from surveys.authoring.planning.figures import (
    focal_category,
    focal_channel,
    margin_at_planned_n,
    planning_shares,
)
from surveys.devices.chance_strata import ChanceStratum
from surveys.devices.remembered import Remembered
from surveys.drafts import Draft
from surveys.features.arms.draft import without_arms
from surveys.features.arms.section import DIRECTLY, SPLIT
from surveys.parameters import EVERYBODY, PAGE

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


@Remembered
def arm_figures(draft: Draft, planned_n: int) -> ArmFigures:
    """The figures of a question with arms."""
    shares = {stratum.name: stratum.share for stratum in strata_with_people(draft)}
    people = people_of(shares, planned_n)
    return ArmFigures(
        direct=_against_direct(draft, people) if DIRECTLY in people else None,
        split=_against_split(draft, people) if SPLIT in people else None,
        margin_without=margin_at_planned_n(without_arms(draft), planned_n),
        margin=margin_at_planned_n(draft, planned_n),
    )


def _against_direct(draft: Draft, people: Mapping[str, int]) -> float | None:
    """How far the share under the devices has to be above the one that is said directly."""
    scrambled = sum(people.values()) - people[DIRECTLY]
    try:
        page = focal_channel(draft)
        direct = rr_engine.DesignMatrix(np.eye(page.truth_size))
        devices = pooled_channel(_scrambled_strata(draft), page)
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None
    return _smallest(draft, (devices, direct), (scrambled, people[DIRECTLY]))


def _scrambled_strata(draft: Draft) -> list[ChanceStratum]:
    """The strata of those who are not asked directly, with their shares among these."""
    strata = strata_with_people(draft)
    scrambled = EVERYBODY - sum(stratum.share for stratum in strata if stratum.directly)
    return [
        replace(stratum, share=round(EVERYBODY * stratum.share / scrambled))
        for stratum in strata
        if not stratum.directly
    ]


def _against_split(draft: Draft, people: Mapping[str, int]) -> float | None:
    """The smallest difference of the shares that the two devices find."""
    try:
        split = next(each.draft for each in strata_with_people(draft) if each.name == SPLIT)
        designs = focal_channel(draft), focal_channel(split)
    except (rr_engine.EngineError, KeyError, AttributeError):
        return None
    return _smallest(draft, designs, (people[PAGE], people[SPLIT]))


def _smallest(
    draft: Draft,
    designs: tuple[rr_engine.channels.Channel, rr_engine.channels.Channel],
    people: tuple[int, int],
) -> float | None:
    """How far the first share has to be above the second, the planned one, to be found."""
    size = designs[0].truth_size
    category = focal_category(draft, designs[0])
    base = float(planning_shares(draft, designs[0])[category])
    try:
        found = rr_engine.planning.solve_effect_difference(
            designs,
            base,
            people,
            power=POWER,
            # With several answers, any may differ, and each is tested.
            alpha=ALPHA if size == TWO else ALPHA / size,
            alternative="two-sided",
            category=category,
            variance="null",
        )
    except rr_engine.EngineError:
        return None
    return found - base
