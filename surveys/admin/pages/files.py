"""Tables that authors download."""

import csv as comma_separated
import io
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from surveys import numbers, spreadsheets
from surveys.exports.formats import csv
from surveys.exports.table import Table


def table_file(table: Table, name: str) -> HttpResponse:
    """A small table as comma-separated values under the name of a file."""
    response = HttpResponse("".join(csv.pieces(table)), content_type=csv.FORMAT.content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def spreadsheet_file(
    header: Sequence[str], rows: Iterable[Sequence[str]], name: str
) -> HttpResponse:
    """A table for the author's own spreadsheet or mail, and not for a program.

    It begins with the mark by which spreadsheets know UTF-8, its cells are separated as they are in
    the reader's language, by semicolons where numbers have a comma, and no text is taken for a
    formula; whoever reads the file again takes the guard off
    (docs/decisions/0047-labels-in-files.md).
    """
    delimiter = ";" if numbers.separators().startswith(",") else ","
    text = io.StringIO(newline="")
    writer = comma_separated.writer(text, delimiter=delimiter)
    writer.writerows([spreadsheets.guarded(cell) for cell in row] for row in (header, *rows))
    content = "\ufeff" + text.getvalue()
    response = HttpResponse(content, content_type=csv.FORMAT.content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
