"""Which questions of a draft an analysis may be about, and margins of."""

from django.utils import translation

from surveys.devices.registry import sends_codes
from surveys.drafts import Draft
from surveys.kinds import KINDS, categories
from surveys.models import Question


def may_be_analysed(question: Question) -> bool:
    """Whether one answer out of a list is true, and what is sent for it is one code."""
    return has_list(question) and sends_codes(question)


def has_list(question: Question) -> bool:
    """Whether one answer out of a list is true; the twin for what is frozen is `is_listed`."""
    kind = KINDS.get(question.kind)
    if kind is None or kind.several or kind.free_text or kind.about_members:
        return False
    draft = Draft.of(question)
    return kind.is_complete(draft) and kind.is_categorical(draft)


def takes_scores(question: Question) -> bool:
    """Whether its answers can count as numbers; the twin is `has_scores`."""
    kind = KINDS[question.kind]
    ordered = kind.ordered or kind.opposites or kind.numeric
    return may_be_analysed(question) and ordered and not Draft.of(question).other_count


def may_be_weighted(question: Question) -> bool:
    """Whether respondents can be weighted by it: only what is sent as it is, is known."""
    return may_be_analysed(question) and not question.randomized


def answers_of(question: Question) -> list[str]:
    """Return the answers to a question in one language, whatever the survey's is."""
    with translation.override("en"):
        return categories(question)
