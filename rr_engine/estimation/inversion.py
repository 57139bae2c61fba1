"""The unbiased estimate: the proportions that solve the design's equations exactly."""

from rr_engine.estimation.solution import Solution
from rr_engine.precision import left_inverse, solve_proportions
from rr_engine.validation import FloatArray


def invert(matrix: FloatArray, reported: FloatArray, weights: FloatArray | None = None) -> Solution:
    """Return the solution of P pi = lam (Wang Eq. 17); entries may leave the range 0 to 1.

    With more reports than truths it is the weighted least-squares solution of
    :func:`rr_engine.precision.left_inverse`, which is unbiased as well, for weights that do not
    depend on the reports.
    """
    if matrix.shape[0] == matrix.shape[1]:
        return Solution(solve_proportions(matrix, reported), reported)
    proportions = left_inverse(matrix, weights) @ reported
    return Solution(proportions, matrix @ proportions, weights)
