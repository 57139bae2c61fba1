"""Plotly figures of a table of two questions: a heat map, and a comparison of the groups."""

import textwrap
from collections.abc import Sequence
from html import escape
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.results.figures.layout import (
    Drawn,
    axis_range,
    base_layout,
    drawn,
    impossible_ranges,
    laid_out,
    row_texts,
    share_axis,
)
from surveys.results.figures.palette import COLOURS
from surveys.results.figures.traces import estimates, points, whiskers
from surveys.results_document.tables import TableResults

HEAT, GROUPS = "heat", "groups"
LABEL, CELL, HEADING, AIR = 28, 34, 30, 6
# Characters per line over all columns on a phone, and lines of a column's name.
ACROSS, LINES, LINE = 40, 3, 16


def table_figures(table: TableResults) -> dict[str, Any]:
    """The figures of a table by their keys, in the active language."""
    return {
        f"{table.id}:{HEAT}": heat_map(table),
        f"{table.id}:{GROUPS}": comparison(table),
    }


def heat_map(table: TableResults) -> dict[str, Any]:
    """Joint shares, one row of cells for each group under its name."""
    figure = heat_of(table.cells, table.group_labels, table.outcome_labels)
    figure["layout"]["meta"] = {"title": _title(table), "source": _source(table)}
    return figure


def heat_of(
    cells: Sequence[Sequence[numbers.Estimated]], labels: Sequence[str], columns: Sequence[str]
) -> dict[str, Any]:
    """A map of shares, one row of cells under each label; its title and source are the caller's.

    One scale from the page's colour to teal, which is readable in grey, with the number in
    every cell. A label row is a row of the map that has no cells.
    """
    digits = numbers.common_digits([cell for row in cells for cell in row])
    header = LINE * max(len(_column(label, len(columns))) for label in columns)
    height = header + len(cells) * (LABEL + CELL)
    edges = [float(header)]
    shares: list[list[float | None]] = []
    words: list[list[str]] = []
    for row in cells:
        edges += [edges[-1] + LABEL, edges[-1] + LABEL + CELL]
        found = [None if numbers.tells_nothing(cell) else cell.estimate for cell in row]
        shares += [[None] * len(row), [points(share) for share in found]]
        words += [[""] * len(row), [numbers.percent(share, digits) for share in found]]
    trace = {
        "type": "heatmap",
        "z": shares,
        "x": list(range(len(columns) + 1)),
        "y": edges,
        "text": words,
        "texttemplate": "%{text}",
        "textfont": {"color": COLOURS["ink"], "size": 13},
        "hoverinfo": "skip",
        "zmin": 0,
        "zmax": _largest_share(shares),
        "colorscale": [[0, COLOURS["surface"]], [1, COLOURS["heat"]]],
        "showscale": False,
        "xgap": 2,
    }
    layout = base_layout(height, "", "")
    layout["xaxis"] = {"range": [0, len(columns)], "visible": False, "fixedrange": True}
    layout["shapes"] = _frames(edges, len(columns))
    layout["annotations"] = _columns(columns, header) + [
        _label(label, edges[2 * index] + AIR) for index, label in enumerate(labels)
    ]
    return {"data": [trace], "layout": layout}


def comparison(table: TableResults) -> dict[str, Any]:
    """Return for each outcome the share within every group, as dot and whisker on one axis.

    With two outcomes only the second is shown; the first is its complement.
    """
    outcomes = table.outcome_labels
    outcomes_shown = [1] if len(outcomes) == 2 else list(range(len(outcomes)))
    blocks = [_block(table, outcome) for outcome in outcomes_shown]
    shares = [share for block in blocks for share in block]
    rows, texts, top = [], [], 0
    for outcome, block in zip(outcomes_shown, blocks, strict=True):
        texts.append(_heading(outcomes[outcome], top))
        block_rows, height = laid_out(block, words=0, top=top + HEADING)
        rows += block_rows
        top = height
    estimable = [row for row in rows if row.data.estimate is not None]
    layout = base_layout(top, _source(table), _title(table))
    axis = axis_range(shares)
    layout["xaxis"] = share_axis(axis)
    layout["shapes"] = impossible_ranges(axis)
    layout["annotations"] = texts + [text for row in rows for text in row_texts(row)]
    traces = [whiskers(estimable, "interval", 5), whiskers(estimable, "interval_50", 12)]
    traces.append(estimates(estimable, _("estimate")))
    return {"data": traces, "layout": layout}


def _block(table: TableResults, outcome: int) -> list[Drawn]:
    return [
        drawn(label, row[outcome])
        for label, row in zip(table.group_labels, table.conditional, strict=True)
    ]


def _largest_share(shares: Sequence[Sequence[float | None]]) -> float:
    return max([1.0, *(share for row in shares for share in row if share is not None)])


def _column(label: str, columns: int) -> list[str]:
    width = max(6, ACROSS // columns)
    # A word that is one letter too long is not broken: there is room between the columns.
    width += any(len(word) == width + 1 for word in label.split())
    return textwrap.wrap(label, width, max_lines=LINES, placeholder="…") or [""]


def _columns(labels: Sequence[str], header: int) -> list[dict[str, Any]]:
    """The names over their columns, in as many lines as fit."""
    return [
        {
            "text": "<br>".join(map(escape, _column(label, len(labels)))),
            "xref": "x",
            "x": index + 0.5,
            "xanchor": "center",
            "y": header,
            "yanchor": "bottom",
            "showarrow": False,
            "borderpad": 0,
            "font": {"size": 12, "color": COLOURS["quiet"]},
        }
        for index, label in enumerate(labels)
    ]


def _label(label: str, top: float) -> dict[str, Any]:
    return {
        "text": escape(textwrap.shorten(label, ACROSS, placeholder=" …")),
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "y": top,
        "yanchor": "top",
        "showarrow": False,
        "borderpad": 0,
    }


def _heading(label: str, top: float) -> dict[str, Any]:
    text = _label(label, top)
    return text | {"font": {"color": COLOURS["ink"], "size": 14, "weight": 600}}


def _frames(edges: Sequence[float], columns: int) -> list[dict[str, Any]]:
    """A hairline around the cells, so that empty cells are visible."""
    return [
        {
            "type": "rect",
            "xref": "x",
            "x0": 0,
            "x1": columns,
            "y0": top,
            "y1": bottom,
            "line": {"color": COLOURS["line"], "width": 1},
        }
        for top, bottom in zip(edges[1::2], edges[2::2], strict=True)
    ]


def _title(table: TableResults) -> str:
    parts = (table.outcome_text, table.group_text)
    return "<br>".join(escape(textwrap.shorten(part, 80, placeholder=" …")) for part in parts)


def _source(table: TableResults) -> str:
    n = table.n
    people = ngettext("%(n)s person", "%(n)s people", n) % {"n": numbers.count(n)}
    return _("%(people)s who answered both") % {"people": people}
