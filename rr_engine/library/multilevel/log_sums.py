"""The logarithm of a sum of exponentials, quickly for the small tables that are walked on often."""

import numpy as np

from rr_engine.validation import FloatArray


def log_sum_exp(values: FloatArray, axis: int | tuple[int, ...]) -> FloatArray:
    """Return ``log(sum(exp(values)))`` over axes; minus infinity where all values are.

    As SciPy's `logsumexp` to the last digit, without what that does for other kinds of arrays: the
    largest terms stand outside of the sum.
    """
    top = values.max(axis=axis, keepdims=True)
    largest = values == top
    many = largest.sum(axis=axis, keepdims=True, dtype=np.float64)
    rest = np.exp(values - np.where(np.isfinite(top), top, 0.0))
    rest[largest] = 0.0
    total = np.log1p(rest.sum(axis=axis, keepdims=True) / many) + np.log(many) + top
    return np.squeeze(total, axis=axis)
