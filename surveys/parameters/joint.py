"""Joint devices: several questions, answered one by one, scrambled by one draw and sent at once.

static/js/rr/joint.js has the twin. Each of the questions has a device of its own in thought: its
margin of the joint device, which is exact (Domingo-Ferrer 2018; docs/methods/joint.md).
Results, tables and simulations of one question rest on it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from rr_engine.channels import JointChannel, UniformChannel
from surveys.parameters.document import PAGE, Device, Parameters, Question
from surveys.parameters.tables import Joint, Uniform
from surveys.parameters.types import Problem

# The controls of questions of which one answer is true, and listed.
LISTED = ("yes_no", "list", "scale")
COVERS = "a joint table covers several questions, and nothing else does"


def joint_id(first: int) -> str:
    """Return the name of a joint device by the place of its first question, from 0 on."""
    return f"group_{first + 1}"


def is_joint(device: Device) -> bool:
    return isinstance(device.table, Joint)


def joint_of(parameters: Parameters) -> tuple[Device, ...]:
    """The devices of a document that cover several questions, in their order."""
    return tuple(filter(is_joint, parameters.devices))


def joint_of_all(parameters: Parameters) -> tuple[Device, ...]:
    """Return the joint devices that everybody reports to."""
    return tuple(device for device in joint_of(parameters) if device.stratum == PAGE)


def is_picked(device: Device) -> bool:
    """Whether a device is for people whom the page picks for it: no other joint one has a stratum.

    The page picks by chance, all alike; a feature says what it picks from.
    """
    return is_joint(device) and device.stratum != PAGE


def picked_of(parameters: Parameters) -> tuple[Device, ...]:
    """Return the devices of which each person reports to one, which the page picks."""
    return tuple(filter(is_picked, parameters.devices))


def picked_questions(parameters: Parameters) -> list[Question]:
    """Return the questions of which nobody is asked all."""
    names = {name for device in picked_of(parameters) for name in device.questions}
    return [question for question in parameters.questions if question.id in names]


def channel_of_joint(table: Joint) -> JointChannel:
    return JointChannel(table.shape, table.weights, table.denominator)


# A page of results asks for the same ones again and again.
@lru_cache(maxsize=512)
def parts_of(device: Device) -> tuple[Device, ...]:
    """The devices of single questions that a device is made of: of most devices itself.

    Of a joint one the margin for each of its questions, in exact integers. Its `epsilon` is that
    of the whole, which is what the report reveals about any of the answers at most.
    """
    table = device.table
    if not isinstance(table, Joint):
        return (device,)
    channel = channel_of_joint(table)
    return tuple(
        replace(
            device,
            id=question,
            questions=(question,),
            table=_table(table.parts[index], channel.margin([index])),
        )
        for index, question in enumerate(device.questions)
    )


def parts_of_all(devices: Iterable[Device]) -> tuple[Device, ...]:
    return tuple(part for device in devices for part in parts_of(device))


def _table(names: tuple[str, ...], channel: JointChannel | UniformChannel) -> Uniform:
    if not isinstance(channel, UniformChannel):
        raise TypeError("the margin of one question has one probability for all other answers")
    return Uniform(
        reports=names, denominator=channel.denominator, kept=channel.kept, other=channel.other
    )


def with_parts(device: Device, report: Any) -> Mapping[str, Any]:
    """A valid report to a device and its parts, by the names of `parts_of` and of the device."""
    if not is_joint(device):
        return {device.id: report}
    return {device.id: report, **dict(zip(device.questions, report, strict=True))}


# --- rules --------------------------------------------------------------------------------------


def problems(parameters: Parameters) -> Iterator[Problem]:
    """Yield devices over several questions without a joint table."""
    for index, device in enumerate(parameters.devices):
        if len(device.questions) > 1 and not is_joint(device):
            yield "several_questions", f"devices.{index}.questions", COVERS


def problems_of_joint(covered: Sequence[Question], table: Joint, field: str) -> Iterator[Problem]:
    """Yield what is wrong with a joint table of these questions, in their order."""
    if any(question.control not in LISTED for question in covered):
        yield "bad_group", f"{field}.questions", "questions of which one answer is true"
    elif table.shape != tuple(len(question.categories) for question in covered):
        yield "wrong_length", f"{field}.table", "one part for each question, as long as its answers"
    if not all(question.randomized for question in covered):
        yield "bad_choice", f"{field}.epsilon", "there is one where the question is randomized"
    if len({question.required for question in covered}) > 1:
        yield "bad_group", f"{field}.questions", "all of them required, or none"
