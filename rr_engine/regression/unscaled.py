"""Scores and information in the coefficients of the columns as they came.

``coefficients = transform @ coefficients of the scaled columns``.
"""

import numpy as np

from rr_engine.validation import FloatArray, IntArray


def respondent_scores(
    scores: FloatArray, group_of: IntArray, weights: FloatArray, transform: FloatArray
) -> FloatArray:
    """Return each respondent's weighted score, shape (n, coefficients).

    `scores`: of one respondent of each group, in scaled columns; `group_of`: any group for
    respondents whose weight is zero.
    """
    return scores[group_of] * weights[:, None] @ np.linalg.inv(transform)


def unscaled_information(information: FloatArray, transform: FloatArray) -> FloatArray:
    """Return an information in scaled columns as one in the columns as they came."""
    back = np.linalg.inv(transform)
    return np.asarray(back.T @ information @ back, dtype=np.float64)
