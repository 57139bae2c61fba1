"""What an author has set of the order of the answers to a question."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from surveys.features.option_orders.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)

# Answers that belong to the end, in the languages of authors.
_AT_THE_END = re.compile(
    r"(another|anything else|don['’]t know|none\b|not sure|other\b|others\b|something else"
    r"|ander(e|es|er)\b|etwas anderes|kein(e|er|es)?\b|nichts davon|sonstige|wei(ß|ss) nicht)",
    re.IGNORECASE,
)


@stored
class OrderSettings(msgspec.Struct, frozen=True):
    """`by`: empty where the answers stand as they are written. `last`: how many at the end stay
    there; None for those that read like “Other” or “None of these”. `kept`: whether each response
    says which order was drawn.
    """

    by: Literal["", "shuffled", "rotated", "reversed"] = ""
    last: Annotated[int, msgspec.Meta(ge=0)] | None = None
    kept: bool = False


def order_of(question: WithFeatures) -> OrderSettings:
    return read_settings(question.features, NAME, OrderSettings)


def change_order(question: HasFeatures, **values: Any) -> None:
    write_settings(question, NAME, msgspec.structs.replace(order_of(question), **values))


def last_of(settings: OrderSettings, labels: Sequence[str]) -> int:
    """Return how many of these answers stay at the end."""
    if settings.last is not None:
        return settings.last
    ends = [bool(_AT_THE_END.match(label.strip())) for label in labels]
    return ends[::-1].index(False) if False in ends else len(ends)
