"""Figures of shares for templates: rows with their texts, and strips on one axis."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.findings.choice import Choice
from surveys.results.findings.strips import (
    NOWHERE,
    Axis,
    Marks,
    axis_svg,
    number_axis,
    share_axis,
    strip_svg,
)

# Below all estimates: of what is not known.
LAST = -1e9


@dataclass(frozen=True, slots=True)
class Row:
    """One number of a figure: its texts, and its marks, which `strip` is drawn from."""

    label: str
    estimate: str
    interval: str
    outside: bool
    marks: Marks
    strip: SafeString
    is_known: bool = True


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows under a title, on the axis of their figure."""

    title: str
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Histogram:
    """`edges`: one more than the shares between them."""

    edges: Sequence[float]
    shares: Sequence[Marks]


@dataclass(frozen=True, slots=True)
class Picture:
    """What has no axis, with words on how it is read."""

    svg: SafeString
    words: str


@dataclass(frozen=True, slots=True)
class Figure:
    """Panels on one `scale`, drawn as `axis`. `unit`: of its numbers, "%" of shares.

    `bars`: the histogram that is drawn above them. `picture`: what else is.

    `key`: of the figure that can be zoomed and exported; empty where there is none.
    """

    name: str
    key: str
    heading: str
    unit: str
    scale: Axis
    axis: SafeString
    panels: Sequence[Panel]
    histogram: Histogram | None = None
    bars: SafeString | None = None
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A share under its label; `share`: one of any part of the results, or a weighted one."""

    label: str
    share: numbers.Estimated
    truth: float | None = None

    @property
    def fixed(self) -> bool:
        """Whether the margins that were declared say what it is."""
        return getattr(self.share, "fixed", False)

    @property
    def known(self) -> float | None:
        """The estimate, where the reports tell something of it."""
        return None if numbers.tells_nothing(self.share) else self.share.estimate

    @property
    def size(self) -> float:
        estimate = self.share.estimate
        return LAST if estimate is None else estimate

    @property
    def marks(self) -> Marks:
        if self.known is None:
            return Marks(None, NOWHERE, truth=self.truth)
        inner: Any = getattr(self.share, "interval_50", NOWHERE)
        return Marks(self.known, self.share.interval, inner, self.truth)


def share_figure(
    name: str,
    key: str,
    blocks: Iterable[tuple[str, Sequence[Shown]]],
    choice: Choice,
    heading: str,
    picture: Picture | None = None,
) -> Figure:
    """Return a panel of rows for each block, by its title, all on one axis."""
    ordered = [
        (title, sorted(rows, key=lambda row: -row.size) if choice.by_size else rows)
        for title, rows in blocks
    ]
    axis = share_axis([row.marks for _title, rows in ordered for row in rows])
    return Figure(
        name=name,
        key=key,
        heading=heading,
        unit=numbers.with_percent_sign("").strip(),
        scale=axis,
        axis=axis_svg(axis, name),
        panels=[Panel(title, _rows(rows, axis, name)) for title, rows in ordered],
        picture=picture,
    )


def _rows(shown: Sequence[Shown], axis: Axis, name: str) -> list[Row]:
    estimated = [row.share for row in shown if row.known is not None and not row.fixed]
    digits = numbers.common_digits(estimated) if estimated else 1
    return [_row(row, axis, name, digits) for row in shown]


def _row(row: Shown, axis: Axis, name: str, digits: int) -> Row:
    estimate, interval = numbers.share_texts(row.share, digits)
    if row.fixed:
        estimate, interval = numbers.percent(row.known, digits), _("fixed by the margin")
    return Row(
        label=row.label,
        estimate=estimate,
        interval=interval,
        outside=row.known is not None and not 0 <= row.known <= 1,
        marks=row.marks,
        strip=strip_svg(axis, row.marks, name),
        is_known=row.known is not None,
    )


def value_figure(
    name: str, key: str, values: Sequence[tuple[str, str, str, Marks]], heading: str
) -> Figure:
    """Return rows of numbers that are no shares, each with texts and marks, on an axis with 0."""
    axis = number_axis(0.0, 0.0, [marks for *_texts, marks in values])
    rows = [
        Row(
            label,
            estimate,
            interval,
            outside=False,
            marks=marks,
            strip=strip_svg(axis, marks, name),
        )
        for label, estimate, interval, marks in values
    ]
    return Figure(
        name=name,
        key=key,
        heading=heading,
        unit="",
        scale=axis,
        axis=axis_svg(axis, name),
        panels=[Panel("", rows)],
    )
