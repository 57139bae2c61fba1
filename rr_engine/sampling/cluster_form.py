"""Variances as sums of squares between clusters within strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine.errors import ArgumentError
from rr_engine.validation import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ClusterForm:
    """How much the square of each cluster's distance from its stratum counts.

    Attributes
    ----------
    strata : ndarray of int, shape (clusters,)
    coefficients : ndarray of float, shape (clusters,)
        The centre of a stratum is its mean with these as weights.
    single : ndarray of bool, shape (clusters,)
        Clusters without another in their stratum, to be compared with the mean of all.
    """

    strata: IntArray
    coefficients: FloatArray
    single: BoolArray

    @property
    def own(self) -> FloatArray:
        """Coefficient of the square of each cluster's own total: ``c - c**2 / sum c``."""
        sums = stratum_sums(self.strata, self.coefficients)[self.strata]
        shared = self.coefficients**2 / np.where(sums > 0, sums, 1.0)
        return np.where(self.single, self.coefficients, self.coefficients - shared)


def stratum_sums(strata: IntArray, values: FloatArray) -> FloatArray:
    """Return the sum in each stratum, added in an order that the order of rows cannot change."""
    order = np.lexsort((values, strata))
    return np.bincount(strata[order], values[order]).astype(np.float64)


def strata_of_clusters(strata: IntArray, clusters: IntArray) -> IntArray:
    """Return the stratum of each cluster."""
    result = np.empty(int(clusters.max()) + 1, dtype=np.int64)
    result[clusters] = strata
    return result


def sum_clusters(table: FloatArray, clusters: IntArray) -> FloatArray:
    """Return the sums of clusters, in an order of adding that the order of rows cannot change."""
    order = np.lexsort((*table.T, clusters))
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    return np.add.reduceat(table[order], starts, axis=0)


def spread_of_clusters(table: FloatArray, clusters: IntArray, form: ClusterForm) -> FloatArray:
    """Return ``sum c (t - centre)(t - centre)'`` over clusters with totals t.

    Sorted before anything is added, so that the order of rows changes no digit.
    """
    alone = len(table) == len(form.strata)
    totals = table[np.argsort(clusters)] if alone else sum_clusters(table, clusters)
    order = np.lexsort((*totals.T, form.coefficients, form.strata))
    totals, strata, single = totals[order], form.strata[order], form.single[order]
    coefficients = form.coefficients[order]
    centres = _stratum_centres(totals, strata, coefficients)[strata]
    centres[single] = totals.mean(axis=0)
    distances = totals - centres
    covariance = (distances * coefficients[:, None]).T @ distances
    return (covariance + covariance.T) / 2


def _stratum_centres(totals: FloatArray, strata: IntArray, coefficients: FloatArray) -> FloatArray:
    """Return weighted means; strata of which nothing counts get any."""
    starts = np.flatnonzero(np.diff(strata, prepend=-1))
    sums = np.add.reduceat(totals * coefficients[:, None], starts, axis=0)
    weights = np.add.reduceat(coefficients, starts)
    return sums / np.where(weights > 0, weights, 1.0)[:, None]


def single_cluster_error(labels: Sequence[int | str], strata: IntArray) -> ArgumentError:
    """Return the error for strata of a single cluster."""
    names = ", ".join(repr(labels[code]) for code in strata[:5])
    rule = (
        f"have two or more clusters in each stratum, which stratum {names} has not: merge it "
        'with one like it, or choose single_clusters="centre"'
    )
    return ArgumentError("strata", tuple(labels), rule, "single_cluster")
