"""How large a survey may be."""

from django.utils.translation import gettext

from surveys import numbers

# In one survey: what an author's request computes grows with them.
MAX_QUESTIONS = 200


def too_many_questions(count: int) -> str:
    """What is wrong with so many questions in a survey; empty where nothing is."""
    if count <= MAX_QUESTIONS:
        return ""
    message = gettext(
        "Questions: a survey has %(most)s at most, and this one has %(count)s. Remove some, or "
        "make two surveys of them."
    )
    return message % {"most": numbers.count(MAX_QUESTIONS), "count": numbers.count(count)}
