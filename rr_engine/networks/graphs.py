"""Graphs as arguments: a square table of 0 and 1 with an empty diagonal, and its counts."""

from __future__ import annotations

import numpy as np

from rr_engine.errors import ArgumentError
from rr_engine.validation import FloatArray, as_array

# A table of more would take more than 200 MB in double precision.
MOST_PEOPLE = 5_000


def check_graph(value: object, argument: str = "graph", *, directed: bool = False) -> FloatArray:
    """Return a table of ties as floats, shape (n, n); undirected ties stand there twice."""
    rule = "be a square table of 0 and 1 with an empty diagonal"
    table = as_array(value)
    if table is None or table.ndim != 2 or table.dtype.kind not in "biuf":
        raise ArgumentError(argument, value, rule, "not_a_graph")
    people = len(table)
    if table.shape[1] != people or people < 2:
        raise ArgumentError(argument, value, f"{rule}, of two or more people", "not_a_graph")
    if people > MOST_PEOPLE:
        raise ArgumentError(
            argument, value, f"have at most {MOST_PEOPLE} people", "too_many_people"
        )
    if not ((table == 0) | (table == 1)).all() or table.diagonal().any():
        raise ArgumentError(argument, value, rule, "not_a_graph")
    if not directed and (table != table.T).any():
        raise ArgumentError(argument, value, "be symmetric", "not_a_graph")
    return table.astype(np.float64)


def degree_counts(graph: FloatArray) -> FloatArray:
    """Return how many ties each person has."""
    return graph.sum(axis=1)


def triangle_counts(graph: FloatArray) -> FloatArray:
    """Return how many triangles of an undirected graph each person is in."""
    return ((graph @ graph) * graph).sum(axis=1) / 2
