"""Orders of answers in the frozen document: how chance picks the order on the page.

A report is the code of an answer, wherever that stood. static/js/features/option_orders/rules.js
has the twin of the rules.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

import msgspec

from surveys.features.feature import FEATURES, has_trait
from surveys.features.parts import DocumentPart
from surveys.features.traits import Trait
from surveys.parameters.document import OPEN, Parameters
from surveys.parameters.joint import LISTED
from surveys.parameters.types import Frozen, Problem, QuestionName

NAME: Final = "option_orders"
# All orders alike likely; one of the answers comes first and those before it last; one of the two
# directions.
By = Literal["shuffled", "rotated", "reversed"]
# By control, how its answers can be ordered: a scale keeps its sense in two directions only.
_YES_NO, _LIST, _SCALE = LISTED
_ALL: tuple[By, ...] = ("shuffled", "rotated", "reversed")
WAYS: dict[str, tuple[By, ...]] = {_LIST: _ALL, "boxes": _ALL, _SCALE: ("reversed",)}
# What is kept is one digit, so that it makes no response longer than another one.
MOST_KEPT = 10
# Where an order would join what is told apart, or not everybody has one.
NEVER_KEPT = (Trait.RETURNING, Trait.NAMED, Trait.VERSIONS, Trait.IN_HAND, Trait.PAIRED)


class OptionOrder(Frozen, frozen=True):
    """`last`: how many answers at the end stay there, before “does not apply” and a refusal.
    `kept`: whether a response says which order was drawn.
    """

    question: QuestionName
    by: By
    last: Annotated[int, msgspec.Meta(ge=0)]
    kept: bool

    def count(self, answers: int) -> int:
        """How many orders of so many answers can be kept: of two directions, or by who is first."""
        return 2 if self.by == "reversed" else answers - self.last


def frozen_orders(parameters: Parameters) -> tuple[OptionOrder, ...]:
    """Return the orders of a document; none where all answers stand as they were written."""
    return parameters.section(NAME) or ()


def kept_counts(parameters: Parameters) -> dict[str, int]:
    """Return the questions whose order a response says, each with how many orders there are."""
    return {
        each.question: each.count(parameters.question(each.question).answer_count)
        for each in frozen_orders(parameters)
        if each.kept
    }


class OptionOrdersInDocument(DocumentPart):
    optional_sections = {NAME: Annotated[tuple[OptionOrder, ...], msgspec.Meta(min_length=1)]}

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        places = {question.id: place for place, question in enumerate(parameters.questions)}
        together = _asked_together(parameters)
        before = -1
        for index, each in enumerate(frozen_orders(parameters)):
            place = places.get(each.question, -1)
            if place <= before:
                rule = "questions of the survey, each once and in their order"
                yield "unknown_question", f"{NAME}.{index}.question", rule
                continue
            before = place
            question = parameters.questions[place]
            if each.question in together:
                rule = "no question that shows its answers in one line with others"
                yield "bad_order", f"{NAME}.{index}.question", rule
            elif each.by not in WAYS.get(question.control, ()):
                yield "bad_order", f"{NAME}.{index}.by", "a way that its answers can be ordered in"
            elif question.answer_count - each.last < 2:
                yield "bad_order", f"{NAME}.{index}.last", "two answers change their places"
            elif each.kept and not _can_keep(each, question.answer_count, parameters):
                rule = (
                    "a few orders, kept together with the answers of one whom nothing tells apart"
                )
                yield "bad_order", f"{NAME}.{index}.kept", rule

    def values_beside(self, parameters: Parameters) -> Mapping[str, int]:
        return kept_counts(parameters)


def _asked_together(parameters: Parameters) -> set[str]:
    parts = (feature.document.asked_together(parameters) for feature in FEATURES.values())
    return {name for part in parts for names in part for name in names}


def _can_keep(order: OptionOrder, answers: int, parameters: Parameters) -> bool:
    is_known = any(has_trait(parameters, trait) for trait in NEVER_KEPT)
    is_few = order.by != "shuffled" and order.count(answers) <= MOST_KEPT
    is_together = parameters.linkage == "together"
    return is_few and is_together and parameters.mode == OPEN and not is_known
