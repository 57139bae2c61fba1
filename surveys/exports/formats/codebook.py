"""A description of a table's columns as JSON, for programs that set types and labels."""

import json
from collections.abc import Iterator
from typing import Any

from surveys.exports.table import Column, Table, Value, text_format

VERSION = 1


def pieces(table: Table) -> Iterator[str]:
    """`values` and `missing` are left out where there are none; a code of null is an empty cell.

    So are `labels`: what the author wrote in other languages, by their tags.
    """
    codebook = {
        "format": VERSION,
        "table": table.name,
        "label": table.label,
        "columns": [_column(column) for column in table.columns],
    }
    yield json.dumps(codebook, ensure_ascii=False, indent=1) + "\n"


def _column(column: Column) -> dict[str, Any]:
    lists = {"values": column.values, "missing": column.missing}
    value_lists = {
        name: [_value(value) for value in values] for name, values in lists.items() if values
    }
    described = {"name": column.name, "type": column.type, "label": column.label}
    return {**described, **_in_others(column), **value_lists}


def _value(value: Value) -> dict[str, Any]:
    return {"code": value.code, "label": value.label, **_in_others(value)}


def _in_others(described: Column | Value) -> dict[str, Any]:
    return {"labels": dict(described.labels)} if described.labels else {}


FORMAT = text_format("codebook.json", "application/json", pieces)
