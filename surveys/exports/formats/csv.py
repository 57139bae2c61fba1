"""Comma-separated values (RFC 4180): names in the first line, an empty cell where nothing is.

`write` is for programs: no mark before the first name, commas, and every text as it is in all other
files, so that files can be joined. `for_spreadsheet` is for what a person opens, fills in and sends
back: it begins with the mark by which spreadsheets know UTF-8, its cells are separated by the sign
that those expect, and no text is taken for a formula (docs/decisions/0047-labels-in-files.md).
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from surveys import spreadsheets
from surveys.exports.table import Format, Table

# The number of rows in one piece of text.
CHUNK = 2000
MARK = "\ufeff"


def write(table: Table) -> Iterator[str]:
    names = [column.name for column in table.columns]
    rows = chain([names], table.rows)
    while batch := list(islice(rows, CHUNK)):
        text = io.StringIO(newline="")
        csv.writer(text).writerows(batch)
        yield text.getvalue()


def for_spreadsheet(rows: Iterable[Sequence[str]], delimiter: str) -> str:
    """A file of texts for a spreadsheet."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerows([spreadsheets.guarded(cell) for cell in row] for row in rows)
    return MARK + text.getvalue()


FORMAT = Format("csv", "text/csv; charset=utf-8", write)
