"""Domingo-Ferrer (2018), sections 3 and 4: what is lost where the cluster model is not true.

Without any noise, so that what is left is the bias of the model itself. Two numbers x and y depend
on a third attribute t, and on each other more and more. Their correlation, and how often y is
highest where x is, are computed from the pooled distribution of three ways to ask: all in one
cluster, pairs {x, t} and {t, y}, and each by itself.
"""

from pathlib import Path

import numpy as np
import plotly.graph_objects as go

import rr_engine
from papers.files import AMBER, INK, TEAL, write
from papers.pictures import Line, line_chart

LEVELS = np.linspace(-1, 1, 5)
THIRD = np.linspace(-1, 1, 3)
# How much x and y depend on t, and on each other.
ON_THIRD = 0.8
STRENGTHS = tuple(round(0.25 * step, 2) for step in range(17))
PEOPLE = 10**12
CLUSTERS = {
    "one cluster": (("x", "t", "y"),),
    "pairs {x, t} and {t, y}": (("x", "t"), ("t", "y")),
    "each by itself": (("x",), ("t",), ("y",)),
}
COLOURS = {"one cluster": TEAL, "pairs {x, t} and {t, y}": INK, "each by itself": AMBER}
ATTRIBUTES = (
    rr_engine.crowd.CrowdAttribute("x", 5, LEVELS.tolist()),
    rr_engine.crowd.CrowdAttribute("t", 3, THIRD.tolist()),
    rr_engine.crowd.CrowdAttribute("y", 5, LEVELS.tolist()),
)


def reproduce(folder: Path) -> None:
    rows, figure = bias()
    write(folder, "domingoferrer2018-pooled", rows, figure)
    lines = [
        Line(name, COLOURS[name], [(row["true correlation"], row[name]) for row in rows])
        for name in CLUSTERS
    ]
    picture = line_chart(lines, "true correlation of x and y", "correlation in the crowd")
    (folder / "domingoferrer2018-pooled.svg").write_text(picture, encoding="utf-8")


def population(strength: float) -> np.ndarray:
    """The joint table of x, t and y."""
    x, t, y = np.meshgrid(LEVELS, THIRD, LEVELS, indexing="ij")
    table = np.exp(ON_THIRD * (x * t + y * t) + strength * x * y)
    return table / table.sum()


def crowd(
    table: np.ndarray, clusters: tuple[tuple[str, ...], ...]
) -> rr_engine.crowd.PooledDistribution:
    """The pooled distribution of these clusters, from answers that are not randomized."""
    reports = []
    for names in clusters:
        axes = tuple("xty".index(name) for name in names)
        margin = table.sum(axis=tuple(axis for axis in range(3) if axis not in axes)).ravel()
        counts = np.rint(margin * PEOPLE).astype(np.int64)
        reports.append(
            rr_engine.crowd.ClusterReports(names, [rr_engine.designs.direct(margin.size)], [counts])
        )
    return rr_engine.crowd.pooled_distribution(ATTRIBUTES, reports)


def bias() -> tuple[list[dict], go.Figure]:
    """The correlation of x and y, and the share of the highest y where x is highest."""
    rows, chart = [], go.Figure()
    for strength in STRENGTHS:
        table = population(strength)
        row: dict[str, float] = {"strength": strength}
        for name, clusters in CLUSTERS.items():
            pooled = crowd(table, clusters)
            row[name] = correlation(pooled.margin(["x", "y"]))
            row[f"highest y where x is, {name}"] = highest(pooled.margin(["x", "y"]))
        row["true correlation"] = correlation(table.sum(axis=1))
        row["highest y where x is"] = highest(table.sum(axis=1))
        rows.append(row)
    for name in CLUSTERS:
        x, y = ([row[key] for row in rows] for key in ("true correlation", name))
        chart.add_trace(go.Scatter(x=x, y=y, name=name, line_color=COLOURS[name]))
    title = "What the cluster model makes of a correlation"
    chart.update_layout(title=title, xaxis_title="true correlation", yaxis_title="in the crowd")
    return rows, chart


def correlation(pair: np.ndarray) -> float:
    first, second = pair.sum(axis=1), pair.sum(axis=0)
    means = first @ LEVELS, second @ LEVELS
    variances = first @ LEVELS**2 - means[0] ** 2, second @ LEVELS**2 - means[1] ** 2
    return float((LEVELS @ pair @ LEVELS - means[0] * means[1]) / np.sqrt(np.prod(variances)))


def highest(pair: np.ndarray) -> float:
    return float(pair[-1, -1] / pair[-1].sum())
