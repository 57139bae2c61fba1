"""Whom a question is for, in words, what that costs, and the menus that write it for an author."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.drafts import Draft
from surveys.features.filters.draft import takes_not_applicable
from surveys.features.filters.figures import asked_figures, margin_asked_of_all
from surveys.features.filters.page_words import Source, filter_words
from surveys.features.filters.reading import (
    UnreadableFilterError,
    answers_of,
    is_comparable,
    is_number,
    read_filter,
    written_answer,
)
from surveys.features.filters.settings import filter_of_question
from surveys.models import Question

# Of a long text the beginning says which question it is.
LONGEST_TEXT = 60
# Guesses of the part of the respondents that a question is for.
FEW, HALF = 0.1, 0.5


@dataclass(frozen=True, slots=True)
class Compared:
    """An earlier question; `answers`: each with how a filter has it. Of a number there are none."""

    name: str
    text: str
    answers: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Menus:
    """`words`: whom the question is for now; none where everybody is asked, or nobody can tell."""

    words: str
    questions: list[Compared]


def menus_of(question: Question, asked: Sequence[Question]) -> Menus:
    """Return the menus of a question; `asked`: all questions of its draft, in order."""
    place = next((i for i, each in enumerate(asked) if each.pk == question.pk), len(asked))
    earlier = asked[:place]
    return Menus(
        words=words_of(filter_of_question(question).only_if, earlier),
        questions=[_compared(each) for each in earlier if is_comparable(each)],
    )


def _compared(question: Question) -> Compared:
    labels = [] if is_number(question) else answers_of(question)
    answers = [(label, written_answer(label)) for label in labels]
    return Compared(question.name, shortened(question.text), [each for each in answers if each[1]])


def shortened(text: str, longest: int = LONGEST_TEXT) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def words_of(only_if: str, earlier: Sequence[Question]) -> str:
    """Return a filter in words; empty for everybody, and where it cannot be read."""
    try:
        alternatives = read_filter(only_if, earlier) if only_if else ()
    except UnreadableFilterError:
        return ""
    compared = {comparison.question for every in alternatives for comparison in every}
    sources = {
        each.name: Source(shortened(each.text), [] if is_number(each) else answers_of(each))
        for each in earlier
        if each.name in compared
    }
    return filter_words(alternatives, sources)


def cost_words(draft: Draft) -> str:
    """Return what is known of those whom a question is for; empty where everybody is asked."""
    settings = filter_of_question(draft)
    if not (settings.only_if and draft.randomized and takes_not_applicable(draft)):
        return ""
    few, half = (asked_figures(draft, share) for share in (FEW, HALF))
    margins = {
        "reported": (few.reported, half.reported),
        "unasked": (few.unasked, half.unasked),
        "all": (margin_asked_of_all(draft),),
    }
    if any(margin is None for margins_of in margins.values() for margin in margins_of):
        return ""
    shown = {
        f"{name}_{place}": numbers.margin(margin or 0.0)
        for name, margins_of in margins.items()
        for place, margin in enumerate(margins_of)
    }
    people = {
        "planned": numbers.count(draft.planned_n),
        "few": numbers.chosen_percent(FEW),
        "half": numbers.chosen_percent(HALF),
        "few_people": numbers.count(few.people),
        "half_people": numbers.count(half.people),
    }
    sentences = [_now(unasked=settings.unasked), _otherwise(unasked=settings.unasked), _of_all()]
    return " ".join(sentences) % {**shown, **people}


def _now(*, unasked: bool) -> str:
    if unasked:
        return _(
            "If the question is for %(few)s of %(planned)s respondents (%(few_people)s), the "
            "margin among these is %(unasked_0)s; if for %(half)s (%(half_people)s), %(unasked_1)s."
        )
    return _(
        "If the question is for %(few)s of %(planned)s respondents (%(few_people)s), the margin "
        "among these is %(reported_0)s; if for %(half)s (%(half_people)s), %(reported_1)s."
    )


def _otherwise(*, unasked: bool) -> str:
    if unasked:
        return _("If everybody else reported “does not apply”: %(reported_0)s and %(reported_1)s.")
    return _(
        "If everybody else were left out, as they may be where all that is compared is sent as it "
        "is: %(unasked_0)s and %(unasked_1)s."
    )


def _of_all() -> str:
    return _("Asked of everybody: %(all_0)s.")
