"""What an author has written of a question that the link answers."""

import msgspec

from surveys.features.link_values.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)


@stored
class ValuesOfQuestion(msgspec.Struct, frozen=True):
    """`values`: what stands in the link for each option but the last, as the author has typed it,
    between commas; empty of a question that people are asked.
    """

    values: str = ""


def values_of(question: WithFeatures) -> tuple[str, ...]:
    """Return the values in the link, in the order of the options; none where people are asked."""
    typed = read_settings(question.features, NAME, ValuesOfQuestion).values
    return tuple(part.strip() for part in typed.split(",")) if typed else ()


def typed_values(question: WithFeatures) -> str:
    return read_settings(question.features, NAME, ValuesOfQuestion).values


def set_values(question: HasFeatures, typed: object) -> None:
    write_settings(question, NAME, ValuesOfQuestion(values=" ".join(str(typed or "").split())))
