"""Figures as rows of SVG that need no script: one strip a number, on the axis of its table.

Places are percentages of the width, so that one drawing fits a phone, a screen and a sheet of
paper. What a strip shows stands beside it as text: it is hidden from screen readers.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from surveys import numbers
from surveys.results_document.parts import Interval

HEIGHT = 28  # pixels of a row
AXIS_HEIGHT = 20
MIDDLE = HEIGHT // 2
BARS = 120  # pixels of a histogram
# As many spaces between ticks as have room for their numbers on a phone.
MOST_STEPS = 5
NOWHERE: Interval = (None, None)


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, which `ends` has as texts, with its ticks and theirs.

    `possible`: the range of what can be, which more may be drawn than.
    """

    low: float
    high: float
    ticks: Sequence[float]
    texts: Sequence[str]
    possible: tuple[float, float]
    ends: tuple[str, str]

    def place(self, value: float) -> float:
        """Return the place of a value in percent of the width."""
        return 100 * (value - self.low) / (self.high - self.low)

    @property
    def impossible(self) -> list[tuple[float, float]]:
        """The parts where no true value can lie."""
        parts = [(self.low, self.possible[0]), (self.possible[1], self.high)]
        return [(low, high) for low, high in parts if low < high]

    @property
    def is_beyond(self) -> bool:
        return bool(self.impossible)


@dataclass(frozen=True, slots=True)
class Marks:
    """What one strip shows; what is None is not drawn."""

    estimate: float | None
    interval: Interval
    interval_50: Interval = NOWHERE
    truth: float | None = None

    def values(self) -> list[float]:
        found = (self.estimate, *self.interval, *self.interval_50, self.truth)
        return [value for value in found if value is not None]


def share_axis(rows: Iterable[Marks]) -> Axis:
    """From 0 to the first tick beyond all that is drawn; below 0 only where something is."""
    values = [value for row in rows for value in row.values()]
    low, high = min([0.0, *values]), max([0.0, *values])
    high = high or 1.0 if low == 0 else high
    step = _step(high - low)
    ticks = _ticks(low, high, step)
    digits = _digits(100 * step)
    texts = [numbers.points(tick, digits) for tick in ticks]
    texts = [*texts[:-1], numbers.with_percent_sign(texts[-1])]
    return Axis(ticks[0], ticks[-1], ticks, texts, (0, 1), (texts[0], texts[-1]))


def number_axis(lower: float, upper: float, rows: Iterable[Marks], unit: str = "") -> Axis:
    """The range of a number, extended to the first tick beyond all that is drawn.

    Both ends are 0 where there is no range.
    """
    values = [value for row in rows for value in row.values()]
    low, high = min([lower, *values]), max([upper, *values])
    high = high if high > low else low + 1
    step = _step(high - low)
    around = _ticks(low, high, step)
    low, high = (low if low == lower else around[0]), (high if high == upper else around[-1])
    ticks = [tick for tick in around if low <= tick <= high]
    digits = _digits(step)
    texts = [numbers.fixed_decimals(tick, digits) for tick in ticks]
    texts[-1] = f"{texts[-1]} {unit}".strip()
    possible = (lower, upper) if lower < upper else (low, high)
    ends = numbers.decimal(low), f"{numbers.decimal(high)} {unit}".strip()
    return Axis(low, high, ticks, texts, possible, ends)


def _step(reach: float) -> float:
    """The smallest of 1, 2, 2.5 and 5, times a power of ten, that makes few enough steps."""
    power = 10.0 ** math.floor(math.log10(reach / MOST_STEPS))
    return next(
        round(factor * power, 12)
        for factor in (1, 2, 2.5, 5, 10, 20)
        if reach / (factor * power) <= MOST_STEPS + 1e-9
    )


def _digits(step: float) -> int:
    """The decimals that tell multiples of a step apart."""
    return next(digits for digits in range(12) if abs(round(step, digits) - step) < 1e-9 * step)


def _ticks(low: float, high: float, step: float) -> list[float]:
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(place * step, 12) for place in range(first, last + 1)]


# --- drawings -----------------------------------------------------------------------------------


def axis_svg(axis: Axis, name: str) -> SafeString:
    """The numbers of an axis; it also defines the lines of all strips of the figure."""
    kept = {0, (len(axis.ticks) - 1) // 2, len(axis.ticks) - 1}
    texts = "".join(
        f'<text class="strip__tick{"" if place in kept else " strip__tick--spare"}" '
        f'x="{_at(axis, tick)}" y="14"{_anchor(axis, tick)}>{escape(text)}</text>'
        for place, (tick, text) in enumerate(zip(axis.ticks, axis.texts, strict=True))
    )
    lines = "".join(
        f'<line class="strip__grid{_kind(axis, tick)}" x1="{_at(axis, tick)}" '
        f'x2="{_at(axis, tick)}" y2="{HEIGHT}" />'
        for tick in axis.ticks
    )
    defined = f'<defs><g id="{escape(name)}-grid">{_impossible(axis)}{lines}</g></defs>'
    return _svg(defined + texts, AXIS_HEIGHT, "strip strip--axis")


def strip_svg(axis: Axis, marks: Marks, name: str = "") -> SafeString:
    """One row of the figure of this name, or one that stands alone."""
    parts = [f'<use href="#{escape(name)}-grid" />' if name else _ends(axis)]
    for ends, kind in ((marks.interval, "95"), (marks.interval_50, "50")):
        low, high = ends
        if low is not None and high is not None:
            parts.append(
                f'<line class="strip__{kind}" x1="{_at(axis, low)}" x2="{_at(axis, high)}" '
                f'y1="{MIDDLE}" y2="{MIDDLE}" />'
            )
    if marks.truth is not None:
        place, reach = _at(axis, marks.truth), f'y1="5" y2="{HEIGHT - 5}"'
        parts.append(f'<line class="strip__truth" x1="{place}" x2="{place}" {reach} />')
    if marks.estimate is not None:
        place = _at(axis, marks.estimate)
        parts.append(f'<circle class="strip__estimate" cx="{place}" cy="{MIDDLE}" r="5" />')
    return _svg("".join(parts), HEIGHT, "strip")


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a histogram: its area is the share, and `height` has the interval of that."""

    start: float
    width: float
    height: Marks


def bars_of(edges: Sequence[float], rows: Sequence[Marks]) -> tuple[list[Bar], float, float]:
    """Return the bars, and the lowest and the highest level that is drawn; 0 is between them."""
    bars = [
        Bar(low, high - low, Marks(*_heights(row, high - low)))
        for row, (low, high) in zip(rows, pairwise(edges), strict=True)
    ]
    known = [value for bar in bars for value in bar.height.values()]
    return bars, min([0.0, *known]), max([0.0, *known]) or 1.0


def _heights(row: Marks, width: float) -> tuple[float | None, Interval]:
    estimate, low, high = (
        None if value is None else value / width for value in (row.estimate, *row.interval)
    )
    return estimate, (low, high)


def bars_svg(axis: Axis, edges: Sequence[float], rows: Sequence[Marks]) -> SafeString:
    """Return a histogram: areas are shares, with the interval of each."""
    bars, low, high = bars_of(edges, rows)

    def level(value: float) -> str:
        return decimal(BARS * (high - value) / (high - low))

    parts = []
    for bar in bars:
        start, width, estimate = bar.start, bar.width, bar.height.estimate
        first, last = bar.height.interval
        if estimate is not None:
            top, bottom = max(estimate, 0.0), min(estimate, 0.0)
            parts.append(
                f'<rect class="strip__bar" x="{_at(axis, start)}" y="{level(top)}" '
                f'width="{decimal(axis.place(start + width) - axis.place(start))}%" '
                f'height="{decimal(BARS * (top - bottom) / (high - low))}" />'
            )
        if first is not None and last is not None:
            place = _at(axis, start + width / 2)
            parts.append(
                f'<line class="strip__95" x1="{place}" x2="{place}" y1="{level(first)}" '
                f'y2="{level(last)}" />'
            )
    parts.append(f'<line class="strip__grid" x2="100%" y1="{level(0.0)}" y2="{level(0.0)}" />')
    return _svg("".join(parts), BARS, "strip strip--bars")


def _ends(axis: Axis) -> str:
    """What stands behind the marks of a row that is alone."""
    lines = "".join(
        f'<line class="strip__grid" x1="{x}" x2="{x}" y2="{HEIGHT}" />' for x in ("0", "100%")
    )
    middle = f'<line class="strip__grid" x2="100%" y1="{MIDDLE}" y2="{MIDDLE}" />'
    return f"{_impossible(axis)}{lines}{middle}"


def _impossible(axis: Axis) -> str:
    """The parts of the axis where no true value can lie."""
    return "".join(
        f'<rect class="strip__impossible" x="{_at(axis, low)}" '
        f'width="{decimal(axis.place(high) - axis.place(low))}%" height="{HEIGHT}" />'
        for low, high in axis.impossible
    )


def _kind(axis: Axis, tick: float) -> str:
    return " strip__grid--end" if axis.is_beyond and tick in axis.possible else ""


def _anchor(axis: Axis, tick: float) -> str:
    place = axis.place(tick)
    anchor = "start" if place < 2 else "end" if place > 98 else "middle"
    return "" if anchor == "start" else f' text-anchor="{anchor}"'


def _at(axis: Axis, value: float) -> str:
    return f"{decimal(axis.place(value))}%"


def decimal(value: float) -> str:
    """Return a place in a drawing."""
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def _svg(content: str, height: int, kind: str) -> SafeString:
    # Every value inside is a number of ours or escaped.
    return mark_safe(
        f'<svg class="{kind}" width="100%" height="{height}" aria-hidden="true" '
        f'focusable="false">{content}</svg>'
    )
