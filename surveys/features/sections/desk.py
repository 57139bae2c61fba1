"""The fields of sections at the author's desk, and where they begin in the list of questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from surveys.features.parts import DeskPart, Facts, OwnField
from surveys.features.sections import forms
from surveys.features.sections.author import begins_section_later
from surveys.features.sections.pages import change_section
from surveys.features.sections.settings import (
    NO_SECTION,
    begins_section,
    change_last_page,
    change_start,
    last_page_of,
    start_of,
)
from surveys.features.sections.views import shown_sections
from surveys.features.sections.words import name_of, notes_of
from surveys.models import Question, Survey
from surveys.parameters import Parameters


def _read(name: str, question: Question) -> Any:
    """Return what is set of a section; nothing of one that was removed."""
    return getattr(start_of(question) if begins_section(question) else NO_SECTION, name)


def _store(name: str, question: Question, typed: Any) -> None:
    change_start(question, **{name: typed or type(getattr(NO_SECTION, name))()})


def _field(name: str, field: str, make: Any) -> OwnField:
    return OwnField(field, make, read=partial(_read, name), store=partial(_store, name))


def _last(name: str, field: str, make: Any) -> OwnField:
    return OwnField(
        field,
        make,
        read=lambda survey: getattr(last_page_of(survey), name),
        store=lambda survey, typed: change_last_page(survey, **{name: typed or ""}),
    )


@dataclass(frozen=True, slots=True)
class SectionHead:
    """What stands above the question with which a section begins, or began before its removal."""

    title: str
    text: str
    notes: list[str]
    removed: bool


class SectionsAtDesk(DeskPart):
    pages = {"section_change": ("sections/<int:question_id>/", change_section)}
    question_field = _field("title", forms.TITLE, forms.title_field)
    further_question_fields = (
        _field("text", forms.TEXT, forms.text_field),
        _field("together", forms.TOGETHER, forms.together_field),
        _field("apart", forms.APART, forms.apart_field),
        _field("random", forms.RANDOM, forms.random_field),
        _field("moves", forms.MOVES, forms.moves_field),
    )
    further_fields = (
        _last("title", forms.LAST_TITLE, forms.last_title_field),
        _last("text", forms.LAST_TEXT, forms.last_text_field),
    )
    head_template = "features/sections/head.html"

    def head_of(self, question: Question) -> SectionHead | None:
        start = start_of(question)
        if not (start.is_section or start.removed):
            return None
        return SectionHead(name_of(start), start.text, notes_of(start), start.removed)

    def frozen_questions(
        self, survey: Survey, questions: Sequence[Question], parameters: Parameters
    ) -> Mapping[str, Mapping[str, Any]]:
        heads = shown_sections(parameters).heads
        return {name: {"heads": sections} for name, sections in heads.items()}

    def launch_facts(self, survey: Survey, questions: Sequence[Question]) -> Facts:
        starts = [start_of(question) for question in questions if begins_section(question)]
        names = [". ".join(filter(None, (name_of(x), " ".join(notes_of(x))))) for x in starts]
        if starts and begins_section_later(questions):
            names.insert(0, name_of(NO_SECTION))
        facts: Facts = [(_("Sections"), names)] if names else []
        last = last_page_of(survey)
        if last.title or last.text:
            facts.append((_("After the last question"), [*filter(None, (last.title, last.text))]))
        return facts
