"""Figures of results: what they show, as data, and how matplotlib draws it.

matplotlib is imported when a figure is drawn. Nothing of its settings is changed: only the axes
that are drawn on.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple, Protocol, Self

from rr_engine.display.description import Table
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.frames.extras import pyplot

# Room for the rows of a figure, in inches.
ROW, MARGIN, WIDTH = 0.4, 1.4, 6.4
# Signs of a label on one line: a longer one would leave no room for what it is about.
LONGEST_LINE = 30
# Marks of lines that follow each other, so that they differ without colours.
MARKS = "osD^vPX*"


class Figure(Protocol):
    """What a figure shows."""

    def draw(self, ax: Any) -> None:
        """Draw it on axes of matplotlib."""

    def size(self) -> tuple[float, float]:
        """Return the width and height of a figure of its own, in inches."""


class Intervals(NamedTuple):
    """Values with their intervals, one row for each label from top to bottom.

    `reference`: a value to compare with, drawn as a line.
    """

    labels: Sequence[str]
    values: Sequence[float]
    lower: Sequence[float]
    upper: Sequence[float]
    axis: str
    title: str
    reference: float | None = None

    @classmethod
    def of(cls, table: Table, axis: str, title: str, reference: float | None = None) -> Self:
        """Return the figure of a table: labels, values, and ends called lower and upper."""
        columns: Any = table.columns
        labels, values, *_ = columns.values()
        names = [str(label) for label in labels]
        return cls(names, values, columns["lower"], columns["upper"], axis, title, reference)

    def size(self) -> tuple[float, float]:
        most = max((label.count("\n") for label in self._wrapped()), default=0)
        return WIDTH, MARGIN + ROW * len(self.labels) * (1 + most / 2)

    def _wrapped(self) -> list[str]:
        return [fill(str(label), LONGEST_LINE) for label in self.labels]

    def draw(self, ax: Any) -> None:
        places = list(range(len(self.labels)))
        ax.hlines(places, self.lower, self.upper, linewidth=2)
        ax.plot(self.values, places, linestyle="none", marker="o")
        if self.reference is not None:
            ax.axvline(self.reference, linestyle="--", linewidth=1, color="0.4")
        ax.set_yticks(places, self._wrapped())
        ax.set_ylim(len(places) - 0.5, -0.5)
        ax.set_xlabel(self.axis)
        ax.set_title(self.title)


class Lines(NamedTuple):
    """One or more lines over the same places.

    `level`: of a line across.
    """

    places: Sequence[float]
    lines: Mapping[str, Sequence[float]]
    across: str
    up: str
    title: str
    level: float | None = None

    def size(self) -> tuple[float, float]:
        return WIDTH, 4.8

    def draw(self, ax: Any) -> None:
        for (label, values), mark in zip(self.lines.items(), MARKS * len(self.lines), strict=False):
            ax.plot(self.places, values, marker=mark, markersize=4, label=label)
        if self.level is not None:
            ax.axhline(self.level, linestyle="--", linewidth=1, color="0.4")
        if len(self.lines) > 1:
            ax.legend()
        ax.set_xlabel(self.across)
        ax.set_ylabel(self.up)
        ax.set_title(self.title)


def power_lines(sizes: Sequence[int], lines: Mapping[str, Sequence[float]]) -> Lines:
    """Return the figure of powers by the number of respondents."""
    title = "Power by the number of respondents"
    return Lines(sizes, lines, "Respondents", "Power of the test", title)


class Points(NamedTuple):
    """Points of two numbers; `same`: whether equal numbers are marked by a line."""

    places: Sequence[float]
    values: Sequence[float]
    across: str
    up: str
    title: str
    same: bool = False
    level: float | None = None

    def size(self) -> tuple[float, float]:
        return WIDTH, 4.8

    def draw(self, ax: Any) -> None:
        ax.plot(self.places, self.values, linestyle="none", marker="o", markersize=4)
        if self.same:
            ax.axline((0, 0), slope=1, linestyle="--", linewidth=1, color="0.4")
        if self.level is not None:
            ax.axhline(self.level, linestyle="--", linewidth=1, color="0.4")
        ax.set_xlabel(self.across)
        ax.set_ylabel(self.up)
        ax.set_title(self.title)


class Bars(NamedTuple):
    """Bars over whole numbers, with marks of a second list of values beside them."""

    places: Sequence[int]
    bars: Sequence[float]
    bars_are: str
    marks: Sequence[float]
    marks_are: str
    across: str
    up: str
    title: str

    def size(self) -> tuple[float, float]:
        return WIDTH, 4.8

    def draw(self, ax: Any) -> None:
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.bar(self.places, self.bars, label=self.bars_are, color="0.75")
        marks = self.places[: len(self.marks)]
        ax.plot(marks, self.marks, linestyle="none", marker="o", markersize=4, label=self.marks_are)
        ax.legend()
        ax.set_xlabel(self.across)
        ax.set_ylabel(self.up)
        ax.set_title(self.title)


class Drawn(Shown):
    """A result with a figure."""

    __slots__ = ()

    @abstractmethod
    def _figure(self) -> Figure:
        """What is drawn."""

    def plot(self, ax: Any = None) -> Any:
        """Draw the result by matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a figure of its own when left out.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ArgumentError
        ImportError
            Naming the extra, where matplotlib is not installed.
        """
        if ax is not None and not hasattr(ax, "get_xlim"):
            raise ArgumentError("ax", ax, "be axes of matplotlib", "not_axes")
        figure = self._figure()
        chosen = ax
        if chosen is None:
            _, chosen = pyplot().subplots(figsize=figure.size(), layout="constrained")
        figure.draw(chosen)
        return chosen
