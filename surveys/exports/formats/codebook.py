"""A description of a table's columns as JSON, for programs that set types and labels."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from surveys.exports.formats import limits
from surveys.exports.table import Column, Row, Table, Type, Value, text_format

VERSION = 1
NAME = "codebook"


def pieces(table: Table) -> Iterator[str]:
    yield json.dumps(described(table), ensure_ascii=False, indent=1) + "\n"


def described(table: Table) -> dict[str, Any]:
    """`values` and `missing` are left out where there are none; a code of null is an empty cell.

    So are `labels`: what the author wrote in other languages, by their tags; and the `spss` and
    `stata` names of a column that have to differ from its own.
    """
    names = [column.name for column in table.columns]
    others = zip(limits.spss_names(names), limits.stata_names(names), strict=True)
    return {
        "format": VERSION,
        "table": table.name,
        "label": table.label,
        "columns": [
            {**described_column(column), **_names(column.name, spss, stata)}
            for column, (spss, stata) in zip(table.columns, others, strict=True)
        ],
    }


def as_table(tables: Sequence[Table]) -> Table:
    """Return the same as a table: a row for each column of these tables and each of its codes.

    What the author wrote in further languages stands in columns of its own, at the end.
    """
    names = ["sheet", "variable", "type", "label", "code", "meaning", "missing", "spss", "stata"]
    described = [each for table in tables for column in table.columns for each in _parts(column)]
    languages = list(dict.fromkeys(language for each in described for language in each.labels))
    for language in languages:
        names += [f"{name}_{language.replace('-', '_')}" for name in ("label", "meaning")]
    columns = tuple(Column(name, Type.TEXT, name) for name in names)
    rows = (row for table in tables for row in _rows(table, languages))
    return Table(name_beside(tables), "", columns, rows)


def _parts(column: Column) -> Iterator[Column | Value]:
    yield column
    yield from column.values


def name_beside(tables: Sequence[Table]) -> str:
    """Return the name of their description as a table: one of them, of codes, may be the other."""
    return "columns" if any(table.name == NAME for table in tables) else NAME


def _rows(table: Table, languages: Sequence[str]) -> Iterator[Row]:
    for column, told in zip(table.columns, described(table)["columns"], strict=True):
        names = (told.get("spss", ""), told.get("stata", ""))
        head = (table.name, column.name, column.type.value)
        own = [text for each in languages for text in (column.labels.get(each, ""), "")]
        yield (*head, column.label, None, "", "", *names, *own)
        for is_missing, values in enumerate((column.values, column.missing)):
            for value in values:
                code = "(empty)" if value.code is None else value.code
                own = [text for each in languages for text in ("", value.labels.get(each, ""))]
                kind = "missing" if is_missing else ""
                yield (*head, "", code, value.label, kind, *names, *own)


def described_column(column: Column) -> dict[str, Any]:
    lists = {"values": column.values, "missing": column.missing}
    value_lists = {
        name: [_value(value) for value in values] for name, values in lists.items() if values
    }
    described = {"name": column.name, "type": column.type, "label": column.label}
    return {**described, **_in_others(column), **value_lists}


def _names(own: str, spss: str, stata: str) -> dict[str, str]:
    return {key: name for key, name in (("spss", spss), ("stata", stata)) if name != own}


def _value(value: Value) -> dict[str, Any]:
    return {"code": value.code, "label": value.label, **_in_others(value)}


def _in_others(described: Column | Value) -> dict[str, Any]:
    return {"labels": dict(described.labels)} if described.labels else {}


FORMAT = text_format("codebook.json", "application/json", pieces, has_rows=False)
