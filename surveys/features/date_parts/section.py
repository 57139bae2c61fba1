"""Dates in the frozen document: where the answers to a question begin, which are bins of dates.

static/js/features/date_parts/rules.js has the twin of the rules.
"""

from collections.abc import Iterator
from typing import Annotated, Final

import msgspec

from surveys.features.parts import DocumentPart
from surveys.parameters.dates import Unit, date_bins
from surveys.parameters.document import Parameters
from surveys.parameters.types import Frozen, Problem, QuestionName, Text

NAME: Final = "date_parts"


class DateParts(Frozen, frozen=True):
    """`starts`: the first date of each answer to the question; `last`: the last date of all."""

    question: QuestionName
    unit: Unit
    starts: Annotated[tuple[Text, ...], msgspec.Meta(min_length=2)]
    last: Text


class DatePartsInDocument(DocumentPart):
    optional_sections = {NAME: tuple[DateParts, ...]}

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        asked = {question.id: question for question in parameters.questions}
        dates: tuple[DateParts, ...] = parameters.section(NAME) or ()
        if len({each.question for each in dates}) < len(dates):
            yield "duplicate", NAME, "a question has one list of bins"
        for index, each in enumerate(dates):
            question = asked.get(each.question)
            if question is None or question.control != "list":
                yield "unknown_question", f"{NAME}.{index}.question", "a question with a list"
            elif question.answer_count != len(each.starts):
                yield "wrong_length", f"{NAME}.{index}.starts", "one for each answer"
            bins = date_bins([*each.starts, each.last])
            if bins is None or bins.unit != each.unit:
                yield "bad_dates", f"{NAME}.{index}.starts", "rising dates of the unit"
