"""What an author has set: in which battery a question is, and the text above it."""

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


@stored
class Item(msgspec.Struct, frozen=True):
    """`number`: that of its battery, which all items share; 0 for none. `text`: the text of the
    battery, which is written at one of them, usually the first. `random`: whether chance picks the
    order of the items, which is ticked at one of them as well.
    """

    number: int = 0
    text: str = ""
    random: bool = False


def item_of(question: WithFeatures) -> Item:
    return read_settings(question.features, NAME, Item)


def change_item(question: HasFeatures, **values: Any) -> None:
    write_settings(question, NAME, msgspec.structs.replace(item_of(question), **values))
