"""The graph and the table of a pilot's dependence, as templates draw them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, isfinite, pi, sin

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.features.pilots.clusters import Names
from surveys.features.pilots.dependence import DependenceGraph, Row

# The picture in its own units; labels stand outside the circle of nodes.
WIDTH, HEIGHT, RADIUS = 720, 480, 170
LABEL = RADIUS + 38
THINNEST, THICKEST = 1, 12
MOST_LABEL = 13
# The room for a letter, and the widest picture that a phone shows as a whole.
LETTER, NARROW = 12, 520
SHADES = 10
# The pairs that the text beside the picture names.
MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Node:
    """`cluster` is written into it; `name` beside it."""

    x: str
    y: str
    cluster: int
    name: str
    label_x: str
    label_y: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Edge:
    x1: str
    y1: str
    x2: str
    y2: str
    width: str
    within: bool


@dataclass(frozen=True, slots=True)
class Graph:
    """`words` names the strongest pairs, for whoever does not see the picture."""

    nodes: list[Node]
    edges: list[Edge]
    words: str

    @property
    def width(self) -> int:
        """The width that the names need, with the circle in the middle."""
        longest = max(len(node.name) for node in self.nodes)
        return min(WIDTH, 2 * (LABEL + LETTER * longest))

    @property
    def view_box(self) -> str:
        return f"{(WIDTH - self.width) // 2} 0 {self.width} {HEIGHT}"

    @property
    def is_narrow(self) -> bool:
        return self.width <= NARROW


@dataclass(frozen=True, slots=True)
class Cell:
    """`shade` from 0 to 10; `title` is the whole in words. Empty where there is no pair."""

    value: str = ""
    error: str = ""
    shade: int = 0
    note: str = ""


def graph_figure(graph: DependenceGraph, clusters: Names) -> Graph:
    """Questions on a circle, those of a cluster side by side; lines for dependence that counts."""
    order = [name for names in clusters for name in names]
    cluster_of = {name: number for number, names in enumerate(clusters, 1) for name in names}
    angles = {name: 2 * pi * place / len(order) - pi / 2 for place, name in enumerate(order)}
    weights = graph.weights()
    edges = []
    for first, name in enumerate(graph.names):
        for second in range(first):
            weight = float(weights[first, second])
            if weight:
                other = graph.names[second]
                within = cluster_of[name] == cluster_of[other]
                edges.append((weight, _edge(angles[name], angles[other], weight, within=within)))
    edges.sort(key=lambda edge: edge[0])
    nodes = [_node(name, cluster_of[name], angles[name]) for name in order]
    return Graph(nodes, [edge for _weight, edge in edges], _graph_words(graph))


def heat_rows(content: Row, names: Sequence[str]) -> list[tuple[str, list[Cell]]]:
    """Return for each question but the first its dependence on those before it."""
    measured = {(row["first"], row["second"]): row for row in content["pairs"]}
    return [
        (name, [_cell(measured[other, name]) for other in names[:place]])
        for place, name in enumerate(names)
        if place
    ]


def notes_in(content: Row) -> list[str]:
    """The remarks that marks in the table stand for."""
    codes = {row.get("note", "") for row in content["pairs"]}
    return [text for code, (_mark, text) in _notes().items() if code in codes]


def _cell(row: Row) -> Cell:
    if not row["n"]:
        return Cell(value=numbers.UNKNOWN)
    mark, _text = _notes().get(row["note"], ("", ""))
    return Cell(
        value=numbers.fixed_decimals(row["value"], 2),
        error=numbers.fixed_decimals(row["standard_error"], 2),
        shade=min(SHADES, round(SHADES * row["value"])),
        note=mark,
    )


def _notes() -> Mapping[str, tuple[str, str]]:
    """Return a mark and what it stands for, by the code of the library."""
    return {
        "rare_merged": ("*", _("* Rare answers were merged for this pair.")),
        "mostly_noise": ("†", _("† So much is left to chance that this says little.")),
        "no_spread": ("‡", _("‡ All estimated answers to one of the two questions are the same.")),
        "nothing_told": ("§", _("§ The reports tell nothing of this pair.")),
    }


def _graph_words(graph: DependenceGraph) -> str:
    weights = graph.weights()
    pairs = [
        (float(weights[first, second]), graph.names[second], graph.names[first])
        for first in range(len(graph.names))
        for second in range(first)
        if weights[first, second] and isfinite(weights[first, second])
    ]
    if not pairs:
        return _("No dependence is told from noise.")
    pairs.sort(reverse=True)
    named = [
        _("%(first)s and %(second)s %(value)s")
        % {"first": first, "second": second, "value": numbers.fixed_decimals(value, 2)}
        for value, first, second in pairs[:MOST_NAMED]
    ]
    return _("The strongest: %s.") % ", ".join(named)


def _node(name: str, cluster: int, angle: float) -> Node:
    x, y = _at(angle, RADIUS)
    label_x, label_y = _at(angle, LABEL)
    anchor = "middle" if abs(cos(angle)) < 0.2 else "start" if cos(angle) > 0 else "end"
    return Node(x, y, cluster, _short(name), label_x, label_y, anchor)


def _short(name: str) -> str:
    """A long name without its middle: numbered names differ at their ends."""
    half = MOST_LABEL // 2
    return name if len(name) <= MOST_LABEL else f"{name[:half]}…{name[-half:]}"


def _edge(first: float, second: float, weight: float, *, within: bool) -> Edge:
    width = f"{THINNEST + (THICKEST - THINNEST) * weight:.1f}"
    return Edge(*_at(first, RADIUS), *_at(second, RADIUS), width, within)


def _at(angle: float, radius: float) -> tuple[str, str]:
    """A point of the picture, in the text of an attribute."""
    return f"{WIDTH / 2 + radius * cos(angle):.1f}", f"{HEIGHT / 2 + radius * sin(angle):.1f}"
