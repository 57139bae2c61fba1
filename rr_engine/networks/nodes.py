"""Degrees of each person."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rr_engine.errors import ArgumentError
from rr_engine.networks.pairs import AskedPairs
from rr_engine.networks.reports import NetworkReports
from rr_engine.networks.scores import TieScores
from rr_engine.networks.statistics import NetworkCount
from rr_engine.validation import check_choice

KINDS = ("undirected", "out", "in")
# Scores, variances and slopes of the first's and of the second's side of each pair.
Sides = tuple[npt.NDArray, npt.NDArray]


def node_degrees(pairs: AskedPairs, scores: TieScores, kind: str) -> NetworkCount:
    """Return how many of those asked about each person is tied to."""
    if kind == "undirected":
        w, v = pairs.tie_scores(scores)
        slopes = scores.slope[pairs.asked.sum(axis=0)]
        sides = [(each, each) for each in (w, v, slopes, np.ones(len(pairs)))]
    else:
        z, variances = pairs.arc_scores(scores)
        order = 1 if kind == "out" else -1
        arrays = (z, variances, scores.slope[pairs.asked], pairs.asked.astype(np.float64))
        sides = [(each[::order][0], each[::order][1]) for each in arrays]
    value, variance, slope, asked = (pairs.node_sums(*side) for side in sides)
    lowest = np.zeros(pairs.n)
    return NetworkCount(value, variance, lowest, asked, slope / np.maximum(asked, 1.0))


def check_reports(value: object) -> NetworkReports:
    """Return reports on a network."""
    if not isinstance(value, NetworkReports):
        raise ArgumentError("reports", value, "be NetworkReports", "not_network_reports")
    return value


def check_kind(value: object) -> str:
    """Return a kind of degree."""
    return check_choice(value, "kind", KINDS)
