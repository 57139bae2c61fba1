"""What a filter makes of a question that is not launched yet."""

from surveys.drafts import AskedQuestion, Draft
from surveys.features.filters.settings import filter_of_question
from surveys.features.parts import DraftPart


class FiltersOfDraft(DraftPart):
    def is_for_some(self, question: AskedQuestion | Draft) -> bool:
        settings = filter_of_question(question)
        return question.randomized and bool(settings.only_if) and not settings.unasked
