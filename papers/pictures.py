"""Line charts as SVG, for pages of the documentation: no program is needed to look at them."""

from collections.abc import Sequence
from dataclasses import dataclass

from papers.files import INK

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 400, 70, 20, 20, 60
GRID = "#e3ded4"
TICKS = tuple(tick / 5 for tick in range(6))


@dataclass(frozen=True)
class Line:
    """A line with its name and points from 0 to 1."""

    name: str
    colour: str
    points: Sequence[tuple[float, float]]


def line_chart(lines: Sequence[Line], across: str, up: str) -> str:
    """Return a chart of lines over the square of 0 to 1, each with its name at its end."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="system-ui, sans-serif" font-size="14" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for tick in TICKS:
        parts += [_rule(_x(tick), _y(0), _x(tick), _y(1)), _rule(_x(0), _y(tick), _x(1), _y(tick))]
        parts += [
            f'<text x="{_x(tick)}" y="{_y(0) + 20}" text-anchor="middle">{tick:g}</text>',
            f'<text x="{_x(0) - 8}" y="{_y(tick) + 5}" text-anchor="end">{tick:g}</text>',
        ]
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts += [
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 15}" '
        f'text-anchor="middle">{across}</text>',
        f'<text transform="translate(20 {middle}) rotate(-90)" text-anchor="middle">{up}</text>',
    ]
    for line in lines:
        points = " ".join(f"{_x(x)},{_y(y)}" for x, y in line.points)
        x, y = line.points[-1]
        parts += [
            f'<polyline points="{points}" fill="none" stroke="{line.colour}" stroke-width="2.5"/>',
            f'<text x="{_x(x)}" y="{_y(y) - 10}" text-anchor="end" '
            f'fill="{line.colour}">{line.name}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _x(value: float) -> float:
    return round(LEFT + value * (WIDTH - LEFT - RIGHT), 1)


def _y(value: float) -> float:
    return round(HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM), 1)


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{GRID}"/>'
