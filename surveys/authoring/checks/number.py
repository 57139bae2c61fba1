"""Checks of numbers: bins that are too many or too few, and a range that is too wide."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.panel.number_words import mean_margin, unsuitable_bins
from surveys.authoring.planning.figures import margin_at_planned_n
from surveys.drafts import Draft
from surveys.engine_words import EngineError
from surveys.kinds import KINDS
from surveys.models import Question, Survey

# A mean whose margin is a larger part of its range is hardly known.
WIDE_MARGIN = 0.15


def number(survey: Survey, question: Question) -> Iterator[Finding]:
    kind = KINDS.get(question.kind)
    if kind is None or not kind.numeric or not question.randomized:
        return
    yield from _bins(survey, question)
    yield from _range(survey, question)


def _bins(survey: Survey, question: Question) -> Iterator[Finding]:
    try:
        words = unsuitable_bins(question, survey.planned_n)
    except EngineError:
        return
    if words:
        yield Finding.of(question, "bins", words, blocks=False)


def _range(survey: Survey, question: Question) -> Iterator[Finding]:
    draft = Draft.of(question)
    if draft.scale is None or draft.scale.bins:
        return
    margin = margin_at_planned_n(draft, survey.planned_n)
    if margin is None or margin <= WIDE_MARGIN:
        return
    message = _(
        "With %(n)s respondents the mean will be known to %(margin)s only. Ask for a narrower "
        "range if few people are near its ends, raise the epsilon, or ask more people."
    )
    values = {
        "n": numbers.count(survey.planned_n),
        "margin": mean_margin(draft.scale, margin),
    }
    yield Finding.of(question, "wide_range", message % values, blocks=False)
