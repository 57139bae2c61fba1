"""Moving, removing and putting back a section of a draft: its questions stay where they are."""

from django.db import transaction
from django.utils.translation import gettext as _
from msgspec.structs import replace

from surveys.authoring.draft_merge import without_typed
from surveys.exceptions import NotReadyError
from surveys.features.sections import forms
from surveys.features.sections.settings import (
    NO_SECTION,
    SectionStart,
    begins_section,
    set_start,
    start_of,
)
from surveys.models import Question, Survey
from surveys.services.editing import lock_edited

FIELDS = (
    *(forms.TITLE, forms.TEXT),
    *(forms.TOGETHER, forms.APART, forms.RANDOM, forms.MOVES),
)


@transaction.atomic
def move_section(*, survey: Survey, question_id: int, step: int) -> Question:
    """Let a section begin one question earlier (-1) or later (1); return with which.

    Raises Question.DoesNotExist, and NotReadyError where a section would be left without questions.
    """
    asked = list(lock_edited(survey).questions.order_by("position", "pk"))
    place = next((i for i, each in enumerate(asked) if each.pk == question_id), None)
    if place is None or not begins_section(asked[place]):
        raise Question.DoesNotExist
    target = place + step
    if not 0 <= target < len(asked) or begins_section(asked[target]):
        raise NotReadyError([_("There is no question left on that side of the section.")])
    _store(asked[target], start_of(asked[place]))
    _store(asked[place], NO_SECTION)
    return asked[target]


@transaction.atomic
def remove_section(*, survey: Survey, question_id: int) -> None:
    """Take a section away, and keep it to be put back; raises Question.DoesNotExist."""
    question = lock_edited(survey).questions.get(pk=question_id)
    _store(question, replace(start_of(question), removed=True))


@transaction.atomic
def put_section_back(*, survey: Survey, question_id: int) -> None:
    """Put a removed section back; raises Question.DoesNotExist."""
    question = lock_edited(survey).questions.get(pk=question_id)
    _store(question, replace(start_of(question), removed=False))


def _store(question: Question, start: SectionStart) -> None:
    set_start(question, start)
    question.typed = without_typed(question.typed, *FIELDS)
    question.save(update_fields=["features", "typed"])
