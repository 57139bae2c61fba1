"""Tables of comma-separated values as authors write them, from a file or typed.

Their first row names the columns. What is wrong is said with row, column, value and rule, so that a
whole table can be mended at once.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from surveys import numbers, spreadsheets

# A roster of the most members with the longest texts has less, and so have all other tables.
MOST_BYTES = 1_000_000
# Problems that are named at once: one slip may be in each of the rows.
MOST_NAMED = 20
# As much of a wrong text as is shown.
SHOWN = 40
DELIMITERS = ("\t", ";", ",")
# Signs that turn the direction of what follows: a name with one can show another name.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BINARY = (b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0", b"\xff\xfe", b"\xfe\xff")


class UnreadTableError(Exception):
    """A table of which nothing is taken. `problems`: what is wrong, in the reader's language."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(*problems)
        self.problems = list(problems)


def decoded_table(data: bytes) -> str:
    """The text of a file; raises UnreadTableError for what is no text in UTF-8.

    Other encodings are not guessed: a wrong guess would spell names wrongly.
    """
    if len(data) > MOST_BYTES:
        raise UnreadTableError([_("The file has more than %s bytes.") % numbers.count(MOST_BYTES)])
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


def rows_of(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that have anything, with their numbers; only as many are read as are asked for."""
    text = text.removeprefix("\ufeff")
    header = text.lstrip().split("\n", 1)[0]
    delimiter = next((sign for sign in DELIMITERS if sign in header), ",")
    # Its lines end where those of a CSV file do, and nowhere else.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    while True:
        number += 1
        try:
            cells = [neat(spreadsheets.unguarded(cell)) for cell in next(reader)]
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


def neat(cell: str) -> str:
    """A cell in the one form in which the same text is always the same characters."""
    return re.sub(" {2,}", " ", unicodedata.normalize("NFC", cell).strip())


def surplus(number: int, cells: int, columns: int) -> str:
    message = _(
        "Row %(row)s has %(cells)s cells, and the first row names %(columns)s. A text with a comma "
        "needs quotation marks around it."
    )
    counts = {"row": number, "cells": cells, "columns": columns}
    return message % {name: numbers.count(value) for name, value in counts.items()}


def is_unseen(sign: str) -> bool:
    """Control characters, ends of lines, and what changes the direction of writing."""
    return unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in _TURNING


def shown(text: str) -> str:
    """The beginning of a text, with a sign for each that nobody could see."""
    seen = "".join("\N{REPLACEMENT CHARACTER}" if is_unseen(sign) else sign for sign in text)
    return seen if len(seen) <= SHOWN else f"{seen[:SHOWN]}…"
