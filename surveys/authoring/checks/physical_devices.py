"""Physical randomizers: whether the form for them is offered, and what it leaves out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.devices.built_family import epsilon_of
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.devices.registry import (
    fitting_physical_devices,
    physical_device_of,
    sends_codes,
    smallest_physical_epsilon,
)
from surveys.drafts import Draft, is_for_some
from surveys.engine_words import EngineError
from surveys.features import FEATURES
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
        message = physical_device_problem(Draft.of(question), question.physical_device)
        yield Finding.of(question, "physical_device", message, blocks=True)


def physical_device_problem(draft: Draft, name: str) -> str:
    """Why this device cannot be offered with the question; empty if it can."""
    device = PHYSICAL_DEVICES.get(name)
    if device is not None and device.fits(draft) and not sends_codes(draft):
        message = _("“%s” needs a device of the page that sends codes. Choose another, or none.")
        return message % device.label
    reachable = fitting_physical_devices(draft)
    if device is None or device in reachable:
        return "" if device else _("This device of the respondent's own is not known.")
    others = ", ".join(str(other.label) for other in reachable)
    if device.fits(draft):
        text = _("“%(device)s” cannot keep an epsilon of %(epsilon)s; it is too weak.")
        message = text % {"device": device.label, "epsilon": numbers.decimal(epsilon_of(draft))}
    elif is_for_some(draft) and device.fits(replace(draft, of_features=Draft().of_features)):
        text = _(
            "“%s” does not take “does not apply” as one more answer, which this question has "
            "because it is for some people only. Ask it of everybody, or choose another device."
        )
        message = text % device.label
    else:
        message = device.mismatch()
    return f"{message} {_ways_out(draft, others)}"


def _ways_out(draft: Draft, others: str) -> str:
    if others:
        return _("These do: %s.") % others
    smallest = smallest_physical_epsilon(draft)
    if smallest is None:
        return _("No device of one's own does: choose none.")
    return _("The smallest epsilon that any of them keeps here is %s.") % numbers.decimal(smallest)


def _chance(questions: Sequence[Question]) -> list[Question]:
    return [question for question in questions if question.randomized]


def _has_randomizers(questions: Sequence[Question]) -> bool:
    return any(question.physical_device for question in _chance(questions))


def _not_asked(questions: Sequence[Question]) -> set[str]:
    """Return the sensitive questions that the form cannot ask.

    They have no randomizer, or whom they are for depends on one of these.
    """
    names = {each.name for each in _chance(questions) if not each.physical_device}
    resting = [feature.author.rests_on(questions) for feature in FEATURES.values()]
    for question in questions:
        if any(of.get(question.name, frozenset()) & names for of in resting):
            names.add(question.name)
    return names


def _not_offered(questions: Sequence[Question]) -> str:
    """Return why nobody can use the form: what must be answered cannot be answered there."""
    not_asked = _not_asked(questions)
    required = [each for each in questions if each.required and each.name in not_asked]
    bare = [each.name for each in required if not each.physical_device]
    if bare:
        message = _(
            "The form without JavaScript is not offered, so nobody can use a device of their own: "
            "%(names)s must be answered and have none. Make them optional, or give them one."
        )
    else:
        message = _(
            "The form without JavaScript is not offered, so nobody can use a device of their own: "
            "%(names)s must be answered, and whom that is for depends on a question that has none. "
            "Give that question one, or ask these of everybody."
        )
    names = bare or [each.name for each in required]
    return message % {"names": ", ".join(names)} if names else ""


def _left_out(questions: Sequence[Question]) -> str:
    """Return how much whoever takes the form without a script is not asked."""
    chance, not_asked = _chance(questions), _not_asked(questions)
    left_out = [question.name for question in chance if question.name in not_asked]
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
