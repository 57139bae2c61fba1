"""How large a survey may be."""

from django.utils.translation import gettext

from surveys import numbers

# The most questions in one survey: the work of an author's request grows with them.
MAX_QUESTIONS = 200


def too_many_questions(count: int) -> str:
    """The error message for too many questions; empty for an acceptable number."""
    if count <= MAX_QUESTIONS:
        return ""
    message = gettext(
        "Questions: a survey has %(most)s at most, and this one has %(count)s. Remove some, or "
        "make two surveys of them."
    )
    return message % {"most": numbers.count(MAX_QUESTIONS), "count": numbers.count(count)}
