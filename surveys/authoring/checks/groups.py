"""Launch checks of questions that are sent together."""

from collections.abc import Iterator
from math import prod

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.features import has_trait
from surveys.authoring.group_rules import (
    REFUSED_ABOVE,
    WARNED_ABOVE,
    Group,
    combinations_text,
    fitting_run,
    group_problems,
    groups_in,
    places_text,
)
from surveys.features import Trait
from surveys.models import Question, Survey
from surveys.parameters import group_id
from surveys.parameters.tables import MOST_COMBINATIONS


def groups(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    problems = list(group_problems(questions))
    for problem in problems:
        name = questions[problem.index].name
        yield Finding(problem.code, f"{name}: {problem.message}", True, name)
    found = groups_in(questions)
    if not found:
        return
    if has_trait(survey, questions, Trait.RETURNING):
        yield Finding("groups_sent_again", sent_again_words(), blocks=False)
    yield from _same_id(found, questions)
    if not problems:
        for group in found:
            yield from _size(group, survey.planned_n)


def sent_again_words() -> str:
    """Return what a group cannot do in a survey that is asked in waves."""
    return _(
        "Questions that are sent together keep their epsilon in all waves: whoever comes back "
        "sends the same report again. Ask on its own what you want to know more exactly later."
    )


def _same_id(found: list[Group], questions: list[Question]) -> Iterator[Finding]:
    """The device of a group is called after the number of its first question."""
    by_name = {question.name: question for question in questions}
    for group in found:
        name = group_id(group.places[0])
        if name in by_name:
            message = _(
                "The report of group %(group)s is called “%(name)s” in downloads, like this "
                "question. Rename the question."
            )
            text = message % {"group": group.number, "name": name}
            yield Finding("same_id", f"{name}: {text}", True, name)


def _size(group: Group, planned_n: int) -> Iterator[Finding]:
    name = group.questions[0].name
    if words := too_many_words(group, planned_n):
        yield Finding("group_above_planned", f"{name}: {words}", True, name)
    elif words := thin_words(group, planned_n):
        yield Finding("group_thin", f"{name}: {words}", False, name)


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
        "questions": places_text(group.places),
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
    values["fitting"] = places_text(group.places[slice(*run)])
    values["cells"] = numbers.count(prod(group.sizes[slice(*run)]))
    return message % values
