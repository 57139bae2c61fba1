"""A control item, added to a draft by one click."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import count

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from surveys import numbers
from surveys.author_texts import reader_key
from surveys.authoring.features import obstacles_to
from surveys.authoring.limits import too_many_questions
from surveys.devices import fitting, question_epsilon_total
from surveys.devices.registry import fitting_physical_devices, stored_problem
from surveys.exceptions import UnfitDeclarationError
from surveys.features.control_items.section import NAME, YES_NO
from surveys.features.control_items.settings import is_control_item, set_share
from surveys.kinds import KINDS
from surveys.models import Question, Survey
from surveys.services.transitions import lock_draft

STEM = "control"
KIND = next(kind.name for kind in KINDS.values() if kind.control == YES_NO)

# Questions that are true of nobody.
TEXTS = (
    gettext_noop("Were you born on 30 February?"),
    gettext_noop("Have you ever been to the planet Mars?"),
    gettext_noop("Are you more than 200 years old?"),
    gettext_noop("Have you ever swum across the Atlantic without a break?"),
    gettext_noop("Have you ever met a living dinosaur?"),
)


@transaction.atomic
def add_control_item(*, survey: Survey) -> Question:
    """Add a question that is true of nobody, with the device of a sensitive one, amid these.

    Raises UnfitDeclarationError where there is none, or no room for it.
    """
    survey = lock_draft(survey, _("The survey is launched, so no question can be added."))
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
    if obstacles := [*obstacles_to(NAME, survey, questions)]:
        raise UnfitDeclarationError(obstacles)
    sources = [each for each in questions if each.randomized and each.epsilon]
    sources.sort(key=lambda each: (is_control_item(each), each.kind != KIND))
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
        epsilon=source.epsilon,
        epsilon_reason=source.epsilon_reason,
        required=source.required,
        design=source.design,
        design_parameters=source.design_parameters,
        physical_device=source.physical_device,
    )
    set_share(item, Decimal(0))
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
    """After the first half of the sensitive questions, and between none that share a draw."""
    places = [
        place
        for place, question in enumerate(questions)
        if question.randomized and not is_control_item(question)
    ]
    place = places[(len(places) - 1) // 2] + 1 if places else len(questions)
    while 0 < place < len(questions) and _together(questions[place - 1], questions[place]):
        place += 1
    return place


def _together(first: Question, second: Question) -> bool:
    return first.group is not None and first.group == second.group


def unused_text(language: str, used: Iterable[str]) -> str | None:
    """The first text in this language that is not used yet; None if all are."""
    taken = set(map(reader_key, used))
    with translation.override(language):
        texts = [translation.gettext(text) for text in TEXTS]
    return next((text for text in texts if reader_key(text) not in taken), None)
