"""The statements of every place on protection: one for each strength, and no other.

From level 1 on a place says what a report can show, and nothing beside it that comforts: a reader
keeps the first half of a sentence. static/js/ui/weak.js has the statements that a respondent's page
makes of one question; a test compares the two, and asks every place at every strength.
"""

from collections.abc import Callable

from django.utils.translation import gettext as _

from surveys.strength import Strength

Statements = tuple[Callable[[], str], ...]


def _nothing() -> str:
    return ""


# The statements on one report, at its question or questions, its ties, in the practice, the quiz
# and the receipt.
QUESTION: Statements = (
    _nothing,
    lambda: _("What is sent here can be a strong hint at your real answer."),
    lambda: _("What is sent here can give away much about your real answer."),
    lambda: _(
        "What is sent here can give away very much about your real answer. It can make other "
        "answers next to impossible."
    ),
)
# The statements on all reports of one person, in the same places; from a total of 5 on.
PERSON: Statements = (
    _nothing,
    lambda: _("All your scrambled answers together can give away much about you."),
    lambda: _("All your scrambled answers together can give away very much about you."),
)
# The row of the label on who can see the real answer.
LABEL_WHO: Statements = (
    _nothing,
    lambda: _("What is sent can be a strong hint at it."),
    lambda: _("Others can tell much from what is sent."),
    lambda: _("Others can tell very much from what is sent."),
)
# The statements for researchers and authors.
READER_QUESTION: Statements = (
    _nothing,
    lambda: _("A report can be a strong hint at the real answer."),
    lambda: _("A report can give away much about the real answer."),
    lambda: _(
        "A report can give away very much about the real answer. It can make other answers "
        "next to impossible."
    ),
)
READER_PERSON: Statements = (
    _nothing,
    lambda: _("All reports of one person together can give away much about them."),
    lambda: _("All reports of one person together can give away very much about them."),
)


def survey_level(strength: Strength) -> int:
    """The level of what a whole survey shows: of its weakest question or, from 2 on, of them all.

    At 0 a page may say that no code proves anything, and at no other level.
    """
    of_person = strength.person_level + 1 if strength.person_level else 0
    return max(strength.question_level, of_person)


def label_statements(strength: Strength) -> dict[str, str]:
    level = survey_level(strength)
    return {"label_who": LABEL_WHO[level]()}
