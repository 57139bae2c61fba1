"""Sections in the frozen document: in which parts the questions are asked, and on which pages.

What they say and where a page ends follows from the document alone and from no answer.
static/js/features/sections/rules.js has the twin of the rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

import msgspec

from surveys.features.feature import asked_together
from surveys.features.parts import DocumentPart, Said
from surveys.parameters.document import Parameters
from surveys.parameters.types import Frozen, Problem, QuestionName, Told

NAME: Final = "sections"


class Section(Frozen, frozen=True):
    """Questions that follow one another, below a title and a text; either may be empty.

    `together`: whether its questions stand on one page. `random`: whether chance orders them.
    `moves`: whether chance changes its place with those of the others that move. A section without
    questions is a statement, which has a page of its own and goes with the section after it.
    """

    title: Told
    text: Told
    questions: tuple[QuestionName, ...]
    together: bool
    random: bool
    moves: bool

    @property
    def is_ordered_by_chance(self) -> bool:
        return self.random or self.moves

    @property
    def is_statement(self) -> bool:
        return not self.questions


def frozen_sections(parameters: Parameters) -> tuple[Section, ...]:
    """Return the sections of a document in their order; none where it has no sections."""
    return parameters.section(NAME) or ()


def said_in(sections: Sequence[Section]) -> list[Said]:
    """Return their titles and texts; a statement is said before the section after it."""
    said: list[Said] = []
    before: tuple[str, ...] = ()
    for place, section in reversed(list(enumerate(sections))):
        before = section.questions or before
        texts = (("title", section.title), ("text", section.text))
        own = [Said(f"{NAME}.{place}.{key}", text, before) for key, text in texts if text]
        said = own + said
    return said


class SectionsInDocument(DocumentPart):
    optional_sections = {NAME: Annotated[tuple[Section, ...], msgspec.Meta(min_length=1)]}

    def part_titles(self, parameters: Parameters) -> Mapping[str, str]:
        sections = frozen_sections(parameters)
        return {name: section.title for section in sections for name in section.questions}

    def said(self, parameters: Parameters) -> Sequence[Said]:
        return said_in(frozen_sections(parameters))

    def may_come_first(self, parameters: Parameters, later: str, earlier: str) -> bool:
        sections = frozen_sections(parameters)
        own = [section for section in sections if {later, earlier}.intersection(section.questions)]
        return any(section.moves for section in own) if len(own) > 1 else any(x.random for x in own)

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        sections = frozen_sections(parameters)
        if not sections:
            return
        for index, section in enumerate(sections):
            is_empty = section.is_statement and not (section.title or section.text)
            has_order = section.together or section.is_ordered_by_chance
            if is_empty or (section.is_statement and has_order):
                rule = "a section without questions says something, and has none in any order"
                yield "bad_section", f"{NAME}.{index}", rule
            elif section.is_ordered_by_chance and _parts_a_draw(section, parameters):
                rule = "questions with one draw are in one section where chance orders them"
                yield "bad_section", f"{NAME}.{index}", rule
            elif any(_parts(section, names) for names in asked_together(parameters)):
                rule = "questions that stand on one page are in one section"
                yield "bad_section", f"{NAME}.{index}", rule
        named = [name for section in sections for name in section.questions]
        if named != [question.id for question in parameters.questions]:
            yield "unknown_question", NAME, "each question of the survey once, in their order"


def _parts_a_draw(section: Section, parameters: Parameters) -> bool:
    """Whether a device covers questions of this section and of another one."""
    return any(_parts(section, device.questions) for device in parameters.devices)


def _parts(section: Section, names: Sequence[str]) -> bool:
    """Whether some of these questions are in a section, and others in another one."""
    own = set(section.questions)
    return bool(own.intersection(names)) and not own.issuperset(names)
