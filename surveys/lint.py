"""What is wrong, or doubtful, with a draft before it is launched.

Each check is a function that yields findings; errors block the launch, warnings are shown.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from django.utils import timezone, translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from surveys import engine_bridge
from surveys.kinds import KINDS, MAX_OPTIONS, categories
from surveys.models import Question, Survey

# A 95 % interval wider than this on each side tells an author next to nothing.
WIDE_MARGIN = 0.15
_DOUBLE = re.compile(r"\?.+\?|\band/or\b|\bund/oder\b", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark: `blocks` says whether it stops the launch, `question` whose it is (or None)."""

    code: str
    message: str
    blocks: bool
    question: str | None = None


def lint_survey(survey: Survey) -> list[Finding]:
    """All findings, those that block first."""
    questions = list(survey.questions.all())
    found = [finding for check in SURVEY_CHECKS for finding in check(survey, questions)]
    for question in questions:
        for check in QUESTION_CHECKS:
            found += check(survey, question)
    return sorted(found, key=lambda finding: not finding.blocks)


def _has_questions(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if not questions:
        yield Finding("no_questions", _("Add at least one question."), blocks=True)


def _budget(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    total = engine_bridge.question_epsilon_total(questions)
    if total > survey.budget:
        message = _(
            "The questions add up to an epsilon of %(total)s, above the budget of %(budget)s. "
            "Lower an epsilon or raise the budget."
        ) % {"total": _plain(total), "budget": _plain(survey.budget)}
        yield Finding("over_budget", message, blocks=True)


def _schedule(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if survey.closes_at is not None and survey.closes_at <= timezone.now():
        yield Finding("closes_in_past", _("The closing time has passed."), blocks=True)


def _texts(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if not survey.consent.strip():
        message = _("There is no consent text. Say what taking part means.")
        yield Finding("no_consent", message, blocks=False)
    if not survey.contact.strip():
        message = _("Nobody is named whom respondents can ask. Fill in the contact.")
        yield Finding("no_contact", message, blocks=False)


def _nothing_sensitive(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if questions and not any(question.randomized for question in questions):
        message = _("No question is sensitive, so every answer is sent as it is.")
        yield Finding("nothing_sensitive", message, blocks=False)


def _threshold(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if survey.release_threshold > survey.planned_n:
        message = _(
            "The release threshold (%(threshold)s) is above the planned number of respondents "
            "(%(planned)s), so results may never show."
        ) % {"threshold": survey.release_threshold, "planned": survey.planned_n}
        yield Finding("threshold_above_planned", message, blocks=False)


def _wording(survey: Survey, question: Question) -> Iterator[Finding]:
    if not question.text.strip():
        yield _of(question, "no_text", _("The question has no text."), blocks=True)
    elif _DOUBLE.search(question.text):
        message = _("This may be two questions in one. Ask one thing at a time.")
        yield _of(question, "double_barrelled", message, blocks=False)


def _options(survey: Survey, question: Question) -> Iterator[Finding]:
    if question.kind not in KINDS:
        yield _of(question, "unknown_kind", _("This kind of question is not known."), blocks=True)
        return
    with translation.override(survey.language):
        labels = [label.strip() for label in categories(question)]
    if question.kind != "yes_no" and not 2 <= len(question.options) <= MAX_OPTIONS:
        message = _("A choice needs 2 to %(most)s options; this one has %(count)s.") % {
            "most": MAX_OPTIONS,
            "count": len(question.options),
        }
        yield _of(question, "option_count", message, blocks=True)
    if not all(labels):
        yield _of(question, "empty_option", _("An option has no label."), blocks=True)
    if len({label.casefold() for label in labels}) != len(labels):
        yield _of(question, "same_option", _("Two options have the same label."), blocks=True)


def _epsilon(survey: Survey, question: Question) -> Iterator[Finding]:
    if not question.randomized:
        return
    cap = Decimal(settings.EPSILON_CAP)
    if question.epsilon is None or question.epsilon <= 0:
        message = _("A sensitive question needs an epsilon above 0.")
        yield _of(question, "no_epsilon", message, blocks=True)
    elif question.epsilon > cap:
        message = _("Epsilon is %(epsilon)s; this site allows %(cap)s at most.") % {
            "epsilon": _plain(question.epsilon),
            "cap": _plain(cap),
        }
        yield _of(question, "epsilon_over_cap", message, blocks=True)


def _device(survey: Survey, question: Question) -> Iterator[Finding]:
    """A device that can be built, and whose reports are compatible with every answer."""
    if not question.randomized or [*_options(survey, question), *_epsilon(survey, question)]:
        return
    try:
        protects = math.isfinite(engine_bridge.draft_design(question).epsilon)
    except engine_bridge.EngineError as error:
        yield _of(question, "no_device", str(error), blocks=True)
        return
    if not protects:
        message = _("Some report gives its answer away for certain (epsilon is infinite).")
        yield _of(question, "infinite_epsilon", message, blocks=True)


def _precision(survey: Survey, question: Question) -> Iterator[Finding]:
    margin = engine_bridge.margin_at_planned_n(question, survey.planned_n)
    if margin is not None and margin > WIDE_MARGIN:
        message = _(
            "With %(n)s respondents each share will be known to ± %(points)s points only. Use "
            "fewer options, a higher epsilon or more respondents."
        ) % {"n": survey.planned_n, "points": f"{100 * margin:.0f}"}
        yield _of(question, "imprecise", message, blocks=False)


def _plain(epsilon: Decimal) -> str:
    """In the reader's notation; `normalize` alone would write 10 as 1E+1."""
    return number_format(engine_bridge.epsilon_text(epsilon))


def _of(question: Question, code: str, message: str, *, blocks: bool) -> Finding:
    return Finding(code, f"{question.name}: {message}", blocks, question.name)


SURVEY_CHECKS: tuple[Callable[[Survey, list[Question]], Iterator[Finding]], ...] = (
    _has_questions,
    _budget,
    _schedule,
    _texts,
    _nothing_sensitive,
    _threshold,
)
QUESTION_CHECKS: tuple[Callable[[Survey, Question], Iterator[Finding]], ...] = (
    _wording,
    _options,
    _epsilon,
    _device,
    _precision,
)
