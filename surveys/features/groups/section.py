"""Groups of questions in the frozen document: what must hold of a draw that everybody shares.

static/js/features/groups/rules.js has the twin. A group has no section of its own: its device says
which questions it covers, and surveys/parameters/joint.py what such a device does with each.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from surveys.features import crossed_pairs
from surveys.features.parts import DocumentPart
from surveys.parameters.document import Device, Parameters
from surveys.parameters.joint import COVERS, joint_id, joint_of_all, problems_of_joint
from surveys.parameters.tables import Joint
from surveys.parameters.types import Problem

NAME: Final = "groups"


class GroupsInDocument(DocumentPart):
    mark = "joint"

    def is_used(self, parameters: Parameters) -> bool:
        return bool(joint_of_all(parameters))

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        return _problems(parameters)


def _problems(parameters: Parameters) -> Iterator[Problem]:
    """Yield what is wrong with the groups of a document."""
    places = {question.id: index for index, question in enumerate(parameters.questions)}
    groups = joint_of_all(parameters)
    for index, device in enumerate(parameters.devices):
        if device in groups:
            yield from _of_group(device, parameters, places, f"devices.{index}")
    for index, pair in enumerate(crossed_pairs(parameters)):
        if any(set(pair) <= set(device.questions) for device in groups):
            rule = "the pairs of a group are in its results already"
            yield "bad_table", f"tables.{index}", rule


def _of_group(
    device: Device, parameters: Parameters, places: Mapping[str, int], field: str
) -> Iterator[Problem]:
    names, table = device.questions, device.table
    if len(names) < 2 or not isinstance(table, Joint):
        yield "several_questions", f"{field}.questions", COVERS
        return
    if not places.keys() >= set(names):
        yield "unknown_question", f"{field}.questions", "questions of the survey"
        return
    first = places[names[0]]
    if [places[name] for name in names] != list(range(first, first + len(names))):
        rule = "questions that follow one another, in their order"
        yield "bad_group", f"{field}.questions", rule
        return
    if device.id != joint_id(first):
        yield "bad_name", f"{field}.id", "group_ and the number of its first question"
    if device.option is not None:
        yield "bad_option", f"{field}.option", "a group has no options"
    grouped = parameters.questions[first : first + len(names)]
    yield from problems_of_joint(grouped, table, field)
