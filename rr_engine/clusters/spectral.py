"""Spectral clustering by the normalized Laplacian (Ng, Jordan & Weiss 2001)."""

from __future__ import annotations

import numpy as np

from rr_engine.clusters.line import DIGITS
from rr_engine.validation import FloatArray

ROUNDS = 100


def spectral_labels(weights: FloatArray, k: int) -> list[list[int]]:
    """Return clusters of the rows of the k first eigenvectors, from every first centre.

    Only the inner products of the rows are used: they do not depend on the signs of eigenvectors,
    nor on which ones a routine picks where eigenvalues are equal.
    """
    size = len(weights)
    degrees = weights.sum(axis=1)
    roots = np.where(degrees > 0, degrees, 1.0) ** 0.5
    # An attribute without edges is a component of its own.
    normalized = weights / np.outer(roots, roots) + np.diag((degrees == 0).astype(float))
    vectors = np.linalg.eigh((normalized + normalized.T) / 2)[1][:, size - k :]
    products = vectors @ vectors.T
    lengths = np.sqrt(np.maximum(np.diag(products), 1e-12))
    products = np.round(products / np.outer(lengths, lengths), DIGITS)
    return [_means(products, k, first) for first in range(size)]


def _means(products: FloatArray, k: int, first: int) -> list[int]:
    """Return k-means of points with these inner products, from centres that are far apart."""
    distances = np.diag(products)[:, None] + np.diag(products) - 2 * products
    centres = [first]
    while len(centres) < k:
        centres.append(int(np.argmax(np.round(distances[:, centres].min(axis=1), DIGITS))))
    labels = np.argmin(np.round(distances[:, centres], DIGITS), axis=1)
    for _ in range(ROUNDS):
        moved = np.argmin(np.round(_to_means(products, labels, k), DIGITS), axis=1)
        if (moved == labels).all():
            break
        labels = moved
    return labels.tolist()


def _to_means(products: FloatArray, labels: FloatArray, k: int) -> FloatArray:
    """Return the squared distance of each point to each mean; infinite to an empty cluster."""
    inside = (labels[:, None] == np.arange(k)).astype(float)
    members = inside.sum(axis=0)
    shares = inside / np.maximum(members, 1)
    cross = products @ shares
    within = (shares * cross).sum(axis=0)
    return np.where(members > 0, np.diag(products)[:, None] - 2 * cross + within, np.inf)
