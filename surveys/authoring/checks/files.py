"""Checks of what the files of the results will hold: names of columns, and texts.

They follow from the columns and cells that the exports make of the document (`surveys.exports`).
"""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from surveys import spreadsheets
from surveys.authoring.checks.epsilon import Finding
from surveys.exports.contents import Clash, clashes_of
from surveys.parameters import Parameters

# More of a text than this is not shown.
SHOWN = 60


def names(parameters: Parameters) -> Iterator[Finding]:
    """Whether no two columns of a file would have one name, nor two reports."""
    for clash in clashes_of(parameters):
        question = clash.questions[-1]
        yield Finding("same_column", f"{question}: {_words(clash)}", True, question)


def _words(clash: Clash) -> str:
    values = {"file": f"{clash.file}.csv", "name": clash.name, "question": clash.questions[-1]}
    if clash.own:
        message = _(
            "“%(file)s” of this survey has something of its own that is called “%(name)s”. Give "
            "the question “%(question)s” another variable name."
        )
        return message % values
    message = _(
        "“%(file)s” would have two columns called “%(name)s”, of the questions %(questions)s. Give "
        "one of them another variable name."
    )
    named = ", ".join(_("“%s”") % name for name in clash.questions)
    return message % {**values, "questions": named}


def texts(cells: Iterable[str]) -> Iterator[Finding]:
    """Whether no spreadsheet would compute something from a text in a file of the results."""
    for text in dict.fromkeys(cells):
        if spreadsheets.is_formula(text):
            message = _(
                "“%(text)s” begins like a formula, which a spreadsheet would compute when somebody "
                "opens a file of the results in it. Begin the text with a letter or a digit; for a "
                "minus there is the sign “−”."
            )
            shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
            yield Finding("formula", message % {"text": shown}, True)
