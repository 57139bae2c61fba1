"""The kinds of question: what their categories are. A new kind is one more row here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys import numbers
from surveys.parameters import BOXES

if TYPE_CHECKING:
    from surveys.models import Question

MAX_OPTIONS = 50
# In one survey: what an author's request computes grows with them.
MAX_QUESTIONS = 200
# A device over all subsets of the options has two to the power of this many answers.
MOST_FOR_WHOLE_SET = 5


@dataclass(frozen=True, slots=True)
class Kind:
    """`control`: how a page takes the answer. `several`: any number of the categories may be true
    at once. `ordered`: they are a scale.
    """

    name: str
    label: Promise
    control: Literal["yes_no", "list", "scale", "boxes"]
    own_categories: Callable[["Question"], list[str]]
    several: bool = False
    ordered: bool = False


def _yes_no(question: "Question") -> list[str]:
    return [gettext("No"), gettext("Yes")]


def _options(question: "Question") -> list[str]:
    return list(question.options)


KINDS = {
    kind.name: kind
    for kind in (
        Kind("yes_no", _("Yes or no"), "yes_no", _yes_no),
        Kind("single_choice", _("Single choice"), "list", _options),
        Kind("scale", _("Scale, in order"), "scale", _options, ordered=True),
        Kind(
            "multiple_choice",
            _("Multiple choice (tick all that apply)"),
            BOXES,
            _options,
            several=True,
        ),
    )
}


def categories(question: "Question") -> list[str]:
    """The labels of a question's categories in the language now active; the last may be a refusal.

    “Prefer not to say” is a category of the device like the others: it is scrambled with them, so
    that nobody sees who preferred not to say.
    """
    labels = KINDS[question.kind].own_categories(question)
    return [*labels, gettext("Prefer not to say")] if question.prefer_not else labels


def too_many_questions(count: int) -> str:
    """What is wrong with so many questions in a survey; empty where nothing is."""
    if count <= MAX_QUESTIONS:
        return ""
    message = gettext(
        "Questions: a survey has %(most)s at most, and this one has %(count)s. Remove some, or "
        "make two surveys of them."
    )
    return message % {"most": numbers.count(MAX_QUESTIONS), "count": numbers.count(count)}
