"""The meaning of the total epsilon of a draft, in words."""

from collections.abc import Iterable
from decimal import Decimal

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds import KINDS
from surveys.strength import hundredths, right_guesses
from surveys.strength_words import person_words


def total_words(questions: Iterable[AskedQuestion | Draft], total: Decimal) -> str:
    """Return what all reports of a person can reveal, with one tie of a question about members.

    The ties of all would be many times that: the panel of the question says it.
    """
    if not any(_is_about_members(question) for question in questions):
        return person_words(total)
    guess = right_guesses(hundredths(total))
    rest = _(
        "All ties of a person together are not meant here: the question about the roster says what "
        "they reveal."
    )
    if guess is None:
        text = _(
            "One tie of a person and all their other answers together can make an even guess about "
            "them practically certain."
        )
        return f"{text} {rest}"
    text = _(
        "One tie of a person and all their other answers together can make an even guess about "
        "them right %(right)s times in %(people)s, at most."
    )
    right, people = map(numbers.count, guess)
    return f"{text % {'right': right, 'people': people}} {rest}"


def _is_about_members(question: AskedQuestion | Draft) -> bool:
    return question.kind in KINDS and KINDS[question.kind].about_members
