"""Degrees of each person."""

from __future__ import annotations

import numpy as np

from rr_engine.errors import ArgumentError
from rr_engine.networks.pairs import AskedPairs
from rr_engine.networks.reports import NetworkReports
from rr_engine.networks.scores import TieScores
from rr_engine.networks.statistics import NetworkCount
from rr_engine.validation import FloatArray, check_choice

KINDS = ("undirected", "out", "in")


def node_degrees(pairs: AskedPairs, scores: TieScores, kind: str) -> NetworkCount:
    """Return how many of those asked about each person is tied to."""
    tables = (
        scores.values,
        scores.value_variances,
        np.repeat(scores.slope[:, None], 3, axis=1),
        np.repeat(np.array([[0.0], [1.0], [1.0]]), 3, axis=1),
    )
    # One at a time: a large network has no room for all of them.
    value, variance, slope, asked = (_node_sums(pairs, table, kind) for table in tables)
    lowest = np.zeros(pairs.n)
    return NetworkCount(value, variance, lowest, asked, slope / np.maximum(asked, 1.0))


def _node_sums(pairs: AskedPairs, table: FloatArray, kind: str) -> FloatArray:
    if kind == "undirected":
        each = pairs.of_ties(table)
        return pairs.node_sums(each, each)
    forth, back = pairs.of_arcs(table)
    return pairs.node_sums(*((forth, back) if kind == "out" else (back, forth)))


def check_reports(value: object) -> NetworkReports:
    """Return reports on a network."""
    if not isinstance(value, NetworkReports):
        raise ArgumentError("reports", value, "be NetworkReports", "not_network_reports")
    return value


def check_kind(value: object) -> str:
    """Return a kind of degree."""
    return check_choice(value, "kind", KINDS)
