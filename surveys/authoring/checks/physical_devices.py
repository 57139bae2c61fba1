"""Physical randomizers: whether the form for them is offered, and what it leaves out."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.devices.registry import physical_device_of
from surveys.engine_words import EngineError
from surveys.models import Question, Survey

NO_FORM, LEAVES_OUT = "no_physical_form", "physical_leaves_out"


def physical_form(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """A physical randomizer is reached through a form on which nothing required is missing."""
    if not _has_randomizers(questions):
        return
    for code, words in ((NO_FORM, _not_offered), (LEAVES_OUT, _left_out)):
        if message := words(questions):
            yield Finding(code, message, blocks=False)
            return


def form_lacks(questions: Sequence[Question]) -> str:
    """Return what the form without JavaScript of this draft still lacks; empty where nothing."""
    if not _chance(questions):
        return ""
    if not _has_randomizers(questions):
        return _(
            "No question has a randomizer of their own, so whoever has no JavaScript cannot answer."
        )
    return _not_offered(questions) or _left_out(questions)


def physical_device(survey: Survey, question: Question) -> Iterator[Finding]:
    if not question.randomized or not question.physical_device:
        return
    try:
        physical_device_of(question)
    except EngineError:
        message = _("Its device of the respondent's own cannot keep this epsilon or these answers.")
        yield Finding.of(question, "physical_device", message, blocks=True)


def _chance(questions: Sequence[Question]) -> list[Question]:
    return [question for question in questions if question.randomized]


def _has_randomizers(questions: Sequence[Question]) -> bool:
    return any(question.physical_device for question in _chance(questions))


def _not_offered(questions: Sequence[Question]) -> str:
    """Return why nobody can use the form: what must be answered cannot be answered there."""
    chance = _chance(questions)
    names = [each.name for each in chance if each.required and not each.physical_device]
    message = _(
        "The form without JavaScript is not offered, so nobody can use a device of their own: "
        "%(names)s must be answered and have none. Make them optional, or give them one."
    )
    return message % {"names": ", ".join(names)} if names else ""


def _left_out(questions: Sequence[Question]) -> str:
    """Return how much whoever takes the form without a script is not asked."""
    chance = _chance(questions)
    left_out = [question.name for question in chance if not question.physical_device]
    message = _(
        "On the form for a device of their own respondents are asked %(asked)s of the "
        "%(count)s sensitive questions; %(names)s are left out there. The page says so where "
        "it offers the form. Give these a randomizer too, or take it from the others."
    )
    values = {
        "asked": numbers.count(len(chance) - len(left_out)),
        "count": numbers.count(len(chance)),
        "names": ", ".join(left_out),
    }
    return message % values if left_out else ""
