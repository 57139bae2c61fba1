"""The form without JavaScript: letters of physical randomizers, and direct answers.

A randomized question offers letters only: no field of this form can hold its real answer.
"""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from surveys.features import FEATURES, given_without_script
from surveys.features.parts import Condition
from surveys.forms.physical_questions import FormQuestion, asked_questions, not_asked_here
from surveys.parameters import PAGE, Device, Parameters, Question
from surveys.responses.spaces import space_of

NONE = "none"
# Fills letters up to one width, and stands for one where a question is left out: what a browser
# posts is as long for every choice. Without a script the ticks of direct answers cannot be.
FILLER = "."
_RANDOM_UUID = r"\A[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z"


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
        self._check_audiences()

    def _check_audiences(self) -> None:
        """Refuse answers to what the other answers say is not asked, and blanks where it is.

        It is for those questions only of which everybody may know whom they are for.
        """
        reports = self.content()["reports"]
        for form_question, condition in self._conditional():
            field, audience = form_question.field, form_question.audience
            compared = {each.field for each in self.form_questions if _is_one_of(each, condition)}
            if audience is None or not self.errors.keys().isdisjoint({field, *compared}):
                continue
            answered, holds = bool(self.cleaned_data[field]), condition.holds(reports)
            if answered and not holds:
                message = _("Your other answers say it is not: leave it out, or change those.")
            elif holds and not answered and form_question.question.required:
                message = _("Your other answers say it is: answer it, or change those.")
            else:
                continue
            self.add_error(field, f"{audience.words} {message}")

    def _conditional(self) -> Iterator[tuple[FormQuestion, Condition]]:
        conditions = [
            each
            for feature in FEATURES.values()
            for each in feature.answers.conditions(self.document)
        ]
        for form_question in self.form_questions:
            for condition in conditions:
                if not condition.devices.isdisjoint(x.id for x in form_question.devices):
                    yield form_question, condition

    @property
    def insists(self) -> bool:
        """Whether it takes no blank at a question that is for some people only."""
        return any(form_question.insists for form_question in self.form_questions)

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
        silent = not_asked_here(self.document)
        return [
            {
                "question": question,
                "is_silent": question.id in silent,
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
    question = form_question.question
    labels = letters if form_question.by_letter else question.categories
    message = _("Choose a letter.") if form_question.by_letter else _("Choose an answer.")
    width = max(map(len, letters))
    choices = [
        (letter.ljust(width, FILLER), label) for letter, label in zip(letters, labels, strict=True)
    ]
    if not form_question.required:
        out = _("It is not for me") if question.required else _("Leave this question out")
        choices.append((FILLER * width, out))
    # Then the browser itself stops a form in which it is blank, and nobody learns of it.
    attributes = {"required": True} if form_question.insists else {}
    return forms.TypedChoiceField(
        choices=choices,
        coerce=lambda value: value.rstrip(FILLER),
        required=form_question.required,
        initial=FILLER * width,
        widget=forms.RadioSelect(attributes),
        error_messages={"required": message, "invalid_choice": message},
    )


def _ticks(form_question: FormQuestion) -> forms.Field:
    """Browsers send only ticked boxes, so “none of these” has a box of its own."""
    labels = form_question.question.categories
    names = [device.id for device in form_question.devices]
    message = _("Tick what applies, or “None of these”.")
    return _Ticks(
        choices=[*zip(names, labels, strict=True), (NONE, _("None of these"))],
        required=form_question.required,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": message, "invalid_choice": message, "invalid_list": message},
    )


class _Ticks(forms.MultipleChoiceField):
    def validate(self, value: list[str]) -> None:
        super().validate(value)
        if NONE in value and len(value) > 1:
            raise forms.ValidationError(_("“None of these” goes with no other tick."))


def _is_one_of(form_question: FormQuestion, condition: Condition) -> bool:
    """Whether a condition compares the answer to this question."""
    return not condition.compared.isdisjoint(device.id for device in form_question.devices)


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
