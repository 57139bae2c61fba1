"""Support in the frozen document: the text with help, after which questions it stands, the exit.

The box with help is shown whatever was answered, so nothing about an answer follows from it.
static/js/features/support/rules.js has the twin of the rules.
"""

import re
from collections.abc import Iterator
from typing import Final

from surveys.features.parts import DocumentPart
from surveys.parameters.document import Parameters
from surveys.parameters.types import Frozen, Problem, QuestionName, Told

NAME: Final = "support"
LONGEST_ADDRESS = 300
# Only https and ASCII: what is shown of it is where it leads. The browser has the same pattern.
_ADDRESS = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?")


class Support(Frozen, frozen=True):
    """`text`: help that respondents are shown, empty where there is only an exit.

    `after`: the questions below which it stands; without one it stands on the first screen and the
    last. `exit`: where the quick exit leads; None where there is none.
    """

    text: Told
    after: tuple[QuestionName, ...]
    exit: str | None


def frozen_support(parameters: Parameters) -> Support | None:
    """Return the support of a document; None where it has none."""
    return parameters.section(NAME) or None


def is_address(text: str) -> bool:
    """Whether a quick exit may lead there."""
    return len(text) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(text) is not None


class SupportInDocument(DocumentPart):
    optional_sections = {NAME: Support}

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        support = frozen_support(parameters)
        if support is None:
            return
        if not (support.text or support.exit is not None) or (support.after and not support.text):
            yield "bad_support", f"{NAME}.text", "a text where a question has the box, or an exit"
        if support.exit is not None and not is_address(support.exit):
            yield "bad_address", f"{NAME}.exit", "an address that begins with https://"
        places = [question.id for question in parameters.questions]
        if list(support.after) != [name for name in places if name in support.after]:
            yield "unknown_question", f"{NAME}.after", "questions of the survey in their order"
