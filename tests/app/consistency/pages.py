"""What a page of results shows, read as its readers do: from texts, and from places of marks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.test.html import Element, parse_html

NUMBER = re.compile(r"−?\d[\d,]*(?:\.\d+)?")
UNKNOWN = "–"
UNDRAWN = ()


@dataclass(frozen=True)
class Shown:
    """A number as text: its value, and half of the last place that is written."""

    value: float
    half: float


@dataclass(frozen=True)
class Marks:
    """Values that the marks of a row stand for; `close`: by how much a drawing rounds them.

    `interval` is UNDRAWN where the figure has none of any number.
    """

    estimate: float | None
    interval: tuple[float, ...] | None
    close: float


@dataclass(frozen=True)
class Reading:
    """One estimate at one place. `estimate`, `interval`, `error`: texts; None where not shown.

    `row`: all that stands in its row, or its cell. `unit`: what the row, its heading or its axis
    says that the number is of. `block`: all words of the part of the page around it.
    """

    where: str
    estimate: str | None
    interval: str | None
    error: str | None = None
    likeliest: str | None = None
    row: str = ""
    unit: str = ""
    block: str = ""
    marks: Marks | None = None


def number_in(text: str) -> Shown | None:
    """The first number of a text; None where it has none, as of what is not known."""
    found = NUMBER.search(text)
    if found is None:
        return None
    digits = len(found[0].partition(".")[2])
    return Shown(float(found[0].replace("−", "-").replace(",", "")), 0.5 * 10.0**-digits)


def span_in(text: str) -> tuple[Shown, Shown] | None:
    """The ends of an interval; None where words stand in its place."""
    low, dots, high = text.partition("…")
    ends = number_in(low), number_in(high)
    return (ends[0], ends[1]) if dots and ends[0] and ends[1] else None


# --- elements -----------------------------------------------------------------------------------


class Node:
    """An element of a page."""

    def __init__(self, element: Element) -> None:
        self.element = element
        self.name = element.name
        self.attributes = dict(element.attributes)

    def all(self, name: str = "", **having: str) -> list["Node"]:
        """Return those within it of this name, with these words among those of their attributes."""
        return [
            node
            for node in self.within
            if name in ("", node.name)
            and all(
                value in (node.attributes.get(key.rstrip("_").replace("_", "-")) or "").split()
                for key, value in having.items()
            )
        ]

    @cached_property
    def within(self) -> list["Node"]:
        return [*self._walk()]

    def _walk(self) -> Iterator["Node"]:
        for child in self.element.children:
            if isinstance(child, Element):
                node = Node(child)
                yield node
                yield from node.within

    @cached_property
    def text(self) -> str:
        return " ".join(" ".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.element.children:
            yield from [child] if isinstance(child, str) else Node(child)._texts()

    @property
    def id(self) -> str:
        return self.attributes.get("id") or ""


def page_of(html: str) -> Node:
    """The main part of a page."""
    return Node(parse_html(html[html.index("<main") : html.index("</main>") + len("</main>")]))


# --- figures ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Axis:
    """Places in percent of the width, and the values of the ticks there."""

    places: Sequence[float]
    values: Sequence[float]

    def value(self, place: float) -> float:
        (first, *_some, last), (low, *_others, high) = self.places, self.values
        return low + (high - low) * (place - first) / (last - first)

    @property
    def close(self) -> float:
        """Places are rounded to hundredths of a percent, those of the ticks as well."""
        return 0.011 * abs(self.value(100) - self.value(0)) / 100


def axis_of(ticks: Sequence[tuple[float, str]], scale: int) -> Axis:
    """Return the axis of ticks at their places; the texts are `scale` times its values."""
    shown = [number_in(text) for _place, text in ticks]
    assert all(shown), ticks
    return Axis([place for place, _ in ticks], [each.value / scale for each in shown if each])


def drawn_axis(svg: Node, scale: int) -> Axis:
    ticks = svg.all("text", class_="strip__tick")
    return axis_of([(_place(each, "x"), each.text) for each in ticks], scale)


def drawn_marks(strip: Node, axis: Axis) -> Marks:
    """The values of the dot and of the thin line of a strip."""
    dots = strip.all("circle", class_="strip__estimate")
    lines = strip.all("line", class_="strip__95")
    assert len(dots) <= 1
    assert len(lines) <= 1
    estimate = axis.value(_place(dots[0], "cx")) if dots else None
    ends = None
    if lines:
        ends = axis.value(_place(lines[0], "x1")), axis.value(_place(lines[0], "x2"))
    return Marks(estimate, ends, axis.close)


def _place(node: Node, name: str) -> float:
    return float((node.attributes.get(name) or "0").removesuffix("%"))


def figure_rows(figure: Node, block: str) -> Iterator[tuple[str, str, Reading]]:
    """Yield of each row of a figure the title of its panel, its label, and what it shows."""
    for table in figure.all("table", class_="figure__rows"):
        titles = [each.text for each in table.all("caption")]
        head, *rows = table.all("tr")
        axis_text = head.all("svg")[0].text
        scale = 100 if "%" in axis_text else 1
        axis = drawn_axis(head.all("svg")[0], scale)
        for row in rows:
            cells = row.all("td")
            known = [each.text for each in row.all("td", class_="estimate")]
            yield (
                "".join(titles),
                row.all("th")[0].text,
                Reading(
                    where=figure.id,
                    estimate=known[0] if known else None,
                    interval=cells[-1].text,
                    row=row.text,
                    unit=axis_text,
                    block=block,
                    marks=drawn_marks(cells[0], axis),
                ),
            )


# --- tables -------------------------------------------------------------------------------------

ESTIMATE = ("Estimate", "Weighted estimate", "Cramér's V", "Difference", "Coefficient")
ERROR = ("Standard error", "Standard error (points)")
INTERVAL, LIKELIEST = "95 % interval", "Maximum-likelihood estimate"


def table_rows(table: Node, block: str) -> Iterator[tuple[str, Reading]]:
    """Yield of each row its label and what it shows, in a column for each sort of number."""
    heads = [each.text for each in table.all("th", scope="col")]
    about = " ".join([table.all("thead")[0].text, *(each.text for each in table.all("caption"))])
    for row in table.all("tr")[1:]:
        own = row.all("th") + row.all("td")
        # Of two columns with one head the first is of the estimate.
        texts = {head: cell.text for head, cell in reversed([*zip(heads, own, strict=True)])}
        (estimate,) = [texts[name] for name in ESTIMATE if name in texts]
        label = [
            each.text for each in row.all("th")[0].all("span") if "data-value" in each.attributes
        ]
        yield (
            (label or [row.all("th")[0].text])[0],
            Reading(
                where=table.id,
                estimate=estimate,
                interval=texts[INTERVAL],
                error=next((texts[name] for name in ERROR if name in texts), None),
                likeliest=texts.get(LIKELIEST),
                row=row.text,
                unit=about,
                block=block,
            ),
        )


# A mean that stands in a line of its own.
MEAN = re.compile(
    "^(?P<estimate>.*), 95 % interval (?P<interval>[^,]*)"
    "(?:, standard error (?P<error>.*)|, from.*)$"
)


def mean_lines(section: Node) -> Iterator[Reading]:
    """Yield the means that are told in lines, with their intervals and errors."""
    for line in section.all("p", class_="mean"):
        found = MEAN.match(line.text)
        if found:
            yield Reading(where="a mean", row=line.text, block=section.text, **found.groupdict())


def grid_cells(table: Node, block: str) -> Iterator[tuple[str, str, Reading]]:
    """Yield of each cell its row, its column, and the estimate in it with its interval."""
    heads = [each.text for each in table.all("thead")[0].all("th")]
    about = " ".join([*(each.text for each in table.all("caption"))])
    for row in table.all("tr")[1:]:
        label, *own = row.all("th") + row.all("td")
        for head, cell in zip(heads[1:], own, strict=True):
            values = [each.text for each in cell.all("span") if "data-value" in each.attributes]
            spans = [each.text for each in cell.all("span", data_value="interval")]
            if spans:
                yield (
                    label.text,
                    head,
                    Reading(
                        where=table.id,
                        estimate=values[0],
                        interval=spans[0],
                        row=cell.text,
                        unit=about,
                        block=block,
                    ),
                )
