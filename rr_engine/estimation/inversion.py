"""The unbiased estimate: the proportions that solve the channel's equations exactly."""

from rr_engine.channels.protocol import Channel
from rr_engine.estimation.solution import Solution
from rr_engine.validation import FloatArray


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
