"""The solution that an estimation method returns to `estimate`, and the unbiased one."""

from dataclasses import dataclass

from rr_engine.channels.protocol import Channel
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


def invert(channel: Channel, reported: FloatArray, weights: FloatArray | None = None) -> Solution:
    """Return the solution of P pi = lam (Wang Eq. 17); entries may leave the range 0 to 1.

    With more reports than truths it is the weighted least-squares solution of
    :func:`rr_engine.precision.left_inverse`, which is unbiased as well, for weights that do not
    depend on the reports.
    """
    proportions = channel.solve(reported, weights)
    if channel.saturated:
        return Solution(proportions, reported)
    return Solution(proportions, channel.apply(proportions), weights)
