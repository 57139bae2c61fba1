"""What an author has set: the text with help, the quick exit, and the questions with the box."""

import msgspec

from surveys.features.settings import (
    HasFeatures,
    WithFeatures,
    read_settings,
    stored,
    write_settings,
)
from surveys.features.support.section import NAME


@stored
class SupportSettings(msgspec.Struct, frozen=True):
    """`address`: where the quick exit leads; empty for an encyclopedia in the survey's language."""

    text: str = ""
    quick_exit: bool = False
    address: str = ""


@stored
class SupportAfter(msgspec.Struct, frozen=True):
    """Whether the box stands below a question.

    `after_section`: whether below the last question of the section that it is in.
    """

    box: bool = False
    after_section: bool = False


def support_of(survey: WithFeatures) -> SupportSettings:
    return read_settings(survey.features, NAME, SupportSettings)


def has_box(question: WithFeatures) -> bool:
    return read_settings(question.features, NAME, SupportAfter).box


def has_box_after_section(question: WithFeatures) -> bool:
    return read_settings(question.features, NAME, SupportAfter).after_section


def change_box(question: HasFeatures, **values: bool) -> None:
    """Set some of where the box stands because of a question."""
    stands = read_settings(question.features, NAME, SupportAfter)
    write_settings(question, NAME, msgspec.structs.replace(stands, **values))


def change_support(survey: HasFeatures, **values: object) -> None:
    """Set some of what is set of a survey."""
    write_settings(survey, NAME, msgspec.structs.replace(support_of(survey), **values))


def usual_address(language: str) -> str:
    """Return a page that nobody wonders about, in a language."""
    return f"https://{language}.wikipedia.org/"
