"""The filter that an author has written for a question."""

import msgspec

from surveys.features.filters.section import NAME
from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)


@stored
class QuestionFilter(msgspec.Struct, frozen=True):
    """`only_if`: whom the question is for, as the author has written it; empty for everybody.

    `unasked`: whether others are not asked at all, where everybody may know who they are.
    """

    only_if: str = ""
    unasked: bool = False


def filter_of_question(question: WithFeatures) -> QuestionFilter:
    return read_settings(question.features, NAME, QuestionFilter)


def set_only_if(question: HasFeatures, typed: object) -> None:
    settings = filter_of_question(question)
    text = " ".join(str(typed or "").split())
    write_settings(question, NAME, msgspec.structs.replace(settings, only_if=text))


def set_unasked(question: HasFeatures, typed: object) -> None:
    settings = filter_of_question(question)
    write_settings(question, NAME, msgspec.structs.replace(settings, unasked=bool(typed)))
