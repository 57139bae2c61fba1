"""The nearest point of the simplex."""

import numpy as np

from rr_engine.validation import FloatArray


def project_to_simplex(values: FloatArray) -> FloatArray:
    """Return the proportions nearest to `values` in Euclidean distance.

    Subtracts one number from all entries and cuts at zero; the number follows from the sorted
    entries (Held, Wolfe & Crowder, Mathematical Programming 6 (1974), 62-88).

    Examples
    --------
    >>> project_to_simplex(np.array([0.75, 0.5, -0.25])).tolist()
    [0.625, 0.375, 0.0]
    """
    # Already inside: return it unchanged, so that projecting twice gives the same bits.
    if (values >= 0).all() and abs(values.sum() - 1) <= 4 * np.finfo(float).eps * len(values):
        return values.copy()
    descending = np.sort(values)[::-1]
    excess = (np.cumsum(descending) - 1) / np.arange(1, len(values) + 1)
    kept = np.flatnonzero(descending > excess)[-1]
    cut = np.maximum(values - excess[kept], 0.0)
    return cut / cut.sum()
