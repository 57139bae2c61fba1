"""Launch checks of questions that are sent together."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.features import has_trait
from surveys.features import Trait
from surveys.features.groups.allowed import (
    Group,
    group_problems,
    groups_in,
    thin_words,
    too_many_words,
)
from surveys.models import Question, Survey
from surveys.parameters import joint_id


def findings_of_groups(survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
    problems = list(group_problems(questions))
    for problem in problems:
        name = questions[problem.index].name
        yield Finding(problem.code, f"{name}: {problem.message}", True, name)
    found = groups_in(questions)
    if not found:
        return
    if has_trait(survey, questions, Trait.RETURNING):
        message = _(
            "Questions that are sent together keep their epsilon in all waves: whoever comes back "
            "sends the same report again. Ask on its own what you want to know more exactly later."
        )
        yield Finding("groups_sent_again", message, blocks=False)
    yield from _same_id(found, questions)
    if not problems:
        for group in found:
            yield from _size(group, survey.planned_n)


def _same_id(found: list[Group], questions: Sequence[Question]) -> Iterator[Finding]:
    """The device of a group is called after the number of its first question."""
    by_name = {question.name: question for question in questions}
    for group in found:
        name = joint_id(group.places[0])
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
