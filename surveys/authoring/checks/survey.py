"""Errors and warnings about a draft before it is launched.

Each check is a function that yields findings; errors block the launch, warnings are shown.
"""

import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.author_texts import reader_key
from surveys.authoring.checks.coarse import coarse
from surveys.authoring.checks.document import document
from surveys.authoring.checks.epsilon import Finding, batch, optional, singled_out
from surveys.authoring.checks.number import number
from surveys.authoring.checks.physical_devices import physical_device, physical_form
from surveys.authoring.checks.ranking import ranking
from surveys.authoring.checks.size import device_ids, number_of_questions, precision, response_size
from surveys.authoring.checks.strength_findings import person_strength, question_strength
from surveys.authoring.checks.text import text
from surveys.authoring.draft_merge import is_unfinished
from surveys.authoring.draft_parameters import questions_of
from surveys.authoring.features import clashes, epsilon_of_person
from surveys.devices import draft_channel, family_of, fitting
from surveys.devices.registry import chosen_family, stored_problem
from surveys.drafts import Draft
from surveys.engine_words import EngineError, refusal, refusal_words
from surveys.features import FEATURES
from surveys.kinds import KINDS, categories, kind_of
from surveys.models import Question, Survey
from surveys.parameters.budget import DELTA_LIMIT

_DOUBLE = re.compile(r"\?.+\?|\band/or\b|\bund/oder\b", re.IGNORECASE | re.DOTALL)
# What a template leaves open, such as “[your institution]”.
_PLACEHOLDER = re.compile(r"\[[^\[\]\n]{2,80}\]")


def lint_survey(survey: Survey, questions: list[Question] | None = None) -> list[Finding]:
    """All findings; those that block the launch come first.

    `questions` are those of `questions_of`, where they have been read already.
    """
    questions = questions_of(survey) if questions is None else questions
    findings = [finding for check in SURVEY_CHECKS for finding in check(survey, questions)]
    for question in questions:
        for check in QUESTION_CHECKS:
            findings += check(survey, question)
    if not any(finding.blocks for finding in findings):
        findings += document(survey, questions)
    return sorted(findings, key=lambda finding: not finding.blocks)


def _budget(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    total = epsilon_of_person(survey, questions)
    if total > survey.budget:
        message = _(
            "The questions add up to an epsilon of %(total)s, above the budget of %(budget)s. "
            "Lower an epsilon or raise the budget."
        ) % {"total": numbers.decimal(total), "budget": numbers.decimal(survey.budget)}
        yield Finding("over_budget", message, blocks=True)


def _schedule(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if survey.closes_at is not None and survey.closes_at <= timezone.now():
        yield Finding("closes_in_past", _("The closing time has passed."), blocks=True)


def _texts(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if not reader_key(survey.consent):
        message = _("There is no consent text. Say what taking part means.")
        yield Finding("no_consent", message, blocks=False)
    if not reader_key(survey.contact):
        message = _("Respondents have nobody to contact. Add a name and an address.")
        yield Finding("no_contact", message, blocks=False)
    texts = (survey.title, survey.introduction, survey.consent, survey.contact)
    parts = (each.author for each in FEATURES.values())
    of_features = [text for part in parts for text in part.texts(survey, questions)]
    if words := _left_open(*texts, *of_features):
        yield Finding("placeholder", words, blocks=False)


def _left_open(*texts: str) -> str:
    """Return what is still to be filled in; empty where nothing is."""
    places = dict.fromkeys(place for text in texts for place in _PLACEHOLDER.findall(text))
    if not places:
        return ""
    return _("Write what stands for these square brackets: %s.") % ", ".join(places)


def _nothing_sensitive(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if questions and not any(question.randomized for question in questions):
        message = _("No question is sensitive, so every answer is sent as it is.")
        yield Finding("nothing_sensitive", message, blocks=False)


def _threshold(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if survey.release_threshold > survey.planned_n:
        message = _(
            "The release threshold (%(threshold)s) is above the planned number of respondents "
            "(%(planned)s), so results may never show."
        ) % {
            "threshold": numbers.count(survey.release_threshold),
            "planned": numbers.count(survey.planned_n),
        }
        yield Finding("threshold_above_planned", message, blocks=False)


def _ids(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """Devices of single options are called after their question and a number."""
    names = {question.name for question in questions}
    for question in questions:
        for name in names.intersection(device_ids(question)).difference({question.name}):
            message = _(
                "An option of this question is called “%(name)s” in downloads, like another "
                "question. Rename one of the two questions."
            )
            yield Finding.of(question, "same_id", message % {"name": name}, blocks=True)


def _delta(question: Question) -> Decimal:
    """The delta of its device; 0 without one, or where the device does not fit."""
    family = chosen_family(question)
    if family is None or not question.randomized:
        return Decimal(0)
    try:
        delta = Decimal(family.delta(Draft.of(question)) or 0)
    except (ArithmeticError, KeyError):
        return Decimal(0)
    return delta if delta.is_finite() else Decimal(0)


def _total_delta(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """Deltas of several questions add up: somebody may have every trait."""
    deltas = [_delta(question) for question in questions]
    total = sum(deltas)
    values = {"total": numbers.decimal(total), "most": numbers.decimal(DELTA_LIMIT)}
    if total > DELTA_LIMIT:
        message = _(
            "The deltas of the questions add up to %(total)s; at most %(most)s is allowed for one "
            "person. Lower a delta, or ask some of the questions with a device without one."
        )
        yield Finding("over_delta", message % values, blocks=True)
    elif sum(delta > 0 for delta in deltas) > 1:
        message = _(
            "Several questions have a delta, %(total)s in all: of 1,000 people with every one of "
            "these traits, up to %(people)s are revealed by some report."
        )
        values["people"] = numbers.count(math.ceil(1000 * total))
        yield Finding("total_delta", message % values, blocks=False)


def _unfinished_settings(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    """What was typed into the settings and cannot be stored yet (surveys/forms/sheets.py)."""
    if is_unfinished(survey.typed):
        message = _("The settings are not finished: see what is marked there.")
        yield Finding("unfinished", message, blocks=True)


def _untitled(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    if survey.title in untitled_texts():
        yield Finding("untitled", _("Give the survey a title."), blocks=True)


def untitled_texts() -> set[str]:
    """Return what a new survey is called until somebody calls it otherwise, in every language."""
    return {_untitled_in(language) for language, _label in settings.LANGUAGES}


def _untitled_in(language: str) -> str:
    with translation.override(language):
        return untitled()


def untitled() -> str:
    return _("Untitled survey")


def _unfinished(survey: Survey, question: Question) -> Iterator[Finding]:
    if is_unfinished(question.typed):
        message = _("It is not finished: open it, and mend what is marked.")
        yield Finding.of(question, "unfinished", message, blocks=True)


def _wording(survey: Survey, question: Question) -> Iterator[Finding]:
    if not reader_key(question.text):
        yield Finding.of(question, "no_text", _("The question has no text."), blocks=True)
    elif _DOUBLE.search(question.text):
        message = _("This may be two questions in one. Ask one thing at a time.")
        yield Finding.of(question, "double_barrelled", message, blocks=False)
    if words := _left_open(question.text, question.help_text, *question.options):
        yield Finding.of(question, "placeholder", words, blocks=False)


def _options(survey: Survey, question: Question) -> Iterator[Finding]:
    if question.kind not in KINDS:
        yield Finding.of(
            question, "unknown_kind", _("This kind of question is not known."), blocks=True
        )
        return
    with translation.override(survey.language):
        labels = [reader_key(label) for label in categories(question)]
    if problem := kind_of(question).options_problem(question.options):
        yield Finding.of(question, "option_count", problem, blocks=True)
    if not all(labels):
        yield Finding.of(question, "empty_option", _("An option has no label."), blocks=True)
    if len(set(labels)) != len(labels):
        message = _("Two options have the same label.")
        yield Finding.of(question, "same_option", message, blocks=True)


def _epsilon(survey: Survey, question: Question) -> Iterator[Finding]:
    if not question.randomized:
        return
    cap = Decimal(settings.EPSILON_CAP)
    if question.epsilon is None or question.epsilon <= 0:
        message = _("A sensitive question needs an epsilon above 0.")
        yield Finding.of(question, "no_epsilon", message, blocks=True)
    elif question.epsilon > cap:
        message = _("Epsilon is %(epsilon)s; this site allows %(cap)s at most.") % {
            "epsilon": numbers.decimal(question.epsilon),
            "cap": numbers.decimal(cap),
        }
        yield Finding.of(question, "epsilon_over_cap", message, blocks=True)


def _device(survey: Survey, question: Question) -> Iterator[Finding]:
    """A device that can be built, and whose reports identify answers only within its delta."""
    if not question.randomized or [*_options(survey, question), *_epsilon(survey, question)]:
        return
    try:
        family = family_of(question)
        protects = math.isfinite(draft_channel(question).epsilon)
    except (EngineError, KeyError, ValueError) as error:
        words = stored_problem(question) or _mismatch(question) or refusal_words(refusal(error))
        yield Finding.of(question, "no_device", words, blocks=True)
        return
    if not protects and not family.relaxed:
        message = _("Some report gives its answer away for certain (epsilon is infinite).")
        yield Finding.of(question, "infinite_epsilon", message, blocks=True)


def _of_device(survey: Survey, question: Question) -> Iterator[Finding]:
    """Yield what the chosen device itself reports."""
    family = chosen_family(question)
    if family is None or not question.randomized or question.kind not in KINDS:
        return
    for finding in family.findings(Draft.of(question), survey.planned_n):
        yield Finding.of(question, finding.code, finding.message, blocks=finding.blocks)


def _mismatch(question: Question) -> str:
    """The message for a device that does not fit the kind of question, with those that do."""
    families = fitting(question)
    if chosen_family(question) in families:
        return ""
    labels = ", ".join(_("“%s”") % family.label for family in families if not family.relaxed)
    return _("Its device does not fit this kind of question. Choose %s.") % labels


def _of_features(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    for message in clashes(survey, questions):
        yield Finding("clash", message, blocks=True)
    for feature in FEATURES.values():
        yield from feature.author.findings(survey, questions)


def _open_comments(survey: Survey, questions: list[Question]) -> Iterator[Finding]:
    number = survey.open_comments
    if number:
        words = ngettext(
            "%s comment is open. Resolve it, or launch without.",
            "%s comments are open. Resolve them, or launch without.",
            number,
        )
        yield Finding("open_comments", words % numbers.count(number), blocks=False)


SURVEY_CHECKS: tuple[Callable[[Survey, list[Question]], Iterator[Finding]], ...] = (
    number_of_questions,
    _untitled,
    _unfinished_settings,
    _budget,
    person_strength,
    coarse,
    _schedule,
    _texts,
    _nothing_sensitive,
    _threshold,
    batch,
    singled_out,
    _ids,
    response_size,
    _of_features,
    _total_delta,
    physical_form,
    _open_comments,
)
QUESTION_CHECKS: tuple[Callable[[Survey, Question], Iterator[Finding]], ...] = (
    _unfinished,
    _wording,
    _options,
    optional,
    _epsilon,
    question_strength,
    _device,
    _of_device,
    physical_device,
    precision,
    number,
    text,
    ranking,
)
