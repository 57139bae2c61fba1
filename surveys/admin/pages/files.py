"""Tables that authors download."""

from django.http import HttpResponse

from surveys.exports.formats import csv
from surveys.exports.table import Table


def table_file(table: Table, name: str) -> HttpResponse:
    """A small table as comma-separated values under the name of a file."""
    response = HttpResponse("".join(csv.write(table)), content_type=csv.FORMAT.content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
