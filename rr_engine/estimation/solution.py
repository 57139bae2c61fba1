"""The solution that an estimation method returns to `estimate`."""

from dataclasses import dataclass

from rr_engine.validation import FloatArray


@dataclass(frozen=True, slots=True)
class Solution:
    """Proportions found by a method.

    Attributes
    ----------
    proportions : ndarray of float, shape (truths,)
    fitted : ndarray of float, shape (reports,)
        Shares of the reports under them: those that came in, wherever these are met exactly.
    weights : ndarray of float or None, shape (reports,)
        Reported shares at which :func:`rr_engine.precision.left_inverse` weighs the reports. Of a
        likelihood: None where inversion is its maximum, and nothing is held at zero.
    converged : bool
    iterations : int
        0 for a closed form.
    """

    proportions: FloatArray
    fitted: FloatArray
    weights: FloatArray | None = None
    converged: bool = True
    iterations: int = 0
