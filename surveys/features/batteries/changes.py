"""Making a battery of a draft, changing it, and taking it apart."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from surveys.authoring.draft_merge import without_typed
from surveys.features import draw_fields
from surveys.features.batteries.allowed import batteries_in, free_number
from surveys.features.batteries.forms import NUMBER, RANDOM, TEXT
from surveys.features.batteries.settings import change_item
from surveys.forms.question import STARTS
from surveys.models import Question, Survey
from surveys.services.editing import add_question, lock_edited


@transaction.atomic
def make_battery(
    *,
    survey: Survey,
    text: str,
    kind: str,
    answers: Sequence[str],
    items: Sequence[str],
    randomized: bool,
    random: bool = False,
) -> int:
    """Append a question for each item; return the number of the battery.

    Raises NotReadyError where there would be too many questions.
    """
    survey = lock_edited(survey)
    number = free_number(survey.questions.all())
    for place, item in enumerate(items):
        question = add_question(survey=survey, kind=kind)
        question.text, question.options = item, list(answers)
        if not randomized:
            question.randomized, question.epsilon = False, None
            for name, value in STARTS[False].items():
                setattr(question, name, value)
        _set(question, place, number=number, text=text, random=random)
        question.save()
    return number


@transaction.atomic
def change_battery(*, survey: Survey, number: int, text: str, random: bool) -> bool:
    """Write the text above a battery at its first question; return whether there is one.

    `random`: whether chance picks the order of the items.
    """
    questions = _items(survey, number)
    for place, question in enumerate(questions):
        _set(question, place, text=text, random=random)
        _store(question)
    return bool(questions)


@transaction.atomic
def end_battery(*, survey: Survey, number: int) -> int:
    """Ask the questions of a battery on their own; return how many there were."""
    questions = _items(survey, number)
    for question in questions:
        change_item(question, number=0, text="", random=False)
        _store(question)
    return len(questions)


@transaction.atomic
def draw_at_once(*, survey: Survey, number: int, is_one: bool) -> bool:
    """Use one draw for all items of a battery, or a device for each; return whether there is one.

    The epsilons stay: those of all items add up to that of one draw.
    """
    questions = _items(survey, number)
    used = set(survey.questions.values_list("group", flat=True))
    free = next(each for each in range(1, len(used) + 2) if each not in used)
    for question in questions:
        question.group = free if is_one else None
        question.typed = without_typed(question.typed, *draw_fields())
        question.save(update_fields=["group", "typed"])
    return bool(questions)


def _items(survey: Survey, number: int) -> Sequence[Question]:
    questions = list(lock_edited(survey).questions.order_by("position", "pk"))
    found = (battery for battery in batteries_in(questions) if battery.number == number)
    return next((battery.questions for battery in found), ())


def _set(question: Question, place: int, *, text: str, random: bool, **values: Any) -> None:
    """Set what is said of all items at the first of them; `place`: that of an item, from 0."""
    of_all = {"text": "", "random": False} if place else {"text": text, "random": random}
    change_item(question, **of_all, **values)


def _store(question: Question) -> None:
    question.typed = without_typed(question.typed, NUMBER, TEXT, RANDOM)
    question.save(update_fields=["features", "typed"])
