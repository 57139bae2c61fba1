"""Descriptions as text, as a table of a web page, and as a data frame."""

import sys
from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from typing import Any

from rr_engine.display.description import MOST_ROWS, Description, Table, cell, words
from rr_engine.frames.extras import frame_package

WIDTH = 78
# Of data frames, the one first that is taken where both are loaded.
PACKAGES = ("pandas", "polars")


def as_text(shown: Description) -> str:
    """Return a description as statistical packages print one."""
    tables = [_text_table(table) for table in shown.tables]
    width = max([WIDTH, len(shown.says), *(len(line) for lines in tables for line in lines)])
    lines = [shown.name.center(width).rstrip(), "=" * width]
    if shown.says:
        lines += [shown.says, "-" * width]
    lines += _facts(shown, width)
    for table, own in zip(shown.tables, tables, strict=True):
        lines += ["-" * width] if lines[-1] != "-" * width else []
        lines += [*([table.title] if table.title else []), *own]
        if table.size > MOST_ROWS:
            lines.append(f"... and {table.size - MOST_ROWS} more rows")
    lines.append("=" * width)
    return "\n".join([*lines, *(f"Note: {note}" for note in shown.notes)])


def _facts(shown: Description, width: int) -> list[str]:
    """Return facts in two columns."""
    texts = [(words(name), cell(name, value)) for name, value in shown.facts.items()]
    half = width // 2 - 1
    fitted = [f"{name}: {value:>{max(half - len(name) - 2, 1)}}" for name, value in texts]
    lines, waiting = [], ""
    for text in fitted:
        if len(text) > half:
            long = text if len(text) <= width else f"{text[: width - 3]}..."
            lines += [waiting] * bool(waiting) + [long]
            waiting = ""
        elif waiting:
            lines.append(f"{waiting}  {text}")
            waiting = ""
        else:
            waiting = text
    return lines + [waiting] * bool(waiting)


def _text_table(table: Table) -> list[str]:
    names = list(table.columns)
    rows = [_texts(names, row) for row in table.rows()]
    heads = [words(name) for name in names]
    widths = [max(len(head), *(len(row[i]) for row in rows), 0) for i, head in enumerate(heads)]

    def line(texts: Sequence[str]) -> str:
        first = texts[0].ljust(widths[0])
        return "  ".join([first, *(t.rjust(w) for t, w in zip(texts[1:], widths[1:], strict=True))])

    return [line(heads), *map(line, rows)]


def _texts(names: Sequence[str], row: Sequence[object]) -> list[str]:
    return [cell(name, value) for name, value in zip(names, row, strict=True)]


def as_html(shown: Description) -> str:
    """Return a description as tables of a web page; every text in it is escaped."""
    facts = "".join(
        f'<tr><th scope="row">{escape(words(name))}</th><td>{escape(cell(name, value))}</td></tr>'
        for name, value in shown.facts.items()
    )
    caption = f"{escape(shown.name)}: {escape(shown.says)}" if shown.says else escape(shown.name)
    parts = [f"<table><caption>{caption}</caption><tbody>{facts}</tbody></table>"]
    parts += [_html_table(table, shown.name) for table in shown.tables]
    if shown.notes:
        parts.append(f"<ul>{''.join(f'<li>{escape(note)}</li>' for note in shown.notes)}</ul>")
    return f"<div>{''.join(parts)}</div>"


def _html_table(table: Table, name: str) -> str:
    names = list(table.columns)
    heads = "".join(f'<th scope="col">{escape(words(column))}</th>' for column in names)
    body = ""
    for row in table.rows():
        first, *rest = map(escape, _texts(names, row))
        entries = "".join(f"<td>{entry}</td>" for entry in rest)
        body += f'<tr><th scope="row">{first}</th>{entries}</tr>'
    left = table.size - MOST_ROWS
    more = f"<tfoot><tr><td colspan={len(names)}>... and {left} more rows</td></tr></tfoot>"
    caption = f"<caption>{escape(table.title or f'{name}: values')}</caption>"
    head = f"<thead><tr>{heads}</tr></thead>"
    return f"<table>{caption}{head}<tbody>{body}</tbody>{more if left > 0 else ''}</table>"


def as_frame(shown: Description, package: str | None) -> Any:
    """Return the first table as a data frame; a dictionary of lists for "dict"."""
    if shown.tables:
        columns = {name: list(column) for name, column in shown.tables[0].columns.items()}
    else:
        columns = {name: [value] for name, value in shown.facts.items()}
    # Of the packages that are there, the one that the program has loaded.
    there = [name for name in PACKAGES if name in sys.modules] or filter(find_spec, PACKAGES)
    chosen = package or next(iter(there), "dict")
    return columns if chosen == "dict" else frame_package(chosen).DataFrame(columns)
