"""Checks of short texts: that they are scrambled, and that something can be found."""

from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.panel.text_words import detectable_words, text_figures
from surveys.devices.rappor import expected_candidates
from surveys.drafts import Draft
from surveys.engine_words import EngineError
from surveys.kinds import KINDS
from surveys.models import Question, Survey

# A text that fewer give is the usual case; if even these are not found, little is.
RARE = 0.1


def text(survey: Survey, question: Question) -> Iterator[Finding]:
    kind = KINDS.get(question.kind)
    if kind is None or not kind.free_text:
        return
    if not question.randomized:
        message = _("A short text must be sensitive: it is never stored as it is.")
        yield Finding.of(question, "no_device", message, blocks=True)
        return
    draft = replace(Draft.of(question), planned_n=survey.planned_n)
    yield from _detectable(question, draft)
    if len(question.candidates) > expected_candidates(draft):
        message = _(
            "The list has %(count)s candidates, and the filter is made for %(expected)s. Expect as "
            "many as the list has."
        )
        values = {"count": len(question.candidates), "expected": expected_candidates(draft)}
        shown = {name: numbers.count(value) for name, value in values.items()}
        yield Finding.of(question, "more_candidates", message % shown, blocks=False)


def _detectable(question: Question, draft: Draft) -> Iterator[Finding]:
    try:
        figures = text_figures(draft)
    except EngineError:
        return
    share = figures["detectable_share"]
    if share is None or share > RARE:
        advice = _("Ask more people, raise epsilon, or expect fewer candidates.")
        words = f"{detectable_words(figures, draft.planned_n)} {advice}"
        yield Finding.of(question, "rare_texts", words, blocks=False)
