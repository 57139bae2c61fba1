"""A network drawn by its groups: single members and ties are unknown, and appear in no picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from surveys import numbers
from surveys.results.findings.strips import decimal

WIDTH, HEIGHT = 360, 236
CENTRE = (WIDTH / 2, 112.0)
REACH = (118.0, 72.0)  # half of the ellipse on which the groups stand
SMALLEST, LARGEST = 13.0, 30.0  # radii of circles
WIDEST = 10.0  # of lines
# Two arrows between the same groups pass each other to the left and right.
BOW = 0.22
MOST_LETTERS = 18


@dataclass(frozen=True, slots=True)
class Circle:
    label: str
    members: int


@dataclass(frozen=True, slots=True)
class Line:
    """The density from one group to another by their places, or within one group.

    `is_sure`: whether a density of 0 does not fit the data.
    """

    first: int
    second: int
    density: float
    is_sure: bool


@dataclass(frozen=True, slots=True)
class _Placed:
    x: float
    y: float
    radius: float


def group_svg(circles: Sequence[Circle], lines: Sequence[Line], *, directed: bool) -> SafeString:
    """Return the groups as circles whose areas are their members, with lines as wide as densities.

    Colours are attributes, for files without a style sheet; a page's style sheet overrides them.
    """
    placed = _places(circles)
    widest = max([line.density for line in lines if line.density > 0], default=1.0)
    drawn = [
        _drawn(line, placed, WIDEST * line.density / widest, directed=directed)
        for line in lines
        if line.density > 0 and line.first != line.second
    ]
    rings = {
        line.first: (WIDEST * line.density / widest, line.is_sure)
        for line in lines
        if line.density > 0 and line.first == line.second
    }
    for number, (circle, place) in enumerate(zip(circles, placed, strict=True)):
        drawn.append(_circle(place, rings.get(number)))
        drawn.append(_label(circle, place))
    # Every value inside is a number of ours or escaped.
    return mark_safe(
        f'<svg class="groups" viewBox="0 0 {WIDTH} {HEIGHT}" xmlns="http://www.w3.org/2000/svg" '
        f'aria-hidden="true" focusable="false">{"".join(drawn)}</svg>'
    )


def _places(circles: Sequence[Circle]) -> list[_Placed]:
    """On an ellipse, from the left."""
    most = max(circle.members for circle in circles)
    turns = [math.pi + 2 * math.pi * place / len(circles) for place in range(len(circles))]
    return [
        _Placed(
            CENTRE[0] + REACH[0] * math.cos(turn),
            CENTRE[1] + REACH[1] * math.sin(turn),
            max(SMALLEST, LARGEST * math.sqrt(circle.members / most)),
        )
        for circle, turn in zip(circles, turns, strict=True)
    ]


def _drawn(line: Line, placed: Sequence[_Placed], width: float, *, directed: bool) -> str:
    start, end = placed[line.first], placed[line.second]
    across, down = end.x - start.x, end.y - start.y
    bow = BOW if directed else 0.0
    middle = (start.x + end.x) / 2 - bow * down, (start.y + end.y) / 2 + bow * across
    path = f"M{_joined(start.x, start.y)}Q{_joined(*middle, end.x, end.y)}"
    curve = (
        f'<path class="groups__line" d="{path}" fill="none" stroke="#777" '
        f'stroke-width="{decimal(max(width, 1))}"{_dashes(is_sure=line.is_sure)} />'
    )
    return curve + (_head(start, middle, end, width) if directed else "")


def _head(start: _Placed, middle: tuple[float, float], end: _Placed, width: float) -> str:
    """An arrow's head in the middle of a curve, along it."""
    x = (start.x + 2 * middle[0] + end.x) / 4
    y = (start.y + 2 * middle[1] + end.y) / 4
    turn = math.degrees(math.atan2(end.y - start.y, end.x - start.x))
    half = max(width, 1) / 2 + 4
    return (
        f'<path class="groups__head" d="M{_joined(-half, -half)}L{_joined(half, 0)}'
        f'L{_joined(-half, half)}Z" fill="#444" '
        f'transform="translate({_joined(x, y)}) rotate({decimal(turn)})" />'
    )


def _circle(place: _Placed, ring: tuple[float, bool] | None) -> str:
    centre = f'cx="{decimal(place.x)}" cy="{decimal(place.y)}"'
    outline = (
        f'<circle class="groups__circle" {centre} r="{decimal(place.radius)}" fill="#fff" '
        'stroke="#444" />'
    )
    if ring is None:
        return outline
    width, is_sure = max(min(ring[0], place.radius), 1), ring[1]
    return outline + (
        f'<circle class="groups__line" {centre} r="{decimal(place.radius - width / 2)}" '
        f'fill="none" stroke="#777" stroke-width="{decimal(width)}"{_dashes(is_sure=is_sure)} />'
    )


def _label(circle: Circle, place: _Placed) -> str:
    name = circle.label
    if len(name) > MOST_LETTERS:
        name = f"{name[: MOST_LETTERS - 1].rstrip()}…"
    text = f"{name} ({numbers.count(circle.members)})"
    x, y = decimal(place.x), decimal(place.y + place.radius + 16)
    return (
        f'<text class="groups__label" x="{x}" y="{y}" '
        f'text-anchor="middle" font-size="13" fill="#222" stroke="#fff" stroke-width="4" '
        f'paint-order="stroke">{escape(text)}</text>'
    )


def _dashes(*, is_sure: bool) -> str:
    return "" if is_sure else ' stroke-dasharray="5 4"'


def _joined(*places: float) -> str:
    return " ".join(map(decimal, places))
