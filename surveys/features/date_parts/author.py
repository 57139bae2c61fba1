"""What a launch freezes of dates: the bins of every question that asks for one."""

from collections.abc import Mapping, Sequence
from typing import Any

from surveys.features.date_parts.section import NAME, DateParts
from surveys.features.parts import AuthorPart
from surveys.kinds import KINDS
from surveys.kinds.calendar_date import CalendarDate
from surveys.models import Question, Survey
from surveys.parameters.dates import date_bins


class DatePartsForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return isinstance(KINDS.get(question.kind), CalendarDate)

    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return any(map(self.is_used_by, questions))

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        found = [
            (question.name, date_bins(question.options))
            for question in questions
            if self.is_used_by(question)
        ]
        dates = tuple(
            DateParts(question=name, unit=bins.unit, starts=bins.starts, last=bins.last)
            for name, bins in found
            if bins is not None
        )
        return {NAME: dates} if dates else {}
