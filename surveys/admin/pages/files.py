"""Tables that authors download."""

from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from surveys import numbers
from surveys.exports.formats import csv
from surveys.exports.table import Table


def table_file(table: Table, name: str) -> HttpResponse:
    """A small table as comma-separated values under the name of a file."""
    response = HttpResponse("".join(csv.write(table)), content_type=csv.FORMAT.content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def spreadsheet_file(
    header: Sequence[str], rows: Iterable[Sequence[str]], name: str
) -> HttpResponse:
    """A table for the author's own spreadsheet or mail, and not for a program.

    Its cells are separated as they are in the reader's language: by semicolons where numbers have a
    comma.
    """
    delimiter = ";" if numbers.separators().startswith(",") else ","
    content = csv.for_spreadsheet((header, *rows), delimiter)
    response = HttpResponse(content, content_type=csv.FORMAT.content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
