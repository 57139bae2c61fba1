"""Control items: scrambled questions of which it is known how many people could truly say yes.

What comes in on one tells how many respondents do not follow the device. static/js/rr/analyses.js
has the twin of the rules.
"""

from collections.abc import Iterator
from decimal import Decimal

from surveys.parameters.document import Parameters, Question
from surveys.parameters.types import Problem

YES_NO = "yes_no"
RULE = "from 0 to 1, of a scrambled yes/no question without a refusal, sent on its own"


def control_items(parameters: Parameters) -> tuple[Question, ...]:
    """The questions of a document whose share of yes is known, in their order."""
    return tuple(question for question in parameters.questions if question.known is not None)


def problems(parameters: Parameters) -> Iterator[Problem]:
    """What is wrong with the known shares of a document."""
    for index, question in enumerate(parameters.questions):
        if question.known is None:
            continue
        grouped = any(len(device.questions) > 1 for device in parameters.devices_of(question))
        plain = question.control == YES_NO and question.randomized and not question.prefer_not
        if grouped or not plain or Decimal(question.known) > 1:
            yield "bad_known", f"questions.{index}.known", RULE
