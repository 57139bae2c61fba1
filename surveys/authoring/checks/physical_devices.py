"""Physical randomizers: whether the form for them is offered, and what it leaves out."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.devices.registry import physical_device_of
from surveys.engine_words import EngineError
from surveys.models import Question, Survey


def physical_form(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """A physical randomizer is reached through a form on which nothing required is missing."""
    chance = [question for question in questions if question.randomized]
    names = [each.name for each in chance if each.required and not each.physical_device]
    if names and any(question.physical_device for question in chance):
        message = _(
            "The form without JavaScript is not offered, so nobody can use a device of their own: "
            "%(names)s must be answered and have none. Make them optional, or give them one."
        )
        values = {"names": ", ".join(names)}
        yield Finding("no_physical_form", message % values, blocks=False)
        return
    yield from _left_out(chance)


def physical_device(survey: Survey, question: Question) -> Iterator[Finding]:
    if not question.randomized or not question.physical_device:
        return
    try:
        physical_device_of(question)
    except EngineError:
        message = _("Its device of the respondent's own cannot keep this epsilon or these answers.")
        yield Finding.of(question, "physical_device", message, blocks=True)


def _left_out(chance: list[Question]) -> Iterator[Finding]:
    """How much whoever takes the form without a script is not asked."""
    left_out = [question.name for question in chance if not question.physical_device]
    if left_out and len(left_out) < len(chance):
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
        yield Finding("physical_leaves_out", message % values, blocks=False)
