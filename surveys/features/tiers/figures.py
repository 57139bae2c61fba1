"""Devices of a survey with tiers, each report a chain, and what each tier learns from them."""

import dataclasses
from collections.abc import Iterable, Sequence
from decimal import ROUND_DOWN, Decimal
from itertools import pairwise
from typing import cast

from django.utils.translation import gettext as _
from msgspec.structs import replace

import rr_engine
from surveys.authoring.planning.figures import margin_of_focal, planning_shares, weighting_prior
from surveys.authoring.relaxing import degradation_between
from surveys.devices import devices_of, family_of
from surveys.devices.remembered import Remembered
from surveys.drafts import AskedQuestion, Draft
from surveys.exceptions import NotReadyError
from surveys.features.tiers.section import Tier
from surveys.parameters import Chain, Dense, Device, Linear, Uniform, coded
from surveys.parameters.exact import design_of
from surveys.parameters.tables import Coded

# The step to which the epsilon of a tier is rounded down, so that no tier gets more than its share.
EPSILON_STEP = Decimal("0.000001")


def tiered_devices(
    questions: Iterable[AskedQuestion | Draft], tiers: Sequence[Tier]
) -> tuple[Device, ...]:
    """The devices of a parameters document, each of those that scramble with a chain.

    Raises EngineError or NotReadyError where a device cannot be made for every tier.
    """
    drafts = [Draft.of(question) for question in questions]
    return tuple(device for draft in drafts for device in _devices(draft, tiers))


def _devices(draft: Draft, tiers: Sequence[Tier]) -> list[Device]:
    devices = list(devices_of([draft]))
    if not draft.randomized:
        return devices
    chain = chain_of(draft, tiers)
    # The devices of one question are all alike.
    return [replace(device, table=chain, epsilon=chain.epsilons[-1]) for device in devices]


def chain_of(draft: Draft, tiers: Sequence[Tier]) -> Chain:
    """The chain of one of the devices of a question.

    The lowest step is what a survey of its own would have at that epsilon; each later one is as
    near as can be to such a device, among those of which the steps so far are degraded copies.
    Raises EngineError, or NotReadyError for a device that has no version for each tier.
    """
    family = family_of(draft)
    if not family.follows_epsilon or not family.sends_codes:
        message = _("Its device cannot make a version for each tier.")
        raise NotReadyError([message])
    drafts = [draft_at(draft, tier.share) for tier in tiers]
    steps = [coded(family.table(drafts[0]))]
    for each in drafts[1:]:
        steps.append(coded(family.sharper_table(each, steps)))
    return Chain(
        steps=cast("tuple[Dense | Uniform | Linear, ...]", tuple(steps)),
        epsilons=tuple(family.declared_epsilon(each) or "0" for each in drafts),
        degradations=tuple(degradation_between(*pair) for pair in pairwise(steps)),
    )


def draft_at(draft: Draft, share: str) -> Draft:
    """The question at a share of the epsilon of each of its devices."""
    family = family_of(draft)
    each = Decimal(share) * family.epsilon_of_each(draft)
    rounded = each.quantize(EPSILON_STEP, rounding=ROUND_DOWN)
    return dataclasses.replace(draft, epsilon=rounded * len(family.options(draft)))


@Remembered
def tier_margins(draft: Draft, planned_n: int, tiers: tuple[Tier, ...]) -> list[float]:
    """The margin of error in each tier, the lowest first; raises EngineError, NotReadyError."""
    family, prior = family_of(draft), weighting_prior(draft)
    designs = [_step_design(step) for step in chain_of(draft, tiers).steps]
    return [
        margin_of_focal(draft, design, planning_shares(draft, design), planned_n, prior)
        for design in map(family.seen_from_one, designs)
    ]


def _step_design(step: Coded) -> rr_engine.DesignMatrix:
    """Return the device of a step; for a number without bins that of the two ends.

    The mean of such a number is estimated through this device.
    """
    return design_of(step.ends if isinstance(step, Linear) else step)
