"""What an author has set: with which question a section begins, and what is said at the end."""

from collections.abc import Sequence
from typing import Any

import msgspec

from surveys.features.sections.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)


@stored
class SectionStart(msgspec.Struct, frozen=True):
    """The section that begins with a question.

    `together`: its questions stand on one page. `apart`: title and text have a page of their own
    before it. `random`, `moves`: chance orders its questions, or changes its place. `removed`: it
    is no section any more, and is kept to be put back.
    """

    title: str = ""
    text: str = ""
    together: bool = False
    apart: bool = False
    random: bool = False
    moves: bool = False
    removed: bool = False

    @property
    def is_section(self) -> bool:
        return not self.removed and self != NO_SECTION


NO_SECTION = SectionStart()


@stored
class LastPage(msgspec.Struct, frozen=True):
    """The statement after the last question; none without a title and a text."""

    title: str = ""
    text: str = ""


def start_of(question: WithFeatures) -> SectionStart:
    return read_settings(question.features, NAME, SectionStart)


def begins_section(question: WithFeatures) -> bool:
    return start_of(question).is_section


def set_start(question: HasFeatures, start: SectionStart) -> None:
    write_settings(question, NAME, start)


def change_start(question: HasFeatures, **values: Any) -> None:
    """Set some of what is set of a section; what was removed begins anew once something is."""
    start = start_of(question)
    if start.removed:
        if not any(values.values()):
            return
        start = NO_SECTION
    set_start(question, msgspec.structs.replace(start, **values))


def last_page_of(survey: WithFeatures) -> LastPage:
    return read_settings(survey.features, NAME, LastPage)


def change_last_page(survey: HasFeatures, **values: Any) -> None:
    write_settings(survey, NAME, msgspec.structs.replace(last_page_of(survey), **values))


def runs_of(questions: Sequence[Any]) -> list[list[Any]]:
    """Return the questions of a draft by their sections: a run each, in their order."""
    runs: list[list[Any]] = []
    for question in questions:
        if not runs or begins_section(question):
            runs.append([])
        runs[-1].append(question)
    return runs
