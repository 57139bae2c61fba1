"""The kinds that an author can choose from; the first one is what a new question is."""

from typing import Protocol

from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.bounded_number import BoundedNumber
from surveys.kinds.calendar_date import CalendarDate
from surveys.kinds.choices import Scale, SingleChoice
from surveys.kinds.kind import Kind
from surveys.kinds.multiple_choice import MultipleChoice
from surveys.kinds.ranking import Ranking
from surveys.kinds.short_text import ShortText
from surveys.kinds.ties import MemberTies
from surveys.kinds.yes_no import YesNo
from surveys.registry import Registry

KINDS: Registry[Kind] = Registry(
    YesNo(),
    SingleChoice(),
    Scale(),
    MultipleChoice(),
    Ranking(),
    BoundedNumber(),
    CalendarDate(),
    ShortText(),
    MemberTies(),
)


class OfAKind(Protocol):
    """A question, as a draft, as it is frozen or as its answers alone."""

    @property
    def kind(self) -> str: ...


def kind_of(question: OfAKind) -> Kind:
    """Raise KeyError for a kind that is not known."""
    return KINDS[question.kind]


def is_about_members(question: OfAKind) -> bool:
    """Whether it is a question about the members of a survey; of an unknown kind it is none."""
    return question.kind in KINDS and kind_of(question).about_members


def categories(question: AskedQuestion | Draft) -> list[str]:
    """The labels of a draft's answers in the language now active; the last may be a refusal."""
    return kind_of(question).categories(question)
