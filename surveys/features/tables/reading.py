"""The rules for cross-tables of a draft: an outcome by a group."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
Pair = tuple[str, str]


def problems_of(pairs: Sequence[Pair], questions: Mapping[str, Question]) -> list[str]:
    """The problems of each table, and of all of them together."""
    problems = [message for pair in pairs for message in _of_pair(*pair, questions)]
    problems += _repetitions(pairs)
    if len(pairs) > MOST_TABLES:
        message = _("You can declare at most %(most)s tables; there are %(count)s.")
        problems.append(message % {"count": len(pairs), "most": MOST_TABLES})
    cells = _total_cells(pairs, questions)
    if cells > MOST_CELLS_IN_ALL:
        message = _("These tables have %(count)s cells in all; at most %(most)s are possible.")
        problems.append(message % {"count": cells, "most": MOST_CELLS_IN_ALL})
    return problems


def _total_cells(pairs: Sequence[Pair], questions: Mapping[str, Question]) -> int:
    found = [[questions.get(name) for name in pair] for pair in pairs]
    return sum(cells_of(outcome, group) for outcome, group in found if outcome and group)


def cells_of(outcome: Question, group: Question) -> int:
    return len(categories(outcome)) * len(categories(group))


def _of_pair(outcome: str, group: str, questions: Mapping[str, Question]) -> Iterator[str]:
    unknown = [name for name in dict.fromkeys((outcome, group)) if name not in questions]
    for name in unknown:
        message = _("There is no question called “%s” any more. Remove its cross-table.")
        yield message % name
    if unknown:
        return
    if outcome == group:
        yield _("“%s” cannot be crossed with itself.") % group
        return
    yield from _unfit([questions[outcome], questions[group]])


def _share_draw(pair: Sequence[Question]) -> bool:
    shared = {question.group for question in pair}
    return len(pair) == 2 and len(shared) == 1 and all(map(shares_draw, pair))


def _unfit(pair: Sequence[Question]) -> Iterator[str]:
    if _share_draw(pair):
        message = _(
            "“%(outcome)s” and “%(group)s” are sent together, and the results of their group show "
            "this table already."
        )
        yield message % _names(*pair)
        return
    problems = [
        message % {"name": question.name}
        for is_unfit, message in _UNFIT
        for question in filter(is_unfit, pair)
    ]
    yield from problems
    if not problems:
        yield from _too_large(*pair)


def _names(outcome: Question, group: Question) -> dict[str, str]:
    return {"outcome": outcome.name, "group": group.name}


# What cannot be crossed, and why, in the order in which it is said.
_UNFIT: tuple[tuple[Callable[[Question], bool], Promise], ...] = (
    (
        lambda question: kind_of(question).several,
        gettext_lazy(
            "“%(name)s” is a multiple choice; only questions with one answer can be crossed."
        ),
    ),
    (
        lambda question: kind_of(question).free_text,
        gettext_lazy("“%(name)s” is a short text, which cannot be crossed."),
    ),
    (
        lambda question: kind_of(question).about_members,
        gettext_lazy("“%(name)s” is about the members, so it cannot be crossed."),
    ),
    (
        lambda question: kind_of(question).has_margin and not sends_codes(question),
        gettext_lazy(
            "The device of “%(name)s” sends no codes, so it cannot be crossed. "
            "Choose another device."
        ),
    ),
    (
        lambda question: (
            kind_of(question).has_margin and not kind_of(question).is_categorical(question)
        ),
        gettext_lazy(
            "“%(name)s” is a number of which only the mean is known; give it bins to cross it."
        ),
    ),
)


def _too_large(outcome: Question, group: Question) -> Iterator[str]:
    cells, names = cells_of(outcome, group), _names(outcome, group)
    if cells > MOST_CELLS:
        message = _(
            "The table of “%(outcome)s” by “%(group)s” has %(cells)s cells; at most %(most)s are "
            "possible."
        )
        yield message % {**names, "cells": cells, "most": MOST_CELLS}
    elif cells and (reports := _pooled_combinations(outcome, group)) > MOST_POOLED:
        message = _(
            "With a device of the respondent's own the table of “%(outcome)s” by “%(group)s” can "
            "have %(most)s combinations of reports at most; it has %(reports)s. Take the device "
            "of the respondent's own away, or choose a device with fewer reports, such as "
            "randomized response."
        )
        yield message % {**names, "most": MOST_POOLED, "reports": reports}


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


def _repetitions(pairs: Sequence[Pair]) -> Iterator[str]:
    for outcome, group in {pair for pair in pairs if pairs.count(pair) > 1}:
        message = _("The table of “%(outcome)s” by “%(group)s” is there already.")
        yield message % {"outcome": outcome, "group": group}
