"""Questions in the frozen document that are answered in one's own words.

They are none of its questions: no device is about them, and nothing is estimated, compared or
filtered by them. static/js/features/free_texts/rules.js has the twin of the rules.
"""

from collections.abc import Iterator
from typing import Annotated, Final

import msgspec

from surveys.features.parts import DocumentPart
from surveys.parameters.document import Parameters
from surveys.parameters.types import Frozen, Problem, QuestionName, ToldText

NAME: Final = "free_texts"
MOST = 5
# All of a response has to fit into the longest body that a server takes.
LONGEST = 1000


class FreeText(Frozen, frozen=True):
    """`characters`: how many code points an answer may have."""

    id: QuestionName
    text: ToldText
    characters: Annotated[int, msgspec.Meta(ge=1, le=LONGEST)]


def frozen_texts(parameters: Parameters) -> tuple[FreeText, ...]:
    """Return the questions of a document that are answered in one's own words; perhaps none."""
    return parameters.section(NAME) or ()


class FreeTextsInDocument(DocumentPart):
    optional_sections = {
        NAME: Annotated[tuple[FreeText, ...], msgspec.Meta(min_length=1, max_length=MOST)]
    }

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        taken = {question.id for question in parameters.questions}
        for index, each in enumerate(frozen_texts(parameters)):
            if each.id in taken:
                yield "duplicate", f"{NAME}.{index}.id", "a name that nothing else has"
            taken.add(each.id)
