"""The layout of figures.

Vertical positions are pixels, so that labels do not overlap marks at any width. Texts are
escaped for Plotly, which reads a few HTML tags.
"""

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.languages import END, FROM_RIGHT, is_leftward
from surveys.results.figures.palette import COLOURS
from surveys.results_document.parts import Interval
from surveys.results_document.questions import QuestionResults

NOWHERE: Final[Interval] = (None, None)
LABEL_LINE, MARKS, WORDS, GAP = 20, 28, 18, 12
# Characters that fit on a phone of 360 px, and beside the value on the same line.
WIDE, BESIDE, MOST_LINES = 38, 13, 3
TITLE_WIDE = 70
MARGIN = {"l": 20, "r": 22, "t": 4, "b": 32}
TICKS = (20, 50, 100, 200, 500)  # percentage points between two ticks
BEYOND = 10  # percentage points by which the axis is extended
FONT = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, sans-serif"


class DrawnShare(numbers.Estimated, Protocol):
    @property
    def interval_50(self) -> Interval: ...


@dataclass(frozen=True, slots=True)
class Drawn:
    """A share under its label; beside it may be that of raw reports, and that of simulation."""

    label: str
    estimate: float | None
    interval: Interval
    interval_50: Interval = NOWHERE
    standard_error: float | None = None
    reported_share: float | None = None
    truth: float | None = None


def drawn(label: str, share: DrawnShare, **marks: float | None) -> Drawn:
    """Return a share of the results as it is drawn, with its marks by name."""
    return Drawn(
        label, share.estimate, share.interval, share.interval_50, share.standard_error, **marks
    )


@dataclass(frozen=True, slots=True)
class Caption:
    """Reports of `n` people about something that is not one question."""

    text: str
    n: int
    epsilon: str | None


About = Caption | QuestionResults


@dataclass(frozen=True, slots=True)
class Row:
    """One category with the positions of its label, marks and words, in pixels from the top."""

    label: str
    value: str
    label_top: int
    value_top: int
    marks: int
    digits: int
    data: Drawn


def laid_out(shares: Sequence[Drawn], *, words: int, top: int = 0) -> tuple[list[Row], int]:
    """The rows from `top` down, optionally sorted, and their end.

    The first row has room for words under its marks.
    """
    digits = numbers.common_digits(shares)
    telling = [data for data in shares if not numbers.tells_nothing(data)]
    digits = numbers.common_digits(telling) if telling else digits
    values = [_value(data, digits) for data in shares]
    entries = [unknown(data) if numbers.tells_nothing(data) else data for data in shares]
    return stacked(entries, values, digits, words=words, top=top)


def _value(data: Drawn, digits: int) -> str:
    estimate, interval = numbers.share_texts(data, digits)
    return interval if numbers.tells_nothing(data) else f"{estimate}  [{interval}]"


def unknown(data: Drawn) -> Drawn:
    """A row of which nothing is drawn: its interval would be as wide as the figure."""
    return replace(data, estimate=None, interval=NOWHERE, interval_50=NOWHERE)


def stacked(
    entries: Sequence[Drawn],
    values: Sequence[str],
    digits: int,
    *,
    words: int = 0,
    top: int = 0,
) -> tuple[list[Row], int]:
    """Rows with these values beside their labels, from `top` down, and their end."""
    rows: list[Row] = []
    for data, value in zip(entries, values, strict=True):
        lines = wrap_text(data.label, WIDE)
        # The value is right of a short label, or below a long one.
        lines_below = len(lines) if len(lines[-1]) > BESIDE or len(lines) > 1 else 0
        marks = top + (max(len(lines), lines_below + 1)) * LABEL_LINE + MARKS // 2
        label = "<br>".join(map(escape, lines))
        rows.append(Row(label, value, top, top + lines_below * LABEL_LINE, marks, digits, data))
        top = marks + MARKS // 2 + GAP + (words * WORDS if len(rows) == 1 else 0)
    return rows, top


def wrap_text(text: str, width: int) -> list[str]:
    """The text in at most three lines; the table has the full text."""
    lines = textwrap.wrap(text, width, max_lines=MOST_LINES, placeholder=" …") or [""]
    # The second line of a text in Hebrew may begin with a name in Latin letters.
    return [f"{FROM_RIGHT}{line}{END}" for line in lines] if is_leftward(text) else lines


def axis_range(shares: Iterable[Drawn]) -> tuple[float, float]:
    """0 to 100, extended to include every interval and estimate."""
    values = [
        100 * value
        for row in shares
        if not numbers.tells_nothing(row)
        for value in (row.estimate, *row.interval)
        if value is not None
    ]
    low, high = min([0.0, *values]), max([100.0, *values])
    return BEYOND * math.floor(low / BEYOND), BEYOND * math.ceil(high / BEYOND)


def figure_layout(
    rows: Sequence[Row],
    height: int,
    axis: tuple[float, float],
    marks: Sequence[tuple[str, str]],
    about: About,
) -> dict[str, Any]:
    texts = [text for row in rows for text in row_texts(row)]
    texts += [
        _word(rows[0], name, label, axis, line=line)
        for line, (name, label) in enumerate(marks)
        if getattr(rows[0].data, name) is not None
    ]
    return {
        **base_layout(height, source_line(about), title_of(about.text)),
        "xaxis": share_axis(axis),
        "annotations": texts,
        "shapes": impossible_ranges(axis),
    }


def base_layout(height: int, source: str, title: str) -> dict[str, Any]:
    """The common layout: fonts, colours, one unit per pixel downwards, a caption for a picture."""
    return {
        "separators": numbers.separators(),
        "height": height + MARGIN["t"] + MARGIN["b"],
        "margin": MARGIN,
        "font": {"family": FONT, "size": 14, "color": COLOURS["ink"]},
        "paper_bgcolor": COLOURS["surface"],
        "plot_bgcolor": COLOURS["surface"],
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": COLOURS["ink"],
            "bordercolor": COLOURS["ink"],
            "font": {"color": COLOURS["surface"]},
        },
        "yaxis": {"range": [height, 0], "visible": False, "fixedrange": True},
        "meta": {"title": title, "source": source},
    }


def share_axis(axis: tuple[float, float]) -> dict[str, Any]:
    reach = axis[1] - axis[0]
    return {
        "range": list(axis),
        "fixedrange": True,
        "tick0": 0,
        # As many ticks as fit on a phone without turning them, however far the axis reaches.
        "dtick": next((step for step in TICKS if reach <= 8 * step), reach // 8),
        "tickangle": 0,
        **numbers.percent_ticks(),
        "showticksuffix": "last",
        "showtickprefix": "last",
        "tickfont": {"size": 13, "color": COLOURS["quiet"]},
        "gridcolor": COLOURS["line"],
        "zeroline": axis != (0, 100),
        "zerolinecolor": COLOURS["quiet"],
        "showline": False,
    }


def impossible_ranges(axis: tuple[float, float]) -> list[dict[str, Any]]:
    """The parts of the axis outside 0 to 100, where no true share can lie."""
    return ranges_outside(axis, (0, 100))


def ranges_outside(
    axis: tuple[float, float], possible: tuple[float, float]
) -> list[dict[str, Any]]:
    """The parts of the axis outside what is possible, shaded."""
    parts = [(axis[0], possible[0]), (possible[1], axis[1])]
    return [
        {
            "type": "rect",
            "xref": "x",
            "yref": "paper",
            "x0": low,
            "x1": high,
            "y0": 0,
            "y1": 1,
            "fillcolor": COLOURS["paper"],
            "line": {"color": COLOURS["quiet"], "width": 1, "dash": "dot"},
            "layer": "below",
        }
        for low, high in parts
        if low < high
    ]


def row_texts(row: Row) -> list[dict[str, Any]]:
    return label_and_value(row.label, row.label_top, row.value, row.value_top)


def label_and_value(label: str, top: int, value: str, value_top: int) -> list[dict[str, Any]]:
    beside = text_at(value, value_top, x=1, anchor="right")
    beside["font"] = {"color": COLOURS["accent"], "weight": 600, "size": 13}
    return [text_at(label, top, x=0, anchor="left"), beside]


def text_at(text: str, top: int, *, x: float, anchor: str) -> dict[str, Any]:
    return {
        "text": text,
        "xref": "paper",
        "x": x,
        "xanchor": anchor,
        "y": top,
        "yanchor": "top",
        "align": "left",
        "showarrow": False,
        "borderpad": 0,
        # The background hides the grid behind the words.
        "bgcolor": COLOURS["surface"],
    }


def _word(
    row: Row, name: str, label: str, axis: tuple[float, float], *, line: int
) -> dict[str, Any]:
    share, top = 100 * getattr(row.data, name), row.marks + MARKS // 2 - 4 + line * WORDS
    return word_under(label, share, top, axis, "chance" if name == "reported_share" else "ink")


def word_under(
    label: str, place: float, top: int, axis: tuple[float, float], colour: str = "ink"
) -> dict[str, Any]:
    """The name of a mark under it, kept inside the figure at both ends of the axis."""
    position = (place - axis[0]) / (axis[1] - axis[0])
    text = text_at(label, top, x=place, anchor="center")
    text["xref"] = "x"
    text["xanchor"] = "left" if position < 0.18 else "right" if position > 0.82 else "center"
    return text | {"font": {"color": COLOURS[colour], "size": 12}}


def title_of(text: str) -> str:
    return "<br>".join(map(escape, wrap_text(text, TITLE_WIDE)))


def source_line(about: About) -> str:
    """The source line of a figure that is copied out of the page."""
    reports = ngettext("%(n)s report", "%(n)s reports", about.n) % {"n": numbers.count(about.n)}
    if about.epsilon is None:
        return f"{reports} · {_('asked directly')}"
    return f"{reports} · ε = {numbers.epsilon(about.epsilon)}"
