"""The tiers of a document, and what must hold of them and of its chains; docs/protocol.md.

Each tier reads one report of every chain, and all together reveal what the highest reads.
static/js/features/tiers/rules.js has the twin.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from surveys.features.parts import DocumentPart
from surveys.parameters.document import Device, Parameters
from surveys.parameters.tables import Chain
from surveys.parameters.types import Decimal, Frozen, Problem, ToldText

NAME: Final = "tiers"
LEAST_TIERS, MOST_TIERS = 2, 5


class Tier(Frozen, frozen=True):
    """Readers of one step of every chain; `share`: of the epsilon of each randomized question."""

    name: ToldText
    share: Decimal


def frozen_tiers(parameters: Parameters) -> tuple[Tier, ...]:
    """Return the tiers of a document, the lowest first; none where all read the same."""
    return parameters.section(NAME)


class TiersInDocument(DocumentPart):
    sections = {NAME: tuple[Tier, ...]}

    def versions(self, parameters: Parameters) -> Sequence[str]:
        return [tier.name for tier in frozen_tiers(parameters)]

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        """Yield what is wrong with a document's tiers, and with its devices for having them."""
        tiers = frozen_tiers(parameters)
        if tiers and not LEAST_TIERS <= len(tiers) <= MOST_TIERS:
            yield "wrong_length", "tiers", f"{LEAST_TIERS} to {MOST_TIERS}, or none"
        for name, count in Counter(tier.name for tier in tiers).items():
            if count > 1:
                yield "duplicate", "tiers", f"{name!r} may be there once only"
        yield from _of_shares([tier.share for tier in tiers])
        for index, device in enumerate(parameters.devices):
            yield from _of_device(device, parameters, f"devices.{index}")


def _of_shares(texts: list[str]) -> Iterator[Problem]:
    shares = [Fraction(0), *map(Fraction, texts)]
    for index, (before, share) in enumerate(pairwise(shares)):
        if share <= before:
            yield "bad_share", f"tiers.{index}.share", "above that of the tier before, and above 0"
    if texts and texts[-1] != "1":
        yield "bad_share", f"tiers.{len(texts) - 1}.share", "1 in the highest tier"


def _of_device(device: Device, parameters: Parameters, field: str) -> Iterator[Problem]:
    table, tiers = device.table, frozen_tiers(parameters)
    steps = len(table.steps) if isinstance(table, Chain) else 0
    wanted = 0 if device.direct else len(tiers)
    if steps != wanted:
        rule = "a chain with a step for each tier where a survey with tiers scrambles, no other"
        yield "bad_chain", f"{field}.table", rule
    if not isinstance(table, Chain) or not tiers or steps != wanted:
        return
    for index, (epsilon, tier) in enumerate(zip(table.epsilons, tiers, strict=True)):
        if Fraction(epsilon) > Fraction(tier.share) * Fraction(device.epsilon or 0):
            rule = "at most the share of its tier"
            yield "over_share", f"{field}.table.epsilons.{index}", rule
