"""The rules for what is sent together, by question and field: the only statement for a draft.

The form says them when a survey is saved, the launch checks once more. That a document keeps them
is checked by `section.py`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import prod

from django.conf import settings
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.limits import REFUSED_ABOVE, WARNED_ABOVE
from surveys.devices.joint import joint_sizes, may_be_joint
from surveys.drafts import Draft
from surveys.kinds import KINDS, kind_of
from surveys.models import Question
from surveys.parameters.tables import MOST_COMBINATIONS


@dataclass(frozen=True, slots=True)
class GroupProblem:
    """A problem of one question's group; `index` is the place of the question among all."""

    code: str
    field: str
    index: int
    message: str


@dataclass(frozen=True, slots=True)
class Group:
    """The questions that share a number, with their places among all of them, from 0 on."""

    number: int
    places: tuple[int, ...]
    questions: tuple[Question, ...]

    @property
    def has_sizes(self) -> bool:
        """Whether the number of answers is known of each question, and they can be sent together.

        A draft may not have its options yet.
        """
        return all(
            draft.kind in KINDS and may_be_joint(draft) and kind_of(draft).is_complete(draft)
            for draft in map(Draft.of, self.questions)
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        return joint_sizes([Draft.of(question) for question in self.questions])

    @property
    def epsilon(self) -> Decimal:
        return sum((question.epsilon or Decimal(0) for question in self.questions), Decimal(0))


def groups_in(questions: Sequence[Question]) -> list[Group]:
    """The groups of a draft by the places of their first questions, broken ones included."""
    members: dict[int, list[int]] = {}
    for place, question in enumerate(questions):
        if question.group is not None:
            members.setdefault(question.group, []).append(place)
    return [
        Group(number, tuple(places), tuple(questions[place] for place in places))
        for number, places in members.items()
    ]


def group_problems(questions: Sequence[Question]) -> Iterator[GroupProblem]:
    """Yield what stands against the groups of these questions, which are in their order."""
    for group in groups_in(questions):
        yield from problems_of(group)


def problems_of(group: Group) -> Iterator[GroupProblem]:
    yield from _of_places(group)
    yield from _of_questions(group)
    yield from _of_sums(group)


def _of_places(group: Group) -> Iterator[GroupProblem]:
    values = {"group": group.number}
    if len(group.places) < 2:
        message = _(
            "Group %(group)s has one question only. Choose this group for another question too, or "
            "ask this one on its own."
        )
        yield GroupProblem("group_of_one", "group", group.places[0], message % values)
    runs = numbers.runs(group.places)
    for run in runs[1:]:
        message = _(
            "The questions of group %(group)s must follow one another. Move this one next to the "
            "others, or choose another group for it."
        )
        yield GroupProblem("group_apart", "group", run[0], message % values)


def _of_questions(group: Group) -> Iterator[GroupProblem]:
    required = group.questions[0].required
    for place, question in zip(group.places, group.questions, strict=True):
        draft = Draft.of(question)
        if draft.kind in KINDS and not may_be_joint(draft):
            message = _(
                "A group takes questions with one answer out of a list: yes or no, single choice, "
                "scale. Ask this one on its own."
            )
            yield GroupProblem("group_kind", "group", place, message)
        elif not question.randomized:
            message = _(
                "A group is scrambled by one draw, so it takes sensitive questions only. Mark this "
                "one as sensitive, or ask it on its own."
            )
            yield GroupProblem("group_direct", "group", place, message)
        if question.randomized and question.physical_device:
            message = _(
                "The questions of a group share one draw, which the page makes: choose no device "
                "of the respondent's own, or ask this one on its own."
            )
            yield GroupProblem("group_physical", "physical_device", place, message)
        if question.required != required:
            message = _(
                "A group is sent as a whole or not at all: either all of its questions are "
                "required, or none."
            )
            yield GroupProblem("group_required", "required", place, message)


def _of_sums(group: Group) -> Iterator[GroupProblem]:
    first, cap = group.places[0], Decimal(settings.EPSILON_CAP)
    if len(group.places) > 1 and group.epsilon > cap:
        message = _(
            "The epsilons of group %(group)s add up to %(total)s, and one report may have %(cap)s "
            "at most. Lower them, or make two groups."
        )
        values = {
            "group": group.number,
            "total": numbers.decimal(group.epsilon),
            "cap": numbers.decimal(cap),
        }
        yield GroupProblem("group_over_cap", "epsilon", first, message % values)
    if group.has_sizes and prod(group.sizes) > MOST_COMBINATIONS:
        message = _(
            "Group %(group)s has %(cells)s combinations of answers, and a group takes up to "
            "%(most)s. Take questions out of it, or merge answers."
        )
        values = {
            "group": group.number,
            "cells": combinations_text(group.sizes),
            "most": numbers.count(MOST_COMBINATIONS),
        }
        yield GroupProblem("group_too_large", "group", first, message % values)


def too_many_words(group: Group, planned_n: int) -> str:
    """Why a group tells more combinations apart than people answer, and what fits; empty if not."""
    most = int(REFUSED_ABOVE * planned_n)
    if prod(group.sizes) <= most:
        return ""
    message = _(
        "Group %(group)s (questions %(questions)s) has %(cells)s combinations of answers for "
        "%(n)s planned respondents: most combinations would be reported by nobody."
    )
    return f"{message % _values(group, planned_n)} {_what_fits(group, most)}"


def thin_words(group: Group, planned_n: int) -> str:
    """Why the table of all combinations will be coarse; empty where it will not."""
    if prod(group.sizes) <= WARNED_ABOVE * planned_n:
        return ""
    message = _(
        "Group %(group)s (questions %(questions)s) has %(cells)s combinations of answers for "
        "%(n)s planned respondents, fewer than %(least)s for each: the answers to each question "
        "can be estimated, the table of all combinations hardly."
    )
    return message % _values(group, planned_n)


def _values(group: Group, planned_n: int) -> dict[str, str]:
    return {
        "group": numbers.count(group.number),
        "questions": numbers.places(group.places),
        "cells": combinations_text(group.sizes),
        "n": numbers.count(planned_n),
        "least": numbers.count(round(1 / WARNED_ABOVE)),
    }


def _what_fits(group: Group, most: int) -> str:
    run = fitting_run(group.sizes, min(most, MOST_COMBINATIONS))
    values = {"most": numbers.count(most), "needed": combinations_text(group.sizes)}
    if run is None:
        message = _(
            "Up to %(most)s combinations fit, fewer than two of its questions have: ask them on "
            "their own, merge answers, or ask %(needed)s people."
        )
        return message % values
    message = _(
        "Up to %(most)s combinations fit: send questions %(fitting)s together (%(cells)s "
        "combinations) and the others on their own, merge answers, or ask %(needed)s people."
    )
    values["fitting"] = numbers.places(group.places[slice(*run)])
    values["cells"] = numbers.count(prod(group.sizes[slice(*run)]))
    return message % values


def fitting_run(sizes: Sequence[int], most: int) -> tuple[int, int] | None:
    """The longest run of two or more neighbours with at most so many combinations, as a slice.

    Of several equally long ones that with the most combinations; None where no two fit.
    """
    runs = [
        (start, stop)
        for start in range(len(sizes))
        for stop in range(start + 2, len(sizes) + 1)
        if prod(sizes[start:stop]) <= most
    ]
    return max(runs, key=lambda run: (run[1] - run[0], prod(sizes[slice(*run)])), default=None)


def combinations_text(sizes: Sequence[int]) -> str:
    """The number of combinations; a very large one is shown as such."""
    cells = prod(sizes)
    if cells <= MOST_COMBINATIONS:
        return numbers.count(cells)
    return _("more than %s") % numbers.count(MOST_COMBINATIONS)
