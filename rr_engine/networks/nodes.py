"""Degrees of each person."""

from __future__ import annotations

import numpy as np

from rr_engine.errors import ArgumentError
from rr_engine.networks.pairs import AskedPairs
from rr_engine.networks.reports import NetworkReports
from rr_engine.networks.scores import TieScores
from rr_engine.networks.statistics import NetworkCount
from rr_engine.validation import FloatArray, check_choice

# How often a tie's noise is in the sum of the degrees: undirected ties are in those of both ends.
KINDS = {"undirected": 2.0, "out": 1.0, "in": 1.0}


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


def mean_of(degrees: NetworkCount, kind: str) -> NetworkCount:
    """Return the mean of degrees, of one kind."""
    ends, n = KINDS[kind], np.size(degrees.value)
    moments = float(np.mean(degrees.value)), ends * float(np.sum(degrees.variance)) / n**2
    highest, slope = float(np.max(degrees.highest)), float(np.mean(degrees.slope))
    return NetworkCount(*moments, 0.0, highest, ends * slope / n)


def variance_of(degrees: NetworkCount, kind: str) -> NetworkCount:
    """Return the variance of degrees, without that of the noise.

    To first order the errors are ``2/n sum (d_i - mean) e_i``, and beside these the squares of the
    errors: their variance is linear in the variance of the degrees.
    """
    mean, n = mean_of(degrees, kind), np.size(degrees.value)
    noise = np.asarray(degrees.variance)
    found = float(((degrees.value - mean.value) ** 2 - noise).mean()) + float(mean.variance)
    slope, squares = 4 * float(noise.mean()) / n, 2 * float((noise**2).mean()) / n
    # An estimate below 0 has no less noise than there is without any spread.
    variance, least = slope * found + squares, squares
    return NetworkCount(found, variance, 0.0, float(mean.highest) ** 2 / 4, slope, least)


def check_reports(value: object) -> NetworkReports:
    """Return reports on a network."""
    if not isinstance(value, NetworkReports):
        raise ArgumentError("reports", value, "be NetworkReports", "not_network_reports")
    return value


def check_kind(value: object) -> str:
    """Return a kind of degree."""
    return check_choice(value, "kind", KINDS)
