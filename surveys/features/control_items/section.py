"""The known share of a control item in the frozen document, and what must hold of it.

What comes in on one tells how many respondents do not follow the device.
static/js/features/control_items/rules.js has the twin of the rules.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from surveys.features.parts import DocumentPart
from surveys.parameters.document import Parameters, Question
from surveys.parameters.types import Decimal as DecimalText
from surveys.parameters.types import Problem

NAME: Final = "control_items"
# Its key in a question.
KEY: Final = "known"
YES_NO = "yes_no"
RULE = "from 0 to 1, of a scrambled yes/no question without a refusal, sent on its own"


def known_share(question: Question) -> str | None:
    """Return the share of people of whom the second answer is true; None of all other questions."""
    return question.section(KEY)


def control_items(parameters: Parameters) -> tuple[Question, ...]:
    """Return the questions of a document whose share of yes is known, in their order."""
    return tuple(each for each in parameters.questions if known_share(each) is not None)


class KnownShares(DocumentPart):
    question_sections = {KEY: DecimalText | None}

    def asked_alike(self, question: Question) -> bool:
        return known_share(question) is not None

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        for index, question in enumerate(parameters.questions):
            known = known_share(question)
            if known is None:
                continue
            joint = any(len(device.questions) > 1 for device in parameters.devices_of(question))
            plain = question.control == YES_NO and question.randomized and not question.other_count
            if joint or not plain or Decimal(known) > 1:
                yield "bad_known", f"questions.{index}.{KEY}", RULE
