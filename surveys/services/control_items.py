"""A control item, added to a draft by one click."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import count

from django.db import transaction
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.control_texts import unused_text
from surveys.authoring.limits import too_many_questions
from surveys.devices import fitting, question_epsilon_total
from surveys.devices.registry import fitting_physical_devices, stored_problem
from surveys.exceptions import UnfitDeclarationError, WrongStateError
from surveys.kinds import KINDS
from surveys.models import Question, Survey
from surveys.parameters.known_shares import YES_NO

STEM = "control"
KIND = next(kind.name for kind in KINDS.values() if kind.control == YES_NO)


@transaction.atomic
def add_control_item(*, survey: Survey) -> Question:
    """Add a question that is true of nobody, with the device of a sensitive one, amid these.

    Raises UnfitDeclarationError where there is none, or no room for it.
    """
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    if not survey.is_draft:
        raise WrongStateError(_("The survey is launched, so no question can be added."))
    questions = list(survey.questions.all())
    item = _like(_source_of(survey, questions), survey, questions)
    _check_room(survey, questions, item)
    questions.insert(_place(questions), item)
    for position, question in enumerate(questions):
        question.position = position
    Question.objects.bulk_update([each for each in questions if each.pk], ["position"])
    item.save()
    return item


def _source_of(survey: Survey, questions: Sequence[Question]) -> Question:
    """The question whose device the item gets: the first yes/no one, else any sensitive one."""
    if survey.pilot:
        message = _("In a pilot questions are asked in pairs, and a control item is asked alone.")
        raise UnfitDeclarationError([message])
    sources = [each for each in questions if each.randomized and each.epsilon]
    sources.sort(key=lambda each: (each.known_share is not None, each.kind != KIND))
    if not sources:
        message = _("Add a sensitive question first: a control item is asked with its device.")
        raise UnfitDeclarationError([message])
    return sources[0]


def _like(source: Question, survey: Survey, questions: Sequence[Question]) -> Question:
    """An unsaved control item with the device of this question, or the usual one of its epsilon."""
    text = unused_text(survey.language, [question.text for question in questions])
    if text is None:
        message = _("All texts of control items are used. Write one more question yourself.")
        raise UnfitDeclarationError([message])
    item = Question(
        survey=survey,
        name=_free_name({question.name for question in questions}),
        kind=KIND,
        text=text,
        known_share=Decimal(0),
        epsilon=source.epsilon,
        epsilon_reason=source.epsilon_reason,
        required=source.required,
        design=source.design,
        design_parameters=source.design_parameters,
        physical_device=source.physical_device,
    )
    families = fitting(item)
    if item.design not in {family.name for family in families} or stored_problem(item):
        item.design, item.design_parameters = families[0].name, {}
    if item.physical_device not in {each.name for each in fitting_physical_devices(item)}:
        item.physical_device = ""
    return item


def _free_name(taken: set[str]) -> str:
    names = (f"{STEM}_{number}" if number > 1 else STEM for number in count(1))
    return next(name for name in names if name not in taken)


def _check_room(survey: Survey, questions: Sequence[Question], item: Question) -> None:
    """Refuse an item that the budget or the number of questions does not allow."""
    used, total = question_epsilon_total(questions), question_epsilon_total([*questions, item])
    problems = [too_many_questions(len(questions) + 1)]
    if total > survey.budget:
        message = _(
            "A control item with the device of the others takes an epsilon of %(epsilon)s, and "
            "%(used)s of the budget of %(budget)s is used. Lower an epsilon, or raise the budget "
            "to %(total)s."
        )
        values = {"epsilon": total - used, "used": used, "budget": survey.budget, "total": total}
        shown = {name: numbers.decimal(value) for name, value in values.items()}
        problems.append(message % shown)
    if any(problems):
        raise UnfitDeclarationError([problem for problem in problems if problem])


def _place(questions: Sequence[Question]) -> int:
    """After the first half of the sensitive questions, and within no group of them."""
    places = [
        place
        for place, question in enumerate(questions)
        if question.randomized and question.known_share is None
    ]
    place = places[(len(places) - 1) // 2] + 1 if places else len(questions)
    while 0 < place < len(questions) and _together(questions[place - 1], questions[place]):
        place += 1
    return place


def _together(first: Question, second: Question) -> bool:
    return first.group is not None and first.group == second.group
