"""The error of the estimate that the results make."""

from collections.abc import Sequence
from math import inf

import numpy as np
import numpy.typing as npt

import rr_engine


def squared_error(
    channel: rr_engine.channels.Channel,
    shares: npt.ArrayLike,
    n: int,
    guess: Sequence[float] | None = None,
) -> float:
    """Return the error of the estimate that weighs reports by the guess, or by equal shares.

    `channel.mse` has the error of weights that are right for the shares.
    """
    smallest = channel.mse(shares, n)
    if channel.saturated or smallest == inf:
        return smallest
    weights = None if guess is None else channel.apply(np.asarray(guess))
    at = np.asarray(shares)
    return float(channel.variances(at, channel.apply(at), "sample", weights).mean()) / n
