"""The meaning of the total epsilon of a draft, in words."""

from collections.abc import Iterable
from decimal import Decimal

from django.utils.translation import gettext as _

from surveys.drafts import AskedQuestion, Draft
from surveys.kinds import is_about_members
from surveys.strength import hundredths
from surveys.strength_words import guess_text, person_words


def total_words(questions: Iterable[AskedQuestion | Draft], total: Decimal) -> str:
    """Return what all reports of a person can reveal, with one tie of a question about members.

    The ties of all would be many times that: the panel of the question says it.
    """
    if not any(map(is_about_members, questions)):
        return person_words(total)
    one = guess_text(
        hundredths(total),
        _(
            "One tie of a person and all their other answers together can make an even guess about "
            "them right %(right)s times in %(people)s, at most."
        ),
        _(
            "One tie of a person and all their other answers together can make an even guess about "
            "them practically certain."
        ),
    )
    rest = _(
        "All ties of a person together are not meant here: the question about the members says "
        "what they reveal."
    )
    return f"{one} {rest}"
