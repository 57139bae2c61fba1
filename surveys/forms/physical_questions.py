"""The questions of the form without JavaScript: what it asks, of whom, and what it leaves out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import ngettext
from msgspec.structs import replace

from surveys import numbers
from surveys.devices.physical.device import STRATUM
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.drafts import Draft
from surveys.features import audiences_without_script, given_without_script
from surveys.features.parts import Audience
from surveys.models import Question as QuestionRow
from surveys.parameters import Device, Parameters, Question, coded, columns_of
from surveys.responses.spaces import space_of
from surveys.strength import strength_of
from surveys.strength_words import level_words


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """A question as this form asks it: with its randomizer, or the devices of a direct one.

    `audience`: whom it is for; None where it is for everybody.
    """

    question: Question
    devices: tuple[Device, ...]
    audience: Audience | None = None

    @property
    def insists(self) -> bool:
        """Whether others report that it does not apply: then a blank would say whom it is for."""
        return self.audience is not None and self.audience.reports

    @property
    def required(self) -> bool:
        """Whether nobody may leave it blank."""
        return self.question.required and (self.audience is None or self.insists)

    @property
    def field(self) -> str:
        # No question's id has a hyphen, so this prefix cannot collide with other names.
        return f"report-{self.question.id}"

    @property
    def by_letter(self) -> bool:
        return bool(self.question.randomized)

    @property
    def several(self) -> bool:
        return self.devices[0].option is not None

    @property
    def first_step(self) -> str:
        """The instruction that comes before the question."""
        return self.devices[0].instructions[0]

    @property
    def steps(self) -> tuple[str, ...]:
        return self.devices[0].instructions[1:]

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the reports, which are those of the answers to a direct question."""
        return space_of(self.devices[0]).letters

    @property
    def retained_of_100(self) -> int:
        """How many of 100 people choose the letter of their true answer."""
        table = coded(self.devices[0].table)
        retained, denominator = columns_of(table)[0][0], table.denominator
        return (200 * retained + denominator) // (2 * denominator)

    @property
    def changed(self) -> int:
        return 100 - self.retained_of_100

    @property
    def level(self) -> int:
        """The level of what a letter can reveal (`surveys.strength`)."""
        return strength_of(self.devices).question_level

    @property
    def weakness(self) -> str:
        return level_words(self.level) if self.by_letter else ""

    @property
    def frequencies(self) -> list[tuple[str, int, int]]:
        """How many of 100 people choose A and B, given each real answer; for two letters only."""
        if not self.by_letter or len(self.letters) != 2:
            return []
        counts = [(self.retained_of_100, self.changed), (self.changed, self.retained_of_100)]
        return [(v, *n) for v, n in zip(self.question.categories, counts, strict=True)]


def instructed(document: Parameters, rows: Iterable[QuestionRow]) -> Parameters:
    """Return a translated document with instructions in the active language.

    They are Candor's own words about a table, frozen in the language of the survey only. They stay
    as they are where this program would build another table today.
    """
    drafts = {row.name: Draft.of(row) for row in rows if row.physical_device}
    return replace(
        document, devices=tuple(_told(each, document, drafts) for each in document.devices)
    )


def _told(device: Device, document: Parameters, drafts: Mapping[str, Draft]) -> Device:
    draft = drafts.get(device.questions[0])
    choice = PHYSICAL_DEVICES.get(draft.physical_device) if draft else None
    if not device.instructions or draft is None or choice is None:
        return device
    if not choice.reaches(draft) or choice.freeze(draft).table != device.table:
        return device
    labels = document.question(device.questions[0]).categories
    return replace(device, instructions=tuple(choice.sentences(draft, labels)))


def asked_questions(document: Parameters) -> list[FormQuestion]:
    """The questions of the form, in the survey's order."""
    return list(_form_questions(document))


def left_out_questions(document: Parameters) -> list[Question]:
    """Randomized questions without a physical randomizer, and those that are for whom these say."""
    asked_ids = {form_question.question.id for form_question in asked_questions(document)}
    asked_ids |= not_asked_here(document)
    return [question for question in document.questions if question.id not in asked_ids]


def left_out_words(document: Parameters) -> str:
    """How many sensitive questions the form leaves out, for whoever chooses it; empty for none."""
    count = sum(question.randomized for question in left_out_questions(document))
    sensitive = sum(question.randomized for question in document.questions)
    if not count:
        return ""
    text = ngettext(
        "There %(count)s of the %(sensitive)s sensitive questions is left out.",
        "There %(count)s of the %(sensitive)s sensitive questions are left out.",
        count,
    )
    return text % {"count": numbers.count(count), "sensitive": numbers.count(sensitive)}


def is_offered(document: Parameters) -> bool:
    """Whether there is a physical randomizer, and every required question can be answered."""
    has_physical = any(form_question.by_letter for form_question in asked_questions(document))
    return has_physical and not any(question.required for question in left_out_questions(document))


def not_asked_here(document: Parameters) -> set[str]:
    """The questions that nobody who uses this form is asked, so that it says nothing of them."""
    audiences = audiences_without_script(document)
    given = given_without_script(document)
    return {*given} | {name for name, x in audiences.items() if x.nobody and not x.reports}


def _form_questions(parameters: Parameters) -> Iterator[FormQuestion]:
    audiences, known = audiences_without_script(parameters), not_asked_here(parameters)
    for question in parameters.questions:
        audience = audiences.get(question.id)
        # Whom it is for is not known here before it is known what that rests on.
        if question.id in known or (audience and not audience.rests_on <= known):
            continue
        devices = tuple(
            device
            for device in parameters.devices
            if question.id in device.questions
            and (device.stratum == STRATUM) == question.randomized
        )
        if devices and all(space_of(device).letters for device in devices):
            known.add(question.id)
            yield FormQuestion(question, devices, audience)
