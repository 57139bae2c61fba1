"""Values from the link in the frozen document; docs/protocol.md, section 25.

A question whose answer the link of a respondent gives: `/s/shifts/#batch=a`. Nobody is asked it;
for everything that counts, shows or exports answers it is a direct question like every other.
static/js/features/link_values/rules.js has the twin of the rules.
"""

from collections.abc import Iterator
from typing import Annotated, Final

import msgspec

from surveys.features.feature import FEATURES
from surveys.features.parts import DocumentPart
from surveys.parameters.document import Parameters, Question
from surveys.parameters.types import Frozen, MemberCode, Problem, QuestionName

NAME: Final = "link_values"
BAD: Final = "bad_link"
CONTROL: Final = "list"

Values = Annotated[tuple[MemberCode, ...], msgspec.Meta(min_length=1)]


class LinkValue(Frozen, frozen=True):
    """A question that the link answers.

    `values`: what stands in a link for each answer but the last, which is that of every link that
    says nothing of it, or something else.
    """

    question: QuestionName
    values: Values


def frozen_values(parameters: Parameters) -> tuple[LinkValue, ...]:
    """Return what the links of a survey may say, in the order of its questions."""
    return parameters.section(NAME) or ()


class LinkValuesInDocument(DocumentPart):
    optional_sections = {NAME: Annotated[tuple[LinkValue, ...], msgspec.Meta(min_length=1)]}

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        found = frozen_values(parameters)
        named = [each.question for each in found]
        first = [question.id for question in parameters.questions[: len(found)]]
        if named != first or len(found) == len(parameters.questions):
            yield BAD, NAME, "the first questions of the survey, in their order, and not all"
            return
        for index, (each, question) in enumerate(zip(found, parameters.questions, strict=False)):
            is_left_out = any(
                x.document.leaves_out(parameters, question.id) for x in FEATURES.values()
            )
            if not takes_link(question) or is_left_out:
                yield BAD, f"{NAME}.{index}.question", "a direct choice that everybody answers"
            if len(set(each.values)) < len(each.values):
                yield "duplicate", f"{NAME}.{index}.values", "different values"
            if len(each.values) != len(question.categories) - 1:
                yield "wrong_length", f"{NAME}.{index}.values", "one for each answer but the last"


def takes_link(question: Question) -> bool:
    return question.control == CONTROL and not question.randomized and not question.prefer_not
