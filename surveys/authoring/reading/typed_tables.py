"""Tables of comma-separated values as authors write them, from a file or typed.

Their first row names the columns. What is wrong is said with row, column, value and rule, so that a
whole table can be mended at once.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from surveys import numbers, spreadsheets
from surveys.author_texts import one_line

# A list of the most members with the longest texts has less, and so have all other tables.
MOST_BYTES = 1_000_000
# Problems that are named at once: one slip may be in each of the rows.
MOST_NAMED = 20
# As much of a wrong text as is shown.
SHOWN = 40
DELIMITERS = ("\t", ";", ",")
# The first line of a spreadsheet's file, with or without quotation marks.
_SEPARATOR_LINE = re.compile(
    r"""\s*"?sep=(?P<sign>[,;\t|])"?[ \t,;]*(?:\r\n|\n|\r|\Z)""", re.IGNORECASE
)
_BINARY = (b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0", b"\xff\xfe", b"\xfe\xff")


class UnreadTableError(Exception):
    """A table of which nothing is taken. `problems`: what is wrong, in the reader's language."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(*problems)
        self.problems = list(problems)


def decoded_table(data: bytes, *, most_bytes: int = MOST_BYTES) -> str:
    """The text of a file; raises UnreadTableError for what is no text in UTF-8.

    Other encodings are not guessed: a wrong guess would spell names wrongly.
    """
    if len(data) > most_bytes:
        raise UnreadTableError([_("The file has more than %s bytes.") % numbers.count(most_bytes)])
    if data.startswith(_BINARY) or b"\0" in data:
        raise UnreadTableError(
            [
                _(
                    "This is no CSV file. In the spreadsheet choose “Save as”, then “CSV UTF-8 "
                    "(comma delimited)”."
                )
            ]
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = _(
            "The file is not in UTF-8 (line %(line)s), so letters such as “é” or “ß” would be read "
            "wrongly. In the spreadsheet choose “Save as”, then “CSV UTF-8 (comma delimited)”."
        )
        raise UnreadTableError([message % {"line": numbers.count(line)}]) from None


def first_of(sentences: Sequence[str]) -> list[str]:
    if len(sentences) <= MOST_NAMED:
        return list(sentences)
    rest = _("And %s more.") % numbers.count(len(sentences) - MOST_NAMED)
    return [*sentences[:MOST_NAMED], rest]


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is written. `before`: the rows before its first, which say how."""

    text: str
    before: int
    delimiter: str


def layout_of(text: str) -> Layout:
    """A line such as `sep=;`, which spreadsheets write and read, is no row of the table.

    Without one the sign counts that cuts the first row into the most cells.
    """
    text = text.removeprefix("\ufeff")
    line = _SEPARATOR_LINE.match(text)
    if line:
        return Layout(text[line.end() :], text.count("\n", 0, line.end()), line["sign"])
    delimiter = max(DELIMITERS, key=lambda sign: len(_first_row(text, sign)))
    return Layout(text, 0, delimiter)


def _first_row(text: str, delimiter: str) -> list[str]:
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        return next((row for row in rows if any(map(one_line, row))), [])
    except csv.Error:
        return []


def rows_of(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that have anything, with their numbers; only as many are read as are asked for.

    A column of row names, as R and pandas write them, is no column of the table.
    """
    rows = _all_rows(layout_of(text))
    first = next(rows, None)
    if first is None:
        return
    (number, header), second = first, next(rows, None)
    names = row_names(header, second[1] if second else [])
    yield number, header[1:] if names == "named" else header
    for number, cells in [second] if second else []:
        yield number, cells[1:] if names else cells
    for number, cells in rows:
        yield number, cells[1:] if names else cells


def row_names(header: Sequence[str], first: Sequence[str]) -> str:
    """Whether the first column is one of row names: of its own without a name ("named"), or one
    that the first row has no cell for ("unnamed")."""
    if len(header) > 1 and not header[0]:
        return "named"
    return "unnamed" if len(first) == len(header) + 1 and first[0] == "1" else ""


def notes_of(text: str) -> list[str]:
    """Return what was understood of a table besides its rows, in the reader's language."""
    layout = layout_of(text)
    notes = []
    if layout.text != text.removeprefix("\ufeff"):
        notes.append(_("Its first line only says what separates the cells, and is no row."))
    rows = _all_rows(layout)
    header, first = (next(rows, (0, []))[1] for _place in range(2))
    if row_names(header, first):
        notes.append(_("Its first column has the names or numbers of rows, and is left out."))
    return notes


def _all_rows(layout: Layout) -> Iterator[tuple[int, list[str]]]:
    # Its lines end where those of a CSV file do, and nowhere else.
    source = io.StringIO(layout.text, newline="")
    reader = csv.reader(source, delimiter=layout.delimiter, strict=True)
    number = layout.before
    while True:
        number += 1
        try:
            cells = [spreadsheets.unguarded(one_line(cell)) for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error:
            message = _(
                "Row %s cannot be read: a quotation mark is opened and not closed, or stands "
                "within a text that has none around it."
            )
            raise UnreadTableError([message % numbers.count(number)]) from None
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number, cells


def surplus(number: int, cells: int, columns: int) -> str:
    message = _(
        "Row %(row)s has %(cells)s cells, and the first row names %(columns)s. A text with a comma "
        "needs quotation marks around it."
    )
    counts = {"row": number, "cells": cells, "columns": columns}
    return message % {name: numbers.count(value) for name, value in counts.items()}


def shown(text: str) -> str:
    """The beginning of a text."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
