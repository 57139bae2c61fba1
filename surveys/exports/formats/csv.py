"""Comma-separated values (RFC 4180): names in the first line, an empty cell where nothing is."""

import csv
import io
from collections.abc import Iterator
from itertools import chain, islice

from surveys.exports.table import Cell, Format, Table

# The number of rows in one piece of text.
CHUNK = 2000
# A spreadsheet interprets a cell with such a beginning as a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write(table: Table) -> Iterator[str]:
    names = [column.name for column in table.columns]
    rows = ([spreadsheet_safe(cell) for cell in row] for row in chain([names], table.rows))
    while batch := list(islice(rows, CHUNK)):
        text = io.StringIO(newline="")
        csv.writer(text).writerows(batch)
        yield text.getvalue()


def spreadsheet_safe(cell: Cell) -> Cell:
    """The cell, escaped so that no spreadsheet interprets it as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


FORMAT = Format("csv", "text/csv; charset=utf-8", write)
