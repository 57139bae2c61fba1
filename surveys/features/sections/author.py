"""What a launch freezes of sections, and what an author is told of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.author_texts import one_line, paragraphs
from surveys.authoring.checks.epsilon import Finding
from surveys.features.parts import AuthorPart
from surveys.features.sections.section import NAME, Section
from surveys.features.sections.settings import (
    begins_section,
    last_page_of,
    runs_of,
    start_of,
)
from surveys.models import Question, Survey


class SectionsForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return begins_section(question)

    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(_statement_at_end(survey)) or super().is_used(survey, questions)

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        if not self.is_used(survey, questions):
            return {}
        sections = [section for run in runs_of(questions) for section in _sections(run)]
        return {NAME: (*sections, *_statement_at_end(survey))}

    def texts(self, survey: Survey) -> Sequence[str]:
        last = last_page_of(survey)
        starts = [start_of(x) for x in survey.questions.all() if begins_section(x)]
        return [last.title, last.text, *(text for x in starts for text in (x.title, x.text))]

    def runs(self, questions: Sequence[Question]) -> Sequence[Sequence[Question]]:
        return runs_of(questions) if any(map(begins_section, questions)) else ()

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        for question in filter(begins_section, questions):
            start = start_of(question)
            if start.apart and not (one_line(start.title) or paragraphs(start.text)):
                message = _(
                    "The page before this question has neither a title nor a text. Write one of "
                    "them, or take the tick away."
                )
                yield Finding.of(question, "empty_page", message, blocks=True)
            elif not one_line(start.title):
                message = _(
                    "The section that begins with this question has no title. Give it one, so that "
                    "respondents and readers of the results know what it is about."
                )
                yield Finding.of(question, "untitled_section", message, blocks=False)
        if questions and begins_section_later(questions):
            message = _(
                "The questions above the first section are in none. Begin a section with the first "
                "question, too."
            )
            yield Finding.of(questions[0], "before_sections", message, blocks=False)


def begins_section_later(questions: Sequence[Question]) -> bool:
    """Whether there are sections, and questions before the first of them."""
    return not begins_section(questions[0]) and any(map(begins_section, questions))


def _sections(run: Sequence[Question]) -> Iterator[Section]:
    """Yield the section of some questions, after its statement if it has one."""
    start = start_of(run[0])
    if not start.is_section:
        start = type(start)()
    title, text = one_line(start.title), paragraphs(start.text)
    if start.apart:
        yield Section(title=title, text=text, questions=(), together=False)
        text = ""
    names = tuple(question.name for question in run)
    yield Section(title=title, text=text, questions=names, together=start.together)


def _statement_at_end(survey: Survey) -> tuple[Section, ...]:
    last = last_page_of(survey)
    title, text = one_line(last.title), paragraphs(last.text)
    return (Section(title=title, text=text, questions=(), together=False),) if title or text else ()
