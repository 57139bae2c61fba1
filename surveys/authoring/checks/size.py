"""Checks of a survey's size."""

from collections.abc import Iterator

from django.conf import settings
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.features import selection_of
from surveys.authoring.limits import MAX_QUESTIONS, too_many_questions
from surveys.authoring.planning.figures import margin_at_planned_n
from surveys.devices import FAMILIES, family_of
from surveys.devices.built_family import CODE_LENGTH, id_of
from surveys.drafts import Draft
from surveys.engine_words import EngineError
from surveys.kinds import KINDS
from surveys.models import Question, Survey
from surveys.parameters import joint_id

# A 95 % interval with a larger half width is reported as imprecise.
WIDE_MARGIN = 0.15


def number_of_questions(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if not questions:
        yield Finding("no_questions", _("Add at least one question."), blocks=True)
    if problem := too_many_questions(len(questions)):
        yield Finding("too_many_questions", problem, blocks=True)


def response_size(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """A response must not exceed the limit."""
    size = 200 + sum(sum(_lengths(together)) for together in by_report(questions))
    if size > settings.SUBMISSION_MAX_BYTES:
        message = _(
            "A response would have up to %(size)s bytes, and this site takes %(most)s at most. Ask "
            "fewer questions, or ask the options of a question with one device for all of them."
        ) % {"size": numbers.count(size), "most": numbers.count(settings.SUBMISSION_MAX_BYTES)}
        yield Finding("response_too_large", message, blocks=True)


def precision(survey: Survey, question: Question) -> Iterator[Finding]:
    """How well shares will be known; of a mean checks/number.py says it.

    Who asks each person a part of the questions is not after shares.
    """
    kind = KINDS.get(question.kind)
    if kind is None or not kind.is_categorical(question) or selection_of(survey):
        return
    margin = margin_at_planned_n(question, survey.planned_n)
    if margin is None or margin <= WIDE_MARGIN:
        return
    if margin < 1:
        message = _(
            "With %(n)s respondents each share will be known to ± %(points)s points only. Use "
            "fewer options, a higher epsilon or more respondents."
        )
    else:
        message = _(
            "With %(n)s respondents nothing will be known of some shares: the margin is over 100 "
            "points. Use another device, fewer options, a higher epsilon or more respondents."
        )
    values = {"n": numbers.count(survey.planned_n), "points": numbers.points(margin, 0)}
    yield Finding.of(question, "imprecise", message % values, blocks=False)


def by_report(questions: list[Question]) -> list[list[Question]]:
    """The questions by the reports that they are sent in, in their order."""
    by_draw: dict[object, list[Question]] = {}
    for place, question in enumerate(questions):
        alone = question.membership is None
        by_draw.setdefault(("alone", place) if alone else question.group, []).append(question)
    return list(by_draw.values())


def _lengths(together: list[Question]) -> list[int]:
    """The lengths of the reports to a question, or of their one report."""
    if len(together) > 1:
        # A list with a code of each question; its name is at most as long as this.
        return [len(f'"{joint_id(MAX_QUESTIONS)}":[],') + len(together) * CODE_LENGTH]
    (question,) = together
    return [len(f'"{name}":,') + report_length(question) for name in device_ids(question)]


def report_length(question: Question) -> int:
    """How many characters a report of one of its devices has at most."""
    draft = Draft.of(question)
    family = FAMILIES.get(draft.design)
    try:
        return family.report_length(draft) if family and family.fits(draft) else CODE_LENGTH
    except (EngineError, KeyError):
        return CODE_LENGTH


def device_ids(question: Question) -> list[str]:
    """The ids of a question's devices; one id only for a question whose devices cannot be built."""
    draft = Draft.of(question)
    try:
        options = family_of(draft).options(draft) if draft.kind in KINDS else [None]
    except EngineError:
        options = [None]
    return [id_of(draft, option) for option in options]
