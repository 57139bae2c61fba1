"""The frozen parameters for exports: the one place of this room that knows their layout."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

from django.utils.translation import gettext as _

from surveys.features import FEATURES, whole_text
from surveys.features.parts import Condition
from surveys.kinds import KINDS
from surveys.languages import site_language
from surveys.models import Launch, Survey
from surveys.parameters import (
    Bits,
    Device,
    Parameters,
    Question,
    Table,
    Ties,
    columns_of,
    joint_of,
    parts_of_all,
)
from surveys.parameters.budget import spent
from surveys.parameters.cards import shown_by
from surveys.parameters.tables import Coded, Linear
from surveys.responses.counting import content_with_parts
from surveys.responses.spaces import Entry, Field, Space, space_of
from surveys.results.release import DeviceKey

# Between the answers of a card.
BETWEEN = " | "


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedDevice:
    """One device with the words for its reports and true answers, in the active language.

    `source`: the earlier wave whose device it is; empty for the newest one. `asked`: the variable
    name of its question, or the device's own of several questions.
    `shows` has for each code the answer itself where answers are sent as they are, the answers on a
    card, and nothing where a letter stands for none. `likeliest_from` names for each entry of the
    codebook the true answers that send it most often. `answers`: the true answers that the table
    has columns for; of a number of which one bit is sent both ends. `members`: of a device for ties
    a cell for each member's code, that of the sender of a report without one. `asked_directly`:
    people whom chance has picked send the answers to a sensitive question as they are, and no file
    has single ones of them.
    """

    source: str = ""
    id: str
    stratum: str
    family: str
    asked: str
    question: str
    option: str = ""
    space: Space
    shows: tuple[str, ...] = ()
    likeliest_from: tuple[str, ...] = ()
    members: Mapping[str, Field] = field(default_factory=dict)
    asked_directly: bool = False
    table: Table
    answers: tuple[str, ...] = ()
    epsilon: str | None = None

    @property
    def key(self) -> DeviceKey:
        return self.source, self.id, self.stratum

    def fields(self) -> tuple[Field, ...]:
        """The cells of one report, one row for a person."""
        return tuple(self.members.values()) or self.space.fields(self.id)

    def cells(self, content: Mapping[str, Any]) -> dict[str, str | int]:
        """Return what the report of a stored report set has in each of these cells."""
        report = content["reports"][self.id]
        if not self.members:
            names = [each.name for each in self.fields()]
            return dict(zip(names, self.space.values(report), strict=True))
        others = (each for code, each in self.members.items() if code != content["member"])
        return {each.name: int(bit) for each, bit in zip(others, report, strict=True)}

    def own_field(self, content: Mapping[str, Any]) -> str | None:
        """The cell of the sender, who is not asked about themselves; None where none is of ties."""
        return self.members[content["member"]].name if self.members else None

    def entries(self) -> list[Entry]:
        """The codes of all cells with their labels, for a codebook."""
        if not self.members:
            return self.space.entries(self.id)
        return [
            Entry(each.name, code, label)
            for each in self.fields()
            for code, label in enumerate(each.labels)
        ]

    def shown(self, report: Any) -> str:
        """Return what a report shows; empty where it stands for no answer."""
        number = self.space.number(report)
        return self.shows[number] if self.shows and number is not None else ""


def exported_devices(parameters: Parameters, source: str = "") -> list[ExportedDevice]:
    """The devices in the order of the document; one in several strata occurs several times.

    In place of a joint device there is for each of its questions its margin of it.
    """
    questions = {question.id: question for question in parameters.questions}
    members = parameters.members.codes if parameters.members else ()
    return [
        _export_device(questions[device.questions[0]], device, source, members, parameters)
        for device in parts_of_all(parameters.devices)
    ]


def devices_as_sent(parameters: Parameters) -> list[ExportedDevice]:
    """The devices by whose names reports are sent: questions that are sent together have one."""
    several = joint_of(parameters)
    joint = {question for device in several for question in device.questions}
    alone = [device for device in exported_devices(parameters) if device.id not in joint]
    return [*alone, *(_export_joint(parameters, device) for device in several)]


def report_of_each_question(parameters: Parameters, content: dict[str, Any]) -> dict[str, Any]:
    """Return the report set with a joint report also under the name of each question."""
    return content_with_parts(content, joint_of(parameters))


def conditions_of(parameters: Parameters) -> dict[str, Condition]:
    """Return by devices whom they are asked of, where that is not everybody."""
    found = (x for feature in FEATURES.values() for x in feature.answers.conditions(parameters))
    return {name: condition for condition in found for name in condition.devices}


def epsilon_of(question: Question, parameters: Parameters) -> float | None:
    """What the answer may reveal: of several devices together; None of a direct question."""
    devices = [device for device in parameters.devices if question.id in device.questions]
    return float(spent(devices)) if question.randomized else None


def has_cards(parameters: Parameters) -> bool:
    return any(shown_by(device) is not None for device in parameters.devices)


def keeps_people_together(parameters: Parameters) -> bool:
    return parameters.linkage == Survey.Linkage.TOGETHER.value


def device_questions(parameters: Parameters) -> dict[str, set[tuple[str, ...]]]:
    """The questions of each device by the name under which its reports are sent."""
    questions: dict[str, set[tuple[str, ...]]] = {}
    for device in parameters.devices:
        questions.setdefault(device.id, set()).add(device.questions)
    return questions


def language_of(launch: Launch) -> str:
    """The language of the texts in a file that no author wrote."""
    return site_language(launch.parameters.language)


def _export_device(
    question: Question,
    device: Device,
    source: str,
    members: tuple[str, ...],
    parameters: Parameters,
) -> ExportedDevice:
    # The true answers that the columns of the device's table stand for, in their order.
    answers = KINDS[question.kind].truth_labels(question, device, BETWEEN)
    return ExportedDevice(
        source=source,
        id=device.id,
        stratum=device.stratum,
        family=device.family,
        asked=question.id,
        question=whole_text(question, parameters),
        option="" if device.option is None else question.categories[device.option],
        space=space_of(device),
        shows=tuple(_shows(question, device)),
        likeliest_from=tuple(_likeliest_from(device.table, answers)),
        members=_cells_of(device, members) if isinstance(device.table, Ties) else {},
        asked_directly=device.direct and question.randomized,
        table=device.table,
        answers=tuple(answers),
        epsilon=device.epsilon,
    )


def _cells_of(device: Device, members: Sequence[str]) -> dict[str, Field]:
    labels = (_("sent as not ticked"), _("sent as ticked"))
    return {code: Field(f"{device.id}.{code}", labels) for code in members}


def _export_joint(parameters: Parameters, device: Device) -> ExportedDevice:
    """A joint device as a whole: its reports are combinations of codes, which have no words."""
    return ExportedDevice(
        id=device.id,
        stratum=device.stratum,
        family=device.family,
        asked=device.id,
        question=BETWEEN.join(parameters.question(name).text for name in device.questions),
        space=space_of(device),
        table=device.table,
    )


def _likeliest_from(table: Table, answers: Sequence[str]) -> list[str]:
    """Return for each code the true answers that send it most often; empty if all do equally often.

    For bits it is the answer whose bit it is, if that sets it more often. Codes of a tuple are
    about parts of an answer, which have no words. Probabilities that differ by less than a
    millionth are equal but for rounding to integers.
    """
    if isinstance(table, Bits):
        return list(answers) if table.one > table.zero else []
    if not isinstance(table, Coded):
        return []
    table = table.ends if isinstance(table, Linear) else table
    tie = table.denominator / 1e6
    randomized_reports = []
    for entries in zip(*columns_of(table), strict=True):
        lowest, highest = min(entries), max(entries)
        is_likeliest = [highest - lowest > tie >= highest - entry for entry in entries]
        randomized_reports.append(BETWEEN.join(compress(answers, is_likeliest)))
    return randomized_reports


def _shows(question: Question, device: Device) -> list[str]:
    labels = question.categories
    cards = shown_by(device)
    if cards is not None:
        return [BETWEEN.join(labels[answer] for answer in card) for card in cards]
    if device.direct and device.option is None:
        return list(labels)
    return [""] * len(space_of(device).letters)
