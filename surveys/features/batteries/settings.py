"""What an author has set: in which battery a question is, and the text above it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from surveys.features.batteries.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)
from surveys.models import Question


@stored
class Item(msgspec.Struct, frozen=True):
    """`number`: that of its battery, which all items share; 0 for none. `text`: the text of the
    battery, which is written at one of them, usually the first.
    """

    number: int = 0
    text: str = ""


def item_of(question: WithFeatures) -> Item:
    return read_settings(question.features, NAME, Item)


def change_item(question: HasFeatures, **values: Any) -> None:
    write_settings(question, NAME, msgspec.structs.replace(item_of(question), **values))


@dataclass(frozen=True, slots=True)
class DraftBattery:
    """The questions of a draft that share a number, with their places among all, from 0 on."""

    number: int
    places: tuple[int, ...]
    questions: tuple[Question, ...]

    @property
    def text(self) -> str:
        """The first text that is written at one of them."""
        return next((text for x in self.questions if (text := item_of(x).text)), "")


def batteries_in(questions: Iterable[Question]) -> list[DraftBattery]:
    """Return the batteries of a draft by the places of their first questions, also broken ones."""
    members: dict[int, dict[int, Question]] = {}
    for place, question in enumerate(questions):
        if number := item_of(question).number:
            members.setdefault(number, {})[place] = question
    return [
        DraftBattery(number, tuple(items), tuple(items.values()))
        for number, items in members.items()
    ]


def free_number(questions: Iterable[Question]) -> int:
    used = {item_of(question).number for question in questions}
    return next(number for number in range(1, len(used) + 2) if number not in used)
