"""What must hold of the arms of a document, and the survey as somebody in one of them is asked it.

static/js/rr/arms.js is the twin; what a draft may have is in surveys/authoring/draft_arms.py.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from surveys.parameters.arms import EVERYBODY, FEWEST_ARMS
from surveys.parameters.document import OPEN, PAGE, Device, Parameters, Question
from surveys.parameters.groups import GROUPED, is_group
from surveys.parameters.pairs import PAIR, pairs_of
from surveys.parameters.types import Problem


def arm_strata(parameters: Parameters) -> tuple[str, ...]:
    """The arms besides that of the page; none where everybody is asked alike."""
    return tuple(arm.stratum for arm in parameters.arms if arm.stratum != PAGE)


def is_of_arm(device: Device, parameters: Parameters) -> bool:
    """Whether a device is for people whom chance puts into an arm."""
    return device.stratum in arm_strata(parameters)


def direct_of_arms(parameters: Parameters) -> frozenset[tuple[str, str]]:
    """The keys of devices that send the answer to a sensitive question as it is, in an arm."""
    return frozenset(
        device.key
        for device in parameters.devices
        if device.direct and is_of_arm(device, parameters)
    )


def is_asked_directly(question: Question, device: Device) -> bool:
    """Whether a device sends the answer to a sensitive question as it is: only in an arm."""
    return question.randomized and device.direct


def strata_in_arm(parameters: Parameters, arm: str) -> Mapping[str, str]:
    """The stratum of every device for the people in an arm, by the device's id."""
    strata = {device.id: device.stratum for device in parameters.devices if device.stratum == PAGE}
    return strata | {
        device.id: device.stratum for device in parameters.devices if device.stratum == arm
    }


def in_arm(parameters: Parameters, arm: str) -> Parameters:
    """The survey as somebody in this arm is asked it.

    A question that is asked directly there is not randomized, and nobody has to answer it.
    """
    strata = strata_in_arm(parameters, arm)
    devices = tuple(each for each in parameters.devices if strata[each.id] == each.stratum)
    direct = {each.questions[0] for each in devices if each.direct}
    questions = tuple(_asked(question, question.id in direct) for question in parameters.questions)
    return replace(parameters, questions=questions, devices=devices)


def _asked(question: Question, directly: bool) -> Question:
    changes: dict[str, Any] = {"randomized": False, "required": False}
    return replace(question, **changes) if directly and question.randomized else question


def problems(parameters: Parameters) -> Iterator[Problem]:
    """What is wrong with the arms of a document."""
    arms = parameters.arms
    if not arms:
        return
    strata = [arm.stratum for arm in arms]
    if len(arms) < FEWEST_ARMS or strata[0] != PAGE or len(set(strata)) < len(strata):
        yield "bad_arms", "arms", "two or more that differ, that of the page first"
    for index, stratum in enumerate(strata):
        if stratum.startswith(f"{PAIR}_"):
            yield "bad_arms", f"arms.{index}.stratum", "the names of pairs are no names of arms"
    if sum(arm.share for arm in arms) != EVERYBODY:
        yield "bad_arms", "arms", f"their shares add up to {EVERYBODY}"
    if parameters.mode != OPEN:
        yield "bad_arms", "mode", "only a survey that nobody comes back to has arms"
    if parameters.tiers:
        yield "bad_arms", "tiers", "a survey with arms has no tiers"
    if pairs_of(parameters):
        yield "bad_arms", "devices", "a survey with arms asks no random pairs"
    yield from _of_devices(parameters)


def _of_devices(parameters: Parameters) -> Iterator[Problem]:
    questions = {question.id: question for question in parameters.questions}
    for index, device in enumerate(parameters.devices):
        field = f"devices.{index}"
        if device.instructions:
            yield "bad_arms", f"{field}.stratum", "a survey with arms has no physical randomizers"
        elif is_of_arm(device, parameters):
            question = questions.get(device.questions[0])
            if question is not None and not _takes_arms(question, device):
                rule = "a scrambled question of which one listed answer is true, sent on its own"
                yield "bad_arms", f"{field}.questions", rule
            if device.search is not None:
                yield "bad_search", f"{field}.search", "only a device of the page is searched"
    for index, stratum in enumerate(arm_strata(parameters), start=1):
        devices = [device for device in parameters.devices if device.stratum == stratum]
        if len({device.direct for device in devices}) != 1:
            rule = "devices of its own, all of which scramble, or none"
            yield "bad_arms", f"arms.{index}", rule


def _takes_arms(question: Question, device: Device) -> bool:
    listed = question.control in GROUPED and not is_group(device)
    return question.randomized and listed and question.known is None
