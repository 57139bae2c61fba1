"""The arms of a document, and what must hold of them; docs/protocol.md, section 15.

An arm is the stratum of its devices: who is in it reports to these, and to those of the page where
it has none. static/js/features/arms/rules.js is the twin; what a draft may have is in allowed.py.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final

import msgspec

from surveys.features.feature import FEATURES
from surveys.features.parts import DocumentPart
from surveys.parameters.chance_strata import EVERYBODY
from surveys.parameters.document import PAGE, Device, Parameters, Question
from surveys.parameters.joint import LISTED, is_joint
from surveys.parameters.types import Frozen, Name, Problem

NAME: Final = "arms"
# Strata that the page picks have names that begin so.
PICKED = "pair_"
# The strata of the arms that an author can add: scrambled by another device, or not at all.
SPLIT, DIRECTLY = "split", "direct"
# How many arms there are, that of the page among them.
FEWEST_ARMS, MOST_ARMS = 2, 4


class Arm(Frozen, frozen=True):
    """`share`: of how many people in a hundred chance puts into it."""

    stratum: Name
    share: Annotated[int, msgspec.Meta(ge=1, le=EVERYBODY - 1)]


def arms_of(parameters: Parameters) -> tuple[Arm, ...]:
    """Return the arms of a document, that of the page first; none where all are asked alike."""
    return parameters.section(NAME)


class ArmsInDocument(DocumentPart):
    sections = {NAME: Annotated[tuple[Arm, ...], msgspec.Meta(max_length=MOST_ARMS)]}
    wrong_stratum = ("wrong_arm", "Chance has put this response into another arm.")

    def strata(self, parameters: Parameters) -> Mapping[str, int]:
        return {arm.stratum: arm.share for arm in arms_of(parameters)}

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        arms = arms_of(parameters)
        if not arms:
            return
        strata = [arm.stratum for arm in arms]
        if len(arms) < FEWEST_ARMS or strata[0] != PAGE or len(set(strata)) < len(strata):
            yield "bad_arms", "arms", "two or more that differ, that of the page first"
        for index, stratum in enumerate(strata):
            if stratum.startswith(PICKED):
                rule = "the names of pairs are no names of arms"
                yield "bad_arms", f"arms.{index}.stratum", rule
        if sum(arm.share for arm in arms) != EVERYBODY:
            yield "bad_arms", "arms", f"their shares add up to {EVERYBODY}"
        yield from _of_devices(parameters, strata[1:])


def _of_devices(parameters: Parameters, strata: list[str]) -> Iterator[Problem]:
    questions = {question.id: question for question in parameters.questions}
    for index, device in enumerate(parameters.devices):
        field = f"devices.{index}"
        if device.stratum != PAGE and device.stratum in strata:
            question = questions.get(device.questions[0])
            if question is not None and not _takes_arms(question, device):
                rule = "a scrambled question of which one listed answer is true, sent on its own"
                yield "bad_arms", f"{field}.questions", rule
            if device.search is not None:
                yield "bad_search", f"{field}.search", "only a device of the page is searched"
    for index, stratum in enumerate(strata, start=1):
        devices = [device for device in parameters.devices if device.stratum == stratum]
        if len({device.direct for device in devices}) != 1:
            rule = "devices of its own, all of which scramble, or none"
            yield "bad_arms", f"arms.{index}", rule


def _takes_arms(question: Question, device: Device) -> bool:
    listed = question.control in LISTED and not is_joint(device)
    return (
        question.randomized
        and listed
        and not any(x.document.asked_alike(question) for x in FEATURES.values())
    )
