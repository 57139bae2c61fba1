"""The table of what was asked, by question and answer, in the words of all other files.

It has no codes of reports: those of a device need not be the numbers of the answers, and are in the
codebook. It is joined to shares by question and answer.
"""

from collections.abc import Iterator

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import language_of
from surveys.exports.table import Column, Row, Table, Type
from surveys.models import Launch
from surveys.parameters import Parameters

NAME = "questions"


def table(launch: Launch, step: int = 0) -> Table:
    """All questions in their order; one without listed answers has one row, with none."""
    with translation.override(language_of(launch)):
        rows = rows_of(launch.parameters_at(step))
        return Table(NAME, _("Questions and answers"), _columns(), rows)


def rows_of(parameters: Parameters) -> Iterator[Row]:
    for question in parameters.questions:
        for answer in question.categories or ("",):
            yield (question.id, question.text, question.kind, int(question.randomized), answer)


def _columns() -> tuple[Column, ...]:
    return (
        Column("question", Type.TEXT, _("Variable name of the question")),
        Column("text", Type.TEXT, _("Question")),
        Column("kind", Type.TEXT, _("Kind of question")),
        Column("sensitive", Type.INTEGER, _("1 if its answers are scrambled, 0 if they are not")),
        Column("answer", Type.TEXT, _("Answer")),
    )
