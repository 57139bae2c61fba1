"""The form without JavaScript: letters of physical randomizers, and direct answers.

A randomized question offers letters only: no field of this form can hold its real answer.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from surveys import numbers
from surveys.devices.physical.device import STRATUM
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.drafts import Draft
from surveys.features import given_without_script
from surveys.models import Question as QuestionRow
from surveys.parameters import PAGE, Device, Parameters, Question, coded, columns_of
from surveys.responses.spaces import space_of
from surveys.strength import strength_of
from surveys.strength_words import level_words

NONE = "none"
# Fills letters up to one width, and stands for one where a question is left out: what a browser
# posts is as long for every choice. Without a script the ticks of direct answers cannot be.
FILLER = "."
_RANDOM_UUID = r"\A[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z"


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """A question as this form asks it: with its randomizer, or the devices of a direct one."""

    question: Question
    devices: tuple[Device, ...]

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
    """Randomized questions without a physical randomizer."""
    asked_ids = {form_question.question.id for form_question in asked_questions(document)}
    asked_ids |= given_without_script(document).keys()
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


def _form_questions(parameters: Parameters) -> Iterator[FormQuestion]:
    given = given_without_script(parameters)
    for question in parameters.questions:
        if question.id in given:
            continue
        devices = tuple(
            device
            for device in parameters.devices
            if question.id in device.questions
            and (device.stratum == STRATUM) == question.randomized
        )
        if devices and all(space_of(device).letters for device in devices):
            yield FormQuestion(question, devices)


class PhysicalForm(forms.Form):
    """The form of one launch; `content()` returns the posted reports for the common check."""

    digest = forms.CharField(max_length=71, widget=forms.HiddenInput(attrs={"autocomplete": "off"}))
    submission = forms.RegexField(
        _RANDOM_UUID, widget=forms.HiddenInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, document: Parameters, *args: Any, **kwargs: Any) -> None:
        kwargs |= {"use_required_attribute": False, "auto_id": "%s"}
        super().__init__(*args, **kwargs)
        self.document = document
        self.given = given_without_script(document)
        self.form_questions = asked_questions(document)
        for form_question in self.form_questions:
            self.fields[form_question.field] = _field(form_question)

    def clean(self) -> None:
        if self._has_unexpected():
            raise forms.ValidationError(_("This form was changed on its way. Load it again."))
        answered = [name for name in self.cleaned_data if name not in ("digest", "submission")]
        if not self.errors and not any(self.cleaned_data[name] for name in answered):
            raise forms.ValidationError(_("Answer at least one question."))

    def is_identified(self) -> bool:
        """Whether digest and submission id are present and well formed."""
        return not {"digest", "submission"}.intersection(self.errors)

    def content(self) -> dict[str, dict[str, Any]]:
        """Reports and strata by device; missing and invalid answers are left out."""
        reports: dict[str, int] = dict(self.given)
        strata: dict[str, str] = dict.fromkeys(self.given, PAGE)
        for form_question in self.form_questions:
            for device, code in _codes(form_question, self.cleaned_data.get(form_question.field)):
                reports[device.id] = code
                strata[device.id] = device.stratum
        return {"reports": reports, "strata": strata}

    def sent_rows(self) -> list[dict[str, Any]]:
        """The sent values by question: a letter, direct answers, or nothing."""
        form_questions = {
            form_question.question.id: form_question for form_question in self.form_questions
        }
        return [
            _given_row(question, self.given[question.id])
            if question.id in self.given
            else _sent_row(
                question,
                form_question,
                self.cleaned_data.get(form_question.field) if form_question else None,
            )
            for question in self.document.questions
            for form_question in [form_questions.get(question.id)]
        ]

    def blocks(self) -> list[dict[str, Any]]:
        """Every question in order, with its field if the form has one."""
        form_questions = {
            form_question.question.id: form_question for form_question in self.form_questions
        }
        return [
            {
                "question": question,
                "given": question.id in self.given,
                "asked": form_question,
                "field": form_question and self[form_question.field],
            }
            for question in self.document.questions
            for form_question in [form_questions.get(question.id)]
        ]

    def _has_unexpected(self) -> bool:
        """Whether there is an unknown field, or two values of a single-valued field."""
        single = {name for name in self.fields if not self._takes_several(name)}
        # The data of a request, never a plain mapping.
        data: Any = self.data
        return any(
            name not in self.fields or (name in single and len(values) > 1)
            for name, values in data.lists()
        )

    def _takes_several(self, name: str) -> bool:
        return isinstance(self.fields[name], forms.MultipleChoiceField)


def _field(form_question: FormQuestion) -> forms.Field:
    if form_question.several:
        return _ticks(form_question)
    letters = form_question.letters
    labels = letters if form_question.by_letter else form_question.question.categories
    message = _("Choose a letter.") if form_question.by_letter else _("Choose an answer.")
    width = max(map(len, letters))
    choices = [
        (letter.ljust(width, FILLER), label) for letter, label in zip(letters, labels, strict=True)
    ]
    if not form_question.question.required:
        choices.append((FILLER * width, _("Leave this question out")))
    return forms.TypedChoiceField(
        choices=choices,
        coerce=lambda value: value.rstrip(FILLER),
        required=form_question.question.required,
        initial=FILLER * width,
        widget=forms.RadioSelect,
        error_messages={"required": message, "invalid_choice": message},
    )


def _ticks(form_question: FormQuestion) -> forms.Field:
    """Browsers send only ticked boxes, so “none of these” has a box of its own."""
    labels = form_question.question.categories
    names = [device.id for device in form_question.devices]
    message = _("Tick what applies, or “None of these”.")
    return _Ticks(
        choices=[*zip(names, labels, strict=True), (NONE, _("None of these"))],
        required=form_question.question.required,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": message, "invalid_choice": message, "invalid_list": message},
    )


class _Ticks(forms.MultipleChoiceField):
    def validate(self, value: list[str]) -> None:
        super().validate(value)
        if NONE in value and len(value) > 1:
            raise forms.ValidationError(_("“None of these” goes with no other tick."))


def _codes(form_question: FormQuestion, value: Any) -> Iterator[tuple[Device, int]]:
    if not value:
        return
    for device in form_question.devices:
        letters = space_of(device).letters
        yield device, int(device.id in value) if form_question.several else letters.index(value)


def _sent_row(question: Question, form_question: FormQuestion | None, value: Any) -> dict[str, Any]:
    row = {"text": question.text, "answered": bool(value), "letter": "", "answers": []}
    if form_question is None or not value:
        return row
    if form_question.by_letter:
        return row | {"letter": value}
    return row | {
        "answers": [question.categories[index] for index in _chosen_answers(form_question, value)]
    }


def _given_row(question: Question, answer: int) -> dict[str, Any]:
    row = {"text": question.text, "answered": True, "letter": ""}
    return row | {"answers": [question.categories[answer]]}


def _chosen_answers(form_question: FormQuestion, value: Any) -> list[int]:
    if not form_question.several:
        return [form_question.letters.index(value)]
    return [index for index, device in enumerate(form_question.devices) if device.id in value]
