"""The fields of support at the author's desk, and what of it freezes."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.admin.utils import display_for_value
from django.utils.translation import gettext as _

from surveys.features.parts import DeskPart, Facts, OwnField, TypedSurvey
from surveys.features.support import forms
from surveys.features.support.author import address_words, boxed, exit_address
from surveys.features.support.section import is_address
from surveys.features.support.settings import (
    change_box,
    change_support,
    has_box,
    has_box_after_section,
    support_of,
    usual_address,
)
from surveys.models import Question, Survey


def _address_shown(survey: Survey) -> str:
    return support_of(survey).address or usual_address(survey.language)


def _store_address(survey: Survey, typed: str) -> None:
    """Store an address; the usual one stays that of the survey's language."""
    change_support(survey, address="" if typed == usual_address(survey.language) else typed)


def _yes_or_no(on: Any) -> str:
    return display_for_value(bool(on), "", boolean=True)


class SupportAtDesk(DeskPart):
    survey_field = OwnField(
        forms.TEXT,
        forms.text_field,
        read=lambda survey: support_of(survey).text,
        store=lambda survey, typed: change_support(survey, text=typed),
    )
    further_fields = (
        OwnField(
            forms.EXIT,
            forms.exit_field,
            read=lambda survey: support_of(survey).quick_exit,
            store=lambda survey, typed: change_support(survey, quick_exit=typed),
            text=_yes_or_no,
        ),
        OwnField(forms.ADDRESS, forms.address_field, read=_address_shown, store=_store_address),
    )
    question_field = OwnField(
        forms.BOX,
        forms.box_field,
        read=has_box,
        store=lambda question, typed: change_box(question, box=bool(typed)),
    )
    further_question_fields = (
        OwnField(
            forms.AFTER_SECTION,
            forms.after_section_field,
            read=has_box_after_section,
            store=lambda question, typed: change_box(question, after_section=bool(typed)),
        ),
    )

    def is_typed(self, typed: TypedSurvey) -> bool:
        return any(typed.cleaned.get(name) for name in (forms.TEXT, forms.EXIT))

    def survey_problems(self, typed: TypedSurvey) -> Iterator[tuple[str, str]]:
        address = typed.cleaned.get(forms.ADDRESS)
        if typed.cleaned.get(forms.EXIT) and address and not is_address(address):
            yield forms.ADDRESS, address_words()

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        text, address = support_of(survey).text, exit_address(survey)
        lines = [line for line in text.splitlines() if line.strip()]
        facts: Facts = [(_("Help for respondents"), lines)] if lines else []
        if lines and (names := [question.name for question in boxed(questions)]):
            facts.append((_("The box with help stands below"), names))
        if address:
            facts.append((_("The quick exit leads to"), [address]))
        return facts
