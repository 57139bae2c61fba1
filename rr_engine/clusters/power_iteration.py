"""Power iteration clustering (Lin & Cohen 2010)."""

from __future__ import annotations

import numpy as np

from rr_engine.clusters.line import clusters_on_line
from rr_engine.validation import FloatArray

# The paper's: the iteration ends where the speed of every entry changes by less than this over m.
SETTLED = 1e-5
LONGEST = 1000


def power_labels(weights: FloatArray, k: int) -> list[list[int]]:
    """Return clusters from each start: the degrees, and every attribute by itself.

    A walk along the edges soon forgets where in a cluster it began, and only later in which one:
    stopped in between, the vector is nearly constant over clusters, which are then found on a line.
    The starts are functions of the graph, not of chance or of the order of the attributes.
    """
    step = walk(weights)
    degrees = weights.sum(axis=1)
    total = float(degrees.sum())
    starts = np.eye(len(weights))
    if total > 0:
        starts = np.vstack([degrees / total, starts])
    return [clusters_on_line(vector, k) for vector in embeddings(step, starts)]


def walk(weights: FloatArray) -> FloatArray:
    """Return the step of a lazy walk: it stays with chance 1/2, and always where no edge leads on.

    The vectors that it keeps are those of the paper's step ``D^-1 A``. Without laziness a pair of
    attributes that are joined to each other alone would change places for ever.
    """
    degrees = weights.sum(axis=1)
    joined = degrees > 0
    step = np.eye(len(weights))
    step[joined] = (step[joined] + weights[joined] / degrees[joined, None]) / 2
    return step


def embeddings(step: FloatArray, starts: FloatArray) -> FloatArray:
    """Return, from each start, the vector at which the walk has slowed down evenly."""
    vectors, speeds = starts.copy(), np.full(starts.shape, np.inf)
    moving = np.arange(len(starts))
    for _ in range(LONGEST):
        before = vectors[moving]
        moved = before @ step.T
        moved /= np.abs(moved).sum(axis=1, keepdims=True)
        now = np.abs(moved - before)
        slower = np.abs(now - speeds[moving]).max(axis=1)
        vectors[moving], speeds[moving] = moved, now
        moving = moving[slower > SETTLED / len(step)]
        if not len(moving):
            break
    return vectors
