"""Comma-separated values (RFC 4180): names in the first line, an empty cell where nothing is.

The first dialect is for programs: no byte order mark before the first name, and every text as it is
in all other files, so that files can be joined (docs/decisions/0047-labels-in-files.md). What
a spreadsheet opens by a double click depends on the country: which sign separates cells, and which
begins decimals. The mark tells it that the text is UTF-8.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, product

from surveys.exports.table import Cell, Format, Row, Table, text_format

# The number of rows in one piece of text.
CHUNK = 2000
MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Dialect:
    """`separator` of cells, `decimal` sign, and whether the file begins with the `mark`."""

    separator: str = ","
    decimal: str = "."
    mark: bool = False

    @property
    def ending(self) -> str:
        """The end of a file's name: what differs from the first dialect."""
        told = {
            "semicolon": self.separator == ";",
            "comma": self.decimal == ",",
            "bom": self.mark,
        }
        differs = "-".join(name for name, is_so in told.items() if is_so)
        return f"{differs}.csv" if differs else "csv"


def pieces(table: Table, dialect: Dialect = Dialect()) -> Iterator[str]:
    names = [column.name for column in table.columns]
    rows: Iterator[Row] = chain([names], table.rows)
    if dialect.decimal != ".":
        rows = map(partial(_with_decimal, dialect.decimal), rows)
    if dialect.mark:
        yield MARK
    while batch := list(islice(rows, CHUNK)):
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=dialect.separator).writerows(batch)
        yield text.getvalue()


def _with_decimal(sign: str, row: Row) -> list[Cell]:
    return [repr(x).replace(".", sign) if isinstance(x, float) else x for x in row]


def _format(dialect: Dialect) -> Format:
    return text_format(dialect.ending, "text/csv", partial(pieces, dialect=dialect))


FORMAT = _format(Dialect())
# A comma cannot separate cells and begin decimals.
DIALECTS = tuple(
    Dialect(separator, decimal, mark)
    for mark, separator, decimal in product((False, True), ",;", ".,")
    if separator != decimal
)
FORMATS = (FORMAT, *map(_format, DIALECTS[1:]))
