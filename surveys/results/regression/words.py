"""An analysis in words: what is explained, by what, and by which model."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys import numbers
from surveys.parameters import Analysis

LINKS = {
    "logit": gettext_lazy("logistic"),
    "probit": gettext_lazy("probit"),
    "cloglog": gettext_lazy("complementary log-log"),
    "identity": gettext_lazy("linear probability"),
}


def outcome_words(analysis: Analysis, answers: Sequence[str]) -> str:
    """Return what is explained, such as “drug: Yes”; `answers` are those of the outcome."""
    if not analysis.event:
        return _("%(outcome)s: each answer on its own") % {"outcome": analysis.outcome}
    labels = [answers[code] for code in analysis.event if code < len(answers)]
    if not labels:
        return analysis.outcome
    return _("%(outcome)s: %(answers)s") % {
        "outcome": analysis.outcome,
        "answers": numbers.either(labels),
    }


def predictor_words(analysis: Analysis) -> list[str]:
    """The questions that may explain it, and how they count."""
    as_number, as_categories = _("%s (as a number)"), _("%s (as categories)")
    return [
        (as_number if predictor.scored else as_categories) % predictor.question
        for predictor in analysis.predictors
    ]


def link_words(analysis: Analysis) -> str:
    if not analysis.event:
        return _("multinomial logistic")
    return str(LINKS[analysis.link])
