"""Comma-separated values (RFC 4180): names in the first line, an empty cell where nothing is.

They are for programs: no byte order mark before the first name, and every text as it is in all
other files, so that files can be joined (docs/decisions/0047-labels-in-files.md).
"""

import csv
import io
from collections.abc import Iterator
from itertools import chain, islice

from surveys.exports.table import Table, text_format

# The number of rows in one piece of text.
CHUNK = 2000


def pieces(table: Table) -> Iterator[str]:
    names = [column.name for column in table.columns]
    rows = chain([names], table.rows)
    while batch := list(islice(rows, CHUNK)):
        text = io.StringIO(newline="")
        csv.writer(text).writerows(batch)
        yield text.getvalue()


FORMAT = text_format("csv", "text/csv", pieces)
