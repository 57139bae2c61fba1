"""Domingo-Ferrer, Mulero-Vellido & Soria-Comas (2018), Table 1: clusters of the Adult data.

The paper prints the number of attributes and the epsilon of each cluster, from one survey. Here are
the attributes that give these epsilons, and how often 20 surveys lead to them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

import rr_engine
from papers.files import AMBER, TEAL, write
from papers.populations import Records
from rr_engine.clusters.clustering import clusters_on_line, embeddings, in_order, walk

ATTRIBUTES = (
    "workclass", "education", "marital-status", "occupation", "relationship", "race", "sex",
    "native-country", "income",
)  # fmt: skip
SIZES = (9, 16, 7, 15, 6, 5, 2, 42, 2)
# Table 1. It prints numbers of attributes and epsilons; these are the attributes that give them.
# Sex and income have two categories each, so that either may stand for the other.
TABLE_1 = {
    0.9: (((0, 1), 7.309), ((5, 7), 7.735), ((2, 3, 4, 6, 8), 11.975)),
    0.8: (((0, 1, 5, 7), 11.844), ((3, 8), 5.171), ((2, 4, 6), 6.234)),
    0.7: (((1, 3, 8), 7.337), ((0, 5, 7), 8.569), ((2, 4, 6), 5.695)),
}
CHANCES = tuple(TABLE_1)
CLUSTERS = 3
SEED, SURVEYS = 2018, 20
# Random first vectors of the iteration in each survey, as Lin and Cohen begin.
STARTS = 50
SIMILAR = [[0, "#ffffff"], [1, TEAL]]
Clusters = tuple[tuple[int, ...], ...]


def reproduce(folder: Path, records: Records | None) -> None:
    write(folder, "domingoferrer2018-table-1", *table_1())
    if records is not None:
        write(folder, "domingoferrer2018-clusters", *clusters(records))


def epsilon_of(members: Sequence[int], p: float) -> float:
    """The loss of one device over these attributes."""
    return rr_engine.channels.joint_design([SIZES[place] for place in members], p, bits=52).epsilon


def table_1() -> tuple[list[dict], go.Figure]:
    """Each printed epsilon beside that of the formula, ln(p m S / (1 - p))."""
    rows = [
        {
            "p": p,
            "cluster": ", ".join(ATTRIBUTES[place] for place in members),
            "attributes": len(members),
            "cells": int(np.prod([SIZES[place] for place in members])),
            "printed": printed,
            "formula": epsilon_of(members, p),
        }
        for p, entries in TABLE_1.items()
        for members, printed in entries
    ]
    names = [f"p {row['p']}: {row['cluster'].replace(', ', '<br>')}" for row in rows]
    chart = go.Figure()
    for key, colour in (("printed", AMBER), ("formula", TEAL)):
        values = [row[key] for row in rows]
        chart.add_trace(go.Bar(x=names, y=values, name=key, marker_color=colour))
    chart.update_layout(title="Epsilon of each cluster of Table 1", yaxis_title="epsilon")
    return rows, chart


def clusters(records: Records) -> tuple[list[dict], go.Figure]:
    """Clusters from randomized pairs, as the paper finds them and from corrected estimates."""
    rows, generator, shown = [], np.random.default_rng(SEED), []
    for p in CHANCES:
        surveys = [_similarities(records, p, generator) for _ in range(SURVEYS)]
        shown.append((p, surveys[0]))
        for way, (measure, method) in WAYS.items():
            found = Counter(_cluster(survey[measure], method) for survey in surveys)
            starts = [
                divided
                for survey in surveys
                for divided in (_from_chance(survey[measure], generator) if method == "pic" else ())
            ]
            rows += _common(p, way, found, starts)
    return rows, _similarity_chart(shown, records)


# Which similarity each way takes, and which method.
WAYS = {
    "V of the reports, PIC": ("reports", "pic"),
    "1/V of the reports as weight, PIC": ("inverse", "pic"),
    "corrected V, PIC": ("corrected", "pic"),
    "corrected V, spectral": ("corrected", "spectral"),
    "corrected V, hierarchical": ("corrected", "hierarchical"),
    "corrected V, best with 1,000 cells": ("corrected", "best"),
}
MOST_CELLS = 1000


def _cluster(similarity: np.ndarray | rr_engine.clusters.DependenceGraph, method: str) -> Clusters:
    if method == "best":
        return rr_engine.clusters.choose_clusters(similarity, SIZES, MOST_CELLS).clusters
    return rr_engine.clusters.cluster_attributes(similarity, CLUSTERS, method)


def _from_chance(
    similarity: np.ndarray | rr_engine.clusters.DependenceGraph, generator: np.random.Generator
) -> Iterator[Clusters]:
    """Clusters of power iteration from first vectors of chance, one after the other."""
    given = isinstance(similarity, rr_engine.clusters.DependenceGraph)
    weights = similarity.weights() if given else np.where(np.eye(len(SIZES)), 0, similarity)
    step = walk(weights)
    for vector in embeddings(step, generator.dirichlet(np.ones(len(SIZES)), STARTS)):
        yield in_order(clusters_on_line(vector, CLUSTERS))


def _similarities(records: Records, p: float, generator: np.random.Generator) -> dict:
    """One survey of all pairs: V of the reports as they came in, one over it, and V corrected."""
    names, n = records.attributes, records.n
    raw, estimates = np.eye(len(names)), {}
    for first, second in combinations(range(len(names)), 2):
        table = records.table(first, second)
        channel = rr_engine.channels.joint_design(table.shape, p)
        counts = channel.survey_counts(table.ravel() / n, n, generator, 1)[0].reshape(table.shape)
        estimates[names[first], names[second]] = rr_engine.estimate_joint([channel], counts)
        raw[first, second] = raw[second, first] = v_of(counts)
    asked = [rr_engine.clusters.Attribute(*each) for each in zip(names, records.sizes, strict=True)]
    # Weights from 0 to 1: 1/V in units of the largest one.
    inverse = raw.min() / raw
    return {
        "reports": raw,
        "inverse": inverse,
        "corrected": rr_engine.clusters.dependence_graph(asked, estimates),
    }


def v_of(counts: np.ndarray) -> float:
    """Cramer's V of a table as it is."""
    shares = counts / counts.sum()
    product = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    some = product > 0
    squares = ((shares - product)[some] ** 2 / product[some]).sum()
    return float(np.sqrt(squares / (min(counts.shape) - 1)))


def _common(
    p: float, way: str, counter: Counter[Clusters], starts: Sequence[Clusters]
) -> Iterator[dict]:
    """The clusters found most often, and how often they are those of Table 1."""
    printed = {_sizes_of(members) for members, _ in TABLE_1[p]}

    def agrees(found: Clusters) -> bool:
        return set(map(_sizes_of, found)) == printed

    found, times = max(counter.items(), key=lambda item: (item[1], item[0]))
    for members in found:
        yield {
            "p": p,
            "way": way,
            "cluster": ", ".join(ATTRIBUTES[place] for place in members),
            "cells": int(np.prod([SIZES[place] for place in members])),
            "epsilon": epsilon_of(members, p),
            "surveys": times,
            "as_printed": sum(number for other, number in counter.items() if agrees(other)),
            "starts_as_printed": float(np.mean(list(map(agrees, starts)))) if starts else "",
        }


def _sizes_of(members: Sequence[int]) -> tuple[int, ...]:
    """Return what an epsilon tells of a cluster: not which of two attributes of one size it has."""
    return tuple(SIZES[place] for place in members)


def _similarity_chart(shown: list[tuple[float, dict]], records: Records) -> go.Figure:
    names = ("all answers", "of the reports", "corrected")
    titles = [f"p {p}: {name}" for p, _ in shown for name in names]
    chart = make_subplots(
        rows=len(shown), cols=3, subplot_titles=titles, shared_xaxes=True, shared_yaxes=True,
        horizontal_spacing=0.02, vertical_spacing=0.05,
    )  # fmt: skip
    size = len(records.attributes)
    true = np.eye(size)
    for first, second in combinations(range(size), 2):
        true[first, second] = true[second, first] = v_of(records.table(first, second))
    for row, (_, similarities) in enumerate(shown, 1):
        tables = (true, similarities["reports"], similarities["corrected"].similarity)
        for column, table in enumerate(tables, 1):
            trace = go.Heatmap(
                z=np.where(np.eye(size), np.nan, table),
                x=records.attributes,
                y=records.attributes,
                coloraxis="coloraxis",
            )
            chart.add_trace(trace, row=row, col=column)
    chart.update_yaxes(autorange="reversed")
    axis = {"colorscale": SIMILAR, "cmin": 0, "cmax": 0.7, "colorbar": {"title": "V"}}
    title = "Cramér's V of all pairs, from one randomized survey of each"
    return chart.update_layout(title=title, coloraxis=axis, height=1250, width=1250)
