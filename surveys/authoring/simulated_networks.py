"""Networks that are planted: who is tied to whom, and what is true of it."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

import rr_engine
from surveys.kinds.network_estimates import UNDIRECTED

Ties = npt.NDArray[np.bool_]


def planted_ties(groups: Sequence[str], within: float, between: float, *, seed: int) -> Ties:
    """Undirected ties of shape (members, members), drawn by chance.

    `groups`: that of each member. `within`, `between`: the chance of a tie between two members of
    one group, and of two.
    """
    of = np.array(groups)
    chances = np.where(of[:, np.newaxis] == of, within, between)
    upper = np.triu(np.random.default_rng(seed).random(chances.shape) < chances, 1)
    return upper | upper.T


def answers_about(ties: Ties) -> npt.NDArray[np.int64]:
    """What members truly answer: row i says of each of the others in order whether i has a tie."""
    count = len(ties)
    return ties[~np.eye(count, dtype=bool)].reshape(count, count - 1).astype(np.int64)


def true_statistics(ties: Ties) -> dict[str, float]:
    """The statistics of results by name, of undirected ties that are known as they are."""
    reports = rr_engine.NetworkReports.from_matrix(ties)
    found = rr_engine.estimate_network(reports, rr_engine.direct(2), directed=False)
    return {name: float(getattr(found, name).value) for name in UNDIRECTED}
