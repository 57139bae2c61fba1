"""The nearest point of the simplex."""

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray


def project_to_simplex(values: ArrayLike) -> FloatArray:
    """Return the proportions nearest to `values` in Euclidean distance.

    Subtracts one number from all entries and cuts at zero; the number follows from the sorted
    entries (Held, Wolfe & Crowder, Mathematical Programming 6 (1974), 62-88).

    Parameters
    ----------
    values : array_like of float, shape (categories,)

    Returns
    -------
    ndarray of float, shape (categories,)

    Raises
    ------
    ArgumentError
        For anything but a list of one or more finite numbers.

    References
    ----------
    .. [1] M. Held, P. Wolfe and H. P. Crowder, "Validation of Subgradient Optimization",
       Mathematical Programming 6 (1974), 62-88.

    Examples
    --------
    >>> project_to_simplex([0.75, 0.5, -0.25]).tolist()
    [0.625, 0.375, 0.0]
    """
    values = check.reals(values, None, "values", "be a list of one or more finite numbers")
    # A point inside is returned unchanged: projecting twice gives identical bits.
    if (
        values.min() >= 0
        and values.max() <= 2
        and abs(values.sum() - 1) <= 4 * np.finfo(float).eps * len(values)
    ):
        return values
    # Only differences count, and entries more than 1 below the largest are cut: so no digits are
    # lost however large the values are.
    with np.errstate(over="ignore"):
        values = np.maximum(values - values.max(), -1.0)
    descending = np.sort(values)[::-1]
    excess = (np.cumsum(descending) - 1) / np.arange(1, len(descending) + 1)
    last_positive = np.flatnonzero(descending > excess)[-1]
    cut = np.maximum(values - excess[last_positive], 0.0)
    return cut / cut.sum()


def project_rows(values: FloatArray) -> FloatArray:
    """Return :func:`project_to_simplex` of every row of finite numbers, shape (rows, categories).

    A row of proportions is returned unchanged.
    """
    count = values.shape[1]
    descending = -np.sort(-values, axis=1)
    excess = (np.cumsum(descending, axis=1) - 1) / np.arange(1, count + 1)
    last_positive = count - 1 - np.argmax((descending > excess)[:, ::-1], axis=1)
    cut = np.maximum(values - excess[np.arange(len(values)), last_positive][:, None], 0.0)
    projected = cut / cut.sum(axis=1, keepdims=True)
    near_one = np.abs(values.sum(axis=1) - 1) <= 4 * np.finfo(float).eps * count
    inside = (values.min(axis=1) >= 0) & near_one
    return np.where(inside[:, None], values, projected)
