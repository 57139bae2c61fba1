"""What a launch freezes of sections, and what an author is told of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.author_texts import one_line, paragraphs
from surveys.authoring.checks.epsilon import Finding
from surveys.features.parts import AuthorPart, Run, Said
from surveys.features.sections.section import NAME, Section, said_in
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

    def texts(self, survey: Survey, questions: Sequence[Question]) -> Sequence[str]:
        last = last_page_of(survey)
        starts = [start_of(x) for x in questions if begins_section(x)]
        return [last.title, last.text, *(text for x in starts for text in (x.title, x.text))]

    def said(self, survey: Survey, questions: Sequence[Question]) -> Sequence[Said]:
        return said_in(self.freeze(survey, questions).get(NAME, ()))

    def runs(self, questions: Sequence[Question]) -> Sequence[Run]:
        if not any(map(begins_section, questions)):
            return ()
        return [Run(run, by_chance=start_of(run[0]).random) for run in runs_of(questions)]

    def may_come_first(
        self, questions: Sequence[Question], later: Question, earlier: Question
    ) -> bool:
        starts = [start_of(run[0]) for run in runs_of(questions) if later in run or earlier in run]
        return any(x.moves for x in starts) if len(starts) > 1 else any(x.random for x in starts)

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
        yield from _orders(questions)
        if questions and begins_section_later(questions):
            message = _(
                "The questions above the first section are in none. Begin a section with the first "
                "question, too."
            )
            yield Finding.of(questions[0], "before_sections", message, blocks=False)


def _orders(questions: Sequence[Question]) -> Iterator[Finding]:
    """Yield what stands against an order by chance."""
    runs = [run for run in runs_of(questions) if begins_section(run[0])]
    moving = [run[0] for run in runs if start_of(run[0]).moves]
    if len(moving) == 1:
        message = _(
            "No other section changes its place by chance, so this one stays where it is. Tick "
            "another one, too."
        )
        yield Finding.of(moving[0], "moves_alone", message, blocks=False)
    for run in runs:
        start = start_of(run[0])
        draws = {question.group for question in run if question.group is not None}
        others = {question.group for question in questions if question not in run}
        if (start.random or start.moves) and draws & others:
            message = _(
                "Chance orders this section, and some of its questions are sent together with "
                "questions of another one. Put them into one section, or take the tick away."
            )
            yield Finding.of(run[0], "draw_in_two_sections", message, blocks=True)


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
        yield _statement(title, text)
        text = ""
    yield Section(
        title=title,
        text=text,
        questions=tuple(question.name for question in run),
        together=start.together,
        random=start.random,
        moves=start.moves,
    )


def _statement(title: str, text: str) -> Section:
    return Section(title=title, text=text, questions=(), together=False, random=False, moves=False)


def _statement_at_end(survey: Survey) -> tuple[Section, ...]:
    last = last_page_of(survey)
    title, text = one_line(last.title), paragraphs(last.text)
    return (_statement(title, text),) if title or text else ()
