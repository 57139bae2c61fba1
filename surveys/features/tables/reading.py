"""Cross-tables as an author declares them: outcome by group, in variable names."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.author_texts import numbered_lines
from surveys.authoring.limits import shares_draw
from surveys.devices import devices_of
from surveys.devices.registry import sends_codes
from surveys.engine_words import EngineError
from surveys.kinds import categories, kind_of
from surveys.models import Question
from surveys.responses.spaces import space_of

MOST_TABLES = 20
MOST_CELLS = 400
# The most cells of all tables together: a page with more takes seconds to draw.
MOST_CELLS_IN_ALL = 1_200
# Combinations of reports, where the page's device and a physical randomizer are pooled: the
# engine then forms the design of the whole table.
MOST_POOLED = 400
_LINE = re.compile(r"(?P<outcome>\S+?)(?:\s+by\s+|\s+x\s+|\s*[×,]\s*)(?P<group>\S+)")

Pair = Sequence[str]


@dataclass(frozen=True, slots=True)
class Line:
    """The table that one line of the field declares, with the line's number."""

    number: int
    outcome: str
    group: str


def parse_lines(text: str) -> tuple[list[Line], list[str]]:
    """The lines of the field, and the problems of lines that do not name a pair."""
    lines, problems = [], []
    for number, row in numbered_lines(text):
        match = _LINE.fullmatch(row)
        if match is None:
            message = _("Line %(line)s: write “outcome by group”, such as “drug_use by age”.")
            problems.append(message % {"line": number})
        else:
            lines.append(Line(number, match["outcome"], match["group"]))
    return lines, problems


def table_text(tables: Sequence[Pair]) -> str:
    return "\n".join(f"{outcome} by {group}" for outcome, group in tables)


def problems_of(lines: Sequence[Line], questions: Mapping[str, Question | None]) -> list[str]:
    """The problems of each line; of a question that is not valid yet only the name is known."""
    problems = [message for line in lines for message in _of_line(line, questions)]
    problems += _repetitions(lines)
    if len(lines) > MOST_TABLES:
        message = _("You can declare at most %(most)s tables; there are %(count)s.")
        problems.append(message % {"count": len(lines), "most": MOST_TABLES})
    cells = _total_cells(lines, questions)
    if cells > MOST_CELLS_IN_ALL:
        message = _("These tables have %(count)s cells in all; at most %(most)s are possible.")
        problems.append(message % {"count": cells, "most": MOST_CELLS_IN_ALL})
    return problems


def _total_cells(lines: Sequence[Line], questions: Mapping[str, Question | None]) -> int:
    pairs = [(questions.get(line.outcome), questions.get(line.group)) for line in lines]
    return sum(cells_of(outcome, group) for outcome, group in pairs if outcome and group)


def cells_of(outcome: Question, group: Question) -> int:
    return len(categories(outcome)) * len(categories(group))


def _of_line(line: Line, questions: Mapping[str, Question | None]) -> Iterator[str]:
    unknown = [name for name in dict.fromkeys((line.outcome, line.group)) if name not in questions]
    for name in unknown:
        message = _("Line %(line)s: there is no question called “%(name)s”. %(there)s")
        yield message % {"line": line.number, "name": name, "there": _there_are(questions)}
    if unknown:
        return
    if line.outcome == line.group:
        message = _("Line %(line)s: “%(name)s” cannot be crossed with itself.")
        yield message % {"line": line.number, "name": line.group}
        return
    pair = [questions[name] for name in (line.outcome, line.group)]
    yield from _unfit(line, [question for question in pair if question is not None])


def _share_draw(pair: Sequence[Question]) -> bool:
    shared = {question.group for question in pair}
    return len(pair) == 2 and len(shared) == 1 and all(map(shares_draw, pair))


def _unfit(line: Line, pair: Sequence[Question]) -> Iterator[str]:
    if _share_draw(pair):
        message = _(
            "Line %(line)s: “%(outcome)s” and “%(group)s” are sent together, and the results of "
            "their group show this table already. Remove the line."
        )
        values = {"line": line.number, "outcome": line.outcome, "group": line.group}
        yield message % values
        return
    problems = list(_unfit_questions(line, pair))
    yield from problems
    if not problems and len(pair) == 2:
        yield from _too_large(line, *pair)


def _unfit_questions(line: Line, pair: Sequence[Question]) -> Iterator[str]:
    for is_unfit, message in _UNFIT:
        for question in filter(is_unfit, pair):
            yield message % {"line": line.number, "name": question.name}


# What cannot be crossed, and why, in the order in which it is said.
_UNFIT: tuple[tuple[Callable[[Question], bool], Promise], ...] = (
    (
        lambda question: kind_of(question).several,
        gettext_lazy(
            "Line %(line)s: “%(name)s” is a multiple choice; only questions with one answer can "
            "be crossed."
        ),
    ),
    (
        lambda question: kind_of(question).free_text,
        gettext_lazy("Line %(line)s: “%(name)s” is a short text, which cannot be crossed."),
    ),
    (
        lambda question: kind_of(question).about_members,
        gettext_lazy("Line %(line)s: “%(name)s” is about the members, so it cannot be crossed."),
    ),
    (
        lambda question: kind_of(question).has_margin and not sends_codes(question),
        gettext_lazy(
            "Line %(line)s: the device of “%(name)s” sends no codes, so it cannot be crossed. "
            "Choose another device."
        ),
    ),
    (
        lambda question: (
            kind_of(question).has_margin and not kind_of(question).is_categorical(question)
        ),
        gettext_lazy(
            "Line %(line)s: “%(name)s” is a number of which only the mean is known; give it bins "
            "to cross it."
        ),
    ),
)


def _too_large(line: Line, outcome: Question, group: Question) -> Iterator[str]:
    cells = cells_of(outcome, group)
    if cells > MOST_CELLS:
        message = _("Line %(line)s: this table has %(cells)s cells; at most %(most)s are possible.")
        yield message % {"line": line.number, "cells": cells, "most": MOST_CELLS}
    elif cells and (reports := _pooled_combinations(outcome, group)) > MOST_POOLED:
        message = _(
            "Line %(line)s: with a device of the respondent's own this table can have "
            "%(most)s combinations of reports at most; it has %(reports)s. Take the device of "
            "the respondent's own away, or choose a device with fewer reports, such as "
            "randomized response."
        )
        yield message % {"line": line.number, "most": MOST_POOLED, "reports": reports}


def _pooled_combinations(outcome: Question, group: Question) -> int:
    """The number of pooled combinations; 0 without pooling or for an invalid device."""
    randomized_questions = [question for question in (outcome, group) if question.randomized]
    if not any(question.physical_device for question in randomized_questions) or any(
        not q.epsilon for q in randomized_questions
    ):
        return 0
    try:
        return _pooled_reports(outcome, group)
    except (EngineError, KeyError, ValueError):
        return 0


def _pooled_reports(outcome: Question, group: Question) -> int:
    """Combinations of reports in the largest pair of strata that a launch would freeze.

    0 where there is one pair only, so that nothing is pooled. Raises EngineError for a question
    whose device cannot be built.
    """
    sizes = [
        [len(space_of(device).letters) for device in devices_of([question])]
        for question in (outcome, group)
    ]
    return max(sizes[0]) * max(sizes[1]) if max(map(len, sizes)) > 1 else 0


def _there_are(questions: Mapping[str, Question | None]) -> str:
    if not questions:
        return _("There is no question yet.")
    return _("If it was renamed or removed, change this line too. There are: %s.") % ", ".join(
        questions
    )


def _repetitions(lines: Sequence[Line]) -> Iterator[str]:
    first_at: dict[tuple[str, str], int] = {}
    for line in lines:
        first = first_at.setdefault((line.outcome, line.group), line.number)
        if first != line.number:
            message = _("Line %(line)s repeats line %(first)s. Remove one of them.")
            yield message % {"line": line.number, "first": first}
