"""What a filter makes of a question that is not launched yet."""

from surveys.drafts import AskedQuestion, Draft
from surveys.features.filters.settings import filter_of_question
from surveys.features.parts import DraftPart
from surveys.kinds import KINDS
from surveys.parameters.joint import LISTED


class FiltersOfDraft(DraftPart):
    def is_for_some(self, question: AskedQuestion | Draft) -> bool:
        settings = filter_of_question(question)
        is_reported = question.randomized and bool(settings.only_if) and not settings.unasked
        return is_reported and takes_not_applicable(question)

    def for_whom(self, question: AskedQuestion | Draft) -> str:
        settings = filter_of_question(question)
        return f"{settings.only_if} {settings.unasked}" if settings.only_if else ""


def takes_not_applicable(question: AskedQuestion | Draft) -> bool:
    """Whether “does not apply” can be one of the answers; the twin of what is frozen."""
    kind = KINDS.get(question.kind)
    if kind is None:
        return False
    scale = Draft.of(question).scale
    return kind.control in LISTED or (kind.numeric and bool(scale and scale.bins))
