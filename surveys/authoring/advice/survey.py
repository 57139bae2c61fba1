"""Advice for the stored questions of a draft, and a fingerprint of what it was computed from."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from django.conf import settings
from django.utils.translation import gettext as _

import rr_engine
from surveys.authoring.advice.proposal import NoProposalError, Proposal, propose
from surveys.authoring.advice.spenders import spenders_of
from surveys.authoring.advice.wishes import Wish
from surveys.authoring.features import selection_of, used_in_draft
from surveys.devices import family_of
from surveys.devices.registry import stored_problem
from surveys.drafts import Draft
from surveys.kinds import KINDS, kind_of
from surveys.models import Question, Survey


def advise(survey: Survey, questions: Sequence[Question], wish: Wish) -> Proposal:
    """Return a proposal for a draft; raises NoProposalError with what stands in its way."""
    if selection_of(survey):
        text = _(
            "Each person is asked a part of the questions only. What that can find is said beside "
            "the questions; a proposal would count people who are not asked."
        )
        raise NoProposalError(text)
    problems = [
        _("Question %(number)s is not finished: %(problem)s")
        % {"number": number, "problem": problem}
        for number, question in enumerate(questions, 1)
        if question.randomized and (problem := _problem(question))
    ]
    if problems:
        raise NoProposalError(" ".join(problems))
    most = min(wish.harm.question, Decimal(settings.EPSILON_CAP))
    return propose(list(spenders_of(questions, most, wish.planned_n)), wish)


def may_group(survey: Survey, questions: Sequence[Question]) -> bool:
    """Whether questions can be sent together: nothing is used that might stand against it."""
    return not used_in_draft(survey, questions)


def fingerprint(survey: Survey, questions: Sequence[Question]) -> str:
    """Return a text that changes with whatever a proposal for this draft rests on."""
    rests_on = [
        (survey.budget.normalize(), survey.planned_n, survey.features),
        *((row.pk, replace(Draft.of(row), membership=None)) for row in questions),
    ]
    return hashlib.sha256(repr(rests_on).encode()).hexdigest()


def _problem(question: Question) -> str:
    """Return what is missing before a margin can be computed; empty where nothing is."""
    if question.kind not in KINDS or not question.epsilon:
        return _("it has no kind or no epsilon yet.")
    kind = kind_of(question)
    problem = kind.options_problem(question.options) if kind.with_options else ""
    if problem := problem or stored_problem(question):
        return problem
    if kind.numeric and not question.scale:
        return _("its range is missing.")
    try:
        family_of(question)
    except rr_engine.EngineError:
        return _("its device does not fit it.")
    return ""
