"""Putting questions of a draft into a group, and taking a group apart."""

from collections.abc import Collection

from django.db import transaction

from surveys.authoring.draft_merge import without_typed
from surveys.features.groups.forms import FIELD
from surveys.models import Question, Survey
from surveys.services.editing import lock_edited, move_question


@transaction.atomic
def make_group(*, survey: Survey, names: Collection[str]) -> int:
    """Send these questions together, moved behind the first of them; return their number."""
    survey = lock_edited(survey)
    asked = list(survey.questions.order_by("position", "pk"))
    used = {question.group for question in asked}
    number = next(each for each in range(1, len(asked) + 2) if each not in used)
    last: Question | None = None
    for question in asked:
        if question.name not in names:
            continue
        question.group = number
        question.typed = without_typed(question.typed, FIELD)
        question.save(update_fields=["group", "typed"])
        if last is not None:
            move_question(survey=survey, question_id=question.pk, after=last.pk)
        last = question
    return number


@transaction.atomic
def end_group(*, survey: Survey, number: int) -> int:
    """Ask the questions of a group on their own; return how many there were."""
    asked = list(lock_edited(survey).questions.filter(group=number))
    for question in asked:
        question.group = None
        question.typed = without_typed(question.typed, FIELD)
        question.save(update_fields=["group", "typed"])
    return len(asked)
