"""The fields of filters at the author's desk, and what of them freezes."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.forms import Form
from django.utils.translation import gettext as _

from surveys.features.filters import forms
from surveys.features.filters.author import filter_findings
from surveys.features.filters.settings import (
    filter_of_question,
    set_only_if,
    set_unasked,
)
from surveys.features.filters.words import Menus, menus_of, shortened
from surveys.features.parts import DeskPart, Facts, OwnField
from surveys.models import Question, Survey

# Beside the text of the question.
LONGEST_ON_LINE = 30


class FiltersAtDesk(DeskPart):
    question_field = OwnField(
        forms.ONLY_IF,
        forms.only_if_field,
        read=lambda question: filter_of_question(question).only_if,
        store=set_only_if,
    )
    further_question_fields = (
        OwnField(
            forms.UNASKED,
            forms.unasked_field,
            read=lambda question: filter_of_question(question).unasked,
            store=set_unasked,
        ),
    )

    option_template = "features/filters/question_menus.html"

    def line_words(self, question: Question) -> str:
        only_if = filter_of_question(question).only_if
        return _("Only if %s") % shortened(only_if, LONGEST_ON_LINE) if only_if else ""

    def option_of(self, question: Question, asked: Sequence[Question]) -> Menus:
        return menus_of(question, asked)

    def clean_question(self, form: Form, cleaned: dict[str, Any]) -> None:
        if not cleaned.get(forms.ONLY_IF):
            cleaned[forms.UNASKED] = False
        elif cleaned.get("randomized") and not cleaned[forms.UNASKED]:
            # Only somebody whom it is for could leave it out, and that would be seen.
            cleaned["required"] = True

    def question_problems(self, asked: Sequence[Question]) -> Iterator[tuple[int, str, str]]:
        places = {question.name: place for place, question in enumerate(asked)}
        for finding in filter_findings(asked):
            if finding.question is not None:
                words = finding.message.removeprefix(f"{finding.question}: ")
                yield places[finding.question], forms.ONLY_IF, words

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        lines = [
            f"{question.name}: {settings.only_if}"
            for question in questions
            if (settings := filter_of_question(question)).only_if
        ]
        return [(_("Questions that are for some people only"), lines)] if lines else []
